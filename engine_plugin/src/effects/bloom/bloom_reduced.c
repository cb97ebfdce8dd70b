// bloom_reduced.c - bloom by the FFT of a smaller image: half, quarter, eighth (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
//   fireflies          T with less of single bright texels, if wanted              firefly.comp
//   down               T, what blooms of the frame, to the half and the quarter    down.comp
//   quarter to eighth                                                              level.comp
//   steady             what flickers of it becomes its mean, if wanted            steady.comp
//   FFT                the convolution of the last of these images with K's rest   convolution.h
//   eighth to quarter, quarter to half
//                      the result, and a level's direct taps                       level.comp
//   up                 to the frame, its direct taps, and the composite            up.comp
//
// K is drawn for the frame as it would without this. Only its texels are looked at, when it is
// split (bloom_split.c): K may be any kernel.
#include "base/rounding.h"
#include "core/frame_pass.h"
#include "effects/bloom/bloom.h"
#include "effects/kit/tables.h"

#include <math.h>
#include <string.h>

// ---- plan --------------------------------------------------------------------------------------

// Of auto's decisions, from the finest to the coarsest. 5 x 5 taps hold most of a level, 7 x 7 what
// a bright star lacks then (docs/bloom.md).
static const ag_octaves decisions[AG_DECISIONS + 1] = {
    [2] = {.levels = 1, .taps = {7}},
    {.levels = 1, .taps = {5}},
    {.levels = 1},
    {.levels = 2, .taps = {7, 7}},
    {.levels = 2, .taps = {0, 7}},
    {.levels = 2, .taps = {0, 5}},
    {.levels = 2},
    {.levels = 3, .taps = {0, 7, 7}},
};

// The rays of a pupil's star are lines, whose spectrum ends where K's does. As cycles a texel of an
// eighth: with more, texels beside the rays come out black and blue (docs/bloom.md).
static const double MOST_CYCLES = 1.25;

bool ag_eighth_serves(const ag_request *request, const ag_bloom_settings *s, int32_t kernel_height)
{
    int32_t planned = (int32_t)(s->size * (float)request->plan_height);
    int32_t extent = planned > kernel_height ? planned : kernel_height;
    return !ag_pupil_makes(s->shape) || request->live ||
           8 * ag_pupil_cutoff(s, extent) <= MOST_CYCLES;
}

ag_octaves ag_octaves_of(const ag_request *request, const ag_bloom_settings *s,
                         int32_t kernel_height, int32_t decision)
{
    bool named = s->resolution != AG_BLOOM_AUTO;
    bool flat = s->shape == AG_BLOOM_ANAMORPHIC; // its line is thin
    ag_octaves o = named ? (ag_octaves){.levels = s->resolution} : decisions[decision];
    // Other kernels may be split by the same programs, and a shader from the host's folder may draw
    // any.
    bool any = !ag_pupil_makes(s->shape) || request->live || ag_bloom_several(request, s);
    // A kernel whose spectrum ends soon after the half's needs no taps of the frame.
    bool smooth = !any && 2 * ag_pupil_cutoff(s, kernel_height) < 0.6;
    if (named) {
        if (o.levels == AG_BLOOM_EIGHTH && !ag_eighth_serves(request, s, kernel_height))
            o.levels = AG_BLOOM_QUARTER;
        // An anamorphic's half needs 7 x 7, or a ring around a lamp is below -0.1 % of its glow.
        o.taps[0] = smooth ? 0 : any || (o.levels == 1 && !flat) ? 5 : 7;
        // With 5 x 5 of the half, texels between the rays of a lamp come out black or red. An
        // anamorphic's quarter differs from its half along x alone: few taps of the half would be
        // left, of a system that floats hardly solve.
        o.taps[1] = o.levels > 2 || (o.levels == 2 && !flat) ? 7 : 0;
        o.taps[2] = o.levels < 3 ? 0 : any ? 5 : 7;
    }
    if (s->grid == AG_BLOOM_FIXED) { // the frame's texels change with its size
        o.taps[0] = 0;
        o.taps[1] = o.levels < 2 ? 0 : flat && o.levels == 2 ? 5 : 7;
    }
    o.flat = flat;
    return o;
}

ag_reduced ag_reduced_plan(const ag_request *request, const ag_bloom_settings *s,
                           const ag_octaves *octaves, const int32_t grid[2], ag_fft_request *fft)
{
    bool wide = request->formats[AG_BLOOM_SRC]->store == AG_STORE_32F;
    int32_t levels = octaves->levels;
    ag_reduced r = {.octaves = *octaves,
                    .step_x = (float)(2.0 * fft->width / grid[0]),
                    .step_y = (float)(2.0 * fft->height / grid[1]),
                    .varies = fft->width != grid[0] || fft->height != grid[1],
                    .fireflies = s->firefly != AG_BLOOM_FIREFLY_OFF,
                    .steady = s->steady > 0,
                    .format = ag_format_find(wide ? GL_RGBA32F : GL_RGBA16F)};
    if (fft->kernel_form == AG_KERNEL_LINES) // smooth
        memset(r.octaves.taps, 0, sizeof r.octaves.taps);
    for (int32_t l = 1; l <= levels; ++l)
        for (int32_t axis = 0; axis < 2; ++axis)
            r.sizes[l][axis] =
                ag_div_up(grid[axis], ag_octave_ratio(octaves, l, axis)) + 2 * AG_SMALL_MARGIN;
    fft->width = r.sizes[levels][0];
    fft->height = r.sizes[levels][1];
    fft->kernel_width = ag_rest_side(octaves, 0, fft->kernel_width);
    fft->kernel_height = ag_rest_side(octaves, 1, fft->kernel_height);
    fft->src_bytes = fft->dst_bytes = r.format->bytes;
    // Nothing of the smaller image but the convolution is used: the pass that reads it once more
    // for a composite is only taken where the other one does not exist.
    fft->plain_output = !wide && fft->channels == 3;
    fft->reads_src_again = !fft->plain_output;
    return r;
}

// ---- every frame -------------------------------------------------------------------------------

static const ag_mix plain_mix = {.gain = {1, 1, 1, 1}, .filter = {0, 0, INFINITY, 0}};

typedef struct reduction { // what the dispatches of a frame share
    const ag_reduced *plan;
    ag_picture src, dst;
    ag_bloom_image light[AG_LEVELS + 1], bloom[AG_LEVELS + 1]; // of each level
    ag_bloom_image spread;                                     // the frame without fireflies
    ag_bloom_image calm;                                       // the last light without flicker
    ag_handle kernel;
} reduction;

// The level whose bloom the last step takes: the first one with taps or without a next one.
static int32_t last_level(const ag_octaves *o)
{
    return o->levels > 1 && !o->taps[1] ? 2 : 1;
}

static void own_images(ag_frame *f, reduction *r)
{
    static const char *const lights[] = {"fireflies", "light of a half", "light of a quarter",
                                         "light of an eighth"};
    static const char *const blooms[] = {"", "bloom of a half", "bloom of a quarter",
                                         "bloom of an eighth"};
    const ag_reduced *p = r->plan;
    const ag_octaves *o = &p->octaves;
    for (int32_t l = 1; l <= o->levels; ++l) {
        ag_own own = {.name = lights[l],
                      .format = p->format->name,
                      .width = p->max_sizes[l][0],
                      .height = p->max_sizes[l][1],
                      .layers = r->src.shape->layers};
        if (l > 1 || o->levels == 1 || o->taps[1])
            ag_bloom_own_image(f, &own, p->sizes[l][0], p->sizes[l][1], &r->light[l]);
        own.name = "steady light";
        if (l == o->levels && p->steady)
            ag_bloom_own_image(f, &own, p->sizes[l][0], p->sizes[l][1], &r->calm);
        own.name = blooms[l];
        if (l >= last_level(o))
            ag_bloom_own_image(f, &own, p->sizes[l][0], p->sizes[l][1], &r->bloom[l]);
    }
    const ag_texture *frame = r->src.shape;
    ag_own own = {.name = lights[0], .format = p->format->name, .layers = frame->layers};
    if (p->fireflies)
        ag_bloom_own_image(f, &own, frame->rect_width, frame->rect_height, &r->spread);
}

// Whether the first step down makes two levels: as QUARTER of bloom/down.comp.
static int32_t quarter(const ag_octaves *o)
{
    return o->levels == 1 ? 0 : o->flat ? 2 : 1;
}

static ag_shader *shader_of(ag_frame *f, const char *path, const ag_picture *reads,
                            const ag_reduced *p)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_shader_reads_packed(shader, reads);
    ag_shader_define(shader, "FILTERABLE", 1);
    ag_shader_define(shader, "WIDE", p->format->store == AG_STORE_32F);
    return shader;
}

static void fireflies(ag_frame *f, const reduction *r, const ag_bloom_settings *s,
                      const ag_mix *mix)
{
    const float *filter = mix->filter;
    const ag_picture *src = &r->src;
    ag_shader *shader = shader_of(f, "bloom/firefly.comp", src, r->plan);
    ag_frame_step(f, "fireflies");
    for (int32_t layer = 0; layer < src->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
            AG_FLOATS(AG_LOC_FIREFLY, s->firefly == AG_BLOOM_FIREFLY_KARIS, exp2f(s->exposure), 0,
                      0),
        };
        ag_read_uniforms(uniforms, src, src->format->channels, s->scrub, layer);
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_packed_view(src, AG_READ, layer),
                         .images[AG_IMAGE_SMALL] =
                             ag_packed_view(&r->spread.picture, AG_WRITE, layer),
                         .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(src->shape->rect_width, 16),
                                    ag_groups(src->shape->rect_height, 16), 1}};
        ag_frame_dispatch(f, &d);
    }
}

// Rows of the half that a group makes: few where the GPU would have few groups.
static int32_t group_rows(const int32_t half[2])
{
    return half[0] * half[1] < 1 << 20 ? 20 : 24;
}

static void down(ag_frame *f, const reduction *r, const ag_picture *from, bool scrub,
                 const ag_mix *mix)
{
    const ag_reduced *p = r->plan;
    const float *filter = mix->filter;
    const int32_t *half = p->sizes[1], *small = p->sizes[2], makes = quarter(&p->octaves);
    bool keeps = !makes || p->octaves.taps[1];
    int32_t rows = group_rows(half);
    ag_shader *shader = shader_of(f, "bloom/down.comp", from, p);
    ag_shader_define(shader, "QUARTER", makes);
    ag_shader_define(shader, "KEEPS_HALF", keeps);
    ag_shader_define(shader, "VARIES", p->varies);
    ag_frame_step(f, "down");
    for (int32_t layer = 0; layer < from->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_FILTER, filter[0], filter[1], filter[2], filter[3]),
            AG_FLOATS(AG_LOC_STEP, p->step_x, p->step_y, 0, 0),
            AG_INTS(AG_LOC_HALF, half[0], half[1], rows, 0),
            AG_INTS(AG_LOC_SMALL, small[0], small[1], 0, 0),
        };
        ag_read_uniforms(uniforms, from, from->format->channels, scrub, layer);
        // texels along x that a group of bloom/down.comp makes
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_packed_view(from, AG_READ, layer),
                         .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {makes ? ag_groups(small[0], 28) : ag_groups(half[0], 60),
                                    ag_groups(makes == 1 ? 2 * small[1] : half[1], rows), 1}};
        if (keeps)
            d.images[AG_IMAGE_DST] = ag_packed_view(&r->light[1].picture, AG_WRITE, layer);
        if (makes)
            d.images[AG_IMAGE_SMALL] = ag_packed_view(&r->light[2].picture, AG_WRITE, layer);
        ag_frame_dispatch(f, &d);
    }
}

static ag_block taps_of(const reduction *r)
{
    const ag_reduced *p = r->plan;
    return ag_block_of(r->kernel, AG_READ, (uint64_t)p->taps_offset,
                       (uint64_t)ag_tap_bytes(&p->octaves));
}

// Between a level and the next one.
static void step(ag_frame *f, const reduction *r, int32_t part, int32_t level)
{
    static const char *const downs[] = {"", "", "quarter to eighth"};
    static const char *const ups[] = {"", "quarter to half", "eighth to quarter"};
    const ag_reduced *p = r->plan;
    const ag_octaves *o = &p->octaves;
    const int32_t *half = p->sizes[level], *small = p->sizes[level + 1];
    bool up = part == AG_LEVEL_UP;
    int32_t taps = up ? o->taps[level] : 0, before = 0; // taps of finer levels
    for (int32_t l = 0; l < level; ++l)
        before += o->taps[l] * o->taps[l];
    ag_shader *shader = ag_frame_shader(f, "bloom/level.comp");
    ag_shader_define(shader, "PART", part);
    ag_shader_define(shader, "WIDE", p->format->store == AG_STORE_32F);
    ag_shader_define(shader, "TAPS", taps);
    ag_shader_define(shader, "FLAT", half[1] == small[1]);
    ag_frame_step(f, up ? ups[level] : downs[level]);
    for (int32_t layer = 0; layer < r->src.shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            AG_INTS(AG_LOC_HALF, half[0], half[1], 0, 0),
            AG_INTS(AG_LOC_SMALL, small[0], small[1], before, 0),
        };
        const ag_picture *next = up ? &r->bloom[level + 1].picture : &r->light[level + 1].picture;
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SMALL] =
                             ag_packed_view(next, up ? AG_READ : AG_WRITE, layer),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(up ? half[0] : small[0], up ? 32 : 8),
                                    ag_groups(up ? half[1] : small[1], up ? 16 : 8), 1}};
        if (!up || taps)
            d.images[AG_IMAGE_SRC] = ag_packed_view(&r->light[level].picture, AG_READ, layer);
        if (up)
            d.images[AG_IMAGE_DST] = ag_packed_view(&r->bloom[level].picture, AG_WRITE, layer);
        if (taps) {
            d.ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_READ);
            d.ranges[AG_SSBO_TAPS] = taps_of(r);
        }
        ag_frame_dispatch(f, &d);
    }
}

int64_t ag_steady_bytes(const ag_reduced *p)
{
    const int32_t *size = p->sizes[p->octaves.levels], *most = p->max_sizes[p->octaves.levels];
    int64_t texels = (int64_t)size[0] * size[1], max_texels = (int64_t)most[0] * most[1];
    return AG_STEADY_BYTES * ag_max64(texels, max_texels);
}

// Of the last level's light. What it keeps starts anew where its size changes.
static void steady(ag_frame *f, const reduction *r, const ag_bloom_settings *s)
{
    const ag_reduced *p = r->plan;
    int32_t level = p->octaves.levels, layers = r->src.shape->layers;
    const int32_t *size = p->sizes[level], now[3] = {size[0], size[1], layers};
    const uint64_t used = AG_STEADY_BYTES * (uint64_t)size[0] * (uint64_t)size[1];
    const uint64_t all = (uint64_t)ag_align_up(ag_steady_bytes(p), ag_frame_gl(f)->ssbo_alignment);
    ag_bloom_facts *facts = ag_frame_facts(f);
    bool starts =
        ag_frame_request(f)->flags & AG_JOB_RESET || memcmp(facts->steady, now, sizeof now) != 0;
    if (ag_frame_is_recorded(f))
        memcpy(facts->steady, now, sizeof now);
    ag_own own = {.name = "light of former frames", .bytes = all * (uint64_t)layers};
    ag_handle state = ag_own_memory(f, &own);
    ag_shader *shader = ag_frame_shader(f, "bloom/steady.comp");
    ag_shader_define(shader, "WIDE", p->format->store == AG_STORE_32F);
    ag_frame_step(f, "steady");
    for (int32_t layer = 0; layer < layers; ++layer) {
        const ag_uniform uniforms[] = {AG_INTS(AG_LOC_SMALL, size[0], size[1], 0, 0),
                                       AG_FLOATS(AG_LOC_STEADY, s->steady, starts, 0, 0)};
        ag_dispatch d = {
            .shader = shader,
            .images[AG_IMAGE_SRC] = ag_packed_view(&r->light[level].picture, AG_READ, layer),
            .images[AG_IMAGE_SMALL] = ag_packed_view(&r->calm.picture, AG_WRITE, layer),
            .ranges[AG_SSBO_STEADY] =
                ag_block_of(state, AG_READ | AG_WRITE, all * (uint64_t)layer, used),
            .uniforms = uniforms,
            .uniform_count = AG_COUNT_OF(uniforms),
            .groups = {ag_groups(size[0], 8), ag_groups(size[1], 8), 1}};
        ag_frame_dispatch(f, &d);
    }
}

static void up(ag_frame *f, const reduction *r, bool scrub, const ag_mix *mix)
{
    const ag_reduced *p = r->plan;
    const ag_picture *src = &r->src;
    int32_t taps = p->octaves.taps[0], level = last_level(&p->octaves);
    int32_t ratio_x = ag_octave_ratio(&p->octaves, level, 0),
            ratio_y = ag_octave_ratio(&p->octaves, level, 1);
    // Where its first texel lies: half a texel of the half's.
    float step_x = p->step_x * (float)ratio_x / 2, step_y = p->step_y * (float)ratio_y / 2,
          x = 1 / (float)ratio_x, y = 1 / (float)ratio_y;
    ag_shader *shader = shader_of(f, "bloom/up.comp", src, p);
    ag_shader_define(shader, "RATIO_X", ratio_x);
    ag_shader_define(shader, "RATIO_Y", ratio_y);
    ag_shader_define(shader, "VARIES", p->varies);
    ag_shader_define(shader, "CORE", taps);
    ag_shader_define(shader, "FIREFLIES", p->fireflies);
    ag_shader_define(shader, "STEADY", p->steady);
    ag_defines *defines = ag_shader_defines(shader);
    if (defines)
        ag_composite_defines(r->dst.format, defines);
    ag_frame_step(f, "up");
    for (int32_t layer = 0; layer < src->shape->layers; ++layer) {
        ag_uniform uniforms[] = {
            [2] = AG_FLOATS(AG_LOC_STEP, step_x, step_y, x, y),
            AG_INTS(AG_LOC_SMALL, p->sizes[level][0], p->sizes[level][1], 0, 0),
            [3 + AG_MIX_UNIFORMS] = {0},
        };
        ag_read_uniforms(uniforms, src, src->format->channels, scrub, layer);
        ag_mix_uniforms(mix, &r->dst, uniforms + 4);
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_packed_view(src, AG_READ, layer),
                         .images[AG_IMAGE_DST] = ag_packed_view(&r->dst, AG_WRITE, layer),
                         .images[AG_IMAGE_SMALL] =
                             ag_packed_view(&r->bloom[level].picture, AG_READ, layer),
                         .ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), AG_ADD),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(src->shape->rect_width, 32),
                                    ag_groups(src->shape->rect_height, 16), 1}};
        if (taps)
            d.ranges[AG_SSBO_TAPS] = taps_of(r);
        if (taps && p->fireflies)
            d.images[AG_IMAGE_LIGHT] = ag_packed_view(&r->spread.picture, AG_READ, layer);
        ag_frame_dispatch(f, &d);
    }
}

void ag_reduced_steps(ag_frame *f, const ag_bloom_design *d, const ag_bloom_settings *s,
                      const ag_picture *src, const ag_picture *dst, const ag_mix *mix)
{
    const ag_reduced *p = &d->reduced;
    int32_t levels = p->octaves.levels;
    reduction r = {.plan = p, .src = *src, .dst = *dst};
    own_images(f, &r);
    const ag_picture *light = p->steady ? &r.calm.picture : &r.light[levels].picture;
    if (p->fireflies) {
        fireflies(f, &r, s, mix);
        down(f, &r, &r.spread.picture, false, &plain_mix);
    } else {
        down(f, &r, src, s->scrub, mix);
    }
    for (int32_t l = 2; l < levels; ++l)
        step(f, &r, AG_LEVEL_DOWN, l);
    if (p->steady)
        steady(f, &r, s);
    const ag_fft_io io = {light->format, light->format, AG_BY_IMAGE, false};
    ag_convolution c;
    ag_convolution_begin(f, &d->fft, NULL, light, &r.bloom[levels].picture, &io, &c);
    r.kernel = c.kernel;
    ag_convolution_steps(f, &c, false, &plain_mix);
    for (int32_t l = levels - 1; l >= last_level(&p->octaves); --l)
        step(f, &r, AG_LEVEL_UP, l);
    up(f, &r, s->scrub, mix);
}
