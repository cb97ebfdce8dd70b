// kernel_band.c - finds where a kernel's spectrum ends, so that no pass goes further
// SPDX-License-Identifier: MIT
#include "../device.h"
#include "convolution.h"

ag_status ag_kernel_band_program(ag_device *device, const ag_program **program)
{
    return ag_program_get(device, "fft/kernel_band.comp", "", program);
}

void ag_record_kernel_band(ag_recording *recording, const ag_convolution *c, GLuint scratch,
                           const ag_memory *info, uint32_t step)
{
    static const char *const names[] = {"kernel band", "kernel band, decided", "kernel centre"};
    const ag_fft_plan *p = &c->plan;
    int32_t columns = p->columns, lines = p->y.line.lines, channels = p->request.kernel_channels;
    int32_t blocks = (columns + lines - 1) / lines, points = p->y.line.length;
    // Twice the weight, as unpacking leaves it, times the factor of ag_kernel_spectrum.
    float centre = (float)(0.5 / ((double)p->x.line.length * points));
    for (int32_t what = AG_BAND_MEASURE; what <= AG_BAND_CENTRE; ++what) {
        bool once = what == AG_BAND_DECIDE;
        ag_record_step(recording, step + (uint32_t)what, names[what], true);
        for (int32_t i = 0; i < (once ? 1 : channels); ++i) {
            ag_uniform uniforms[] = {
                AG_INTS(AG_LOC_BAND, what, i, blocks, lines),
                AG_INTS(AG_LOC_LINE_Y, points, columns, 0, 0),
                AG_INTS(AG_LOC_CHANNELS, 0, channels, 0, 0),
                AG_FLOATS(AG_LOC_SCALE, centre, 0, 0, 0),
            };
            ag_record(recording,
                      &(ag_dispatch){
                          .program = c->kernel_programs[4],
                          .ranges[AG_SSBO_SPECTRUM] = {scratch, 0,
                                                       (uint64_t)(4 + blocks * channels) * 4},
                          .ranges[AG_SSBO_KERNEL] = {c->kernel.name,
                                                     (uint64_t)(p->kernel_channel_bytes * i),
                                                     (uint64_t)p->kernel_channel_bytes},
                          .ranges[AG_SSBO_INFO] = {info->name, 0, info->bytes},
                          .uniforms = uniforms,
                          .uniform_count = sizeof uniforms / sizeof *uniforms,
                          .groups = {once ? 1 : (uint32_t)blocks, 1, 1}});
        }
    }
}
