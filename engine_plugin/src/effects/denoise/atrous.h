// atrous.h - the filter "atrous" of "denoise": edge-avoiding a-trous wavelets
// SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_ATROUS_H
#define AG_DENOISE_ATROUS_H

#include "effects/kit/textures.h"

#include <afterglow/denoise.h>

// What all filters of "denoise" share: the image to filter, and the statistics' buffers.
typedef struct ag_denoise_input {
    ag_source_texture src, dst; // src: the host's, or the mean of frames
    const ag_memory *statistics, *info;
    int32_t set; // of statistics, that filters read
} ag_denoise_input;

typedef struct ag_atrous {
    const ag_program *begin, *counter, *level, *last;
    ag_memory colours[3], views[3]; // [0]: from begin to the end; the others by turns
    ag_memory guides;
    ag_texture shape; // of the textures
} ag_atrous;

// The target of textures of its own that are read in turn with src: a texture unit keeps one.
uint32_t ag_denoise_target(const ag_request *request);
// The slots of guides, and bytes of memory that the filter keeps.
bool ag_atrous_guided(const ag_request *request);
uint64_t ag_atrous_bytes(const ag_request *request);
uint64_t ag_atrous_step_bytes(const ag_request *request);
void ag_atrous_groups(const ag_request *request, int32_t level, uint32_t groups[3]);
// Appends the defines of denoise/component.glsl.
void ag_denoise_component_defines(const ag_request *request, int32_t space, int32_t components,
                                  ag_defines *defines);
// The uniform of denoise/component.glsl.
ag_uniform ag_denoise_space(const ag_denoise_settings *s);
// `a` NULL: names the programs. `src`: the image's format.
ag_status ag_atrous_programs(const ag_preparation *prep, const ag_request *request,
                             const ag_format *src, ag_atrous *a);
ag_status ag_atrous_prepare(const ag_preparation *prep, const ag_request *request,
                            const ag_format *src, ag_atrous *a);
void ag_atrous_free(ag_gpu *gpu, ag_atrous *a, bool with_gl);
void ag_atrous_record(ag_recording *recording, const ag_request *request, const ag_atrous *a,
                      const ag_denoise_input *input);

#endif
