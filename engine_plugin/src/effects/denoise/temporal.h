// temporal.h - the part of "denoise" that accumulates frames before they are filtered
// SPDX-License-Identifier: MIT
#ifndef AG_DENOISE_TEMPORAL_H
#define AG_DENOISE_TEMPORAL_H

#include "effects/kit/textures.h"

// Where the parts of a job are. Slot numbers; an empty `history`: nothing is accumulated.
typedef struct ag_temporal_slots {
    int src, motion, history;
} ag_temporal_slots;

typedef struct ag_temporal_settings {
    float frames, clamp;
    bool scrub;
} ag_temporal_settings;

typedef struct ag_temporal {
    const ag_program *accumulate, *keep;
    ag_memory mean, view, frames; // textures; view: of mean, for a texture unit
    ag_texture shape;             // of the textures
} ag_temporal;

// Memory in bytes that the part keeps; 0 if it has nothing to do.
uint64_t ag_temporal_bytes(const ag_request *request, const ag_temporal_slots *slots);
// `t` NULL: names the programs.
ag_status ag_temporal_programs(const ag_preparation *prep, const ag_request *request,
                               const ag_temporal_slots *slots, ag_temporal *t);
ag_status ag_temporal_prepare(const ag_preparation *prep, const ag_request *request,
                              const ag_temporal_slots *slots, ag_temporal *t);
void ag_temporal_free(ag_gpu *gpu, ag_temporal *t, bool with_gl);
// The accumulated frame, as the source of later steps.
ag_source_texture ag_temporal_source(const ag_request *request, const ag_temporal_slots *slots,
                                     const ag_temporal *t);
// Two dispatches, with the barriers between them and after them.
void ag_temporal_record(ag_recording *recording, const ag_request *request,
                        const ag_temporal_slots *slots, const ag_temporal_settings *settings,
                        const ag_temporal *t, const ag_memory *info);

#endif
