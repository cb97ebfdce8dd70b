// dispatch.h - the only code that binds, dispatches, places barriers, times and unbinds
// SPDX-License-Identifier: MIT
#ifndef AG_DISPATCH_H
#define AG_DISPATCH_H

#include "gl/bindings.h"
#include "gl/gpu.h"
#include "shader/program.h"
#include "time/timer.h"

typedef struct ag_image_binding { // texture 0: not used by this dispatch
    GLuint texture;
    GLint level, layer;
    GLenum access, format;
    bool layered; // all layers of the level, for an image2DArray; `layer` is then 0
} ag_image_binding;

typedef struct ag_texture_binding { // of a texture unit; texture 0: not used by this dispatch
    GLuint texture;
    GLenum target;
} ag_texture_binding;

// Numbers of units of one recording, from the host's bases on: those of ag_effect_info, or those
// that a prepare needs.
typedef struct ag_units {
    GLuint images, ssbos, textures;
} ag_units;

typedef struct ag_range { // of a buffer; buffer 0: not used by this dispatch
    GLuint buffer;
    uint64_t offset, bytes;
} ag_range;

// Four ints or four floats at an explicit location: an ivec4 or a vec4 of the shader, no other
// type.
typedef struct ag_uniform {
    int32_t location;
    bool is_float;
    union {
        int32_t i[4];
        float f[4];
    } value;
} ag_uniform;

#define AG_INTS(where, a, b, c, d)                            \
    {                                                         \
        .location = (where), .value.i = {(a), (b), (c), (d) } \
    }
#define AG_FLOATS(where, a, b, c, d)                                            \
    {                                                                           \
        .location = (where), .is_float = true, .value.f = {(a), (b), (c), (d) } \
    }

typedef struct ag_gl_dispatch {
    const ag_program *program;
    ag_image_binding images[AG_IMAGE_MAX];
    ag_texture_binding textures[AG_TEXTURE_MAX];
    ag_range ranges[AG_SSBO_COUNT];
    const ag_uniform *uniforms;
    uint32_t uniform_count;
    uint32_t groups[3];
    ag_range
        indirect; // 12 bytes: the GPU's own groups, of which `groups` are the most; buffer 0: none
} ag_gl_dispatch;

// One recording: all that an execute, or the GPU work of a prepare, does between the first binding
// and the last unbinding.
typedef struct ag_recording {
    const ag_gpu *gpu;
    bool in_prepare; // the dispatches compute data that the state keeps
    bool restore_by_get;
    const ag_gl_state *restore; // else the host's values; NULL: 0
    ag_gl_state saved;
    ag_timer *timer;
    ag_sample *sample; // NULL: not timed
    bool by_step;
    bool grouped;   // a debug group is open for the step
    ag_units units; // that the effect may use; all their images and buffers are restored
    GLuint program;
    ag_texture_binding textures[AG_TEXTURE_MAX]; // texture 0: nothing was bound there
    ag_image_binding images[AG_IMAGE_MAX];
    ag_range ranges[AG_SSBO_COUNT];
} ag_recording;

// Saves state if required and places the opening barrier: the last recording may still use the
// scratch, and no barrier that an output's next use implies orders that. `units`: how many the
// effect may use; images: by ag_image_units. `bits`: of the barrier, beside that of storage blocks.
// If a texture unit reads, it needs GL_TEXTURE_FETCH_BARRIER_BIT; hosts need not know how inputs
// are read.
void ag_record_begin(ag_recording *r, const ag_gpu *gpu, const char *name, ag_units units,
                     GLbitfield bits, bool restore_by_get, const ag_gl_state *restore,
                     ag_timer *timer, ag_sample *sample);
// The same for the GPU work of a prepare: not timed, restores all state by glGet, and may use
// AG_IMAGE_COUNT image units and one texture unit.
void ag_record_begin_prepare(ag_recording *r, const ag_gpu *gpu, const char *name);
// The image units that an effect may use: `wanted`, or those that the host's base leaves of the
// eight that GL promises (NVIDIA has no more), but at least AG_IMAGE_COUNT.
GLuint ag_image_units(const ag_gl *gl, GLuint wanted);
// Starts step number `step`, with a timestamp if steps are timed. `waits`: the step reads buffers
// that the step before wrote, so a barrier is placed.
void ag_record_step(ag_recording *r, uint32_t step, const char *name, bool waits);
// A barrier within a step or before its first dispatch: later dispatches read earlier results
// through units of the kinds in `bits`.
void ag_record_wait(ag_recording *r, GLbitfield bits);
void ag_record(ag_recording *r, const ag_gl_dispatch *dispatch);
// Ends the recording: a barrier of `bits` (0: none), the last timestamp, then unbinds or restores.
void ag_record_end(ag_recording *r, GLbitfield bits);

#endif
