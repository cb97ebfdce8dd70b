// state_table.h - every piece of GL state that a compute pass or a host's renderer can see
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_STATE_TABLE_H
#define AG_TEST_STATE_TABLE_H

#include "jobs.h"
#include "random.h"

enum { STATE_UNITS = 4, STATE_WATCHED = 8 };

typedef enum state_kind {
    STATE_INT,       // glGetIntegerv
    STATE_INT64,     // glGetInteger64v
    STATE_REAL,      // glGetFloatv
    STATE_ENABLE,    // glIsEnabled, a run of `count` enums
    STATE_ENABLE_I,  // glIsEnabledi
    STATE_INT_I,     // glGetIntegeri_v
    STATE_INT64_I,   // glGetInteger64i_v
    STATE_REAL_I,    // glGetFloati_v
    STATE_UNIT,      // glGetIntegerv, once for each of STATE_UNITS texture units
    STATE_POINTER,   // glGetPointerv
    STATE_QUERY,     // glGetQueryiv, GL_CURRENT_QUERY
    STATE_ATTRIBUTE, // glGetVertexAttribiv
    STATE_TEXTURE,   // glGetTexParameterfv of each watched texture
    STATE_SAMPLER,   // glGetSamplerParameterfv of each watched sampler
} state_kind;

typedef struct state_row {
    const char *text;
    state_kind kind;
    uint32_t name;
    int count;  // indices for *_I, a run of enums for STATE_ENABLE
    int values; // per index, 1..4
    int only;   // 0: always; STATE_ONLY_QUERY_BUFFER: where that exists
} state_row;

enum { STATE_ONLY_QUERY_BUFFER = 1 };

typedef struct state_value { // one index of one row
    const state_row *row;
    int index;
    union {
        int64_t whole[4];
        float real[4];
        void *pointer;
    } value;
} state_value;

typedef struct state_watch { // the objects whose parameters are state, too
    const test_job *job;     // its textures
    GLuint samplers[STATE_WATCHED];
    int sampler_count;
    bool query_buffer; // GL_QUERY_BUFFER exists
} state_watch;

typedef struct state_snapshot {
    state_value *values;
    size_t count, capacity;
} state_snapshot;

size_t state_row_count(void);
// Reads everything; leaves every binding and the error flag as they were.
state_snapshot state_take(fixture *f, const state_watch *watch);
void state_free(state_snapshot *s);
// The values of one row and index; ends the test when there is none.
state_value *state_find(state_snapshot *s, uint32_t name, int index);
// Prints every difference; returns how many there are.
size_t state_compare(const state_snapshot *expected, const state_snapshot *got, const char *when);

// state_random.c: objects of an imaginary host, and random legal values in all of the state.
enum { STATE_OBJECTS = 4 };

typedef struct state_objects {
    GLuint buffers[STATE_OBJECTS], samplers[STATE_OBJECTS], arrays[STATE_OBJECTS];
    GLuint framebuffers[STATE_OBJECTS], renderbuffers[STATE_OBJECTS], pipelines[STATE_OBJECTS];
    GLuint feedbacks[STATE_OBJECTS], programs[2], images[STATE_OBJECTS];
    GLuint textures[12][2]; // per target
    GLuint query;           // GL_TIME_ELAPSED
} state_objects;

enum { STATE_BUFFER_BYTES = 65536 };

state_objects state_objects_create(fixture *f);
void state_objects_destroy(fixture *f, state_objects *o);
// Compute-visible bindings; raster state, pixel store and the rest; parameters of textures.
void state_random_bindings(fixture *f, const state_objects *o, rng *r, bool query_buffer);
void state_random_raster(fixture *f, const state_objects *o, rng *r);
void state_random_parameters(fixture *f, const state_objects *o, const test_job *j, rng *r);

// state_drawn.c: tests with textures that the host has drawn into.
void test_drawn(void **state);
void test_drawn_effects(void **state);

#endif
