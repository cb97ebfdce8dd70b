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
#include "effects/fft/bloom_kernel.h"
#include "effects/fft/bloom_sizes.h"
#include "effects/fft/bloom_small.h"

#include <math.h>
#include <string.h>

static const double limit = 1e-5; // 50 dB
enum { DISPATCH_BYTES = 4000000 };

extern const ag_effect ag_effect_bloom;

int32_t ag_small_ratio(const ag_request *request, const ag_bloom_settings *s)
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

// Records what makes the error of a drawn kernel at one ratio, and its square, the first two floats
// of `rows`.
static void record_error(const ag_preparation *prep, const ag_program *program,
                         const ag_small_plan *p, const ag_small_state *state,
                         const ag_source_texture *kernel, const ag_memory *info,
                         const ag_memory *core, const ag_memory *rows)
{
    ag_texture shape;
    ag_source_texture rest = ag_small_split(prep->gpu, p, state, kernel, core, info, &shape);
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow bloom error");
    for (int32_t pass = 0; pass < 2; ++pass) {
        ag_uniform uniforms[5] = {AG_INTS(AG_LOC_SMALL, p->rest_width, p->rest_height, 0, 0),
                                  AG_INTS(AG_LOC_RATIO, p->ratio_x, p->ratio_y, 0, 0),
                                  AG_INTS(AG_LOC_REST, pass, 0, 0, 0)};
        ag_source_uniforms(uniforms + 3, kernel, 4, true, 0);
        if (pass)
            ag_record_wait(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
        ag_record(&recording,
                  &(ag_gl_dispatch){.program = program,
                                    .images[AG_IMAGE_SRC] = ag_read_image(kernel, 0),
                                    .images[AG_IMAGE_SMALL] = ag_read_image(&rest, 0),
                                    .ranges[AG_SSBO_SPLINE] = ag_whole(state->spline),
                                    .ranges[AG_SSBO_CORE] = ag_whole(core),
                                    .ranges[AG_SSBO_SUMS] = ag_whole(rows),
                                    .ranges[AG_SSBO_INFO] = ag_whole(info),
                                    .uniforms = uniforms,
                                    .uniform_count = 5,
                                    .groups = {pass ? 1 : (uint32_t)p->kernel_height, 1, 1}});
    }
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

enum { TRIED = 2, ANSWER_BYTES = 2 * sizeof(float) }; // ratios 4 and 2; of one of them

// All programs that are needed. `made` NULL: names them.
static ag_status get_programs(const ag_preparation *prep, const ag_request *request,
                              const ag_small_plan plans[TRIED], ag_bloom_drawer *drawer,
                              ag_small_state states[TRIED], const ag_program **error)
{
    ag_defines defines = {0};
    ag_source_defines(ag_format_find(GL_RGBA32F), AG_BY_IMAGE, &defines);
    ag_status status = ag_bloom_drawer_programs(prep, request, drawer);
    for (int i = 0; i < TRIED && status >= 0; ++i)
        status = ag_small_kernel_programs(prep, plans + i, states ? states + i : NULL);
    return status < 0 ? status : ag_program_get(prep, "fft/bloom_error.comp", &defines, error);
}

// Records everything, and the way of the four sums to decision->readback.
static ag_status begin(const ag_preparation *prep, ag_request *request, const ag_bloom_settings *s,
                       double sigma, int32_t width, int32_t height, ag_decision *decision)
{
    static const float zeros[AG_CORE_TAPS * 4];
    static const int32_t none[2] = {1, 1};
    static const ag_bloom_drawer no_drawer;
    static const ag_small_state no_small;
    static const ag_state no_state;
    ag_gpu *gpu = prep->gpu;
    ag_small_plan plans[TRIED] = {{0}};
    for (int i = 0; i < TRIED; ++i) {
        ag_small_size(plans + i, i ? 2 : 4, s->shape, none, none, width, height);
        ag_small_choose_split(plans + i, s, request->live || ag_bloom_several(request, s));
    }
    if (!prep->may_wait) {
        ag_status named = get_programs(prep, request, plans, NULL, NULL, NULL);
        if (named < 0 || !ag_programs_done(prep->compiler, prep->programs))
            return named < 0 ? named : AG_PENDING;
    }
    ag_bloom_drawer drawer = {0};
    ag_small_state small[TRIED];
    memset(small, 0, sizeof small);
    ag_state state = {0};
    ag_memory core = {0}, no_core = {0}, rows[TRIED] = {{0}};
    const ag_program *error = NULL;
    ag_status status = get_programs(prep, request, plans, &drawer, small, &error);
    if (status >= 0)
        status = ag_info_make(gpu, &no_state, &state);
    if (status >= 0)
        status = ag_bloom_drawer_allocate(gpu, request, width, height, 0, 0, &no_drawer, &drawer);
    if (status >= 0)
        status = ag_gpu_buffer(gpu, "afterglow bloom core", AG_ON_GPU, sizeof zeros, NULL, &core);
    if (status >= 0)
        status = ag_gpu_buffer(gpu, "afterglow bloom no core", AG_UPLOADED, sizeof zeros, zeros,
                               &no_core);
    if (status >= 0 && !decision->readback.name)
        status = ag_gpu_buffer(gpu, "afterglow bloom readback", AG_READBACK, TRIED * ANSWER_BYTES,
                               NULL, &decision->readback);
    for (int i = 0; i < TRIED && status >= 0; ++i) {
        status = ag_gpu_buffer(gpu, "afterglow bloom errors", AG_ON_GPU,
                               2 * sizeof(float) * (uint64_t)height, NULL, rows + i);
        if (status >= 0)
            status = ag_small_kernel_memory(gpu, plans + i, &no_small, small + i);
    }
    if (status >= 0) {
        ag_bloom_kernel_draw(prep, request, s, sigma, width, height, &drawer, &state.info);
        ag_texture view = ag_bloom_drawer_view(&drawer, width, height);
        ag_source_texture kernel = {view.name, view.name, 0, &view, ag_format_find(GL_RGBA32F), 0};
        for (int i = 0; i < TRIED; ++i) {
            record_error(prep, error, plans + i, small + i, &kernel, &state.info,
                         plans[i].core ? &core : &no_core, rows + i);
            ag_gpu_copy(gpu, rows + i, 0, &decision->readback, (uint64_t)i * ANSWER_BYTES,
                        ANSWER_BYTES);
        }
        decision->in_transit = gpu->gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    for (int i = 0; i < TRIED; ++i) {
        ag_small_free(gpu, small + i, true);
        ag_gpu_free_buffer(gpu, rows + i, true);
    }
    ag_gpu_free_buffer(gpu, &core, true);
    ag_gpu_free_buffer(gpu, &no_core, true);
    ag_bloom_drawer_free(gpu, &drawer, NULL, true);
    ag_info_free(gpu, &state, true);
    return status;
}

static bool arrived(const ag_gl *gl, const ag_decision *decision)
{
    GLenum answer = gl->ClientWaitSync(decision->in_transit, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
    return answer == GL_ALREADY_SIGNALED || answer == GL_CONDITION_SATISFIED;
}

// The cheapest ratio up to request->decision, of those that fit; the first one that fits if none of
// those does. The job was planned with that one, and the host may have lent its scratch, so none
// that needs more is taken.
static ag_status take_cheapest(const ag_gpu *gpu, ag_request *request)
{
    const ag_effect *effect = &ag_effect_bloom;
    ag_host quiet = gpu->host; // that a ratio does not fit is no error yet
    int32_t most = request->decision, found = 0;
    uint64_t least = UINT64_MAX, room = 0, given = (uint64_t)request->tuning.dispatch_bytes;
    void *detail = ag_alloc(&gpu->host, effect->detail_bytes);
    ag_pass_plan *plan = ag_alloc(&gpu->host, sizeof *plan);
    ag_status status = detail && plan ? AG_OK : AG_E_MEMORY;
    quiet.log = NULL;
    for (int32_t ratio = 1; ratio <= 4 && (ratio <= most || !found) && status >= 0; ratio *= 2) {
        request->decision = ratio;
        memset(plan, 0, sizeof *plan);
        bool fits = effect->plan(&quiet, &gpu->gl, request, detail, plan) >= 0;
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
    ag_free(&gpu->host, plan, sizeof *plan);
    ag_free(&gpu->host, detail, effect->detail_bytes);
    return status;
}

ag_status ag_small_decide(const ag_preparation *prep, ag_request *request,
                          const ag_bloom_settings *s, ag_decision *decision)
{
    ag_gpu *gpu = prep->gpu;
    int32_t width, h = request->slots[AG_BLOOM_SRC].rect_height, height;
    h = request->plan_height > h ? request->plan_height : h;
    ag_bloom_kernel_size(request, s, h, &width, &height);
    double sigma = ag_bloom_sigma(s, h);
    if (s->shape == AG_BLOOM_GAUSSIAN) {
        request->decision = decide_gaussian(&gpu->host, s, sigma, height / 2);
        return take_cheapest(gpu, request);
    }
    ag_status status = AG_OK;
    if (!decision->in_transit)
        status = begin(prep, request, s, sigma, width, height, decision);
    if (status != AG_OK)
        return status;
    if (!prep->may_wait && !arrived(&gpu->gl, decision))
        return AG_PENDING;
    float sums[TRIED][2];
    ag_gpu_read_back(gpu, &decision->readback, sizeof sums, sums); // waits, if it may
    gpu->gl.DeleteSync(decision->in_transit);
    decision->in_transit = NULL;
    request->decision = 1;
    for (int i = TRIED - 1; i >= 0; --i)
        if (keeps(s, (double)sums[i][0], (double)sums[i][1]))
            request->decision = i ? 2 : 4;
    return take_cheapest(gpu, request);
}
