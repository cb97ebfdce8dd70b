// convolution.h - the FFT convolution that convolve and bloom share, as a part of their frames
// SPDX-License-Identifier: MIT
#ifndef AG_CONVOLUTION_H
#define AG_CONVOLUTION_H

#include "base/hash.h"
#include "effects/fft/fft_shaders.h"

// The part of a plan's request that the images of two slots and the context decide.
ag_fft_request ag_fft_request_of(const ag_gl *gl, const ag_request *request, int src, int dst,
                                 int32_t channels);
// Refuses taps or weights of several layers or of 2 channels. An empty slot passes.
//   errors  AG_E_ARG, AG_E_FORMAT
ag_status ag_kernel_check(const ag_host *host, const ag_request *request, int slot);

// How the convolution and the source are combined; see shaders/fft/composite.glsl.
typedef struct ag_mix {
    float gain[4], direct[4], self[4], keep[4];
    float filter[4]; // threshold, knee * threshold, clamp (infinity = off), 1 = on
} ag_mix;

// The uniforms of shaders/fft/composite.glsl and shaders/bloom/filter.glsl.
enum { AG_MIX_UNIFORMS = 6 };
void ag_mix_uniforms(const ag_mix *mix, const ag_picture *dst, ag_uniform *uniforms);

// ---- every frame -------------------------------------------------------------------------------

// What prepare found of a kernel: facts of an effect (ag_frame_facts). All zero: nothing yet, and
// a plan then counts with taps of any form and with a small centre.
typedef struct ag_kernel_facts {
    ag_hash128 of;     // what was looked at
    bool known;        // by waiting for the GPU
    bool large_centre; // a centre weight bypasses the FFT, or may
    int32_t form;      // AG_KERNEL_*
} ag_kernel_facts;

typedef struct ag_convolution {
    ag_fft_plan plan; // with the kernel's form as far as it is known
    ag_fft_io io;
    bool small_centre;
    ag_picture src, dst;
    ag_shader *rows, *columns, *rows_c2r, *rows_c2r_plain;
    ag_handle info, twiddle_x, twiddle_y, twiddle_c2r, kernel, spectra;
} ag_convolution;

// Names its shaders and its memory. `facts` NULL: no centre weight bypasses the FFT.
void ag_convolution_begin(ag_frame *f, const ag_fft_plan *plan, const ag_kernel_facts *facts,
                          const ag_picture *src, const ag_picture *dst, const ag_fft_io *io,
                          ag_convolution *c);
// The three steps.
void ag_convolution_steps(ag_frame *f, const ag_convolution *c, bool scrub, const ag_mix *mix);
// The plan in words. `finds_form`: prepare will find the form of the kernel.
enum { AG_CONVOLUTION_WORDS = 384 };
void ag_convolution_words(const ag_fft_plan *plan, bool finds_form,
                          char words[AG_CONVOLUTION_WORDS]);

// ---- the kernel, in `make` ---------------------------------------------------------------------

typedef struct ag_kernel { // a texture of taps
    ag_picture source;
    int32_t channels; // that are summed
    uint32_t how;     // AG_SUM_*
    float bypass_share;
} ag_kernel;

enum ag_kernel_sum_flags {
    AG_SUM_NORMALIZE = 1,   // the factor is 1 / sum, else 1
    AG_SUM_MAY_BE_ZERO = 2, // waits for the sums to normalize by, and refuses zero ones
    AG_SUM_SCRUB = 4,
    AG_SUM_HAS_TAPS = 8, // waits, and refuses channels that have only zeros
    AG_SUM_NO_LINES = 16 // finds no product of lines
};

// Sums a kernel on the GPU into `info`: its factor and its centre weights. These are 0, and the
// centre passes through the FFT, unless one of them is bypass_share of its channel's sum or more.
// 0: always reported, INFINITY: never. With AG_SUM_MAY_BE_ZERO a zero sum is refused and the
// message names the channel, unless `make` may not wait: then the factor is 0.
// `facts` (NULL: neither matters): waits, and tells whether a centre weight is large, and of a
// kernel begun with `finds_form` the form that its taps allow. Where it may not wait, the form
// stays unknown: AG_KERNEL_COMPLEX serves all kernels.
typedef struct ag_kernel_sums {
    ag_shader *sum, *shape;
} ag_kernel_sums;
ag_kernel_sums ag_kernel_sums_begin(ag_frame *f, const ag_format *kernel, bool finds_form);
void ag_kernel_sums_make(ag_frame *f, const ag_kernel_sums *sums, const ag_kernel *kernel,
                         ag_handle info, ag_kernel_facts *facts);

// Its spectrum. The memory of that which ag_convolution_begin names:
ag_handle ag_kernel_memory(ag_frame *f, const ag_fft_plan *plan);
typedef struct ag_kernel_transform {
    ag_shader *rows, *columns;
} ag_kernel_transform;
ag_kernel_transform ag_kernel_transform_begin(ag_frame *f, const ag_fft_plan *plan,
                                              const ag_format *kernel);
// `scratch`: what to call the scratch that it needs.
void ag_kernel_transform_make(ag_frame *f, const ag_kernel_transform *transform,
                              const ag_fft_plan *plan, const ag_picture *kernel, bool scrub,
                              ag_handle info, const char *scratch, ag_handle spectrum);

#endif
