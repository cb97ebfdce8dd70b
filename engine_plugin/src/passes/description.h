// description.h - a pass from a folder: what the `//!` lines of its pass.comp say
// SPDX-License-Identifier: MIT
//
// docs/passes.md has the lines. A description is an ag_effect like any other: its tables are filled
// from the text, and its `frame` (passes/frame.c) interprets the steps.
#ifndef AG_DESCRIPTION_H
#define AG_DESCRIPTION_H

#include "core/effect.h"
#include "core/loaded.h"
#include "shader/source.h"

enum {
    AG_PASS_NAME = 24,     // characters of a name, the end included
    AG_PASS_SETTINGS = 32, // with scrub
    AG_PASS_CHOICES = 16,  // of a setting
    AG_PASS_FLOATS = 32,   // values of settings that are uniforms, in vec4s
    AG_PASS_INTS = 16,     // the same, in ivec4s
    AG_PASS_TEXTURES = 8,
    AG_PASS_LEVELS = 12, // of a texture
    AG_PASS_STORES = 24, // levels of all textures: fewer than AG_MAX_STORES
    AG_PASS_STEPS = 16,
    AG_PASS_USES = 7, // of a step: images and buffers, with the counters eight (gl/bindings.h)
    AG_PASS_BUFFERS = AG_SSBO_INFO, // of a step
    AG_PASS_DEFINES = 8,            // of a step
    AG_PASS_ROUNDS = 64,            // of a step that repeats
    AG_PASS_BYTES = 64 << 10        // of the lines
};

#define AG_PASS_FILE "pass.comp" // has the lines

typedef struct ag_pass_place { // in pass.comp
    uint32_t line, column;
} ag_pass_place;

typedef struct ag_pass_size {
    int32_t slot;          // whose rectangle; -1: none
    int32_t times, over;   // of it, rounded up
    int32_t width, height; // if none; 0: any
} ag_pass_size;

typedef struct ag_pass_number { // a number, and what is added to it
    int32_t number, setting;    // setting: a word of the settings; 0: none
    bool round;                 // the number of the round, of a step that repeats
} ag_pass_number;

typedef struct ag_pass_texture {
    const char *name;
    const ag_format *format;
    ag_pass_size size; // of level 0; each level has half the size of the one before, rounded up
    int32_t levels;
    bool keep; // from frame to frame
    char names[AG_PASS_LEVELS][AG_PASS_NAME + 4];
} ag_pass_texture;

typedef struct ag_pass_use { // of a slot or a texture, in a step
    const char *name;        // in the shader
    int32_t slot, texture;   // one of them; the other is -1
    uint32_t access;         // AG_READ | AG_WRITE
    ag_pass_number level;
} ag_pass_use;

typedef struct ag_pass_step {
    const char *name, *file;
    ag_pass_place place; // of the file's name, if it has one
    bool repeats, downwards;
    ag_pass_number first, last;
    ag_pass_use uses[AG_PASS_USES];
    int32_t use_count;
    int32_t over;              // the use whose texels the groups cover; -1: one group
    int32_t group[2], tile[2]; // threads, and texels that they cover
    struct {
        const char *name;
        int32_t value;
    } defines[AG_PASS_DEFINES];
    int32_t define_count;
} ag_pass_step;

typedef struct ag_description {
    ag_effect effect;                    // its first member
    const struct ag_description *former; // the pass as it was before an edit
    char *strings;                       // of the tables
    size_t string_room, string_used;
    ag_hash128 text;  // of the lines
    ag_pass_place id; // where it is named
    ag_slot_info slots[AG_MAX_SLOTS];
    uint32_t formats[AG_MAX_SLOTS][AG_FRAME_FORMATS];
    bool depth[AG_MAX_SLOTS];
    ag_pass_size sizes[AG_MAX_SLOTS];
    bool sized[AG_MAX_SLOTS]; // the size is a condition
    ag_setting_info settings[AG_PASS_SETTINGS];
    const char *names[AG_PASS_SETTINGS][AG_PASS_CHOICES];
    const char *help[AG_PASS_CHOICES];                  // none: ""
    int32_t floats[AG_PASS_FLOATS], ints[AG_PASS_INTS]; // words of the settings; 0: none
    int32_t float_count, int_count;                     // multiples of 4
    int32_t places[AG_PASS_SETTINGS]; // of a setting's first value in one of these
    ag_pass_texture textures[AG_PASS_TEXTURES];
    int32_t texture_count;
    ag_pass_step steps[AG_PASS_STEPS];
    int32_t step_count;
} ag_description;

// Reads the lines of a text, behind which there is a NUL, into a description, all zero at first but
// for `strings`, which has room for twice the text.
//   errors  AG_E_ARG (`problem` has the place, and what was expected)
ag_status ag_description_read(const ag_host *host, const char *text, size_t length,
                              ag_description *d, ag_problem *problem);

// What the steps of a job come to.
int32_t ag_pass_value(const ag_request *request, ag_pass_number number, int32_t round);
void ag_pass_texture_size(const ag_description *d, const ag_request *request, int32_t texture,
                          int32_t level, int32_t size[2]);
void ag_pass_size_of(const ag_request *request, const ag_pass_size *size, int32_t out[2]);
int32_t ag_pass_texel_bytes(const ag_format *format); // of a texture, which lies in a buffer

// Whether a step has work in a job: what it covers is not an empty slot.
bool ag_pass_step_works(const ag_pass_step *step, const ag_request *request);

// Whether a texture unit reads a use of a slot.
bool ag_pass_samples(const ag_request *request, const ag_pass_use *use);

// Appends what `#include "pass.glsl"` stands for in a step's shader.
void ag_pass_block(const ag_description *d, const ag_pass_step *step, const ag_request *request,
                   ag_defines *defines);

// The functions of ag_effect.
ag_status ag_pass_check(const ag_host *host, ag_request *request);
void ag_pass_slot_size_of(const ag_request *request, uint32_t slot, int32_t size[3]);
ag_status ag_pass_design(const ag_host *host, const ag_gl *gl, const ag_request *request,
                         void *design);
void ag_pass_frame(struct ag_frame *f);

#endif
