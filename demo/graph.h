// graph.h - a frame as passes that read and write textures: a render graph as an engine has one
// SPDX-License-Identifier: MIT
//
// Passes are Afterglow's or the host's own. graph_compile drops those whose results nobody wants,
// orders the rest in levels (a pass is one level after the last of what it reads), asks each pass
// what it needs (`declare`), lets textures share GL textures and scratch share one buffer where
// their levels do not meet, and prepares. graph_execute places one barrier before each level. The
// module comes by dlopen, and nothing of Afterglow but its public header is used.
#ifndef AFTERGLOW_GRAPH_H
#define AFTERGLOW_GRAPH_H

#include <afterglow/afterglow.h>
#include <glad/gl.h>
#include <stdbool.h>

enum { GRAPH_MAX = 32, GRAPH_SLOTS = 4, GRAPH_NONE = -1 };

typedef struct graph_texture { // of one level
    const char *label;
    uint32_t format;
    int width, height; // the most; graph_resize uses less
    GLuint imported;   // the host's own, never shared; 0: the graph makes one
    bool scales;       // graph_resize changes how much of it is computed
    uint32_t wanted;   // AG_USE_* that follow the frame; 0: nobody looks at it after the frame
    // filled by graph_compile
    GLuint name;
    int writer, first, last; // pass, and levels; writer GRAPH_NONE: nobody in the graph
    uint32_t uses;           // AG_USE_* of all that follow a write
} graph_texture;

struct graph;

typedef struct graph_pass {
    const char *label;
    const char *effect;     // Afterglow's, or NULL: the host's
    int slots[GRAPH_SLOTS]; // textures in the order of the effect's slots; GRAPH_NONE: empty
    uint32_t outputs;       // bit i: the pass writes slot i; one pass a texture
    const void *settings;
    uint32_t settings_size;
    // The host's pass: samples its inputs; returns the barrier bits that its outputs need
    // afterwards (0 for render targets).
    uint32_t (*record)(void *user, const struct graph *g, const struct graph_pass *pass);
    void *user;
    // filled by graph_compile
    ag_pass *pass;
    int level;                       // GRAPH_NONE: dropped
    uint64_t scratch, scratch_bytes; // range in the graph's buffer
    uint64_t alignment;
    uint32_t barriers_before;
} graph_pass;

typedef struct graph { // textures and passes are the host's to fill in, passes in any order
    const GladGLContext *gl;
    void *module;
    const ag_api *ag;
    ag_device *device;
    bool shares;       // memory, where lifetimes allow it
    int width, height; // of what is computed; 0: all of each texture
    graph_texture textures[GRAPH_MAX];
    graph_pass passes[GRAPH_MAX];
    int texture_count, pass_count, level_count;
    GLuint scratch, made[GRAPH_MAX]; // made: textures of the graph's own
    int made_count;
    uint64_t scratch_bytes, scratch_apart; // of the buffer; without sharing
    uint64_t texture_bytes, texture_apart;
    uint64_t frame;
    uint32_t pending;                  // barrier bits owed to what follows
    uint32_t barriers, barriers_apart; // of the last frame; without merging
} graph;

// Opens the module and a device of its on the current context. False: printed why, closed again.
bool graph_open(graph *g, const GladGLContext *gl, const char *module, const ag_host *host);
void graph_close(graph *g); // a zeroed graph is fine
// Makes the graph ready; may be called again after a change. False: the log has said why.
bool graph_compile(graph *g, bool shares);
// Computes width x height texels of every texture that scales, from now on. Within their sizes
// nothing of the graph's is made or moved. False: a pass refused, or it is too much; the former
// size goes on.
bool graph_resize(graph *g, int width, int height);
bool graph_execute(graph *g, uint64_t frame);
void graph_print(const graph *g); // what was shared, merged and dropped

#endif
