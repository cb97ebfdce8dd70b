// frame_state.h - a run of an effect's frame, and what a pass keeps of it; only for core/frame*.c
// SPDX-License-Identifier: MIT
#ifndef AG_FRAME_STATE_H
#define AG_FRAME_STATE_H

#include "base/hash.h"
#include "core/frame.h"
#include "core/hazards.h"

enum { AG_MAX_STORES = 32, AG_FIRST_STORE = 1 + AG_MAX_SLOTS };

typedef enum ag_frame_mode {
    AG_FRAME_PLANS,    // counts
    AG_FRAME_COMPILES, // starts programs
    AG_FRAME_KEEPS,    // finds or makes its memory
    AG_FRAME_MAKES,    // the same, and records: `make` in a prepare
    AG_FRAME_RECORDS
} ag_frame_mode;

typedef enum ag_store_kind {
    AG_IN_SCRATCH,
    AG_IN_BUFFER,
    AG_IN_TEXTURE,
    AG_IN_CONSTANTS,
    AG_IN_INFO
} ag_store_kind;

typedef struct ag_live { // how the steps of a plan use a memory
    bool used;
    uint32_t access, first_step, last_step;
} ag_live;

typedef struct ag_store { // memory that a frame asks for, at its place in the frame
    const char *name;
    ag_store_kind kind;
    uint64_t bytes, offset; // offset: of scratch
    const ag_format *format;
    ag_live live;
} ag_store;

typedef struct ag_design { // the detail of an effect with a frame; the effect's own design follows
    uint32_t store_count;
    ag_store stores[AG_MAX_STORES];
} ag_design;

typedef struct ag_kept { // memory of a pass, by its name
    const char *name;
    ag_memory memory;
    ag_memory spare; // the former content's memory, for the next content
    ag_memory view;  // of a packed texture
    bool texture, packed;
    GLenum format, target;
    int32_t size[3];
    bool keyed, made; // has a content of a key; `make` wrote it
    bool temporary;   // only `make` uses it
    ag_hash128 key;
} ag_kept;

typedef struct ag_frame_state { // what a prepared pass has; the effect's facts follow
    ag_design *design;
    ag_memory info;                         // counters that the shaders write (common/info.glsl)
    ag_memory info_spare;                   // the buffer of the former state, for the next state
    uint32_t frame_programs, program_count; // of the frame, and with those of `make`
    const ag_program *programs[AG_MAX_PROGRAMS];
    ag_memory places[AG_MAX_STORES]; // what the frame's stores are, by their places
    GLuint texels[AG_MAX_STORES];    // of textures, for a texture unit
    uint32_t kept_count;
    ag_kept kept[AG_MAX_STORES];
    bool has_made, unfinished; // `make` has run; there is work left for later prepares
    ag_hash128 made_of;        // the key of what `make` computed
    uint32_t read_count;
    GLuint read[AG_MAX_SLOTS]; // the host's textures that it read
} ag_frame_state;

struct ag_shader {
    const char *path;
    ag_defines *defines; // NULL unless they are asked for
    const ag_program *program;
};

typedef struct ag_bound { // a slot's texture while it is recorded
    GLuint read, write, texels;
    uint32_t memory; // the same for slots that name the same texture
    bool written;    // by some slot that names it
    int32_t samples;
} ag_bound;

typedef struct ag_place { // a store while it is recorded
    ag_store_kind kind;
    GLenum target;
    const ag_format *format;
    GLuint name, texels;
    uint64_t bytes, offset;
} ag_place;

struct ag_frame {
    ag_frame_mode mode;
    const ag_host *host;
    const ag_gl *gl;
    const ag_effect *effect;
    const ag_request *request;
    ag_design *design;
    void *facts;
    ag_status status; // the first failure: what follows does nothing
    bool skips;       // `make` found that all is made
    uint32_t first_shader, shader_count, store_count, step_count;
    ag_handle info; // 0: not asked for yet
    ag_shader shaders[AG_MAX_PROGRAMS];
    ag_place places[AG_MAX_STORES];
    // plans
    ag_pass_plan *plan; // NULL: of `make`
    ag_live slots[AG_MAX_SLOTS];
    uint64_t scratch; // of `make` so far
    // compiles, keeps, makes
    const ag_preparation *prep;
    ag_defines defines;
    ag_frame_state *old;
    const ag_memory *answer; // of a look
    bool of_make, goes_on;
    // compiles, keeps, makes, records
    ag_frame_state *state;
    // makes, records
    ag_recording *recording; // NULL: none is open
    ag_recording own_recording;
    const char *step_name; // begun, but without a dispatch yet
    ag_bound bound[AG_MAX_SLOTS];
    ag_hazards hazards;
};

// Starts a run.
void ag_frame_begin(ag_frame *f, ag_frame_mode mode, const ag_host *host, const ag_gl *gl,
                    const ag_request *request, ag_design *design);
// Ends the defines of the last shader that was named.
void ag_frame_end_shader(ag_frame *f);

// frame_memory.c: the counters, copied from those of the former state; the memory of a store of so
// many bytes, found or made; then all or nothing
ag_status ag_frame_make_info(ag_gpu *gpu, const ag_frame_state *old, ag_frame_state *state);
const ag_kept *ag_frame_keep(ag_frame *f, const ag_own *own, uint64_t bytes);
GLenum ag_frame_target(const ag_own *own); // of a texture
// Takes over what `make` made for the former state.
void ag_frame_keep_made(ag_frame *f);
// `several`: the plan serves several sizes.
void ag_frame_commit(ag_gpu *gpu, bool several, ag_frame_state *old, ag_frame_state *made);
void ag_frame_abandon(ag_gpu *gpu, const ag_frame_state *old, ag_frame_state *made);
void ag_frame_free(ag_gpu *gpu, ag_frame_state *state, bool with_gl);

// frame_record.c
void ag_frame_open(ag_frame *f, ag_recording *recording);
void ag_frame_record(ag_frame *f, const ag_dispatch *d);
// Ends the recording of `make`, if one is open.
void ag_frame_close(ag_frame *f);

#endif
