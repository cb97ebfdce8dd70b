// bloom_split.c - K's split into octaves, by the GPU in a prepare; resolution = auto
// (docs/bloom.md) SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/memory.h"
#include "base/rounding.h"
#include "core/frame_pass.h"
#include "effects/bloom/bloom.h"
#include "effects/bloom/bloom_cost.h"
#include "effects/kit/checks.h"
#include "effects/kit/tables.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- the split ---------------------------------------------------------------------------------

int64_t ag_tap_bytes(const ag_octaves *octaves)
{
    int64_t taps = ag_octave_taps(octaves);
    assert(taps <= AG_MOST_TAPS);
    return taps ? (taps + 1) * 4 * (int64_t)sizeof(float) : 0;
}

typedef struct filling { // of constants
    const ag_octaves *octaves;
    ag_octave_work *work;
} filling;

static void fill(const void *context, float *values)
{
    const filling *what = context;
    if (what->work)
        ag_octave_tables(what->octaves, what->work, values);
}

static ag_handle tables_of(ag_frame *f, const ag_octaves *o)
{
    // no line of an FFT has -1 points
    const int32_t key[8] = {-1, o->levels, o->taps[0], o->taps[1], o->taps[2], o->flat};
    const filling what = {o, ag_frame_work(f, ag_octave_work_bytes)};
    ag_handle tables =
        ag_shared_constants(f, "afterglow octaves", key, ag_octave_floats(o), fill, &what);
    ag_free(ag_frame_host(f), what.work, ag_octave_work_bytes);
    return tables;
}

typedef struct split { // of K
    const ag_octaves *octaves;
    const ag_picture *kernel;
    ag_bloom_image lines, *rest; // K in the rest's texels along y; the rest
    ag_block taps;
} split;

// A part of bloom/split.comp. `image`: what it makes of K or its lines, or reads beside K.
static void run_part(ag_frame *f, const split *s, int32_t part, const ag_picture *src,
                     const ag_bloom_image *image, int32_t detail)
{
    static const uint32_t uses[][2] = {[AG_SPLIT_REST] = {AG_WRITE, 0}, // of the image; of the taps
                                       [AG_SPLIT_ERROR] = {AG_READ, AG_WRITE},
                                       [AG_SPLIT_TAPS] = {AG_READ, AG_READ | AG_WRITE},
                                       [AG_SPLIT_SUBTRACT] = {AG_READ | AG_WRITE, AG_READ}};
    const ag_octaves *o = s->octaves;
    int32_t w = image->shape.rect_width, h = image->shape.rect_height;
    bool every = part == AG_SPLIT_REST || part == AG_SPLIT_SUBTRACT; // texel of the image
    uint32_t rows = part == AG_SPLIT_ERROR ? (uint32_t)src->shape->rect_height : 1;
    ag_shader *shader = ag_frame_shader(f, "bloom/split.comp");
    ag_shader_define(shader, "PART", part);
    ag_uniform uniforms[] = {[2] = AG_INTS(AG_LOC_SMALL, w, h, 0, 0),
                             AG_INTS(AG_LOC_SPLIT, ag_octave_ratio(o, o->levels, 0),
                                     ag_octave_ratio(o, o->levels, 1), detail, ag_octave_taps(o))};
    ag_read_uniforms(uniforms, src, 4, true, 0);
    ag_dispatch d = {.shader = shader,
                     .images[AG_IMAGE_SMALL] = ag_picture_view(&image->picture, uses[part][0], 0),
                     .ranges[AG_SSBO_TABLES] = ag_all(tables_of(f, o), AG_READ),
                     AG_UNIFORMS(uniforms),
                     .groups = {every ? ag_groups(w, 8) : rows, every ? ag_groups(h, 8) : 1, 1}};
    if (part != AG_SPLIT_SUBTRACT) {
        ag_shader_reads_picture(shader, src);
        d.images[AG_IMAGE_SRC] = ag_picture_view(src, AG_READ, 0);
    }
    if (part != AG_SPLIT_REST)
        d.ranges[AG_SSBO_TAPS] = s->taps;
    d.ranges[AG_SSBO_TAPS].access = uses[part][1];
    ag_frame_dispatch(f, &d);
}

// Memory for any octaves: none has more texels than a half.
static void begin(ag_frame *f, split *s)
{
    const ag_octaves half = {.levels = 1};
    const ag_texture *k = s->kernel->shape;
    int32_t w = ag_rest_side(&half, 0, k->rect_width), h = ag_rest_side(&half, 1, k->rect_height);
    ag_own own = {.name = "kernel lines", .format = GL_RGBA32F, .layers = 1, .temporary = true};
    ag_bloom_own_image(f, &own, k->rect_width, h, &s->lines);
    own.name = "kernel rest";
    ag_bloom_own_image(f, &own, w, h, s->rest);
}

// The rest as if there were no taps.
static void make_rest(ag_frame *f, split *s)
{
    const ag_texture *k = s->kernel->shape;
    ag_texture *lines = &s->lines.shape, *rest = &s->rest->shape;
    rest->rect_width = ag_rest_side(s->octaves, 0, k->rect_width);
    rest->rect_height = lines->rect_height = ag_rest_side(s->octaves, 1, k->rect_height);
    ag_frame_step(f, "kernel split");
    run_part(f, s, AG_SPLIT_REST, s->kernel, &s->lines, 1);
    run_part(f, s, AG_SPLIT_REST, &s->lines.picture, s->rest, 0);
}

void ag_bloom_split(ag_frame *f, const ag_octaves *o, const ag_picture *kernel, ag_block taps,
                    ag_bloom_image *rest)
{
    split s = {.octaves = o, .kernel = kernel, .rest = rest, .taps = taps};
    begin(f, &s);
    make_rest(f, &s);
    if (!ag_octave_taps(o))
        return;
    run_part(f, &s, AG_SPLIT_TAPS, kernel, rest, 0);
    run_part(f, &s, AG_SPLIT_SUBTRACT, kernel, rest, 0);
}

// ---- resolution = auto -------------------------------------------------------------------------

// What is kept and what it costs: docs/bloom.md. A dispatch takes 3 to 5 us with its barrier
// (docs/decisions.md), 4 MB at 1 TB/s; 25 taps of 2 million texels took 17 to 22 us; the row passes
// of a Gaussian, which move few bytes, 298 us on 3840 x 2160 texels, 160 with a quarter of them.
static const double limits[AG_LEVELS + 1] = {0, 1.6e-5, 8e-6, 3.5e-6}; // 48, 51 and 54.5 dB

extern const ag_effect ag_effect_bloom;

typedef struct answer {
    float errors[AG_DECISIONS - 1][2]; // of the second decision and later: Q, and sum K^2
} answer;

// Of the largest frame that is planned for.
static ag_kernel_size largest_kernel(const ag_request *request, const ag_bloom_settings *s)
{
    int32_t h = request->slots[AG_BLOOM_SRC].rect_height;
    return ag_bloom_kernel_size(request, s, request->plan_height > h ? request->plan_height : h);
}

// Q of each decision, by the GPU.
static void look(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_bloom_settings settings = ag_bloom_settings_of(request);
    const ag_kernel_size size = largest_kernel(request, &settings);
    ag_drawing drawing;
    ag_bloom_image rest;
    ag_drawing_begin(f, &settings, &size, &drawing);
    ag_own own = {.name = "taps",
                  .bytes = (uint64_t)(AG_SPLIT_ROWS + size.height) * 4 * sizeof(float)};
    split s = {.kernel = &drawing.kernel.picture,
               .rest = &rest,
               .taps = ag_all(ag_own_memory(f, &own), 0)};
    ag_drawing_memory(f, 0, 0, &drawing);
    ag_drawing_make(f, &drawing);
    begin(f, &s);
    for (int32_t i = 2, level = 0; i <= AG_DECISIONS; ++i) {
        const ag_octaves o = ag_octaves_of(request, &settings, size.height, i);
        s.octaves = &o;
        if (o.levels != level) {
            make_rest(f, &s);
            ag_frame_step(f, "bloom error");
            run_part(f, &s, AG_SPLIT_ERROR, s.kernel, &rest, 0);
        }
        level = o.levels;
        run_part(f, &s, AG_SPLIT_TAPS, s.kernel, &rest, size.height);
        ag_frame_answer(f, s.taps.of, (uint64_t)ag_octave_taps(&o) * 4 * sizeof(float),
                        offsetof(answer, errors[i - 2]), 2 * sizeof(float));
    }
}

// A bound of Q over the sum of K^2 for a Gaussian whose sigma is a texel of the level or more, at
// most 1.5 times Q where that counts: the error of cubic B-splines, and of the eighth's penalty.
static double gaussian_error(double sigma, int32_t level)
{
    double t = pow((1 << level) / sigma, 2);
    return level < AG_BLOOM_EIGHTH ? 3.3e-4 * pow(t, 5.5) : t * (0.007 + 0.013 * t);
}

// Whether a decision keeps its limit. `found`: nothing of a Gaussian.
static bool keeps(const ag_request *request, const ag_bloom_settings *s, int32_t decision,
                  const answer *found)
{
    const ag_kernel_size size = largest_kernel(request, s);
    int32_t level = ag_octaves_of(request, s, size.height, decision).levels;
    const float *error = found->errors[decision > 1 ? decision - 2 : 0];
    double i = (double)s->intensity, q = (double)error[0] / (double)error[1];
    if (s->shape == AG_BLOOM_GAUSSIAN) // else there are taps, which the formula does not know
        q = size.sigma >= 1 << level ? gaussian_error(size.sigma, level) : INFINITY;
    return decision == 1 || i * i * q <= limits[level]; // false for a NaN
}

ag_bloom_work ag_bloom_work_of(const ag_request *request)
{
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    const ag_octaves o = ag_octaves_of(request, &s, 0, request->decision);
    double texels = (double)ag_slot_texels(request, AG_BLOOM_SRC);
    ag_bloom_work work = {0};
    for (int32_t l = 0; l <= o.levels; ++l) {
        double mine = texels / (ag_octave_ratio(&o, l, 0) * ag_octave_ratio(&o, l, 1));
        work.fft = mine; // the last one stays
        if (l == o.levels || s.shape == AG_BLOOM_GAUSSIAN)
            continue;
        work.taps += o.taps[l] * o.taps[l] * mine;
        work.waits += l > 0 && o.taps[l];
    }
    return work;
}

// The bytes of all steps of a plan, and what takes as long.
static double cost_of(const ag_request *request, const ag_pass_plan *plan)
{
    const ag_tuning *t = &request->tuning;
    const ag_bloom_work work = ag_bloom_work_of(request);
    double cost = 1e-3 * ag_tuned(t, &t->tap_bytes) * work.taps +
                  ag_tuned(t, &t->fft_bytes) * work.fft +
                  ag_tuned(t, &t->dispatch_bytes) * work.waits;
    for (uint32_t k = 0; k < plan->head.step_count; ++k)
        cost += (double)plan->steps[k].bytes +
                (double)plan->steps[k].dispatches * ag_tuned(t, &t->dispatch_bytes);
    return request->decision == t->bloom_plan ? 0 : cost;
}

// The cheapest decision that fits and keeps the limit; the first one that fits if none does. The
// job was planned with that one, and the host may have lent its scratch, so none that needs more is
// taken.
static ag_status decide(const ag_host *host, const ag_gl *gl, ag_request *request,
                        const void *found)
{
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    const ag_effect *effect = &ag_effect_bloom;
    ag_host quiet = *host; // that a decision does not fit is no error yet
    int32_t first = 0, best = 0;
    double least = INFINITY;
    uint64_t room = 0;
    void *detail = ag_alloc(host, ag_frame_design_bytes(effect));
    ag_pass_plan *plan = ag_alloc(host, sizeof *plan);
    ag_status status = detail && plan ? AG_OK : AG_E_MEMORY;
    quiet.log = NULL;
    for (int32_t i = 1; i <= AG_DECISIONS && status >= 0; ++i) {
        bool kept = keeps(request, &s, i, found);
        request->decision = i;
        memset(plan, 0, sizeof *plan);
        if ((!kept && first) || ag_frame_make_plan(&quiet, gl, request, detail, plan) < 0)
            continue;
        double cost = cost_of(request, plan);
        room = first ? room : plan->head.scratch_bytes;
        first = first ? first : i;
        if (kept && cost < least && plan->head.scratch_bytes <= room) {
            least = cost;
            best = i;
        }
    }
    request->decision = best ? best : first ? first : 1; // the plan before this one fitted
    ag_free(host, plan, sizeof *plan);
    ag_free(host, detail, ag_frame_design_bytes(effect));
    return status;
}

static bool is_auto(const ag_request *request)
{
    return ag_bloom_settings_of(request).resolution == AG_BLOOM_AUTO;
}

static bool is_drawn(const ag_request *request)
{
    return ag_bloom_settings_of(request).shape != AG_BLOOM_GAUSSIAN;
}

const ag_question ag_bloom_auto = {
    .bytes = sizeof(answer), .needed = is_auto, .looks = is_drawn, .look = look, .decide = decide};
