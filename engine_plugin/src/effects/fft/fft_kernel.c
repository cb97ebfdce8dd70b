// fft_kernel.c - a kernel of an FFT convolution: its sums, what its taps allow, its spectrum
// SPDX-License-Identifier: MIT
#include "base/log.h"
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"

// ---- programs ----------------------------------------------------------------------------------

static ag_status source_program(const ag_preparation *prep, const char *path,
                                const ag_format *kernel, const ag_program **program)
{
    ag_defines defines = {0};
    ag_source_defines(kernel, AG_BY_IMAGE, &defines);
    return ag_program_get(prep, path, &defines, program);
}

ag_status ag_kernel_sum_program(const ag_preparation *prep, const ag_format *kernel,
                                const ag_program **program)
{
    return source_program(prep, "fft/kernel_sum.comp", kernel, program);
}

ag_status ag_kernel_shape_program(const ag_preparation *prep, const ag_format *kernel,
                                  const ag_program **program)
{
    return source_program(prep, "fft/kernel_shape.comp", kernel, program);
}

// ---- sums and form -----------------------------------------------------------------------------

uint64_t ag_kernel_shape_bytes(int32_t width, int32_t height)
{
    return 32 * ((uint64_t)width + (uint64_t)height);
}

static void record_shape(ag_recording *recording, const ag_preparation *prep,
                         const ag_source_texture *kernel, const ag_uniform source[2],
                         const ag_fft_steps *made, const ag_memory *info)
{
    const ag_texture *t = kernel->texture;
    const ag_memory *scratch = made->kernel_scratch.name ? &made->kernel_scratch : &prep->scratch;
    int64_t threads[2] = {(int64_t)t->rect_width + t->rect_height,
                          (int64_t)t->rect_width * t->rect_height};
    for (int32_t part = 0; part < 2; ++part) {
        int64_t groups = (threads[part] + 63) / 64, across = groups < 1024 ? groups : 1024;
        ag_uniform uniforms[] = {source[0], source[1],
                                 AG_INTS(AG_LOC_KERNEL, t->rect_width / 2, t->rect_height / 2, 0,
                                         0),
                                 AG_INTS(AG_LOC_PART, part, 0, 0, 0)};
        ag_record_step(recording, 1 + (uint32_t)part, part ? "kernel compares" : "kernel lines",
                       true);
        ag_record(
            recording,
            &(ag_gl_dispatch){
                .program = made->kernel_programs[4],
                .images[AG_IMAGE_SRC] = ag_read_image(kernel, 0),
                .ranges[AG_SSBO_INFO] = ag_whole(info),
                .ranges[AG_SSBO_TAP_SUMS] = {scratch->name, 0,
                                             ag_kernel_shape_bytes(t->rect_width, t->rect_height)},
                .uniforms = uniforms,
                .uniform_count = 4,
                .groups = {(uint32_t)across, (uint32_t)((groups + across - 1) / across), 1}});
    }
}

// The densest form that taps with these bits of AG_TAPS_NOT_* allow.
static int32_t form_of(uint32_t shape)
{
    return !(shape & AG_TAPS_NOT_LINES)      ? AG_KERNEL_LINES
           : !(shape & AG_TAPS_NOT_MIRRORED) ? AG_KERNEL_MIRRORED
           : !(shape & AG_TAPS_NOT_EVEN)     ? AG_KERNEL_REAL
                                             : AG_KERNEL_COMPLEX;
}

ag_status ag_kernel_sum(const ag_preparation *prep, const ag_source_texture *kernel,
                        int32_t channels, uint32_t how, float bypass_share, const ag_memory *info,
                        ag_fft_steps *made)
{
    const ag_program *program;
    ag_status status = ag_kernel_sum_program(prep, kernel->format, &program);
    if (status < 0)
        return status;
    const ag_texture *t = kernel->texture;
    bool finds_form =
        made && !made->form_known && prep->may_wait && made->plan.kernel_form == AG_KERNEL_COMPLEX;
    bool needs_sums = (how & AG_SUM_NORMALIZE) && (how & AG_SUM_MAY_BE_ZERO);
    bool needs_taps = (how & AG_SUM_HAS_TAPS) != 0;
    bool needs_centre = made && !made->centre_known && made->rows_c2r_plain;
    ag_uniform uniforms[4] = {
        [2] = AG_INTS(AG_LOC_KERNEL, t->rect_width / 2, t->rect_height / 2, 0, 0),
        [3] = AG_FLOATS(AG_LOC_SUM, how & AG_SUM_NORMALIZE ? 1.0f : 0.0f, bypass_share, 0, 0)};
    ag_source_uniforms(uniforms, kernel, channels, (how & AG_SUM_SCRUB) != 0, 0);
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow kernel sum");
    ag_record_step(&recording, 0, "kernel sum", false);
    ag_record(&recording, &(ag_gl_dispatch){.program = program,
                                            .images[AG_IMAGE_SRC] = ag_read_image(kernel, 0),
                                            .ranges[AG_SSBO_INFO] = ag_whole(info),
                                            .uniforms = uniforms,
                                            .uniform_count = 4,
                                            .groups = {1, 1, 1}});
    if (finds_form)
        record_shape(&recording, prep, kernel, uniforms, made, info);
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    if ((!needs_sums && !finds_form && !needs_centre && !needs_taps) || !prep->may_wait)
        return AG_OK;
    struct {
        float centre[4];
        float sums[4][2]; // pairs of floats
        uint32_t scrubbed, shape;
    } found;
    status = ag_gpu_read(prep->gpu, info, AG_INFO_CENTRE, sizeof found, &found);
    if (status < 0)
        return status;
    for (int32_t c = 0; needs_taps && c < channels; ++c)
        if (!(found.shape & (uint32_t)AG_TAPS_IN_CHANNEL_0 << c))
            return ag_fail(&prep->gpu->host, AG_E_ARG,
                           "the kernel's channel %d is zero everywhere: nothing can be restored",
                           c);
    for (int32_t c = 0; needs_sums && c < channels; ++c)
        if (found.sums[c][0] == 0.0f)
            return ag_fail(
                &prep->gpu->host, AG_E_ARG,
                "the kernel's channel %d sums to zero: it cannot be normalized by its sum", c);
    if (made) {
        const float *c = found.centre;
        made->centre_known = true;
        made->small_centre = c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0;
    }
    if (finds_form) {
        made->form_known = true;
        uint32_t no_lines = how & AG_SUM_NO_LINES ? AG_TAPS_NOT_LINES : 0;
        ag_fft_plan_kernel(&made->plan, form_of(found.shape | no_lines));
    }
    return AG_OK;
}

// ---- spectrum ----------------------------------------------------------------------------------

void ag_kernel_spectrum(const ag_preparation *prep, const ag_fft_steps *c,
                        const ag_source_texture *kernel, bool scrub, const ag_memory *info)
{
    const ag_fft_plan *p = &c->plan;
    const ag_fft_request *r = &p->request;
    const ag_program *rows = c->kernel_programs[2], *columns_of_kernel = c->kernel_programs[3];
    GLuint scratch = c->kernel_scratch.name ? c->kernel_scratch.name : prep->scratch.name;

    // The kernel's taps around its centre: place 0 holds the tap of offset 0 (common/border.glsl).
    const ag_texture *t = kernel->texture;
    int32_t cx = t->rect_width / 2, cy = t->rect_height / 2, sign = r->correlate ? -1 : 1;
    int32_t channel_bytes = (int32_t)(p->kernel_scratch_bytes / r->kernel_channels);
    // Unpacking doubles the kernel and, later, the scene; each inverse multiplies by its length.
    float scale = (float)(0.25 / ((double)p->x.line.length * p->y.line.length));
    ag_uniform uniforms[] = {
        [2] = AG_INTS(AG_LOC_LINE_X, t->rect_width, p->x.reach_high + 1, p->x.line.length,
                      AG_OUTSIDE_ZERO),
        AG_INTS(AG_LOC_LINE_X2, -p->x.reach_low, sign, cx, 0),
        AG_INTS(AG_LOC_SPECTRUM, p->kernel_pairs, p->columns, 0, channel_bytes / 16),
        AG_INTS(AG_LOC_KERNEL, cx, cy, 0, (int32_t)(p->kernel_channel_bytes / 8)),
    };
    ag_source_uniforms(uniforms, kernel, r->kernel_channels, scrub, 0);
    ag_gl_dispatch d = {.program = rows,
                        .images[AG_IMAGE_SRC] = ag_read_packed(kernel, 0),
                        .ranges[AG_SSBO_TWIDDLE] = ag_whole(c->twiddle_x),
                        .ranges[AG_SSBO_INFO] = ag_whole(info),
                        .uniforms = uniforms,
                        .uniform_count = sizeof uniforms / sizeof *uniforms,
                        .groups = {ag_groups(p->kernel_pairs, p->x.line.lines), 1, 1}};
    for (int32_t i = 0; i < 4; ++i)
        d.ranges[AG_SSBO_SPECTRUM + i] =
            (ag_range){scratch,
                       (uint64_t)channel_bytes * (uint64_t)(i < r->kernel_channels ? i : 0),
                       (uint64_t)channel_bytes};
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow kernel spectrum");
    ag_record_step(&recording, 0, "kernel rows", false);
    ag_record(&recording, &d);

    ag_record_step(&recording, 1, "kernel columns", true);
    ag_uniform columns[] = {
        AG_INTS(AG_LOC_LINE_Y, t->rect_height, p->y.reach_high + 1, p->y.line.length,
                AG_OUTSIDE_ZERO),
        AG_INTS(AG_LOC_LINE_Y2, -p->y.reach_low, sign, cy, 0),
        AG_INTS(AG_LOC_SPECTRUM, p->kernel_pairs, p->kept, 0, channel_bytes / 16),
        AG_INTS(AG_LOC_CHANNELS, r->channels, r->kernel_channels, 0, 0),
        AG_INTS(AG_LOC_KERNEL, cx, cy, p->kernel_form, (int32_t)(p->kernel_channel_bytes / 8)),
        AG_FLOATS(AG_LOC_SCALE, scale, 0, 0, 0),
    };
    for (int32_t i = 0; i < r->kernel_channels; ++i) {
        ag_range spectrum = {c->kernel.name, (uint64_t)(p->kernel_channel_bytes * i),
                             (uint64_t)p->kernel_channel_bytes};
        columns[3] = (ag_uniform)AG_INTS(AG_LOC_CHANNELS, r->channels, r->kernel_channels, i, 0);
        ag_record(&recording,
                  &(ag_gl_dispatch){.program = columns_of_kernel,
                                    .ranges[AG_SSBO_SPECTRUM] = d.ranges[AG_SSBO_SPECTRUM + i],
                                    .ranges[AG_SSBO_KERNEL] = spectrum,
                                    .ranges[AG_SSBO_KERNEL_REAL] = spectrum,
                                    .ranges[AG_SSBO_TWIDDLE] = ag_whole(c->twiddle_y),
                                    .ranges[AG_SSBO_INFO] = ag_whole(info),
                                    .uniforms = columns,
                                    .uniform_count = sizeof columns / sizeof *columns,
                                    .groups = {ag_groups(p->kept, p->y.line.lines), 1, 1}});
    }
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}
