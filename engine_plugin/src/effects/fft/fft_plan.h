// fft_plan.h - plans an FFT convolution of two axes: lengths, memory, bytes. Pure C, no GL
// SPDX-License-Identifier: MIT
//
// The plan that docs/convolve.md derives: three dispatches, with two barriers between them.
//
//   R2C row pass  one complex FFT transforms two real rows, 2p and 2p + 1
//   column pass   half of the columns: FFT, product with the kernel's spectrum, inverse FFT, in
//                 place
//   C2R row pass  inverse FFT, two real rows out
#ifndef AG_FFT_PLAN_H
#define AG_FFT_PLAN_H

#include "effects/fft/fft_line.h"
#include "shaders/fft/interface.h"

typedef struct ag_fft_request {
    int32_t width, height;               // of the image, in texels
    int32_t kernel_width, kernel_height; // in texels
    int32_t border;                      // AG_BORDER_*
    int32_t correlate;                   // 0 or 1
    double band; // cycles a texel, along x, where the kernel's spectrum has become
                 // nothing: no pass goes further. 0: it does not
    int32_t channels, kernel_channels; // convolved channels 1..4; kernel 1, 3 or 4
    int32_t kernel_form;               // AG_KERNEL_*, as far as known (shaders/fft/interface.h)
    int32_t storage;                   // AG_STORAGE_*, of the half spectra between the passes
    int32_t layers;
    int32_t src_bytes, dst_bytes; // of a texel
    // the C2R row pass reads src too (alpha, composite, centre weight)
    int32_t reads_src_again;
    // 1 = dst is the convolution and the alpha of src, unless the centre weight is large
    int32_t plain_output;
    int32_t max_invocations;             // GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS
    int64_t max_block_bytes;             // GL_MAX_SHADER_STORAGE_BLOCK_SIZE
    int64_t alignment;                   // GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT
    int32_t min_x, min_y;                // points that padded lines have at least
    int32_t min_pairs, min_kernel_pairs; // of rows, that memory has room for at least
    int32_t per_channel_pairs;           // most with one work group per channel
} ag_fft_request;

typedef struct ag_fft_axis { // how one axis of image and kernel maps onto a padded line
    ag_fft_line line;
    int32_t reach_low, reach_high; // taps below and above the centre that can matter
    bool periodic;                 // the line is the image's true period (wrap): nothing is padded
} ag_fft_axis;

typedef struct ag_fft_plan {
    ag_fft_request request;
    ag_fft_axis x, y;
    bool per_channel;       // few row pairs: one work group per channel (docs/decisions.md, D15)
    ag_fft_line rows_c2r;   // as x.line, narrow if that is; per_channel: the channels are its lines
    int32_t columns, tiles; // x.line.length / 2 + 1, and tiles of columns
    int32_t kept; // columns that are stored and transformed: fewer than all if band-limited
    int32_t pairs, kernel_pairs;  // of rows: complex lines
    int32_t share;                // columns that share a scale in compact storage
    int64_t channel_bytes;        // spectrum of one channel, and its scales
    int64_t alpha_bytes;          // src's alpha, where the C2R row pass may do without src
    int64_t layer_bytes;          // of scratch: the channels, then alpha
    int64_t kernel_channel_bytes; // spectrum of one kernel channel
    int64_t kernel_scratch_bytes; // scratch while the kernel's spectrum is made
    int64_t scratch_bytes, kernel_bytes;
    int32_t kernel_form;         // of that spectrum; see ag_fft_plan_kernel
    int32_t channels_a_dispatch; // fewer than channels when a block must not be larger
    int64_t bytes[3];            // that the three steps move
} ag_fft_plan;

// Plans a whole convolution. False: `error` says which limit is passed and its value.
bool ag_fft_plan_make(const ag_fft_request *request, ag_fft_plan *plan, char *error,
                      size_t error_size);

// The same with the lines and the memory of the plan of `largest`, a request that differs only in
// its sizes: whatever the sizes in `request`, programs, tables and bytes are the same. Lines
// without padding (wrap) keep their own length. `largest` NULL: as ag_fft_plan_make.
bool ag_fft_plan_make_within(const ag_fft_request *largest, const ag_fft_request *request,
                             ag_fft_plan *plan, char *error, size_t error_size);
// Changes the plan to that of a kernel with this form, found later: less memory, fewer bytes.
void ag_fft_plan_kernel(ag_fft_plan *plan, int32_t form);

#endif
