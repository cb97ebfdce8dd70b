// wiener.c - deconvolution: the spectrum of Wiener's filter in place of a kernel's
// SPDX-License-Identifier: MIT
#include "base/rounding.h"
#include "effects/fft/fft_steps.h"
#include "shaders/fft/interface_filter.h"

ag_status ag_wiener_program(const ag_preparation *prep, const ag_program **program)
{
    ag_defines none = {0};
    return ag_program_get(prep, "fft/wiener.comp", &none, program);
}

void ag_wiener_spectrum(const ag_preparation *prep, const ag_fft_steps *c,
                        const ag_program *program, double noise)
{
    const ag_fft_plan *p = &c->plan;
    // What the column pass multiplies by is half of the filter over the two lengths: unpacking
    // doubles the scene, and each inverse transform multiplies by its length.
    double scale = 0.5 / ((double)p->x.line.length * p->y.line.length);
    int64_t values = p->kernel_channel_bytes / (p->kernel_form == AG_KERNEL_COMPLEX ? 8 : 4);
    int64_t groups = (values + 255) / 256, across = groups < 1024 ? groups : 1024;
    ag_uniform uniforms[] = {AG_INTS(AG_LOC_KERNEL, 0, 0, p->kernel_form, 0),
                             AG_FLOATS(AG_LOC_WIENER, (float)scale, (float)noise, 0, 0),
                             AG_INTS(AG_LOC_VALUES, (int32_t)values, 0, 0, 0)};
    ag_recording recording;
    ag_record_begin_prepare(&recording, prep->gpu, "afterglow Wiener filter");
    ag_record_step(&recording, 0, "filter", true);
    for (int32_t i = 0; i < p->request.kernel_channels; ++i) {
        ag_range spectrum = {c->kernel.name, (uint64_t)(p->kernel_channel_bytes * i),
                             (uint64_t)p->kernel_channel_bytes};
        ag_record(&recording,
                  &(ag_dispatch){.program = program,
                                 .ranges[AG_SSBO_KERNEL] = spectrum,
                                 .ranges[AG_SSBO_KERNEL_REAL] = spectrum,
                                 .uniforms = uniforms,
                                 .uniform_count = sizeof uniforms / sizeof *uniforms,
                                 .groups = {(uint32_t)across,
                                            (uint32_t)((groups + across - 1) / across), 1}});
    }
    ag_record_end(&recording, GL_SHADER_STORAGE_BARRIER_BIT);
}
