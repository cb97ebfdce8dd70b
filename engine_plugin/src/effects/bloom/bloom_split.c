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
    void *work;
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
    const filling what = {o, ag_frame_work(f, ag_octave_work(o))};
    ag_handle tables =
        ag_shared_constants(f, "afterglow octaves", key, ag_octave_floats(o), fill, &what);
    ag_free(ag_frame_host(f), what.work, ag_octave_work(o));
    return tables;
}

// A part of the split; NULL: it reads no texture by common/source.glsl.
static ag_shader *split_shader(ag_frame *f, int32_t part, const ag_format *reads)
{
    const char *path = "bloom/split.comp";
    ag_shader *shader = reads ? ag_picture_shader(f, path, reads) : ag_frame_shader(f, path);
    ag_shader_define(shader, "PART", part);
    return shader;
}

static ag_uniform ratio_uniform(const ag_octaves *o)
{
    return (ag_uniform)AG_INTS(AG_LOC_RATIO, ag_octave_ratio(o, o->levels, 0),
                               ag_octave_ratio(o, o->levels, 1), o->flat, 0);
}

static ag_uniform taps_uniform(const ag_octaves *o)
{
    return (ag_uniform)AG_INTS(AG_LOC_TAPS, o->taps[0], o->taps[1], o->taps[2], ag_octave_taps(o));
}

// The rest as if there were no taps.
static void make_rest(ag_frame *f, const ag_reduced *r, const ag_picture *kernel, ag_split *split)
{
    static const char *const lines[] = {"", "kernel lines, half", "kernel lines, quarter",
                                        "kernel lines, eighth"};
    static const char *const rests[] = {"", "kernel rest, half", "kernel rest, quarter",
                                        "kernel rest, eighth"};
    const ag_octaves *o = &r->octaves;
    int32_t w = kernel->shape->rect_width, h = kernel->shape->rect_height;
    ag_own own = {.name = lines[o->levels], .format = GL_RGBA32F, .layers = 1, .temporary = true};
    ag_bloom_own_image(f, &own, w, r->rest_height, &split->lines);
    own.name = rests[o->levels];
    ag_bloom_own_image(f, &own, r->rest_width, r->rest_height, &split->rest);
    split->tables = tables_of(f, o);

    ag_shader *rest = split_shader(f, AG_SPLIT_REST, kernel->format);
    const ag_picture *along[3] = {kernel, &split->lines.picture, &split->rest.picture};
    const int32_t taps[2][2] = {{h / 2, r->rest_height / 2}, {w / 2, r->rest_width / 2}};
    ag_frame_step(f, "kernel split");
    for (int pass = 0; pass < 2; ++pass) { // along y, then x
        const ag_picture *in = along[pass], *out = along[pass + 1];
        const ag_texture *t = out->shape;
        ag_uniform uniforms[] = {[2] =
                                     AG_INTS(AG_LOC_DST_RECT, 0, 0, t->rect_width, t->rect_height),
                                 AG_INTS(AG_LOC_REST, !pass, taps[pass][0], taps[pass][1], 0),
                                 ratio_uniform(o)};
        ag_read_uniforms(uniforms, in, 4, true, 0);
        ag_dispatch d = {.shader = rest,
                         .images[AG_IMAGE_SRC] = ag_picture_view(in, AG_READ, 0),
                         .images[AG_IMAGE_DST] = ag_picture_view(out, AG_WRITE, 0),
                         .ranges[AG_SSBO_TABLES] = ag_all(split->tables, AG_READ),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {ag_groups(t->rect_width, 8), ag_groups(t->rect_height, 8), 1}};
        ag_frame_dispatch(f, &d);
    }
}

// Of K and that rest.
static void make_taps(ag_frame *f, const ag_octaves *o, const ag_picture *kernel,
                      const ag_bloom_image *rest, ag_block taps)
{
    ag_uniform uniforms[5] = {AG_INTS(AG_LOC_SMALL, rest->shape.rect_width, rest->shape.rect_height,
                                      0, 0),
                              ratio_uniform(o), taps_uniform(o)};
    ag_read_uniforms(uniforms + 3, kernel, 4, true, 0);
    taps.access = AG_WRITE;
    ag_dispatch d = {.shader = split_shader(f, AG_SPLIT_TAPS, kernel->format),
                     .images[AG_IMAGE_SRC] = ag_picture_view(kernel, AG_READ, 0),
                     .images[AG_IMAGE_SMALL] = ag_picture_view(&rest->picture, AG_READ, 0),
                     .ranges[AG_SSBO_TABLES] = ag_all(tables_of(f, o), AG_READ),
                     .ranges[AG_SSBO_TAPS] = taps,
                     .uniforms = uniforms,
                     .uniform_count = 5,
                     .groups = {1, 1, 1}};
    ag_frame_dispatch(f, &d);
}

void ag_reduced_split(ag_frame *f, const ag_reduced *r, const ag_picture *kernel, ag_block taps,
                      ag_split *split)
{
    const ag_octaves *o = &r->octaves;
    make_rest(f, r, kernel, split);
    if (!ag_octave_taps(o))
        return;
    make_taps(f, o, kernel, &split->rest, taps);
    const ag_uniform uniforms[] = {AG_INTS(AG_LOC_SMALL, r->rest_width, r->rest_height, 0, 0),
                                   ratio_uniform(o), taps_uniform(o)};
    taps.access = AG_READ;
    ag_dispatch d = {.shader = split_shader(f, AG_SPLIT_SUBTRACT, NULL),
                     .images[AG_IMAGE_SMALL] =
                         ag_picture_view(&split->rest.picture, AG_READ | AG_WRITE, 0),
                     .ranges[AG_SSBO_TABLES] = ag_all(split->tables, AG_READ),
                     .ranges[AG_SSBO_TAPS] = taps,
                     .uniforms = uniforms,
                     .uniform_count = AG_COUNT_OF(uniforms),
                     .groups = {ag_groups(r->rest_width, 8), ag_groups(r->rest_height, 8), 1}};
    ag_frame_dispatch(f, &d);
}

// ---- resolution = auto -------------------------------------------------------------------------

// The error of the bloom is, in the mean over places and for white light, the error of the kernel:
// Q, what is left of its square (bloom/split.comp). The estimate is the square of the intensity
// times Q over sum K^2. A frame is no white light, and it is seen through a tone curve: an error of
// the half is beside a lamp, where the curve is flat, and one of the quarter and the eighth farther
// from it. So each has its limit, with which the night street keeps 50 dB (docs/bloom.md).
//
// Of the plans that keep their limit auto takes the one that costs least:
//
//   cost = bytes of all steps + dispatches * dispatch_bytes
//        + taps of all texels * tap_bytes / 1000 + texels of the smallest image * fft_bytes
//
// A dispatch takes 3 to 5 us with its barrier (docs/decisions.md), 4 MB at 1 TB/s; 25 taps of 2
// million texels took 17 to 22 us; the row passes of a Gaussian, which move few bytes, took 298 us
// on 3840 x 2160 texels, and 160 with a quarter of them. On a GPU with less bandwidth all of these
// cost fewer bytes; then small frames keep the full resolution for longer than they must.
static const double limits[AG_LEVELS + 1] = {0, 1.6e-5, 8e-6, 3.5e-6}; // 48, 51 and 54.5 dB
enum { MOST_TAP_BYTES = (AG_MOST_TAPS + 1) * 4 * sizeof(float) };

extern const ag_effect ag_effect_bloom;

typedef struct verdict { // of decisions
    bool keeps[AG_DECISIONS + 1];
} verdict;

static bool keeps(const ag_bloom_settings *s, int32_t level, double error, double square)
{
    double i = (double)s->intensity;
    return i * i * error <= limits[level] * square; // false for a NaN
}

// A Gaussian is the product of two equal lines, and so is what is held of it. Where the formula of
// its spectrum does not serve, there are taps: not estimated.
static void judge_gaussian(const ag_host *host, const ag_request *request,
                           const ag_bloom_settings *s, const ag_kernel_size *size, verdict *v)
{
    int32_t taps = size->height / 2, most = 2 * ag_spline_reach(2, taps) + 1;
    size_t bytes = sizeof(double) * (size_t)(taps + 1 + most);
    double *k = ag_alloc(host, bytes), square = 0, held[AG_LEVELS + 1] = {0};
    for (int32_t i = 0; i <= taps && k; ++i) {
        k[i] = ag_gaussian_tap(i, size->sigma);
        square += (i ? 2 : 1) * k[i] * k[i];
    }
    for (int32_t l = 1; l <= AG_LEVELS && k; ++l)
        held[l] = ag_spline_reduce(1 << l, k, taps, k + taps + 1);
    for (int32_t i = 2; i <= AG_DECISIONS && k; ++i) {
        int32_t l = ag_octaves_of(request, s, size->height, i).levels;
        v->keeps[i] = size->sigma >= 1 << l &&
                      keeps(s, l, square * square - held[l] * held[l], square * square);
    }
    ag_free(host, k, bytes);
}

// Of the largest frame that is planned for.
static ag_kernel_size largest_kernel(const ag_request *request, const ag_bloom_settings *s)
{
    int32_t h = request->slots[AG_BLOOM_SRC].rect_height;
    return ag_bloom_kernel_size(request, s, request->plan_height > h ? request->plan_height : h);
}

typedef struct answer {
    float errors[AG_LEVELS][2];   // of a level without taps, and the square
    float held[AG_DECISIONS - 1]; // by the taps of a decision; the first is full resolution
} answer;

// Makes the error of a level without taps, and K's square, the first two floats of `rows`.
static void error_steps(ag_frame *f, const ag_reduced *r, const ag_split *split,
                        const ag_picture *kernel, ag_handle rows)
{
    ag_shader *shader = split_shader(f, AG_SPLIT_ERROR, kernel->format);
    for (int32_t pass = 0; pass < 2; ++pass) {
        ag_uniform uniforms[5] = {AG_INTS(AG_LOC_SMALL, r->rest_width, r->rest_height, 0, 0),
                                  ratio_uniform(&r->octaves), AG_INTS(AG_LOC_REST, pass, 0, 0, 0)};
        ag_read_uniforms(uniforms + 3, kernel, 4, true, 0);
        ag_frame_step(f, "bloom error");
        ag_dispatch d = {.shader = shader,
                         .images[AG_IMAGE_SRC] = ag_picture_view(kernel, AG_READ, 0),
                         .images[AG_IMAGE_SMALL] =
                             ag_picture_view(&split->rest.picture, AG_READ, 0),
                         .ranges[AG_SSBO_TABLES] = ag_all(split->tables, AG_READ),
                         .ranges[AG_SSBO_SUMS] = ag_all(rows, AG_READ | AG_WRITE),
                         .uniforms = uniforms,
                         .uniform_count = AG_COUNT_OF(uniforms),
                         .groups = {pass ? 1 : (uint32_t)kernel->shape->rect_height, 1, 1}};
        ag_frame_dispatch(f, &d);
    }
}

// The errors of a drawn kernel, by the GPU.
static void look(ag_frame *f)
{
    const ag_request *request = ag_frame_request(f);
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    const ag_kernel_size size = largest_kernel(request, &s);
    const int32_t grid[2] = {1, 1}; // of any frame
    ag_drawing drawing;
    ag_drawing_begin(f, &s, &size, &drawing);
    ag_handle rows = ag_own_memory(
        f, &(ag_own){.name = "errors", .bytes = 2 * sizeof(float) * (uint64_t)size.height});
    ag_handle taps = ag_own_memory(f, &(ag_own){.name = "taps", .bytes = MOST_TAP_BYTES});
    ag_drawing_memory(f, 0, 0, &drawing);
    ag_drawing_make(f, &drawing);
    const ag_picture *kernel = &drawing.kernel.picture;
    for (int32_t level = 1; level <= AG_LEVELS; ++level) {
        ag_fft_request fft = {.kernel_width = size.width,
                              .kernel_height = size.height,
                              .kernel_form = AG_KERNEL_COMPLEX};
        ag_octaves o = {.levels = level, .flat = s.shape == AG_BLOOM_ANAMORPHIC};
        const ag_reduced reduced = ag_reduced_plan(request, &s, &o, grid, &fft);
        ag_split split;
        make_rest(f, &reduced, kernel, &split);
        error_steps(f, &reduced, &split, kernel, rows);
        ag_frame_answer(f, rows, 0, offsetof(answer, errors[level - 1]), 2 * sizeof(float));
        for (int32_t i = 2; i <= AG_DECISIONS; ++i) {
            o = ag_octaves_of(request, &s, size.height, i);
            uint64_t bytes = (uint64_t)ag_tap_bytes(&o);
            if (o.levels != level || !bytes)
                continue;
            make_taps(f, &o, kernel, &split.rest, ag_all(taps, AG_WRITE));
            ag_frame_answer(f, taps, bytes - 4 * sizeof(float), offsetof(answer, held[i - 2]),
                            sizeof(float));
        }
    }
}

ag_bloom_work ag_bloom_work_of(const ag_request *request)
{
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    const ag_octaves o = ag_octaves_of(request, &s, 0, request->decision);
    double texels = (double)ag_slot_texels(request, AG_BLOOM_SRC);
    ag_bloom_work work = {0};
    for (int32_t l = 0; l <= o.levels; ++l) {
        double mine = texels / (ag_octave_ratio(&o, l, 0) * ag_octave_ratio(&o, l, 1));
        work.fft = mine;
        if (l < o.levels && s.shape != AG_BLOOM_GAUSSIAN)
            work.taps += o.taps[l] * o.taps[l] * mine;
        work.waits += l > 0 && l < o.levels && o.taps[l];
    }
    return work;
}

// What is computed, in bytes that take as long.
static uint64_t work_cost(const ag_request *request)
{
    const ag_tuning *t = &request->tuning;
    const ag_bloom_work work = ag_bloom_work_of(request);
    return (uint64_t)(1e-3 * ag_tuned(t, &t->tap_bytes) * work.taps +
                      ag_tuned(t, &t->fft_bytes) * work.fft +
                      ag_tuned(t, &t->dispatch_bytes) * work.waits);
}

// The cheapest decision that fits and keeps the limit; the first one that fits if none does. The
// job was planned with that one, and the host may have lent its scratch, so none that needs more is
// taken.
static ag_status take_cheapest(const ag_host *host, const ag_gl *gl, ag_request *request,
                               const verdict *v)
{
    const ag_effect *effect = &ag_effect_bloom;
    ag_host quiet = *host; // that a decision does not fit is no error yet
    int32_t first = 0, found = 0;
    const ag_tuning *t = &request->tuning;
    uint64_t least = UINT64_MAX, room = 0, launch = (uint64_t)ag_tuned(t, &t->dispatch_bytes);
    void *detail = ag_alloc(host, ag_frame_design_bytes(effect));
    ag_pass_plan *plan = ag_alloc(host, sizeof *plan);
    ag_status status = detail && plan ? AG_OK : AG_E_MEMORY;
    quiet.log = NULL;
    for (int32_t i = 1; i <= AG_DECISIONS && status >= 0; ++i) {
        request->decision = i;
        memset(plan, 0, sizeof *plan);
        uint64_t cost = work_cost(request);
        if ((!v->keeps[i] && first) || ag_frame_make_plan(&quiet, gl, request, detail, plan) < 0)
            continue;
        for (uint32_t k = 0; k < plan->head.step_count; ++k)
            cost += plan->steps[k].bytes + plan->steps[k].dispatches * launch;
        cost = i == t->bloom_plan ? 0 : cost;
        if (!first)
            room = plan->head.scratch_bytes;
        first = first ? first : i;
        if (v->keeps[i] && cost < least && plan->head.scratch_bytes <= room) {
            least = cost;
            found = i;
        }
    }
    request->decision = found ? found : first ? first : 1; // the plan before this one fitted
    ag_free(host, plan, sizeof *plan);
    ag_free(host, detail, ag_frame_design_bytes(effect));
    return status;
}

static ag_status decide(const ag_host *host, const ag_gl *gl, ag_request *request,
                        const void *found)
{
    const ag_bloom_settings s = ag_bloom_settings_of(request);
    const ag_kernel_size size = largest_kernel(request, &s);
    verdict v = {.keeps[1] = true};
    answer a;
    memcpy(&a, found, sizeof a);
    if (s.shape == AG_BLOOM_GAUSSIAN)
        judge_gaussian(host, request, &s, &size, &v);
    for (int32_t i = 2; i <= AG_DECISIONS && s.shape != AG_BLOOM_GAUSSIAN; ++i) {
        const ag_octaves o = ag_octaves_of(request, &s, size.height, i);
        const float *error = a.errors[o.levels - 1];
        float held = ag_octave_taps(&o) ? a.held[i - 2] : 0;
        v.keeps[i] = keeps(&s, o.levels, (double)error[0] - (double)held, (double)error[1]);
    }
    return take_cheapest(host, gl, request, &v);
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
