// filters.h - what the filters of "denoise" share, and the steps of each
// SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_FILTERS_H
#define AG_DENOISE_FILTERS_H

#include "effects/kit/textures.h"
#include "effects/wavelet/wave_plan.h"
#include "shaders/denoise/interface.h"

#include <afterglow/denoise.h>

typedef struct ag_haar { // of haar, of ti_haar, and of the statistics before all filters
    int32_t statistics;  // AG_DENOISE_SIGMAS | AG_DENOISE_ENERGIES: what is estimated
    int32_t counting;    // dispatches a layer that count first
    int32_t every[3];    // steps from a tile that is counted to the next, in x, y and layers
    // Of haar and ti_haar:
    int32_t tile[2];
    int32_t fine, coarse; // levels of the last dispatch; of ti_haar beyond them
    int32_t grid[3];      // of those: cells in x and y; before the image
} ag_haar;

typedef struct ag_denoise_design { // computed once a plan
    ag_haar haar;
    ag_wave_plan dwt;
    int64_t alignment; // of blocks of scratch
    int32_t subgroups; // AG_SUBGROUPS_*, of blocks
} ag_denoise_design;

typedef struct ag_denoise_facts { // what changes from frame to frame
    bool counted;                 // there are statistics
    int32_t set;                  // that of the two sets which is read
    int32_t turn;                 // which of the two states the history's last frame wrote
} ag_denoise_facts;

typedef struct ag_denoise { // what the dispatches of a frame share
    ag_frame *f;
    const ag_request *request;
    ag_denoise_settings s;
    ag_picture src, dst; // src: the host's, or the mean of frames
    ag_picture frame;    // the host's src
    ag_picture frames;   // of each texel of the mean, and more; without a history nothing
    ag_texture shape;    // of textures of the pass: src's rectangle, alone
    ag_handle info;
    ag_handle statistics; // shaders/denoise/memory.glsl has its layout
    uint32_t reading;     // how filters access it. 0: their set is not that which is written beside
    int32_t set;          // that filters read
} ag_denoise;

// ---- denoise.c

// Whether there are normals or depths.
bool ag_denoise_guided(const ag_request *request);

// A texture of src's size that the pass keeps. `format`: as src is read, by turns with it, if it is
// `packed`.
ag_picture ag_denoise_texture(const ag_denoise *n, const char *name, GLenum format, bool packed);
// Whether sigma is estimated together with how it grows with brightness.
bool ag_denoise_has_curve(const ag_denoise_settings *s);
// The defines of denoise/component.glsl, and its uniform.
void ag_denoise_define(const ag_denoise *n, ag_shader *shader, int32_t space, int32_t components);
ag_uniform ag_denoise_space(const ag_denoise *n);
// The first uniforms of dispatches that read a layer of src and shrink coefficients into dst.
enum { AG_DENOISE_UNIFORMS = 5 };
void ag_denoise_uniforms(const ag_denoise *n, int32_t layer, ag_uniform *uniforms);

// ---- history.c: src becomes the mean of frames

void ag_history_steps(ag_denoise *n);

// ---- haar.c: statistics, haar and ti_haar

// Fails with AG_E_SIZE if what is kept between dispatches is larger than a storage block may be.
ag_status ag_haar_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                         ag_haar *haar);
void ag_haar_count(ag_denoise *n, const ag_haar *haar);
void ag_haar_steps(const ag_denoise *n, const ag_haar *haar);

// ---- dwt.c: thresholds of a wavelet transform, a dispatch a level

// Fails with AG_E_SIZE if a level is larger than a storage block may be.
ag_status ag_dwt_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                        ag_wave_plan *plan);
void ag_dwt_steps(const ag_denoise *n, const ag_denoise_design *d);

// ---- atrous.c: edge-avoiding a-trous wavelets

void ag_atrous_steps(const ag_denoise *n);

// ---- blocks.c: stacks of like blocks

// Fails with AG_E_SIZE if planes are larger than a storage block may be.
ag_status ag_blocks_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                           int32_t *subgroups);
void ag_blocks_steps(const ag_denoise *n, int32_t subgroups);

#endif
