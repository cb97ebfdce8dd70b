// state_table.h - every piece of GL state that the functions of the module can change
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_STATE_TABLE_H
#define AG_TEST_STATE_TABLE_H

#include "jobs.h"
#include "random.h"

enum { STATE_UNITS = 8 };

typedef enum state_kind {
    STATE_INT,     // glGetIntegerv
    STATE_INT_I,   // glGetIntegeri_v
    STATE_INT64_I, // glGetInteger64i_v
    STATE_UNIT,    // glGetIntegerv, once for each of STATE_UNITS texture units
    STATE_QUERY,   // glGetQueryiv, GL_CURRENT_QUERY
    STATE_TEXTURE, // glGetTexParameterfv of each texture of the job
} state_kind;

typedef struct state_row {
    const char *text;
    state_kind kind;
    uint32_t name;
    int count;  // indices
    int values; // per index, 1..4
} state_row;

typedef struct state_value { // one index of one row
    const state_row *row;
    int index;
    union {
        int64_t whole[4];
        float real[4];
    } value;
} state_value;

typedef struct state_watch {
    const test_job *job; // its textures' parameters are state, too
    bool query_buffer;   // GL_QUERY_BUFFER exists
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
enum { STATE_OBJECTS = 4, STATE_TARGETS = 3, STATE_BUFFER_BYTES = 65536 };

typedef struct state_objects {
    GLuint buffers[STATE_OBJECTS], samplers[STATE_OBJECTS], pipelines[STATE_OBJECTS];
    GLuint programs[2], images[STATE_OBJECTS], array;
    GLuint textures[STATE_TARGETS][2];
    GLuint query; // GL_TIME_ELAPSED
} state_objects;

state_objects state_objects_create(fixture *f);
void state_objects_destroy(fixture *f, state_objects *o);
void state_random_bindings(fixture *f, const state_objects *o, rng *r, bool query_buffer);
// Of the job's textures and the host's samplers.
void state_random_parameters(fixture *f, const state_objects *o, const test_job *j, rng *r);

#endif
