// cli/run.h - `afterglow run`: the request, and its execution file by file
// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "effect.h"
#include "image.h"
#include "session.h"
#include "texture.h"
#include "video.h"

enum { RUN_MAX_SIZES = 4 };
enum { RUN_MAX_LEVELS = 17 }; // of a chain of IMAGE_MAX texels

typedef struct run_request {
    const ag_api *api;
    const ag_effect_info *effect;
    const char *folder; // that the effect comes from; NULL: it is one of the module
    void *settings;     // effect->settings_size bytes

    const char *files[EFFECT_MAX_SLOTS];          // by slot: its file; NULL: an input, or empty
    const format_info *formats[EFFECT_MAX_SLOTS]; // by slot; NULL: that of the file
    int widths[RUN_MAX_SIZES], heights[RUN_MAX_SIZES], size_count; // of the outputs
    struct {
        int x, y, width, height; // of the source; width 0: all of it
    } rect;

    const char **inputs;
    int input_count;
    struct { // as the command line has them: their meaning depends on the effect
        const char **texts;
        int count;
    } sets, slots, slot_formats;
    const char *output; // a file, a folder when to_folder, or NULL
    bool to_folder;
    bool stream;            // frames through pipes: run_stream
    video_format raw;       // of --raw; width 0: Y4M
    int bt709;              // of --matrix: 1, 0, or -1 for what players assume
    image_file output_type; // in a folder; FILE_UNKNOWN: that of the input

    int frames; // 0: once, untimed
    const char *stats, *trace;
    const char *reference;
    double reference_db;
    bool plan;
    image_view view;
    const char *shaders;
    char *tuning;  // the text of --tuning, NUL at its end; NULL: none
    bool watch;    // run again whenever the shaders change
    size_t memory; // of --max-memory; 0: the default
    int device;
} run_request;

// The slot that --rect and a --format without a slot refer to; outputs have its size.
int run_source_slot(const ag_effect_info *effect);
// Required slots that are read and have no file; the inputs fill them in this order.
int run_open_slots(const run_request *request, int slots[EFFECT_MAX_SLOTS]);
// Slots that are written: those that have to be, and as many optional ones as there are more sizes.
int run_output_slots(const run_request *request, int slots[EFFECT_MAX_SLOTS]);
// Most outputs that an effect has, optional ones among them.
int run_most_outputs(const ag_effect_info *effect);

// An effect with a slot with AG_LEVELS writes chains, and each level is an output. In place: a slot
// is both read and written.
bool run_writes_chains(const ag_effect_info *effect);

// A running pass with the textures of its slots.
typedef struct run {
    run_request *request;
    session session;
    texture textures[EFFECT_MAX_SLOTS];
    uint64_t versions[EFFECT_MAX_SLOTS];
    image_limits limits; // of files that are read
    image source;        // size and channels of the source slot's file, without data
    uint64_t version;
    bool again;     // the output is there: --watch runs after an edit
    bool fell_back; // of the last prepare: the edit has an error, and former shaders go on
} run;

int run_open(run *out, run_request *request); // STATUS_*; the run must not move
void run_close(run *target);
// Loads a file into a slot and replaces its former content.
int run_load(run *target, int slot, const char *path);
// The same of an image in memory; `label` is its name in messages. A texture of the same format and
// size is filled again.
int run_put(run *target, int slot, const char *label, const image *loaded);
// Everything after loading. `outputs` has a path for each slot of run_output_slots, or is NULL.
// The levels of a chain get _L00, _L01 ... before the extension.
int run_process(run *target, const char *const *outputs);
// run_output.c: an output as an image of the kind of the source's file; and all outputs into files,
// or compared with --compare.
int run_read_output(const run *target, int slot, int level, image *out);
int run_write_outputs(const run *target, const char *const *outputs);
// The path of a level of a chain; the caller frees it. NULL when out of memory.
char *run_level_path(const char *path, int level);
// Loads the files of --slot; and the inputs, but for a stream, which *frames gets.
int run_load_slots(run *target);
int run_load_inputs(run *target, const char **frames);
void run_drop_textures(run *target);
// stream.c: frames of `input`, "-" or a .y4m file, each through the pass and into the output.
int run_stream(run *target, const char *input);
// Whether a path names a stream: "-" or a .y4m file.
bool run_is_stream(const char *path);
// One frame of it: `out` is the output. Number 0 resets what the effect remembers; seconds since
// the frame before.
int run_frame(run *target, uint64_t number, double seconds, image *out);
void run_end_stream(run *target); // prints what the counters say
// watch.c: runs again whenever shaders or the pass of a folder change. Returns STATUS_OK on SIGINT
// or SIGTERM.
int run_watch(run *target, const char *const *outputs);

#endif
