// viewer/own.c - the viewer's own settings, described as an effect's are
// SPDX-License-Identifier: MIT
#include "own.h"

#include <stddef.h>
#include <string.h>

#define COUNT(a) (uint32_t)(sizeof(a) / sizeof *(a))
#define ROW(type_, member, name_, unit_, low, high, value, help_)           \
    .name = name_, .unit = unit_, .help = help_, .type = type_, .count = 1, \
    .offset = offsetof(OWNER, member), .min = low, .max = high, .initial = {value}

#define OWNER scene_settings
static const ag_setting_info scene_rows[] = {
    {ROW(AG_FLOAT, speed, "speed", "", 0, 4, 1, "of time: 0 stands still, 1 is as it is")},
    {ROW(AG_INT, samples, "samples", "paths", 1, 7, 1,
         "paths a texel: more is smoother and slower")},
    {ROW(AG_INT, seed, "seed", "", 0, 9999, 1, "which street")},
    {ROW(AG_FLOAT, scale, "scale", "of the window", 0.125, 1, 1,
         "texels of the frame for each pixel of the window, each way")},
    {ROW(AG_BOOL, mirror, "mirror", "", 0, 1, 0,
         "wet ground mirrors sharply; box_blur with radius 1 then makes it as rough as it is")},
};
#undef OWNER

#define OWNER particle_settings
static const char *const falls[] = {"none", "rain", "snow"};
static const ag_setting_info particle_rows[] = {
    {ROW(AG_ENUM, fall, "fall", "", 0, 2, FALL_RAIN, "what falls on the street"), .names = falls,
     .name_count = COUNT(falls)},
    {ROW(AG_INT, count, "count", "points", 0, 1000000, 1000000, "particles, sparks included")},
    {ROW(AG_FLOAT, sparks, "sparks", "of all", 0, 1, 0.003, "share of particles that are sparks")},
    {ROW(AG_FLOAT, shutter, "shutter", "s", 0, 0.1, 0.012,
         "how long it is open: the length of streaks")},
    {ROW(AG_FLOAT, light, "light", "", 0, 8, 1, "that a drop or a flake returns")},
};
#undef OWNER

#define OWNER view_settings
static const char *const tones[] = {"none", "aces"};
static const char *const against[] = {"before", "other"};
static const ag_setting_info view_rows[] = {
    {ROW(AG_FLOAT, exposure, "exposure", "EV", -12, 12, 0, "added to the automatic one")},
    {ROW(AG_BOOL, automatic, "automatic", "", 0, 1, 1,
         "use what the effect exposure finds, while it runs")},
    {ROW(AG_ENUM, tonemap, "tonemap", "", 0, 1, TONE_ACES, "from light to the display"),
     .names = tones, .name_count = COUNT(tones)},
    {ROW(AG_BOOL, split, "split", "", 0, 1, 0, "two pictures, left and right of a bar")},
    {ROW(AG_ENUM, against, "against", "", 0, 1, AGAINST_BEFORE,
         "of the split: before and after the effects, or presets A and B"),
     .names = against, .name_count = COUNT(against)},
    {ROW(AG_FLOAT, split_at, "split_at", "of the width", 0, 1, 0.5, "where the two sides meet")},
    {ROW(AG_BOOL, scopes, "scopes", "", 0, 1, 0, "histogram and waveform of what is shown")},
    {ROW(AG_BOOL, loupe, "loupe", "", 0, 1, 0, "texels under the cursor, and their values")},
};
#undef OWNER

#define INFO(id_, help_, rows, type)                                                     \
    {                                                                                    \
        .struct_size = sizeof(ag_effect_info), .settings_size = sizeof(type), .id = id_, \
        .help = help_, .settings = rows, .setting_count = COUNT(rows),                   \
        .setting_stride = sizeof *(rows)                                                 \
    }

const ag_effect_info own_info[OWN_COUNT] = {
    [OWN_SCENE] =
        INFO("scene", "the night street, traced anew each frame", scene_rows, scene_settings),
    [OWN_PARTICLES] = INFO("particles", "points moved by compute, added as light", particle_rows,
                           particle_settings),
    [OWN_VIEW] = INFO("view", "from light to the display", view_rows, view_settings),
};

void own_defaults(const ag_effect_info *info, void *settings)
{
    for (uint32_t i = 0; i < info->setting_count; i++) {
        const ag_setting_info *row = &info->settings[i];
        char *place = (char *)settings + row->offset;
        float number = (float)row->initial[0];
        int32_t integer = (int32_t)row->initial[0];
        memcpy(place, row->type == AG_FLOAT ? (void *)&number : (void *)&integer, 4);
    }
}
