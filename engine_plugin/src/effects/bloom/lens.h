// lens.h - bloom's lens: a dirt mask, ghosts, an exposure from a texture, output added to a target
// SPDX-License-Identifier: MIT
#ifndef AG_LENS_H
#define AG_LENS_H

#include "effects/convolution/convolution.h"

#include <afterglow/bloom.h>

typedef struct ag_lens { // shaders and memory of a frame
    bool on;             // the composite is lens.comp's, of a glow that the convolution leaves
    bool exposes;        // the filter is measured in an exposure of the host's
    ag_shader *composite, *expose;
    ag_handle info, dirt; // packed texels of the mask
    ag_texture shape;
    ag_picture glow; // the convolution alone, of src's size
} ag_lens;

// Refuses what the lens cannot do, empties the slots that are not used, and appends what the plan
// and the state depend on: `words` has room for 12 in each.
ag_status ag_lens_check(const ag_host *host, ag_request *request, const ag_bloom_settings *settings,
                        int32_t *plan, int32_t *state);
// Whether a job needs the step "lens".
bool ag_lens_needed(const ag_request *request, const ag_bloom_settings *settings);
// The format that the convolution writes then.
const ag_format *ag_lens_glow(const ag_request *request);
// Refuses a mask that is too large for this context.
ag_status ag_lens_fits(const ag_host *host, const ag_gl *gl, const ag_request *request);

// Names its shaders, then its memory.
void ag_lens_begin(ag_frame *f, const ag_bloom_settings *settings, ag_lens *lens);
void ag_lens_memory(ag_frame *f, ag_handle info, ag_lens *lens);
// Before the convolution: reads the exposure.
void ag_lens_expose(ag_frame *f, const ag_lens *lens);
// After the convolution, whose mix was `mix`: the composite, ghosts and dirt.
void ag_lens_step(ag_frame *f, const ag_lens *lens, const ag_bloom_settings *settings,
                  const ag_mix *mix);
// In `make`: the mask's texels. First the shader, then the work, before ag_frame_is_made: the mask
// has nothing to do with the kernel.
ag_shader *ag_lens_dirt_shader(ag_frame *f);
void ag_lens_dirt_make(ag_frame *f, ag_shader *shader, ag_handle info);

#endif
