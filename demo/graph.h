// graph.h - a render graph as in an engine: passes that read and write textures
// SPDX-License-Identifier: MIT
//
// A pass is one of Afterglow's or the host's own. graph_compile drops passes whose results are not
// used. It orders the others in levels: a pass is one level after the latest pass that it reads
// from. It asks each pass for its needs (`declare`). Graph textures share GL textures, and scratch
// memory shares one buffer, if their levels do not overlap. Then it prepares the passes.
// graph_execute places one barrier before each level. The module is loaded by dlopen, and only the
// public header of Afterglow is included.
#ifndef AFTERGLOW_GRAPH_H
#define AFTERGLOW_GRAPH_H

#include <afterglow/afterglow.h>
#include <glad/gl.h>
#include <stdbool.h>

enum { GRAPH_MAX = 64, GRAPH_SLOTS = 16, GRAPH_NONE = -1 };

typedef struct graph_texture {
    const char *label;
    uint32_t format;
    int width, height; // the most; graph_resize uses less
    int levels;        // 0: one
    GLuint imported;   // the host's own, never shared; 0: the graph makes one
    bool scales;       // graph_resize changes how much of it is computed
    uint32_t wanted;   // AG_USE_* that follow the frame; 0: nobody looks at it after the frame
    // Its writer works in place: it gets the GL texture of this one, which stands before it in
    // `textures` and which nobody else reads. NULL: it writes every texel.
    struct graph_texture *before;
    // filled by graph_compile
    GLuint name;
    int writer, first, last; // a pass, and levels; writer GRAPH_NONE: no pass writes it
    uint32_t uses;           // AG_USE_* of all uses after the write
} graph_texture;

struct graph;

typedef struct graph_pass {
    const char *label;
    const char *effect;     // of Afterglow; NULL: a pass of the host
    int slots[GRAPH_SLOTS]; // textures in the order of the effect's slots; GRAPH_NONE: empty
    int slot_count;         // how many of these there are
    uint32_t outputs;       // bit i: the pass writes slot i; one pass a texture
    uint32_t flags;         // AG_JOB_*
    const void *settings;
    // A pass of the host, which samples its inputs. It returns the barrier bits that its outputs
    // need (0 for render targets).
    uint32_t (*record)(void *user, const struct graph *g, const struct graph_pass *pass);
    void *user;
    // filled by graph_compile; a pass of before is taken over
    ag_pass *pass;
    int level;                       // GRAPH_NONE: dropped
    uint64_t scratch, scratch_bytes; // range in the graph's buffer
    uint64_t alignment;
    uint32_t barriers_before;
} graph_pass;

typedef struct graph { // the host fills in textures and passes, passes in any order
    const GladGLContext *gl;
    void *module;
    const ag_api *ag;
    ag_device *device;
    bool shares;       // share memory where lifetimes allow it
    int width, height; // of the part that is computed; 0: all of each texture
    int executed[2];   // those of the last frame
    graph_texture textures[GRAPH_MAX];
    graph_pass passes[GRAPH_MAX];
    int texture_count, pass_count, level_count;
    GLuint scratch, made[GRAPH_MAX]; // made: the textures that the graph owns
    int made_count;
    uint64_t scratch_bytes, scratch_apart; // of the buffer; the same without sharing
    uint64_t texture_bytes, texture_apart;
    uint64_t frame;
    float dt;                          // seconds since the last frame, for effects that adapt
    int failed;                        // the pass that refused, where a call returned false
    uint32_t pending;                  // barrier bits owed to what follows
    uint32_t barriers, barriers_apart; // of the last frame; without merging
} graph;

// Opens the module and a device of its on the current context; `desc` as of device_create. False:
// printed why, closed again.
bool graph_open(graph *g, const GladGLContext *gl, const char *module, const ag_host *host,
                const ag_device_desc *desc);
void graph_close(graph *g); // a zeroed graph is fine
// Prepares the graph; may be called again after a change. False: the log has the reason.
bool graph_compile(graph *g, bool shares);
// From now on width x height texels of every texture that scales are computed. In the textures'
// sizes, the graph creates and moves nothing. A pass that keeps a picture from frame to frame
// starts anew (AG_JOB_RESET). False: a pass refused, or the size is too large; the former stays.
bool graph_resize(graph *g, int width, int height);
// Takes over settings that have changed. Cheap where they need no other memory. False: a pass
// refused them; nothing has changed then, so put them back.
bool graph_refresh(graph *g);
// What a pass of Afterglow's will do, valid until the next call about it; NULL: dropped, or the
// host's.
const ag_plan *graph_plan(const graph *g, int pass);
bool graph_execute(graph *g, uint64_t frame);
void graph_print(const graph *g); // what was shared, merged and dropped

#endif
