// bloom_auto.c - bloom's resolution = auto: what a smaller image would lose of a kernel
// SPDX-License-Identifier: MIT
//
// The error of the bloom is, in the mean over places and for white light, the error of the kernel:
// Q = sum r (r - E r) over its texels (bloom_error.comp). The estimate is the square of the
// intensity times Q over sum K^2; on the night street the error that is seen is a few dB less
// (docs/bloom.md).
//
// Of the resolutions that keep the limit it takes the one whose plan costs least:
//
//   cost = bytes of all steps + dispatches * DISPATCH_BYTES
//
// Passes of an FFT are near the time of their bytes, and a dispatch takes 3 to 5 us with its
// barrier (docs/decisions.md): 4 MB at 1 TB/s. On a GPU with less bandwidth a dispatch costs fewer
// bytes; then small frames keep the full resolution for longer than they must.
#include "base/memory.h"
#include "core/frame_pass.h"
#include "effects/bloom/bloom_kernel.h"
#include "effects/bloom/bloom_reduced.h"
#include "effects/bloom/bloom_sizes.h"
#include "effects/kit/tables.h"

#include <math.h>
#include <string.h>

static const double limit = 1e-5; // 50 dB
enum { DISPATCH_BYTES = 4000000 };

extern const ag_effect ag_effect_bloom;

int32_t ag_reduced_ratio(const ag_request *request, const ag_bloom_settings *s)
{
    if (s->resolution != AG_BLOOM_AUTO)
        return 1 << s->resolution;
    return request->decision;
}

static bool keeps(const ag_bloom_settings *s, double error, double square)
{
    double i = (double)s->intensity;
    return i * i * error <= limit * square; // false for a NaN
}

// A Gaussian is the product of two equal lines, and so is what is made of it:
// Q = (sum k^2)^2 - (sum k E k)^2, without a core.
static int32_t decide_gaussian(const ag_host *host, const ag_bloom_settings *s, double sigma,
                               int32_t taps)
{
    int32_t most = 2 * ag_spline_reach(2, taps) + 1;
    size_t bytes = sizeof(double) * (size_t)(taps + 1 + most);
    double *k = ag_alloc(host, bytes), *small = k + taps + 1;
    int32_t found = 1;
    for (int32_t i = 0; i <= taps && k; ++i)
        k[i] = exp(-(double)i * i / (2 * sigma * sigma));
    for (int32_t ratio = 4; ratio > 1 && k && found == 1; ratio /= 2) {
        int32_t reach = ag_spline_reach(ratio, taps);
        ag_spline_reduce(ratio, k, taps, small, reach);
        double square = 0, back = 0;
        for (int32_t x = -taps; x <= taps; ++x) {
            double tap = k[x < 0 ? -x : x];
            square += tap * tap;
            back += tap * ag_spline_back(ratio, small, reach, x);
        }
        // Where the formula of the spectrum does not serve, the kernel has a core: not estimated.
        if (sigma >= ratio && keeps(s, square * square - back * back, square * square))
            found = ratio;
    }
    ag_free(host, k, bytes);
    return found;
}

// ---- the error of a drawn kernel, by the GPU ---------------------------------------------------

enum { TRIED = 2, ANSWER_BYTES = 2 * sizeof(float) }; // ratios 4 and 2; of one of them

// What makes the error at one ratio, and its square, the first two floats of `rows`.
static void error_steps(ag_frame *f, ag_shader *shader, const ag_split *split,
                        const ag_picture *kernel, ag_handle info, ag_handle core, ag_handle rows)
{
    const ag_reduced *p = split->plan;
    for (int32_t pass = 0; pass < 2; ++pass) {
        ag_uniform uniforms[5] = {AG_INTS(AG_LOC_SMALL, p->rest_width, p->rest_height, 0, 0),
                                  AG_INTS(AG_LOC_RATIO, p->ratio_x, p->ratio_y, 0, 0),
                                  AG_INTS(AG_LOC_REST, pass, 0, 0, 0)};
        ag_read_uniforms(uniforms + 3, kernel, 4, true, 0);
        ag_frame_step(f, "bloom error");
        ag_frame_dispatch(
            f, &(ag_dispatch){.shader = shader,
                              .images[AG_IMAGE_SRC] = ag_picture_view(kernel, AG_READ, 0),
                              .images[AG_IMAGE_SMALL] = ag_picture_view(&split->result, AG_READ, 0),
                              .ranges[AG_SSBO_SPLINE] = ag_all(split->spline, AG_READ),
                              .ranges[AG_SSBO_CORE] = ag_all(core, AG_READ),
                              .ranges[AG_SSBO_SUMS] = ag_all(rows, AG_READ | AG_WRITE),
                              .ranges[AG_SSBO_INFO] = ag_all(info, 0),
                              .uniforms = uniforms,
                              .uniform_count = AG_COUNT_OF(uniforms),
                              .groups = {pass ? 1 : (uint32_t)p->kernel_height, 1, 1}});
    }
}

// The height of the largest frame that is planned for, and its kernel.
static double kernel_of(const ag_request *request, const ag_bloom_settings *s, int32_t size[2])
{
    int32_t h = request->slots[AG_BLOOM_SRC].rect_height;
    h = request->plan_height > h ? request->plan_height : h;
    ag_bloom_kernel_size(request, s, h, &size[0], &size[1]);
    return ag_bloom_sigma(s, h);
}

static void look(ag_frame *f)
{
    static const int32_t none[2] = {1, 1};
    const ag_request *request = ag_frame_request(f);
    ag_bloom_settings s;
    memcpy(&s, &request->settings, sizeof s);
    int32_t size[2];
    double sigma = kernel_of(request, &s, size);
    ag_bloom_drawer drawer = {.settings = s, .sigma = sigma, .width = size[0], .height = size[1]};
    ag_reduced plans[TRIED] = {{0}};
    ag_split splits[TRIED];
    ag_bloom_drawer_begin(f, &drawer);
    for (int i = 0; i < TRIED; ++i) {
        ag_reduced_size(plans + i, i ? 2 : 4, s.shape, none, none, size[0], size[1]);
        ag_reduced_choose_split(plans + i, &s, request->live || ag_bloom_several(request, &s));
        ag_split_begin(f, plans + i, splits + i);
    }
    ag_shader *error = ag_picture_shader(f, "fft/bloom_error.comp", ag_format_find(GL_RGBA32F));

    static const char *const names[TRIED] = {"errors of a quarter", "errors of a half"};
    ag_handle info = ag_frame_info(f);
    ag_handle core = ag_own_memory(f, &(ag_own){.name = "core", .bytes = AG_CORE_BYTES});
    ag_handle no_core =
        ag_own_memory(f, &(ag_own){.name = "no core", .bytes = AG_CORE_BYTES, .temporary = true});
    ag_bloom_drawer_memory(f, 0, 0, &drawer);
    ag_bloom_kernel_begin(f, &drawer, info);
    ag_bloom_kernel_rows(f, &drawer, 0, drawer.height, info);
    for (int i = 0; i < TRIED; ++i) {
        ag_split_memory(f, splits + i);
        ag_handle rows = ag_own_memory(
            f, &(ag_own){.name = names[i], .bytes = 2 * sizeof(float) * (uint64_t)size[1]});
        ag_split_make(f, splits + i, &drawer.kernel, ag_all(core, AG_WRITE), info);
        error_steps(f, error, splits + i, &drawer.kernel, info, plans[i].core ? core : no_core,
                    rows);
        ag_frame_answer(f, rows, 0, (uint64_t)i * ANSWER_BYTES, ANSWER_BYTES);
    }
}

// The cheapest ratio up to request->decision, of those that fit; the first one that fits if none of
// those does. The job was planned with that one, and the host may have lent its scratch, so none
// that needs more is taken.
static ag_status take_cheapest(const ag_host *host, const ag_gl *gl, ag_request *request)
{
    const ag_effect *effect = &ag_effect_bloom;
    ag_host quiet = *host; // that a ratio does not fit is no error yet
    int32_t most = request->decision, found = 0;
    uint64_t least = UINT64_MAX, room = 0, given = (uint64_t)request->tuning.dispatch_bytes;
    void *detail = ag_alloc(host, ag_frame_design_bytes(effect));
    ag_pass_plan *plan = ag_alloc(host, sizeof *plan);
    ag_status status = detail && plan ? AG_OK : AG_E_MEMORY;
    quiet.log = NULL;
    for (int32_t ratio = 1; ratio <= 4 && (ratio <= most || !found) && status >= 0; ratio *= 2) {
        request->decision = ratio;
        memset(plan, 0, sizeof *plan);
        bool fits = ag_frame_make_plan(&quiet, gl, request, detail, plan) >= 0;
        uint64_t cost = 0;
        for (uint32_t i = 0; i < plan->head.step_count && fits; ++i)
            cost +=
                plan->steps[i].bytes + plan->steps[i].dispatches * (given ? given : DISPATCH_BYTES);
        if (fits && !found)
            room = plan->head.scratch_bytes;
        if (fits && cost < least && plan->head.scratch_bytes <= room) {
            least = cost;
            found = ratio;
        }
    }
    request->decision = found ? found : 1; // the plan before this one fitted
    ag_free(host, plan, sizeof *plan);
    ag_free(host, detail, ag_frame_design_bytes(effect));
    return status;
}

static ag_status decide(const ag_host *host, const ag_gl *gl, ag_request *request,
                        const void *answer)
{
    ag_bloom_settings s;
    memcpy(&s, &request->settings, sizeof s);
    int32_t size[2];
    double sigma = kernel_of(request, &s, size);
    float sums[TRIED][2];
    memcpy(sums, answer, sizeof sums);
    request->decision = 1;
    if (s.shape == AG_BLOOM_GAUSSIAN)
        request->decision = decide_gaussian(host, &s, sigma, size[1] / 2);
    for (int i = TRIED - 1; i >= 0 && s.shape != AG_BLOOM_GAUSSIAN; --i)
        if (keeps(&s, (double)sums[i][0], (double)sums[i][1]))
            request->decision = i ? 2 : 4;
    return take_cheapest(host, gl, request);
}

static bool needed(const ag_request *request)
{
    ag_bloom_settings s;
    memcpy(&s, &request->settings, sizeof s);
    return s.resolution == AG_BLOOM_AUTO;
}

static bool looks(const ag_request *request)
{
    ag_bloom_settings s;
    memcpy(&s, &request->settings, sizeof s);
    return s.shape != AG_BLOOM_GAUSSIAN;
}

const ag_question ag_bloom_auto = {.bytes = TRIED * ANSWER_BYTES,
                                   .needed = needed,
                                   .looks = looks,
                                   .look = look,
                                   .decide = decide};
