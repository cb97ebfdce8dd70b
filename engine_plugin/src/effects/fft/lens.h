// lens.h - bloom's lens: a dirt mask, ghosts, an exposure from a texture, output added to a target
// SPDX-License-Identifier: MIT
#ifndef AG_LENS_H
#define AG_LENS_H

#include "effects/fft/fft_steps.h"

#include <afterglow/bloom.h>

typedef struct ag_lens {
    uint32_t step; // its number in bloom's plan
    bool on;       // the composite is lens.comp's, of a glow that the convolution leaves
    const ag_program *composite, *copy_dirt, *expose; // NULL: not needed
    ag_memory glow; // the convolution alone, a texture of src's size
    int32_t width, height;
    GLenum glow_format;
    ag_memory dirt;      // packed texels of the mask
    GLuint dirt_texture; // the host's
} ag_lens;

// Refuses what the lens cannot do, empties the slots that are not used, and appends what the plan
// and the state depend on: `words` has room for 12 in each.
ag_status ag_lens_check(const ag_host *host, ag_request *request, const ag_bloom_settings *settings,
                        int32_t *plan, int32_t *state);
// Whether a job needs the step "lens".
bool ag_lens_needed(const ag_request *request, const ag_bloom_settings *settings);
// The format that the convolution writes then.
const ag_format *ag_lens_glow(const ag_request *request);
// Appends the step and its textures to a plan of the convolution, whose dst is the glow.
void ag_lens_describe(const ag_request *request, const ag_bloom_settings *settings,
                      ag_pass_plan *plan);

// Programs; `made` NULL: names them. errors  AG_E_SHADER, AG_E_MEMORY
ag_status ag_lens_programs(const ag_preparation *prep, const ag_request *request,
                           const ag_bloom_settings *settings, ag_lens *made);
// Programs, memory and the mask's texels. Takes memory over from `old` where that serves.
// `max_width`, `max_height`: of the frames that may come, 0: of this one. errors  AG_E_MEMORY: free
// what `old` does not share
ag_status ag_lens_prepare(const ag_preparation *prep, const ag_request *request,
                          const ag_bloom_settings *settings, const ag_memory *info,
                          const ag_lens *old, ag_lens *made);
// Frees what `other` (NULL: none) does not share.
void ag_lens_free(ag_gpu *gpu, ag_lens *lens, const ag_lens *other, bool with_gl);

// Before the convolution: reads the exposure. True: the filter is measured in it.
bool ag_lens_expose(ag_recording *recording, const ag_request *request, const ag_lens *lens,
                    const ag_memory *info);
// The glow, as the convolution's dst; `shape` gets its description.
ag_source_texture ag_lens_target(const ag_request *request, const ag_lens *lens, ag_texture *shape);
// After the convolution, whose mix was `mix`: the composite, ghosts and dirt.
void ag_lens_record(ag_recording *recording, const ag_request *request, const ag_lens *lens,
                    const ag_bloom_settings *settings, const ag_mix *mix, const ag_memory *info);

#endif
