// focus.h - what the methods of depth_of_field share
// SPDX-License-Identifier: MIT
#ifndef AG_FOCUS_INTERNAL_H
#define AG_FOCUS_INTERNAL_H

#include "core/frame.h"
#include "shaders/focus/interface.h"

#include <afterglow/depth_of_field.h>

typedef struct ag_focus_grid { // of tiles
    int32_t across, down;
    uint32_t tiles;
    uint64_t bytes; // 2 vec4 a tile and layer
} ag_focus_grid;

ag_focus_grid ag_focus_tiles(const ag_texture *src);

// The uniforms of focus/lens.glsl; that of focus/tiles.glsl.
enum { AG_LENS_UNIFORMS = 4 };
void ag_lens_uniforms(ag_uniform *u, const ag_request *request, int32_t layer);
ag_uniform ag_focus_tile_uniform(const ag_request *request, const ag_focus_grid *t, int32_t layer);
// The defines of focus/depth.glsl; what that and focus/lens.glsl read. `focus`:
// ag_autofocus_step's.
void ag_focus_depth_defines(const ag_frame *f, ag_shader *shader);
void ag_focus_bind_depth(const ag_frame *f, int32_t layer, ag_block focus, ag_dispatch *d);
// focus/spread.comp, over rows, then over columns: from tiles[0] to tiles[1], and back. `work`: of
// method = gather.
void ag_focus_spread(ag_frame *f, ag_shader *const shaders[2], const ag_focus_grid *grid,
                     const ag_handle tiles[2], ag_handle work);

// focus = autofocus (autofocus.c). The step, if it is needed, writes the distance to what it
// returns.
ag_status ag_autofocus_check(const ag_host *host, const ag_request *request);
ag_block ag_autofocus_step(ag_frame *f);

// method = gather (gather.c)
// Whether the context's programs may have as many images and storage blocks; 8 is GL 4.3's least.
bool ag_gather_fits(const ag_gl *gl);
ag_status ag_gather_design(const ag_host *host, const ag_gl *gl, const ag_request *request);
void ag_gather_frame(ag_frame *f);

#endif
