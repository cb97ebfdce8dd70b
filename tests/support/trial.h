// trial.h - one job of any effect on the GPU, and its outputs against a reference
// SPDX-License-Identifier: MIT
//
//     ag_box_blur_settings s;
//     trial t = trial_of(f, "box_blur", "a radius", &s, sizeof s); // s: the defaults
//     s.radius = 3.5f;
//     t.slots[SRC] = trial_image("rgba8", 61, 47, noise);
//     t.slots[DST] = trial_image("rgba32f", 61, 47, NULL);
//     t.reference = blurred;
//     t.limit = 1e-6;
//     good = trial_check(&t) && good;
//     trial_free(&t);
#ifndef AG_TEST_TRIAL_H
#define AG_TEST_TRIAL_H

#include "fixture.h"
#include "texture.h"

enum { TRIAL_SLOTS = 8 };

typedef struct trial_slot { // format and `own` NULL: the slot is empty, or what `views` says
    const char *format;
    int width, height, layers, levels; // layers 0: GL_TEXTURE_2D; levels 0: one
    const double *values; // of all layers, of an output before each run; NULL: poison, of state
                          // (AG_STATE) zeros
    int x, y, w, h;       // the rectangle; w 0: the whole
    int first, count;     // layers that the job works on; count 0: all
    int base;             // the level that the job takes as its first, and `values` are of
    const texture *own;   // a texture of the caller, which the trial neither fills nor destroys;
                          // &t.textures[SRC]: in place
} trial_slot;

// What a reference is asked for: the rectangle of a level of a layer of an output. `layer` counts
// from the first that the job works on.
typedef struct trial_part {
    int slot, level, layer, x, y, width, height, channels;
} trial_part;

// A value that the reference leaves open.
#define TRIAL_ANY 1.7976931348623157e308

typedef struct trial trial;

// Gives the exact values, row by row, `channels` a texel; before the call they are what GL reads
// from missing channels (0, 0, 0, 1). An expected NaN has to be a NaN. `bound` has the allowed
// error of each, before the call `limit`. False: the job does not write this part, so it stays
// poison.
typedef bool trial_reference(trial *t, const trial_part *part, double *want, double *bound);

struct trial {
    fixture *f;
    const char *name;
    const ag_effect_info *info;
    void *settings; // the effect's struct; of the caller
    trial_slot slots[TRIAL_SLOTS];
    ag_pass *pass;                  // NULL: trial_run makes one, which trial_free destroys
    const struct ag_tuning *tuning; // of the device while it runs; NULL: as it is
    bool lend;                      // scratch memory is lent, and not the pass's own
    ag_job job;                     // set flags, dt and others; slots and settings are the trial's
    trial_reference *reference;
    void *user;      // for the reference
    double limit;    // of an error; beyond it, half a unit of the format where that is not 32 bits
    double relative; // the same, of the largest exact value of the part; both add up
    double snr;      // at least, in dB, of all outputs; 0: not looked at
    double left_out; // at most this share of the values is left open

    // By trial_run:
    texture textures[TRIAL_SLOTS];
    ag_texture views[TRIAL_SLOTS];
    double *held[TRIAL_SLOTS]; // the first level of what is read, as the texture held it before
    double *got[TRIAL_SLOTS];  // the first level of what is written
    bool own_pass;
};

// A trial with the effect's default settings, which it writes to `settings`.
trial trial_of(fixture *f, const char *effect, const char *name, void *settings, uint32_t size);
trial trial_of_info(fixture *f, const ag_effect_info *info, const char *name, void *settings,
                    uint32_t size);
trial_slot trial_image(const char *format, int width, int height, const double *values);
// Makes what does not exist yet of textures, views and the pass. trial_run does it; a test calls it
// to change views before.
void trial_make(trial *t);
// Prepares and executes. Outputs are poison before, but not state. Further runs use the same
// textures.
void trial_run(trial *t);
// The same, then compares every value with the reference and prints one line. What a job does not
// write has to be poison still.
bool trial_check(trial *t);
// The same by this pass (NULL: its own), and frees the trial.
bool trial_check_and_free(trial *t, ag_pass *pass);
// Whether prepare refuses the job with this status and a message with this word, and touches no
// output.
bool trial_refused(trial *t, ag_status status, const char *word);
// Runs and frees it. Returns level 0 of an output (malloc).
double *trial_take(trial *t, int slot);
// Destroys all that the trial made. It can be filled and run again.
void trial_free(trial *t);

// The values of the rectangle of an input, of one layer (of the only one if it has one). malloc.
double *trial_input(const trial *t, int slot, int layer);
int trial_channels(const trial *t, int slot);
// A reference: each output is what slot 0 has, bit by bit.
bool trial_unchanged(trial *t, const trial_part *part, double *want, double *bound);

// In the quick tier tables in tiles with two texels a thread, which compile in a third of the time;
// else NULL.
const struct ag_tuning *trial_tiles(void);

#endif
