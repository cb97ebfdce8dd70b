// viewer/frame.h - the frame: scene, particles, the module's effects in their order, and the
// picture for the eye
// SPDX-License-Identifier: MIT
//
//   street or image -> particles -> effects that are on, in the order of `nodes` -> canvas
//
// There are two chains of effects, A and B: the one that is edited, and the other, which the split
// shows beside it.
//
// An effect's slots get what their names say (src: the picture as far as it is; depth, normal,
// albedo, motion: of the scene; kernel: an aperture); what it writes is made as large, and of such
// a format, as it asks for. demo/graph.c does the rest.
#ifndef VIEWER_FRAME_H
#define VIEWER_FRAME_H

#include "cache.h"
#include "camera.h"
#include "graph.h"
#include "node.h"
#include "own.h"
#include "scene.h"
#include "timers.h"

enum { FRAME_SPANS = 8192, FRAME_FOLDERS = 6, FRAME_PATH = 1024 };

typedef struct frame_span { // for traces
    const char *effect, *name;
    bool whole;
    uint64_t frame, gpu_begin, gpu_end, cpu_begin, cpu_end;
} frame_span;

typedef struct frame_image { // in the place of the street
    GLuint name;             // 0: the street
    int width, height;
    char label[256]; // of its file
} frame_image;

typedef struct frame { // do not move
    const GladGLContext *gl;
    ag_host host;
    cache programs;               // compiled ones, kept for the next start
    const char *module, *shaders; // paths; shaders NULL: the embedded ones
    uint32_t copy_speed;          // MB/s; 0: not measured
    graph graph;
    int side;                // 0: A is edited, 1: B
    node nodes[NODES_MOST];  // of the side that is edited, in their order
    node others[NODES_MOST]; // of the other side
    int node_count, other_count;
    bool has_other;                          // else it is made as a copy
    char presets[2][64];                     // what A and B were loaded from
    char folders[FRAME_FOLDERS][FRAME_PATH]; // of passes that are no effects of the module
    int folder_count;
    scene scene;
    scene_settings street;
    particle_settings particles;
    view_settings view, other_view; // of the two sides
    view_settings street_view;      // the street's, while there is an image
    camera camera;
    frame_image image;
    timers timers;
    // What is computed, and where it goes:
    int width, height;     // of the picture
    GLuint canvas, target; // RGBA8, whose last row is the top as in a window; a framebuffer
    int canvas_width, canvas_height;
    int rect[4]; // of the picture on the canvas: x, y from the top, width, height
    // Time:
    float time;
    uint64_t number;
    scene_frame moment;
    bool has_before; // moment.before is of a frame that was drawn
    // What the inspector shows: an effect, "scene" for the scene's own textures, "" for nothing.
    char inspect_id[NODE_NAME];
    int inspect_slot;
    // Inner state:
    bool dirty;     // build again before the next frame
    int planned[2]; // the size that the graph is made for
    int settle;     // frames that the size has been other than planned
    int made_canvas[2];
    GLuint copy, present, kernel, nothing; // programs; an aperture; a vertex array of nothing
    char log[512];                         // the module's last error
    bool quiet;                            // it is only asked whether it would take something
    frame_span spans[FRAME_SPANS];
    unsigned long span_count;
    int before, after, other; // pictures of the graph's; other: of that side, if it is shown
} frame;

// `gl_proc`, `user`: as ag_host. False: printed why.
bool frame_open(frame *f, const GladGLContext *gl, void *(*gl_proc)(void *, const char *),
                void *user, const char *module, const char *shaders);
void frame_close(frame *f);
bool frame_reload(frame *f); // the module is loaded anew, with all settings kept

// Adds the pass of a folder to the chain, on; edits of it are taken live. False: f->log says why.
bool frame_load(frame *f, const char *folder);

void frame_use_image(frame *f, GLuint name, int width, int height); // takes it over; 0: the street
// The canvas, and where on it the picture goes; the picture is as large as that rectangle, scaled
// by the setting.
bool frame_size(frame *f, int canvas_width, int canvas_height, const int rect[4]);
// Draws the next frame, `dt` seconds after the one before. False: nothing was drawn, the log says
// why.
bool frame_draw(frame *f, float dt);

// ---- the chain that is edited
// What can be in it: the module's effects and the folders'. Returns how many.
enum { FRAME_EFFECTS = 64 };
uint32_t frame_effects(const frame *f, const ag_effect_info *all[FRAME_EFFECTS]);
node *frame_find(frame *f, const char *name);
node *frame_add(frame *f, const char *id); // at the end, off. NULL: f->log says why
void frame_remove(frame *f, int index);
void frame_move(frame *f, int index, int by); // changes the order

// ---- A and B
bool frame_compares(const frame *f);   // the split shows A and B
node *frame_node(frame *f, int index); // of both: first those of the side that is edited
void frame_swap(frame *f);             // edits the other side
void frame_copy_side(frame *f);        // makes the other side as this one

void frame_inspect(frame *f, const char *name, int slot); // "": nothing
// The texture that the inspector looks at; NULL: none.
const graph_texture *frame_inspected(const frame *f);

#endif
