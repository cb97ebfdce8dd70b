// bloom_reduced.c - bloom by the FFT of a smaller image: half, quarter, eighth (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
//   fireflies          T with less of single bright texels, if wanted            firefly.comp
//   down               T, what blooms of the frame, to the half and the quarter  down.comp
//   quarter to eighth                                                            level.comp
//   steady             what flickers of it becomes its mean, if wanted           steady.comp
//   FFT                the last of these images and K's rest                     convolution.h
//   eighth to quarter, quarter to half: that, and a level's direct taps          level.comp
//   up                 to the frame, its direct taps, and the composite          up.comp
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

ag_octaves ag_octaves_of(const ag_request *request, const ag_bloom_settings *s,
                         int32_t kernel_height, int32_t decision)
{
    bool named = s->resolution != AG_BLOOM_AUTO;
    bool flat = s->shape == AG_BLOOM_ANAMORPHIC; // its line is thin
    ag_octaves o = named ? (ag_octaves){.levels = s->resolution} : decisions[decision];
    // A shader from the host's folder may draw any kernel, and the same programs may split several.
    bool pupil = ag_pupil_makes(s->shape) && !request->live;
    bool any = !pupil || ag_bloom_several(request, s);
    // A kernel whose spectrum ends soon after the half's needs no taps of the frame.
    bool smooth = !any && 2 * ag_pupil_cutoff(s, kernel_height) < 0.6;
    if (named) {
        int32_t planned = (int32_t)(s->size * (float)request->plan_height);
        double cutoff = ag_pupil_cutoff(s, planned > kernel_height ? planned : kernel_height);
        if (o.levels == AG_BLOOM_EIGHTH && pupil && 8 * cutoff > MOST_CYCLES)
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
                    .sizes[0] = {fft->width, fft->height},
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
    memcpy(r.max_sizes, r.sizes, sizeof r.max_sizes);
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

typedef struct reduction { // what the steps of a frame share
    const ag_reduced *plan;
    const ag_bloom_settings *settings;
    const ag_mix *mix;
    ag_picture src, dst;
    ag_bloom_image light[AG_LEVELS + 1], bloom[AG_LEVELS + 1]; // of each level; light[0]: T
    ag_bloom_image calm;                                       // the last light without flicker
    ag_block taps;
} reduction;

typedef struct stage { // a step: a dispatch for each layer
    const char *name;
    ag_shader *shader;
    const ag_picture *images[AG_IMAGE_LIGHT + 1]; // by unit
    bool up;                                      // AG_IMAGE_SMALL is read
    bool taps;                                    // are read
    uint32_t info;                                // how its counters are used
    int32_t level, count; // of AG_LOC_HALF; AG_LOC_SMALL is the next level's
    float detail[2];      // AG_LOC_DETAIL
    ag_handle state;      // of `steady`
    const int32_t *made;  // texels
    int32_t tile[2];      // of them that a group makes
} stage;

int64_t ag_steady_bytes(const ag_reduced *p)
{
    const int32_t *most = p->max_sizes[p->octaves.levels];
    return AG_STEADY_BYTES * (int64_t)most[0] * most[1];
}

static uint64_t steady_pitch(ag_frame *f, const ag_reduced *p) // of a layer
{
    return (uint64_t)ag_align_up(ag_steady_bytes(p), ag_frame_gl(f)->ssbo_alignment);
}

static void run(ag_frame *f, const reduction *r, const stage *s)
{
    const ag_reduced *p = r->plan;
    const int32_t *half = p->sizes[s->level], *small = p->sizes[s->level + 1];
    const ag_picture *src = s->images[AG_IMAGE_SRC] ? s->images[AG_IMAGE_SRC] : &r->src;
    bool frame = src == &r->src; // T is made of it
    float x = (float)ag_octave_ratio(&p->octaves, s->level, 0),
          y = (float)ag_octave_ratio(&p->octaves, s->level, 1);
    ag_uniform uniforms[6 + AG_MIX_UNIFORMS] = {
        [2] = AG_FLOATS(AG_LOC_STEP, p->step_x * x / 2, p->step_y * y / 2, 1 / x, 1 / y),
        AG_FLOATS(AG_LOC_DETAIL, s->detail[0], s->detail[1], 0, 0),
        AG_INTS(AG_LOC_HALF, half[0], half[1], s->count, 0),
        AG_INTS(AG_LOC_SMALL, small[0], small[1], 0, 0),
    };
    ag_dispatch d = {.shader = s->shader,
                     AG_UNIFORMS(uniforms),
                     .groups = {ag_groups(s->made[0], s->tile[0]),
                                ag_groups(s->made[1], s->tile[1]), 1}};
    if (s->info)
        d.ranges[AG_SSBO_INFO] = ag_all(ag_frame_info(f), s->info);
    if (s->taps)
        d.ranges[AG_SSBO_TAPS] = r->taps;
    ag_mix_uniforms(frame ? r->mix : &plain_mix, &r->dst, uniforms + 6);
    ag_frame_step(f, s->name);
    for (int32_t layer = 0; layer < r->src.shape->layers; ++layer) {
        ag_read_uniforms(uniforms, src, src->format->channels, frame && r->settings->scrub, layer);
        for (int32_t i = 0; i <= AG_IMAGE_LIGHT; ++i)
            if (s->images[i]) {
                bool writes = i == AG_IMAGE_DST || (i == AG_IMAGE_SMALL && !s->up);
                d.images[i] = ag_packed_view(s->images[i], writes ? AG_WRITE : AG_READ, layer);
            }
        if (s->state.number)
            d.ranges[AG_SSBO_STEADY] =
                ag_block_of(s->state, AG_READ | AG_WRITE, steady_pitch(f, p) * (uint64_t)layer,
                            AG_STEADY_BYTES * (uint64_t)half[0] * (uint64_t)half[1]);
        ag_frame_dispatch(f, &d);
    }
}

static ag_shader *shader_of(ag_frame *f, const char *path, const ag_picture *reads,
                            const ag_reduced *p)
{
    ag_shader *shader = ag_frame_shader(f, path);
    ag_shader_define(shader, "WIDE", p->format->store == AG_STORE_32F);
    if (reads) {
        ag_shader_reads_packed(shader, reads);
        ag_shader_define(shader, "FILTERABLE", 1);
    }
    return shader;
}

// Of a level, with room for all frames planned for.
static void own_image(ag_frame *f, const reduction *r, const char *name, int32_t level,
                      ag_bloom_image *image)
{
    const ag_reduced *p = r->plan;
    const ag_own own = {.name = name,
                        .format = p->format->name,
                        .width = p->max_sizes[level][0],
                        .height = p->max_sizes[level][1],
                        .layers = r->src.shape->layers};
    ag_bloom_own_image(f, &own, p->sizes[level][0], p->sizes[level][1], image);
}

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
    const ag_octaves *o = &r->plan->octaves;
    for (int32_t l = r->plan->fireflies ? 0 : 1; l <= o->levels; ++l)
        if (l != 1 || o->levels == 1 || o->taps[1])
            own_image(f, r, lights[l], l, &r->light[l]);
    for (int32_t l = last_level(o); l <= o->levels; ++l)
        own_image(f, r, blooms[l], l, &r->bloom[l]);
    if (r->plan->steady)
        own_image(f, r, "steady light", o->levels, &r->calm);
}

static void fireflies(ag_frame *f, const reduction *r)
{
    const ag_bloom_settings *set = r->settings;
    stage s = {.name = "fireflies",
               .images = {[AG_IMAGE_SRC] = &r->src, [AG_IMAGE_SMALL] = &r->light[0].picture},
               .info = AG_ADD,
               .detail = {set->firefly == AG_BLOOM_FIREFLY_KARIS, exp2f(set->exposure)},
               .made = r->plan->sizes[0],
               .tile = {16, 16}};
    s.shader = shader_of(f, "bloom/firefly.comp", &r->src, r->plan);
    run(f, r, &s);
}

// To the half, the quarter, or both.
static void down(ag_frame *f, const reduction *r)
{
    const ag_reduced *p = r->plan;
    const ag_octaves *o = &p->octaves;
    const ag_picture *from = p->fireflies ? &r->light[0].picture : &r->src;
    const int32_t *half = p->sizes[1], *small = p->sizes[2];
    int32_t makes = o->levels == 1 ? 0 : o->flat ? 2 : 1; // QUARTER
    // Few rows where the GPU would have few groups.
    int32_t rows = half[0] * half[1] < 1 << 20 ? 20 : 24;
    const int32_t made[] = {makes ? small[0] : half[0], makes == 1 ? 2 * small[1] : half[1]};
    stage s = {.name = "down",
               .images = {[AG_IMAGE_SRC] = from},
               .info = AG_ADD,
               .level = 1,
               .count = rows,
               .made = made,
               .tile = {makes ? 28 : 60, rows}};
    if (!makes || o->taps[1])
        s.images[AG_IMAGE_DST] = &r->light[1].picture;
    if (makes)
        s.images[AG_IMAGE_SMALL] = &r->light[2].picture;
    s.shader = shader_of(f, "bloom/down.comp", from, p);
    ag_shader_define(s.shader, "QUARTER", makes);
    ag_shader_define(s.shader, "KEEPS_HALF", s.images[AG_IMAGE_DST] != NULL);
    ag_shader_define(s.shader, "VARIES", p->varies);
    run(f, r, &s);
}

static ag_shader *level_shader(ag_frame *f, const ag_reduced *p, int32_t part, int32_t level,
                               int32_t taps)
{
    ag_shader *shader = shader_of(f, "bloom/level.comp", NULL, p);
    ag_shader_define(shader, "PART", part);
    ag_shader_define(shader, "TAPS", taps);
    ag_shader_define(shader, "FLAT", p->sizes[level][1] == p->sizes[level + 1][1]);
    return shader;
}

// From a level to the next one.
static void next(ag_frame *f, const reduction *r, int32_t level)
{
    stage s = {.name = "quarter to eighth",
               .images = {[AG_IMAGE_SRC] = &r->light[level].picture,
                          [AG_IMAGE_SMALL] = &r->light[level + 1].picture},
               .level = level,
               .made = r->plan->sizes[level + 1],
               .tile = {8, 8}};
    s.shader = level_shader(f, r->plan, AG_LEVEL_DOWN, level, 0);
    run(f, r, &s);
}

// A level's bloom, or of level 0 the frame's composite: from that of a coarser level, and by direct
// taps.
static void back(ag_frame *f, const reduction *r, int32_t level)
{
    static const char *const names[] = {"up", "quarter to half", "eighth to quarter"};
    const ag_reduced *p = r->plan;
    const int32_t *taps = p->octaves.taps, from = level ? level + 1 : last_level(&p->octaves);
    stage s = {
        .name = names[level],
        .images =
            {[AG_IMAGE_DST] = &r->bloom[level].picture, [AG_IMAGE_SMALL] = &r->bloom[from].picture},
        .up = true,
        .taps = taps[level] > 0,
        .info = taps[level] ? AG_READ : 0,
        .level = level ? level : from,
        .made = p->sizes[level],
        .tile = {32, 16}};
    for (int32_t l = 0; l < level; ++l) // taps of finer levels
        s.count += taps[l] * taps[l];
    if (s.taps && (level || p->fireflies))
        s.images[level ? AG_IMAGE_SRC : AG_IMAGE_LIGHT] = &r->light[level].picture;
    if (level) {
        s.shader = level_shader(f, p, AG_LEVEL_UP, level, taps[level]);
    } else {
        s.info = AG_ADD;
        s.images[AG_IMAGE_SRC] = &r->src;
        s.images[AG_IMAGE_DST] = &r->dst;
        s.shader = shader_of(f, "bloom/up.comp", &r->src, p);
        ag_shader_define(s.shader, "RATIO_X", ag_octave_ratio(&p->octaves, from, 0));
        ag_shader_define(s.shader, "RATIO_Y", ag_octave_ratio(&p->octaves, from, 1));
        ag_shader_define(s.shader, "VARIES", p->varies);
        ag_shader_define(s.shader, "CORE", taps[0]);
        ag_shader_define(s.shader, "FIREFLIES", p->fireflies);
        ag_shader_define(s.shader, "STEADY", p->steady);
        ag_defines *defines = ag_shader_defines(s.shader);
        if (defines)
            ag_composite_defines(r->dst.format, defines);
    }
    run(f, r, &s);
}

// Of the last level's light. What it keeps starts anew where its size changes.
static void steady(ag_frame *f, const reduction *r)
{
    const ag_reduced *p = r->plan;
    int32_t level = p->octaves.levels, layers = r->src.shape->layers;
    const int32_t now[3] = {p->sizes[level][0], p->sizes[level][1], layers};
    const ag_own own = {.name = "light of former frames",
                        .bytes = steady_pitch(f, p) * (uint64_t)layers};
    ag_bloom_facts *facts = ag_frame_facts(f);
    bool starts =
        ag_frame_request(f)->flags & AG_JOB_RESET || memcmp(facts->steady, now, sizeof now) != 0;
    if (ag_frame_is_recorded(f))
        memcpy(facts->steady, now, sizeof now);
    stage s = {
        .name = "steady",
        .images = {[AG_IMAGE_SRC] = &r->light[level].picture, [AG_IMAGE_SMALL] = &r->calm.picture},
        .level = level,
        .detail = {r->settings->steady, starts},
        .state = ag_own_memory(f, &own),
        .made = p->sizes[level],
        .tile = {8, 8}};
    s.shader = shader_of(f, "bloom/steady.comp", NULL, p);
    run(f, r, &s);
}

void ag_reduced_steps(ag_frame *f, const ag_bloom_design *d, const ag_bloom_settings *s,
                      const ag_picture *src, const ag_picture *dst, const ag_mix *mix)
{
    const ag_reduced *p = &d->reduced;
    int32_t levels = p->octaves.levels;
    reduction r = {.plan = p, .settings = s, .mix = mix, .src = *src, .dst = *dst};
    own_images(f, &r);
    const ag_picture *light = p->steady ? &r.calm.picture : &r.light[levels].picture;
    if (p->fireflies)
        fireflies(f, &r);
    down(f, &r);
    for (int32_t l = 2; l < levels; ++l)
        next(f, &r, l);
    if (p->steady)
        steady(f, &r);
    const ag_fft_io io = {light->format, light->format, AG_BY_IMAGE, false};
    ag_convolution c;
    ag_convolution_begin(f, &d->fft, NULL, light, &r.bloom[levels].picture, &io, &c);
    r.taps = ag_block_of(c.kernel, AG_READ, (uint64_t)p->taps_offset,
                         (uint64_t)ag_tap_bytes(&p->octaves));
    ag_convolution_steps(f, &c, false, &plain_mix);
    for (int32_t l = levels - 1; l >= last_level(&p->octaves); --l)
        back(f, &r, l);
    back(f, &r, 0);
}
