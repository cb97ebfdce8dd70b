// bloom.h - the parts of the effect "bloom": its design, its kernel K, a smaller image, the lens
// SPDX-License-Identifier: MIT
//
//   bloom.c           settings, checks, the design, the frame
//   bloom_kernel.c    what a prepare makes: K drawn, summed and transformed, or moved to
//   bloom_gaussian.c  the spectrum of a Gaussian K, by the CPU
//   bloom_reduced.c   the FFT of a smaller image: its plan, its steps
//   bloom_octaves.c   the arithmetic of K's split between that image and those before it
//   bloom_split.c     that split by the GPU; auto
//   bloom_lens.c      dirt, ghosts, the host's exposure, output = add
#ifndef AG_BLOOM_H
#define AG_BLOOM_H

#include "effects/convolution/convolution.h"
#include "shaders/bloom/interface.h"

#include <afterglow/bloom.h>

// ---- the design --------------------------------------------------------------------------------

typedef struct ag_kernel_size { // of K
    int32_t width, height;      // texels, odd numbers, so that K has a centre
    double sigma;               // of a Gaussian, in texels
} ag_kernel_size;

// K in octaves: direct taps on the frame and on the images of a half and a quarter of its size, and
// a rest that the FFT convolves on the last of these images, or on one of an eighth.
typedef struct ag_octaves {
    int32_t levels; // 1: the FFT works at a half; 2: a quarter; 3: an eighth; 0: no octaves
    int32_t taps[AG_LEVELS]; // a side of the direct taps of full, half and quarter; 0: none
    bool flat;               // a quarter and an eighth have a half of the height
} ag_octaves;

typedef struct ag_reduced {
    ag_octaves octaves;
    int32_t sizes[AG_LEVELS + 2][2];     // of the frame and the images of each level with margins
    int32_t max_sizes[AG_LEVELS + 1][2]; // of all frames planned for
    float step_x, step_y; // texels of the frame for one of the half: 2 if it is of the grid's size
    bool varies;          // it is not: steps are from 1 to 2
    bool fireflies;       // less light of single texels blooms
    bool steady;          // light that flickers becomes its mean
    const ag_format *format; // floats of 16 bits, or of 32
    int64_t taps_offset;     // in the buffer of the kernel's spectrum
} ag_reduced;

typedef struct ag_bloom_design {
    ag_fft_plan fft;
    int32_t grid[2]; // the size that K belongs to: the frame's, or the largest planned
    ag_kernel_size kernel;
    int32_t max_width, max_height; // of kernels of all sizes planned for; 0: of this one alone
    bool formula;                  // the CPU makes the spectrum
    ag_reduced reduced;
} ag_bloom_design;

ag_bloom_settings ag_bloom_settings_of(const ag_request *request);
// Whether a plan serves frames of several sizes by several kernels.
bool ag_bloom_several(const ag_request *request, const ag_bloom_settings *s);
// Of K for a frame so many texels high.
ag_kernel_size ag_bloom_kernel_size(const ag_request *request, const ag_bloom_settings *s,
                                    int32_t height);

// A texture of the pass, and its part that is used.
typedef struct ag_bloom_image {
    ag_texture shape;
    ag_picture picture;
} ag_bloom_image;
// `own` has a name, a format, layers, and the size that there must be room for, if it is more.
void ag_bloom_own_image(ag_frame *f, const ag_own *own, int32_t width, int32_t height,
                        ag_bloom_image *image);

// ---- the kernel --------------------------------------------------------------------------------

enum { AG_TEXEL_WORDS = 10 }; // what tells the texels of one texture from those of another
void ag_bloom_texel_words(const ag_texture *texture, int32_t words[AG_TEXEL_WORDS]);

// All settings and textures that decide about K's texels, except its size; 0 where they do not.
typedef struct ag_kernel_id {
    int32_t mixed; // 1: no kernel's, a mixture on the way from one to another
    int32_t shape;
    float size;
    int32_t blades;
    float rotation, roundness, dispersion, dust, scratches;
    int32_t seed;
    float eyelashes, stretch, streak;
    int32_t scrub, kernel_fit;
    int32_t image[AG_TEXEL_WORDS];
} ag_kernel_id;
ag_kernel_id ag_bloom_kernel_id(const ag_request *request, const ag_bloom_settings *s);

// A kernel in motion: a new one is made over several prepares, then faded to.
//
//     prepare   1     2     3     4     5     6     7     8     9
//     build     pupil rows  rows  sums  FFT   | pupil rows  ...          the latest settings
//     fade                                    | 1/n   2/n   ...  n/n    of the spectra, linear
//
// A fade and the next build run side by side, so K never stands still while settings move.
typedef struct ag_kernel_motion {
    int32_t stage, row;       // of the build
    ag_bloom_settings next;   // that it is of
    int32_t fade_left;        // frames; 0: no fade
    int32_t goal_at;          // which of the two buffers in motion is the goal
    ag_kernel_id shown, goal; // of the spectrum in use, and of what it becomes
} ag_kernel_motion;

typedef struct ag_bloom_facts {
    ag_kernel_facts kernel;
    ag_kernel_motion motion;
    int32_t steady[3]; // width, height and layers of what bloom/steady.comp keeps
} ag_bloom_facts;

// Whether a change of settings is spread over frames: the GPU draws such a shape every time.
bool ag_bloom_moves(const ag_bloom_settings *s);
// The effect's `make`.
void ag_bloom_make(ag_frame *f);

typedef struct ag_drawing { // of K: shaders and memory
    ag_bloom_settings settings;
    ag_kernel_size size;
    ag_shader *draw, *fit, *pupil, *power;
    ag_fft_plan pupil_plan;
    ag_kernel_transform pupil_transform;
    ag_handle pupil_spectrum, ones;
    ag_handle fit_sums;                 // of bloom/kernel.comp
    ag_bloom_image opening, diffracted; // the pupil, and its squared transform
    ag_bloom_image kernel;              // K, RGBA32F, one corner at texel 0, 0
} ag_drawing;

// Names its shaders; its memory, with room for kernels of max_width x max_height; draws K.
void ag_drawing_begin(ag_frame *f, const ag_bloom_settings *s, const ag_kernel_size *size,
                      ag_drawing *drawing);
void ag_drawing_memory(ag_frame *f, int32_t max_width, int32_t max_height, ag_drawing *drawing);
void ag_drawing_make(ag_frame *f, const ag_drawing *drawing);

// Whether K is the diffraction of a pupil. Then it is even about the centre in every bit.
bool ag_pupil_makes(int32_t shape);
// Cycles a texel beyond which such a K, `extent` texels high, has next to nothing: the spectrum of
// |F|^2 is the opening's autocorrelation, which ends where two openings no longer overlap. Of the
// shortest wavelength that counts, and without an anamorphic's streak.
double ag_pupil_cutoff(const ag_bloom_settings *s, int32_t extent);

// Makes the spectrum of a Gaussian divided by its sum, as kernel_sum.comp and columns.comp leave it
// of a drawn kernel, in the form AG_KERNEL_LINES: computed in double and rounded once. Where the
// plan leaves columns out, frequencies of columns beyond its band are 0. The centre tap bypasses
// the FFT where no columns are left out and the image is not a smaller one.
void ag_gaussian_make(ag_frame *f, const ag_bloom_design *design, ag_handle spectrum);
// A side's tap, if the centre's is 1.
double ag_gaussian_tap(int32_t i, double sigma);

// ---- a smaller image ---------------------------------------------------------------------------

// The octaves of resolution = half, quarter or eighth (1 to 3), or of a decision of auto.
ag_octaves ag_octaves_of(const ag_request *request, const ag_bloom_settings *s,
                         int32_t kernel_height, int32_t decision);
// Plans the smaller images, and changes an FFT's request for the frame and K to that for the last
// of them and K's rest. `grid`: the frame's size that they stay with (the frame's own, or the
// largest planned).
ag_reduced ag_reduced_plan(const ag_request *request, const ag_bloom_settings *s,
                           const ag_octaves *octaves, const int32_t grid[2], ag_fft_request *fft);
// What is kept of a layer's light for `steady`, of the largest size planned for.
int64_t ag_steady_bytes(const ag_reduced *reduced);
// The steps of a frame.
void ag_reduced_steps(ag_frame *f, const ag_bloom_design *design, const ag_bloom_settings *s,
                      const ag_picture *src, const ag_picture *dst, const ag_mix *mix);

// Of the last level for 1, or of a level, along x (0) or y (1): texels of the frame for one of it.
int32_t ag_octave_ratio(const ag_octaves *octaves, int32_t level, int32_t axis);
int32_t ag_octave_taps(const ag_octaves *octaves); // all of them
// What bloom/split.comp needs: tables of x, then of y; each tap's place and level; a matrix with a
// row for each tap. In double, rounded once.
typedef struct ag_octave_work ag_octave_work;
extern const size_t ag_octave_work_bytes;
size_t ag_octave_floats(const ag_octaves *octaves);
void ag_octave_tables(const ag_octaves *octaves, ag_octave_work *work, float *values);

enum { AG_DECISIONS = 9 }; // of auto; the first is full resolution
// resolution = auto: sets request->decision. Draws K as `make` will, and reads some sums back; of a
// Gaussian by a formula.
extern const ag_question ag_bloom_auto;

// In `make`: splits a drawn K into direct taps and a rest.
void ag_bloom_split(ag_frame *f, const ag_octaves *octaves, const ag_picture *kernel, ag_block taps,
                    ag_bloom_image *rest);
// Bytes of the taps, with a further one in which the error is that they leave.
int64_t ag_tap_bytes(const ag_octaves *octaves);

// Along an axis, of a kernel with `taps` values on either side of its centre, `kernel`[0]: the
// smaller kernel, 2 ag_spline_reach() + 1 values.
void ag_spline_reduce(int32_t ratio, const double *kernel, int32_t taps, double *reduced);
// Texels of the smaller kernel on either side of its centre, for a kernel with so many.
int32_t ag_spline_reach(int32_t ratio, int32_t taps);
// Texels of K's rest along x (0) or y (1), for so many of K.
int32_t ag_rest_side(const ag_octaves *octaves, int32_t axis, int32_t side);

// ---- the lens ----------------------------------------------------------------------------------

typedef struct ag_lens {
    bool on;      // the composite is bloom/lens.comp's, of a glow that the convolution leaves
    bool exposes; // the filter is measured in an exposure of the host's
    ag_handle dirt, ghosts;
    ag_bloom_image glow; // the convolution alone, of src's size
} ag_lens;

// Refuses what the lens cannot do, and empties the slots that are not used.
ag_status ag_lens_check(const ag_host *host, ag_request *request, const ag_bloom_settings *s);
// What the plan and the state depend on: both have room for 12 words.
void ag_lens_shape(const ag_request *request, const ag_bloom_settings *s, int32_t *plan,
                   int32_t *state);
// The format that the convolution writes: dst's, or a glow's.
const ag_format *ag_lens_output(const ag_request *request, const ag_bloom_settings *s);
// Refuses a mask that is too large for this context.
ag_status ag_lens_fits(const ag_host *host, const ag_gl *gl, const ag_request *request);
// In `make`, with its first shader: the mask's texels, which have nothing to do with the kernel.
void ag_lens_dirt(ag_frame *f);
// Before the convolution: its memory; reads the exposure.
void ag_lens_begin(ag_frame *f, const ag_bloom_settings *s, ag_lens *lens);
// After the convolution: the composite, ghosts and dirt. `mix`: as if there were no lens.
void ag_lens_step(ag_frame *f, const ag_lens *lens, const ag_bloom_settings *s,
                  const ag_picture *src, const ag_mix *mix);

#endif
