// cli/run.h - `afterglow run`: the request, and its execution file by file
// SPDX-License-Identifier: MIT
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "copy_speed.h"
#include "effect.h"
#include "image.h"
#include "session.h"
#include "stats.h"
#include "texture.h"
#include "video.h"

enum { RUN_MAX_SIZES = 4 };
enum { RUN_MAX_STAGES = 16 }; // effects of a chain
enum { RUN_MAX_LEVELS = 17 }; // of a chain of IMAGE_MAX texels

// A slot of an effect of the chain.
typedef struct run_place {
    int stage, slot; // stage -1: none
} run_place;

typedef struct run_size {
    int width, height;
    double percent; // of the source instead; 0: none
} run_size;

// What the command line says of an effect, whose meaning depends on it. The texts are argv's.
typedef struct run_words {
    const char *effect;
    const char **words, **sets, **slots, **writes, **formats; // words: NAME=VALUE alone
    int word_count, set_count, slot_count, write_count, format_count;
} run_words;

// One effect of a chain. They lie in an array, and what is said of the whole command is in each.
typedef struct run_request {
    int stage, stage_count;
    run_words said;
    bool follows; // its folder was edited: files are those that were checked before
    const ag_api *api;
    const ag_effect_info *effect;
    const char *folder; // that the effect comes from; NULL: it is one of the module
    void *settings;     // effect->settings_size bytes

    const char *files[EFFECT_MAX_SLOTS];          // by slot: what is read; NULL: an input, or empty
    const char *writes[EFFECT_MAX_SLOTS];         // by slot: the file of --write
    run_place links[EFFECT_MAX_SLOTS];            // by slot: of an earlier effect, which fills it
    bool wanted[EFFECT_MAX_SLOTS];                // by slot: an optional output that is made
    const format_info *formats[EFFECT_MAX_SLOTS]; // by slot; NULL: that of the file
    run_size sizes[RUN_MAX_SIZES];                // of the outputs
    int size_count;
    struct {
        int x, y, width, height; // of the source; width 0: all of it
    } rect;

    char **inputs;                 // allocated, each
    int input_count, folder_count; // of the folders whose files are among the inputs
    const char *output;            // a file, "-", a folder when to_folder, or NULL
    bool to_folder;
    bool stream;            // frames through pipes: run_stream
    image_file input_type;  // of an image on standard input
    video_format raw;       // of --raw; width 0: Y4M
    int bt709;              // of --matrix: 1, 0, or -1 for what players assume
    image_file output_type; // in a folder or of "-"; FILE_UNKNOWN: that of the input

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
// The slot with what the next effect of a chain takes: the first that is written and no state, or
// the source if there is none.
int run_picture_slot(const ag_effect_info *effect);
// Required slots of a chain that are read and have no file or link; inputs fill them in this order.
// `places` has room for all slots of RUN_MAX_STAGES, or is NULL.
int run_open_places(const run_request *chain, run_place *places);
// The first effect of a request's chain, and its last.
const run_request *run_chain(const run_request *request);
const run_request *run_last(const run_request *request);
// Slots that are written: those that have to be, and as many optional ones as there are more sizes.
int run_output_slots(const run_request *request, int slots[EFFECT_MAX_SLOTS]);
// Most outputs that an effect has, optional ones among them.
int run_most_outputs(const ag_effect_info *effect);

// An effect with a slot with AG_LEVELS writes chains, and each level is an output. In place: a slot
// is both read and written.
bool run_writes_chains(const ag_effect_info *effect);

// A running pass with the textures of its slots. Those of a chain lie in an array, as the requests.
typedef struct run {
    run_request *request;
    session session; // of the first, which the others have joined
    ag_job job;
    ag_texture views[EFFECT_MAX_SLOTS]; // of the job
    texture textures[EFFECT_MAX_SLOTS];
    bool shared[EFFECT_MAX_SLOTS]; // by slot: an output in the texture of an earlier effect
    uint64_t versions[EFFECT_MAX_SLOTS];
    image_limits limits; // of files that are read
    image source;        // size and channels of the source slot's file, without data
    uint64_t version;
    bool again;     // the output is there: --watch runs after an edit
    bool fell_back; // of the last prepare: the edit has an error, and former shaders go on
} run;

// STATUS_*; `out` has room for all effects of the chain, and must not move.
int run_open(run *out, run_request *chain);
void run_close(run *chain);
// Loads a file into a slot and replaces its former content.
int run_load(run *target, int slot, const char *path);
// The same of an image in memory; `label` is its name in messages. A texture of the same format and
// size is filled again.
int run_put(run *target, int slot, const char *label, const image *loaded);
// Everything after loading. `outputs` has a path for each slot of run_output_slots of the last
// effect, or is NULL. The levels of a mip chain get _L00, _L01 ... before the extension.
int run_process(run *chain, const char *const *outputs);
// Prepares and executes all passes: each before the next is prepared, which may keep what it makes
// of a kernel.
int run_start(run *chain);
// The slots of later effects that take this one: `turn` 0, 1 ... False: no more.
bool run_find_taker(const run_request *request, int slot, int turn, run_place *out);
// run_measure.c: prints the plans (`times` NULL: none were measured), and does what --frames,
// --stats and --trace ask for.
int run_print_plans(run *chain, const session_pass *passes, const copy_speed *speed,
                    const stats *times);
int run_measure(run *chain, session_pass *passes);
// run_output.c: an output as an image of the kind of the source's file; and all outputs into files,
// or compared with --compare.
int run_read_output(const run *target, int slot, int level, image *out);
int run_write_outputs(const run *chain, const char *const *outputs);
// The path of a level of a chain; the caller frees it. NULL when out of memory.
char *run_level_path(const char *path, int level);
// Loads the files of --slot; and the inputs, but for a stream, which *frames gets.
int run_load_slots(run *chain);
int run_load_inputs(run *chain, const char **frames);
void run_drop_textures(run *chain);
bool run_fell_back(const run *chain); // some pass of it
// stream.c: frames of `input`, "-" or a .y4m file, each through the pass and into the output.
int run_stream(run *chain, const char *input);
// Whether a path names a stream: "-" or a .y4m file.
bool run_is_stream(const char *path);
// The type of an output file, also of "-".
image_file run_output_type(const run_request *request, const char *path);
// One frame of it: `out` is the output. Number 0 resets what the effect remembers; seconds since
// the frame before.
int run_frame(run *chain, uint64_t number, double seconds, image *out);
void run_end_stream(run *chain); // prints what the counters say
// watch.c: runs again whenever shaders or the pass of a folder change. Returns STATUS_OK on SIGINT
// or SIGTERM.
int run_watch(run *chain, const char *const *outputs);

#endif
