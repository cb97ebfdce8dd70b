// reflection.h - what the module says about its effects, for editors and command lines
// SPDX-License-Identifier: MIT
//
// A part of afterglow.h, which includes it. ag_api.effects hands these structs out. They, their
// strings and arrays are constant, and valid as long as the module is loaded.
#ifndef AFTERGLOW_REFLECTION_H
#define AFTERGLOW_REFLECTION_H

#include "settings.h" // ag_border

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Access to a slot. A slot with AG_STATE (and AG_READ | AG_WRITE) is a texture of the host in which
// the effect keeps its state from one execute to the next; it is all zero before the first one.
// Complex data have two slots: `name` for the real part, `name_imag` for the imaginary part.
// AG_LEVELS: a chain of levels is written, as many as the setting `levels` says (0: all).
enum ag_access { AG_READ = 1, AG_WRITE = 2, AG_OPTIONAL = 4, AG_STATE = 8, AG_LEVELS = 16 };
enum ag_max_values { AG_MAX_VALUES = 16 }; // of a setting: a 4 x 4 matrix, column by column
enum ag_setting_type { AG_FLOAT = 0, AG_INT = 1, AG_BOOL = 2, AG_ENUM = 3 };

typedef struct ag_slot_info { // a texture that an effect reads or writes
    const char *name;         // "src"
    const char *help;         // one line
    uint32_t access;          // AG_READ | AG_WRITE | AG_OPTIONAL | AG_STATE | AG_LEVELS
    uint32_t format_count;
    const uint32_t *formats; // sized GL internal formats that it accepts
} ag_slot_info;

// What the next prepare does after a change of a setting. execute refuses the changed job until
// then (AG_E_STATE), but for AG_PREPARE_NOTHING.
enum ag_prepare_kind {
    AG_PREPARE_NOTHING = 0, // nothing more than in any frame: animate it freely
    // Makes the kernel again, by some dispatches like a frame's. No program is compiled that this
    // pass has not used. convolve and bloom may wait for the GPU: see prepare. bloom with
    // resolution = auto may find another resolution: then as AG_PREPARE_PLAN.
    AG_PREPARE_KERNEL = 1,
    // Plans again: allocates where memory does not fit, and compiles the programs that this device
    // has not compiled yet, for up to a second, or with AG_PENDING (AG_JOB_BACKGROUND).
    AG_PREPARE_PLAN = 2
};

// A member of the effect's settings struct, which begins with its struct_size and tag (settings.h).
// ag_api.defaults fills both.
typedef struct ag_setting_info {
    const char *name, *unit, *help;
    uint32_t type;   // AG_FLOAT, or a 4-byte int: AG_INT, AG_BOOL (0 or 1), AG_ENUM
    uint32_t offset; // in the settings struct, in bytes
    uint32_t count;  // 1..AG_MAX_VALUES consecutive values
    uint32_t name_count;
    double min, max, initial[AG_MAX_VALUES]; // inclusive range of each value; defaults
    const char *const *names;                // AG_ENUM: names[i] of value i; NULL: no valid value
    const char *const *value_help;           // one line on each value, "" where its name says all
    uint32_t prepare; // AG_PREPARE_*: the most that prepare does after a change of it
    uint32_t reserved;
} ag_setting_info;

// clang-format off
// The setting `border`: what lies outside an image, on each axis separately. The axis has n texels.
// Each effect's header has a list of those rows that it takes.
#define AG_BORDER(X)                                                     \
    AG_BORDER_ROW_ZERO(X) AG_BORDER_ROW_CLAMP(X) AG_BORDER_ROW_MIRROR(X) \
    AG_BORDER_ROW_WRAP(X) AG_BORDER_ROW_NORMALIZE(X)
#define AG_BORDER_ROW_ZERO(X) X(AG_BORDER_ZERO, 0, "zero", "0 in every channel")
#define AG_BORDER_ROW_CLAMP(X) \
    X(AG_BORDER_CLAMP, 1, "clamp", "the nearest texel of the edge: 0 for i < 0, n - 1 for i >= n")
#define AG_BORDER_ROW_MIRROR(X)       \
    X(AG_BORDER_MIRROR, 2, "mirror",  \
      "texel |i| with period 2 (n - 1): ... 2 1 0 1 2 ...; texel 0 if n = 1")
#define AG_BORDER_ROW_WRAP(X) X(AG_BORDER_WRAP, 3, "wrap", "texel i modulo n")
#define AG_BORDER_ROW_NORMALIZE(X)         \
    X(AG_BORDER_NORMALIZE, 4, "normalize", \
      "nothing: the sum over a box is divided by the area inside the image")
AG_NAMED_ENUM(ag_border, AG_BORDER)
// clang-format on

typedef struct ag_effect_info {
    uint32_t struct_size;
    uint32_t settings_size; // bytes of the settings struct, its head included
    const char *id, *help;
    const ag_slot_info *slots;        // job.slots come in this order
    uint32_t slot_count, slot_stride; // stride in bytes: rows may grow in later versions
    const ag_setting_info *settings;
    uint32_t setting_count, setting_stride;
    uint32_t image_units, ssbos, texture_units; // at most, from the device's bases on
    uint32_t settings_tag;                      // the settings struct's second member
} ag_effect_info;

#ifdef __cplusplus
}
#endif
#endif
