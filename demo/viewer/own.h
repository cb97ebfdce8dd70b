// viewer/own.h - the viewer's own settings, described as an effect's are: panel, presets and --set
// know one form
// SPDX-License-Identifier: MIT
#ifndef VIEWER_OWN_H
#define VIEWER_OWN_H

#include <afterglow/afterglow.h>

typedef struct scene_settings {
    int32_t seed;    // which street
    int32_t samples; // paths a texel
    float speed;     // of time; 0: it stands still
    float scale;     // texels of the picture over those of the window, each way
    int32_t mirror;  // wet ground mirrors sharply: box_blur makes it rough
} scene_settings;

enum { FALL_NONE, FALL_RAIN, FALL_SNOW };
typedef struct particle_settings {
    int32_t fall;  // FALL_*
    int32_t count; // particles, sparks included
    float sparks;  // share of these
    float shutter; // seconds that it is open: the length of streaks
    float light;   // of rain and snow
} particle_settings;

enum { TONE_NONE, TONE_ACES };
enum { AGAINST_BEFORE, AGAINST_OTHER };
enum { VIEW_SAVED = 3 }; // the first rows; how the picture is looked at is no part of a preset
typedef struct view_settings {
    float exposure;    // EV, on top of the automatic one
    int32_t automatic; // use what the effect exposure finds
    int32_t tonemap;   // TONE_*
    int32_t split;     // two pictures side by side
    int32_t against;   // AGAINST_*: before and after, or A and B
    float split_at;    // of the picture's width
    int32_t scopes;    // histogram and waveform
    int32_t loupe;
} view_settings;

enum { OWN_SCENE, OWN_PARTICLES, OWN_VIEW, OWN_COUNT };
extern const ag_effect_info own_info[OWN_COUNT];

void own_defaults(const ag_effect_info *info, void *settings);

#endif
