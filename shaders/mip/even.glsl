// mip/even.glsl - level 1 of a tile of a stage whose levels all halve exactly, without branches
//
//   in        t_src or i_src   the first level (mip/source.glsl)
//   out       level 1, to its image and in registers; with COPY also the first level
//   host sets EVEN      levels of the stage, 1 .. 6: both sizes are multiples of 2^EVEN
//             BATCHES   in which a thread loads its texels: 1, 2 or 4
//   includer  thread_lane() and thread_subgroup(): 0 .. 31 and 0 .. 7; REPEATS:
//             mip/even_stages.glsl
//   lanes     32 threads load and store blocks of 8 x 4 texels, which are whole sectors (2 x 2
//             texels of RGBA16F, 4 x 2 of RGBA8). They make 16 x 8 texels of level 1, and 8 x 4 of
//             level 2. A thread's four texels lie 8 and 4 apart: neighbours store neighbours:
//
//                thread 0  | 0 . . . . . . . 0 . . . . . . . |        thread 0  | 0 . . . . . . . |
//                level 1   | 8 rows, its four marked 0       |        level 2   | 4 rows          |
//
//             8 times 32 threads lie 2 x 4 in a tile: 32 x 32 texels of level 1
//   cost      4 times one gather or two a thread (common/gather.glsl), or 16 loads. Texels outside
//             of the rectangle are loaded, too, as GL allows, and their outputs are not stored
//   SPDX-License-Identifier: MIT
#pragma optionNV(unroll all)

// Plain sums: scrubbing and codes are handled once for a sum of four texels, not for each texel.
const bool PLAIN = REDUCE == AG_REDUCE_MEAN && WEIGHT == AG_WEIGHT_NONE && STORE != AG_STORE_SRGB8;
#define OUTPUTS (4 / BATCHES)

// ---- the current stage

struct EvenStage {
    ivec2 tile;
    int source, levels; // the level above its first; how many: EVEN, or fewer at the chain's end
    int at;             // where its last level goes in the buffer; -1: nowhere
};
EvenStage g_stage = EvenStage(ivec2(0), 0, 0, -1);

// Stores a texel of level `j` of the stage. The place becomes (-1, -1), where GL ignores the store,
// beyond the rectangle, below the last level, and where `not_mine` is -1 (another stores): no
// branch.
void store_even(int j, ivec2 p, int not_mine, vec4 c)
{
    int level = g_stage.source + j, image = j;
    ivec2 beyond = (level_size(level) - 1 - p) >> 31;
    not_mine |= beyond.x | beyond.y;
    if (REPEATS) {
        not_mine |= (g_stage.levels - j) >> 31;
        image = g_stage.source - first_source() + min(j, g_stage.levels);
    }
    store_placed(image, level_corner(level) + p | ivec2(not_mine), stored(c));
}

// Stores a texel of the stage's last level for the next stage.
void store_even_handover(ivec2 p, vec4 c)
{
    ivec2 beyond = (level_size(g_stage.source + EVEN) - 1 - p) >> 31;
    if (g_stage.at >= 0 && (beyond.x | beyond.y) == 0)
        store_handover(g_stage.at, g_stage.source + EVEN, p, c);
}

vec4 mean_of_four(vec4 a, vec4 b, vec4 c, vec4 d, bool first)
{
    SUM s = sum_begin();
    sum_add(s, a, 0.25, first);
    sum_add(s, b, 0.25, first);
    sum_add(s, c, 0.25, first);
    sum_add(s, d, 0.25, first);
    return sum_finish(s);
}

// ---- texels of the source

// The source texels of a batch as read: all loads come first. Plain arrays, not arrays in a struct
// (docs/decisions.md, D2).
#if defined(SRC_UNIT) && SRC_UNIT >= AG_BY_TEXTURE
#define SOURCES gathered source[OUTPUTS]
#define LOAD_SOURCE_OF(i, to) source[i] = gather(u_src_rect.xy + 2 * (to))
#define SOURCE_TEXEL(i, k) as_channels(texel_of(source[i], k))
#else
#define SOURCES vec4 source[4 * OUTPUTS]
#define LOAD_SOURCE_OF(i, to)   \
    for (int k = 0; k < 4; ++k) \
    source[4 * i + k] = load_raw(2 * (to) + ivec2(k & 1, k >> 1))
#define SOURCE_TEXEL(i, k) source[4 * (i) + k]
#endif
#if SRC_PACKING == AG_PACKING_8888
#define CODE_SUM(i) code_sum(source[i])
#else
#define CODE_SUM(i) vec4(0.0)
#endif

// Level 1's texel at `to`, from its four source texels.
vec4 first_of(vec4 a, vec4 b, vec4 c, vec4 d, ivec2 to, inout uint bad_texels)
{
    vec4 texels[4] = vec4[4](a, b, c, d), made;
    if (PLAIN && OF_CODES && !RAW_CODES) {
        made = 0.25 * roundEven((a + b + (c + d)) * CODES);
    } else if (PLAIN) {
        made = 0.25 * (a + b + (c + d));
    } else {
        for (int k = 0; k < 4; ++k) {
            bool bad;
            texels[k] = clean(texels[k], bad);
            ivec2 beyond = (level_size(first_source()) - 1 - 2 * to - ivec2(k & 1, k >> 1)) >> 31;
            bad_texels += uint(bad) & ~uint(beyond.x | beyond.y);
        }
        made = mean_of_four(texels[0], texels[1], texels[2], texels[3], true);
    }
    return made;
}

// The same where a texel is non-finite: reads all again. It is rare, so the loop is not unrolled.
vec4 scrubbed(ivec2 to, inout uint bad_texels)
{
    ivec2 beyond = (level_size(first_source() + 1) - 1 - to) >> 31;
    SUM s = sum_begin();
    for (int k = 0; k < 4 + zero(); ++k) {
        bool bad;
        vec4 c = load_first(2 * to + ivec2(k & 1, k >> 1), bad);
        bad_texels += uint(bad) & ~uint(beyond.x | beyond.y);
        sum_add(s, c, 0.25, true);
    }
    return sum_finish(s);
}

// ---- level 1

// The offset of a thread's k-th texel of level 1 from its first.
ivec2 apart(int k)
{
    return ivec2(8 * (k & 1), 4 * (k >> 1));
}

// A thread's place in a tile of 2 x 4 blocks of this size; with 16 x 8, its first texel of level 1.
ivec2 thread_place(ivec2 block)
{
    int lane = thread_lane(), subgroup = thread_subgroup();
    return block * ivec2(subgroup & 1, subgroup >> 1) + ivec2(lane & 7, lane >> 3);
}

// By constant indices, so that the array stays in registers.
void replace(inout vec4 level1[4], int at, vec4 c)
{
    level1[0] = mix(level1[0], c, bvec4(at == 0));
    level1[1] = mix(level1[1], c, bvec4(at == 1));
    level1[2] = mix(level1[2], c, bvec4(at == 2));
    level1[3] = mix(level1[3], c, bvec4(at == 3));
}

// Stores a texel of level 1.
void output_first(ivec2 to, vec4 c)
{
    store_even(1, to, 0, c);
    if (EVEN == 1)
        store_even_handover(to, c);
}

// Makes a thread's level 1, and stores it unless even_stages does. Counts non-finite texels.
void even_first_level(out vec4 level1[4])
{
    ivec2 p = g_stage.tile * 32 + thread_place(ivec2(16, 8));
    uint bad_texels = 0u;
    for (int batch = 0; batch < BATCHES; ++batch) {
        // 1. All loads.
        SOURCES;
        for (int i = 0; i < OUTPUTS; ++i)
            LOAD_SOURCE_OF(i, p + apart(batch * OUTPUTS + i));
        // 2. Means.
        uint largest = 0u;
        for (int i = 0; i < OUTPUTS; ++i) {
            ivec2 to = p + apart(batch * OUTPUTS + i);
            vec4 c;
            if (PLAIN && STORE == AG_STORE_UNORM8 && SRC_PACKING == AG_PACKING_8888)
                c = 0.25 * CODE_SUM(i);
            else
                c = first_of(SOURCE_TEXEL(i, 0), SOURCE_TEXEL(i, 1), SOURCE_TEXEL(i, 2),
                             SOURCE_TEXEL(i, 3), to,
                             bad_texels);
            level1[batch * OUTPUTS + i] = c;
            largest = max(largest, size_bits(c));
        }
        // 3. Means of non-finite texels again.
        if (COUNTS != 0 && PLAIN && largest >= bad_size())
            for (int n = 0; n < OUTPUTS + zero(); ++n) {
                int at = batch * OUTPUTS + n;
                replace(level1, at, scrubbed(p + apart(at), bad_texels));
            }
        // 4. Stores.
        for (int i = 0; i < OUTPUTS; ++i) {
            ivec2 to = p + apart(batch * OUTPUTS + i);
            if (COPY != 0)
                for (int k = 0; k < 4; ++k) {
                    ivec2 from = 2 * to + ivec2(k & 1, k >> 1),
                        beyond = (level_size(first_source()) - 1 - from) >> 31;
                    store_placed(0,
                                 level_corner(first_source()) + from | ivec2(beyond.x | beyond.y),
                                 SOURCE_TEXEL(i, k));
                }
            if (!REPEATS)
                output_first(to, level1[batch * OUTPUTS + i]);
        }
    }
#if COUNTS
    count_bad(bad_texels);
#endif
}
