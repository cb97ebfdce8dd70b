// bloom_small.h - bloom by the FFT of a smaller image: plan, kernel and dispatches (docs/bloom.md)
// SPDX-License-Identifier: MIT
//
//   fireflies  T with less of single bright texels, if the host wants it   bloom_firefly.comp
//   down     T, what blooms of the frame, to the smaller image          bloom_down.comp
//   FFT      the convolution of the smaller image with the rest of K    three steps, fft_steps.h
//   up       the result to the frame, the core, and the composite       bloom_up.comp
//
// The effect draws a kernel K for the frame as it would without this. Here it is split into a core,
// 5 x 5 taps, and the rest, a smaller kernel. Only K's texels are looked at: K may be any kernel.
#ifndef AG_BLOOM_SMALL_H
#define AG_BLOOM_SMALL_H

#include "effects/fft/bloom_spline.h"
#include "effects/fft/fft_steps.h"

#include <afterglow/bloom.h>

typedef struct ag_small_plan {
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
} ag_small_plan;

enum { AG_CORE_BYTES = AG_CORE_TAPS * 4 * (int)sizeof(float) };

// What a pass keeps for it.
typedef struct ag_small_texture {
    ag_memory memory;
    const ag_format *format; // of 16-bit or of 32-bit floats: a pass may change between them
    int32_t width, height, layers;
} ag_small_texture;

enum {
    AG_SMALL_LIGHT,
    AG_SMALL_BLOOM,
    AG_SMALL_FIREFLIES,
    AG_SMALL_LINES,
    AG_SMALL_REST,
    AG_SMALL_TEXTURES
};

typedef struct ag_small_state {
    ag_small_texture textures[AG_SMALL_TEXTURES];
    const ag_program *fireflies, *down, *up, *rest, *core, *without_core;
    const ag_memory *spline;
} ag_small_state;

// Refuses settings that need a smaller image without one, and frames too small for their grid.
ag_status ag_small_check(const ag_host *host, const ag_bloom_settings *s, const ag_texture *src,
                         const int32_t grid[2]);
// Refuses a plan that needs more image units than the host's base leaves.
ag_status ag_small_check_units(const ag_host *host, const ag_gl *gl, const ag_small_plan *p);
// The sizes of the smaller image for a frame. `ratio`: 2 or 4. It holds for x and y, but an
// anamorphic with 4 has 2 along y, because its line is thin. `grid`: the frame's size that the
// smaller image stays with (the frame's own, or the largest planned). K has
// kernel_width x kernel_height texels.
void ag_small_size(ag_small_plan *p, int32_t ratio, int32_t shape, const int32_t frame[2],
                   const int32_t grid[2], int32_t kernel_width, int32_t kernel_height);
// Chooses how a drawn kernel of these sizes is split. `any`: other kernels will be split with the
// same programs, or K is not the effect's own.
void ag_small_choose_split(ag_small_plan *p, const ag_bloom_settings *s, bool any);
// Changes an FFT's request for the frame to that for the smaller image.
void ag_small_request(const ag_small_plan *p, ag_fft_request *fft);
// Places the core behind the kernel's spectrum: the buffer of the spectrum becomes larger.
void ag_small_place_core(ag_small_plan *p, ag_fft_plan *fft);
// Says in the plan's text what all of its steps come to, for any ratio.
void ag_small_say(const ag_small_plan *p, const ag_request *request, int src, ag_pass_plan *plan);
// Puts the first and the last step around those of the FFT.
void ag_small_describe(const ag_small_plan *p, const ag_request *request, int src,
                       const ag_format *dst, ag_pass_plan *plan);

// The format of the smaller image; texels of it along x that a group of bloom_down.comp makes.
const ag_format *ag_small_format(const ag_small_plan *p);
int32_t ag_small_down_width(const ag_small_plan *p);

// The ratio that `resolution` names, 1, 2 or 4; auto: what was decided, or 0.
int32_t ag_small_ratio(const ag_request *request, const ag_bloom_settings *s);
// resolution = auto: sets request->decision to the ratio whose plan costs least among those whose
// bloom is, by an estimate, within 50 dB of that of the frame's own resolution, of the largest size
// planned for; where none of them fits, to the least that does. Draws K as
// prepare will, and reads two sums back, as ag_effect.decide says; of a Gaussian by a formula.
ag_status ag_small_decide(const ag_preparation *prep, ag_request *request,
                          const ag_bloom_settings *s, ag_decision *decision);

// What the FFT's programs read and write.
ag_fft_steps_io ag_small_io(const ag_small_plan *p);
// Names the programs, or gets them into `state` unless it is NULL. `drawn`: K is a texture, so its
// rest is made by programs.
ag_status ag_small_programs(const ag_preparation *prep, const ag_small_plan *p,
                            const ag_request *request, int src, const ag_format *dst, bool drawn,
                            ag_small_state *state);
// Gets programs, textures and tables, those of `former` where they serve. `fft`: after its
// ag_fft_steps_prepare. Afterwards commit, or abandon.
//   errors  AG_E_SHADER, AG_E_MEMORY: abandon
ag_status ag_small_prepare(const ag_preparation *prep, const ag_small_plan *p,
                           const ag_request *request, int src, const ag_format *dst, bool drawn,
                           ag_fft_steps *fft, const ag_small_state *former, ag_small_state *state);
// The same in two steps of what ag_small_split alone needs.
ag_status ag_small_kernel_programs(const ag_preparation *prep, const ag_small_plan *p,
                                   ag_small_state *state);
ag_status ag_small_kernel_memory(ag_gpu *gpu, const ag_small_plan *p, const ag_small_state *former,
                                 ag_small_state *state);
// What a pass that is prepared once needs no more.
void ag_small_free_kernel(ag_gpu *gpu, ag_small_state *state);
void ag_small_commit(ag_small_state *former, ag_small_state *state);
void ag_small_abandon(ag_gpu *gpu, const ag_small_state *former, ag_small_state *state);
void ag_small_free(ag_gpu *gpu, ag_small_state *state, bool with_gl);

// Makes core and rest of a drawn kernel, records it. `kernel_buffer`: that of the spectrum, for the
// core. Returns the texture of the rest, whose `texture` is *shape.
ag_source_texture ag_small_split(ag_gpu *gpu, const ag_small_plan *p, const ag_small_state *state,
                                 const ag_source_texture *kernel, const ag_memory *kernel_buffer,
                                 const ag_memory *info, ag_texture *shape);

// Records the five steps for all layers, and before them that against fireflies; as
// ag_fft_steps_record. `firefly`: of bloom_firefly.comp.
void ag_small_record(ag_recording *recording, const ag_request *request, const ag_small_plan *p,
                     const ag_small_state *state, const ag_fft_steps *fft,
                     const ag_source_texture *src, const ag_source_texture *dst,
                     const ag_memory *info, bool scrub, const ag_mix *mix, const float firefly[2]);

#endif
