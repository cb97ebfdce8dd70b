// bloom_reduced.h - bloom by the FFT of a smaller image: plan, kernel, dispatches (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
//   fireflies  T with less of single bright texels, if the host wants it   bloom_firefly.comp
//   down     T, what blooms of the frame, to the smaller image          bloom_down.comp
//   FFT      the convolution of the smaller image with the rest of K    three steps, convolution.h
//   up       the result to the frame, the core, and the composite       bloom_up.comp
//
// The effect draws a kernel K for the frame as it would without this. Here it is split into a core,
// 5 x 5 taps, and the rest, a smaller kernel. Only K's texels are looked at: K may be any kernel.
#ifndef AG_BLOOM_REDUCED_H
#define AG_BLOOM_REDUCED_H

#include "effects/bloom/bloom_spline.h"
#include "effects/convolution/convolution.h"

#include <afterglow/bloom.h>

typedef struct ag_reduced { // its plan
    // Texels of the frame for one of the smaller image, 2 or 4; ratio_x 1: none of this is used
    int32_t ratio_x, ratio_y;
    int32_t width, height; // of the smaller image, its margins included
    int32_t frame_width, frame_height;
    int32_t max_width, max_height;       // of those of all sizes planned for
    float step_x, step_y;                // the same for this frame, if it is not of the grid's size
    bool varies;                         // it is not: steps are from half of the ratio to all of it
    int32_t kernel_width, kernel_height; // of K
    int32_t rest_width, rest_height;     // of its rest
    bool fireflies;                      // less light of single texels blooms
    bool core;                           // K has one; else its rest is all of it
    int32_t roll_off;                    // AG_SPLINE_*: how the rest's spectrum ends
    bool wide;                           // 32-bit floats
    int64_t core_offset;                 // of the core, in the buffer of the kernel's spectrum
} ag_reduced;

enum { AG_CORE_BYTES = AG_CORE_TAPS * 4 * (int)sizeof(float) };

// ---- bloom_reduced_plan.c

// Refuses settings that need a smaller image without one, and frames too small for their grid.
ag_status ag_reduced_check(const ag_host *host, const ag_bloom_settings *s, const ag_texture *src,
                           const int32_t grid[2]);
// Refuses a plan that needs more image units than the host's base leaves.
ag_status ag_reduced_check_units(const ag_host *host, const ag_gl *gl, const ag_reduced *p);
// The sizes of the smaller image for a frame. `ratio`: 2 or 4. It holds for x and y, but an
// anamorphic with 4 has 2 along y, because its line is thin. `grid`: the frame's size that the
// smaller image stays with (the frame's own, or the largest planned). K has
// kernel_width x kernel_height texels.
void ag_reduced_size(ag_reduced *p, int32_t ratio, int32_t shape, const int32_t frame[2],
                     const int32_t grid[2], int32_t kernel_width, int32_t kernel_height);
// Chooses how a drawn kernel of these sizes is split. `any`: other kernels will be split with the
// same programs, or K is not the effect's own.
void ag_reduced_choose_split(ag_reduced *p, const ag_bloom_settings *s, bool any);
// Changes an FFT's request for the frame to that for the smaller image.
void ag_reduced_request(const ag_reduced *p, ag_fft_request *fft);
// Places the core behind the kernel's spectrum: the buffer of the spectrum becomes larger.
void ag_reduced_place_core(ag_reduced *p, ag_fft_plan *fft);
const ag_format *ag_reduced_format(const ag_reduced *p); // of the smaller image

// ---- bloom_auto.c

// The ratio that `resolution` names, 1, 2 or 4; auto: what was decided, or 0.
int32_t ag_reduced_ratio(const ag_request *request, const ag_bloom_settings *s);
// resolution = auto: sets request->decision to the ratio whose plan costs least among those whose
// bloom is, by an estimate, within 50 dB of that of the frame's own resolution, of the largest size
// planned for; where none of them fits, to the least that does. Draws K as `make` will, and reads
// two sums back; of a Gaussian by a formula.
extern const ag_question ag_bloom_auto;

// ---- bloom_reduced.c: the kernel, in `make`

typedef struct ag_split { // of a drawn kernel into core and rest: shaders and memory
    const ag_reduced *plan;
    ag_shader *rest, *core, *without_core;
    ag_texture shapes[2];
    ag_picture lines, result;
    ag_handle spline;
} ag_split;

void ag_split_begin(ag_frame *f, const ag_reduced *plan, ag_split *split);
void ag_split_memory(ag_frame *f, ag_split *split);
// split->result becomes the rest; the core goes to `core`.
void ag_split_make(ag_frame *f, const ag_split *split, const ag_picture *kernel, ag_block core,
                   ag_handle info);

// ---- every frame

typedef struct ag_reduction { // shaders and memory of a frame
    const ag_reduced *plan;
    ag_picture src, dst;
    ag_shader *fireflies, *down, *up;
    ag_texture shapes[3];
    ag_picture light, bloom, spread; // spread: the frame without fireflies
    ag_handle info;
} ag_reduction;

void ag_reduction_begin(ag_frame *f, const ag_reduced *plan, int src_slot, const ag_picture *src,
                        const ag_picture *dst, ag_reduction *r);
void ag_reduction_memory(ag_frame *f, ag_handle info, ag_reduction *r);
// The steps before the convolution, from r->light to r->bloom, and the one after it. `firefly`: of
// bloom_firefly.comp.
void ag_reduction_down(ag_frame *f, const ag_reduction *r, bool scrub, const ag_mix *mix,
                       const float firefly[2]);
void ag_reduction_up(ag_frame *f, const ag_reduction *r, ag_handle kernel, bool scrub,
                     const ag_mix *mix);
// The mix of the convolution itself.
extern const ag_mix ag_reduction_mix;

#endif
