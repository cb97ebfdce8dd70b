// fft_steps.h - the FFT convolution that convolve and bloom share: resources and recording
// SPDX-License-Identifier: MIT
#ifndef AG_FFT_STEPS_H
#define AG_FFT_STEPS_H

#include "core/info.h"
#include "effects/fft/fft_plan.h"
#include "effects/kit/textures.h"

// How the convolution and the source are combined; see shaders/fft/composite.glsl.
typedef struct ag_mix {
    float gain[4], direct[4], self[4], keep[4];
    float filter[4]; // threshold, knee * threshold, clamp (infinity = off), 1 = on
} ag_mix;

typedef struct ag_fft_steps_io { // what programs must know of the textures
    const ag_format *src, *dst;
    ag_reading reading; // of src
    bool filterable;    // T may differ from src: bloom
} ag_fft_steps_io;

enum { AG_KERNEL_WORDS = 37, AG_KERNEL_PROGRAMS = 5 };

typedef struct ag_kernel_source { // where a kernel comes from
    const ag_format *format; // of the texture that its FFT reads; NULL: no taps are transformed
    int32_t words[AG_KERNEL_WORDS]; // all that decides about its texels
    const ag_program *drawn_by;     // what draws that texture, or writes the spectrum; or NULL
    int32_t width, height;          // of its rectangle
} ag_kernel_source;

typedef struct
    ag_spectrum_key { // what a spectrum was made of, and by: compared bytewise, so zeroed first
    int32_t words[AG_KERNEL_WORDS], plan[14];
    GLuint programs[AG_KERNEL_PROGRAMS];
} ag_spectrum_key;

typedef struct ag_fft_steps { // state; zero it before first use
    ag_fft_plan plan;
    const ag_program *rows, *columns, *rows_c2r; // of the device
    // for kernels with a small centre weight, where the plan stores alpha
    const ag_program *rows_c2r_plain;
    const ag_memory *twiddle_x, *twiddle_y; // of the device
    const ag_program
        *kernel_programs[AG_KERNEL_PROGRAMS]; // that make the spectrum; drawn_by may be NULL
    ag_memory kernel;                         // the kernel's spectrum
    ag_memory spare;                          // the former spectrum's memory, for the next one
    ag_memory kernel_scratch; // while a spectrum is made, when the pass's cannot serve
    ag_spectrum_key key;      // of the kernel's spectrum
    bool spectrum_kept;       // prepare found that the former spectrum serves
    bool form_known;          // plan.kernel_form is what the GPU found of the taps
    bool centre_known;        // small_centre is what it found, for plan.request.storage
    bool small_centre;        // no centre weight bypasses the FFT
    uint32_t first_step;      // of the pass's plan: the number of the row pass
} ag_fft_steps;

// ---- fft_programs.c: programs and constants, of the device

// What shaders/fft/composite.glsl wants to know of the output.
void ag_composite_defines(const ag_format *dst, ag_defines *defines);
// Which transforms of a line a program has: forward, the inverse, or both.
typedef enum ag_direction {
    AG_LINE_FORWARD,
    AG_LINE_INVERSE,
    AG_LINE_FORWARD_AND_INVERSE
} ag_direction;
// Appends what shaders/fft/line.glsl wants to know of a line.
void ag_line_defines(const ag_fft_line *line, ag_direction direction, ag_defines *defines);
// The constants of a line: its twiddles.
ag_status ag_line_twiddles(ag_gpu *gpu, const ag_fft_line *line, const ag_memory **memory);
// Programs that make a kernel's spectrum, of a kernel of this format; see ag_program_get.
ag_status ag_kernel_rows_program(const ag_preparation *prep, const ag_fft_plan *plan,
                                 const ag_format *format, const ag_program **program);
ag_status ag_kernel_columns_program(const ag_preparation *prep, const ag_fft_plan *plan,
                                    const ag_program **program);

// ---- fft_steps.c: resources, every frame, and the public plan

// Whether a texture unit should read src: for RGBA16F it was measured to be faster than an image
// unit (docs/decisions.md, D10); other formats were not measured.
bool ag_fft_steps_samples(const ag_format *src);
// Whether the C2R row pass may do without src, if the kernel has a small centre weight.
bool ag_fft_stores_alpha(const ag_fft_plan *plan);
// The textures of two slots.
ag_fft_steps_io ag_fft_steps_io_of(const ag_request *request, int src, int dst, bool filterable);

// The programs of every frame, into `made`; NULL: names them.
ag_status ag_frame_programs(const ag_preparation *prep, const ag_fft_plan *plan,
                            const ag_fft_steps_io *io, ag_fft_steps *made);
// A layer of a source, for shaders/fft/source.glsl by an image unit: RGBA16F as packed texels.
ag_image_binding ag_read_packed(const ag_source_texture *texture, int32_t layer);
// The output, for shaders/fft/composite.glsl: 16-bit floats as packed texels.
ag_image_binding ag_write_packed(const ag_source_texture *texture, int32_t layer);
// The uniforms of shaders/fft/composite.glsl and bloom_filter.glsl.
enum { AG_MIX_UNIFORMS = 6 };
void ag_mix_uniforms(const ag_mix *mix, const ag_source_texture *dst, ag_uniform *uniforms);
// Names every program that the functions below get for a plan, and for a kernel of this format
// (NULL: none).
ag_status ag_fft_steps_programs(const ag_preparation *prep, const ag_fft_plan *plan,
                                const ag_fft_steps_io *io, const ag_format *kernel);

// Gets the programs, tables and memory of a plan, except the kernel's spectrum: ag_kernel_sum finds
// its form, then ag_fft_steps_allocate_kernel allocates it. Memory of `old` is used where it
// serves, but not the memory of its spectrum, unless that spectrum itself serves: then
// made->spectrum_kept is true, and the kernel is neither summed nor transformed. Commit gives what
// both share to the new state, once nothing can fail any more; abandon leaves it with the old one.
// So a pass that is prepared repeatedly has two buffers for spectra, and soon allocates no more.
ag_status ag_fft_steps_prepare(const ag_preparation *prep, const ag_fft_plan *plan,
                               const ag_fft_steps_io *io, const ag_kernel_source *kernel,
                               const ag_fft_steps *old, ag_fft_steps *made);
// After ag_kernel_sum, unless the spectrum is kept. errors  AG_E_MEMORY: abandon
ag_status ag_fft_steps_allocate_kernel(ag_gpu *gpu, const ag_fft_steps *old, ag_fft_steps *made);
void ag_fft_steps_commit(ag_fft_steps *old, ag_fft_steps *made);
void ag_fft_steps_abandon(ag_gpu *gpu, const ag_fft_steps *old, ag_fft_steps *made);
void ag_fft_steps_free(ag_gpu *gpu, ag_fft_steps *convolution, bool with_gl);

// Records the three steps for all layers.
void ag_fft_steps_record(ag_recording *recording, const ag_request *request,
                         const ag_fft_steps *convolution, const ag_source_texture *src,
                         const ag_source_texture *dst, const ag_fft_steps_io *io,
                         const ag_memory *info, bool scrub, const ag_mix *mix);

// The public plan of an FFT plan: steps, resources, memory, text. `finds_form`: prepare will find
// the form of the kernel, which may need less memory.
void ag_fft_steps_describe(const ag_fft_plan *fft, bool finds_form, uint32_t dst_slot,
                           const ag_request *request, const ag_effect_info *info,
                           ag_pass_plan *plan);

// ---- fft_kernel.c: the kernel, in prepare

enum ag_kernel_sum_flags {
    AG_SUM_NORMALIZE = 1,   // the factor is 1 / sum, else 1
    AG_SUM_MAY_BE_ZERO = 2, // waits for the sums to normalize by, and refuses zero ones
    AG_SUM_SCRUB = 4,
    AG_SUM_HAS_TAPS = 8, // waits, and refuses channels that have only zeros
    AG_SUM_NO_LINES = 16 // finds no product of lines
};

// Sums a kernel on the GPU into `info`: its factor and its centre weights. These are 0, and the
// centre passes through the FFT, unless one of them is bypass_share of its channel's sum or more.
// 0: always reported, INFINITY: never. With AG_SUM_MAY_BE_ZERO a zero sum is AG_E_ARG and the
// message names the channel, unless prep->may_wait is false: then the factor is 0.
// `made` (NULL: none): where its plan's kernel_form is AG_KERNEL_COMPLEX, this also finds the form
// that the taps allow, waits for it and gives it to the plan. Where it may not wait, the form stays
// AG_KERNEL_COMPLEX, which serves all kernels.
ag_status ag_kernel_sum(const ag_preparation *prep, const ag_source_texture *kernel,
                        int32_t channels, uint32_t how, float bypass_share, const ag_memory *info,
                        ag_fft_steps *made);
// Gets its programs; see ag_program_get.
ag_status ag_kernel_sum_program(const ag_preparation *prep, const ag_format *kernel,
                                const ag_program **program);
ag_status ag_kernel_shape_program(const ag_preparation *prep, const ag_format *kernel,
                                  const ag_program **program);
// Scratch that ag_kernel_sum takes to look at taps: sums of their columns and rows.
uint64_t ag_kernel_shape_bytes(int32_t width, int32_t height);
// Makes the kernel's spectrum. `kernel_channels` of the plan are taken from the texture.
void ag_kernel_spectrum(const ag_preparation *prep, const ag_fft_steps *convolution,
                        const ag_source_texture *kernel, bool scrub, const ag_memory *info);

// ---- fft_programs.c: the same as shaders of a frame

ag_shader *ag_rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_steps_io *io);
ag_shader *ag_columns_shader(ag_frame *f, const ag_fft_plan *plan);
ag_shader *ag_rows_c2r_shader(ag_frame *f, const ag_fft_plan *plan, const ag_fft_steps_io *io);
ag_shader *ag_rows_c2r_plain_shader(ag_frame *f, const ag_fft_plan *plan);
ag_shader *ag_kernel_rows_shader(ag_frame *f, const ag_fft_plan *plan, const ag_format *format);
ag_shader *ag_kernel_columns_shader(ag_frame *f, const ag_fft_plan *plan);
ag_handle ag_frame_twiddles(ag_frame *f, const ag_fft_line *line);
// A shader that transforms lines.
ag_shader *ag_line_shader(ag_frame *f, const char *path, const ag_fft_line *line,
                          ag_direction direction);

#endif
