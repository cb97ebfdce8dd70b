// ladder_shaders_sat.c - every variant of "sat_ladder" and "register_columns"
// SPDX-License-Identifier: MIT
#include <afterglow/ladder_downsample.h>
#include <afterglow/ladder_sat.h>

#include "core/device.h"
#include "shader/shader_dump.h"
#include "test_ladder_shaders.h"

enum { WIDTH = 40, HEIGHT = 35 };

// Of one channel, two and four, of floats and integers; lines of several blocks. `shuffles`: those
// alone that take subgroups.
static void dump_methods(fixture *f, bool shuffles)
{
    static const char *const formats[][2] = {
        {"r32f", "r32f"}, {"rg16f", "rg32ui"}, {"rgba16f", "rgba32f"}, {"rgba8", "rgba32ui"}};
    ag_sat_ladder_settings s = AG_SAT_LADDER_DEFAULTS;
    s.max_box = 8;
    for (s.method = 0; s.method <= AG_SCAN_LOOKBACK; ++s.method)
        for (int i = 0; i < 4; ++i) {
            bool chen = s.method == AG_SCAN_SCANROW_BRLT || s.method == AG_SCAN_SCANROWCOLUMN;
            int width = s.method == AG_SCAN_BLELLOCH && i == 0 ? 1100 : WIDTH;
            if (shuffles && !chen && s.method != AG_SCAN_LADNER_FISCHER)
                continue;
            texture t[] = {texture_create(f, formats[i][0], width, HEIGHT, NULL),
                           texture_create(f, formats[i][1], width, HEIGHT, NULL)};
            s.storage = i % 2 ? AG_SCAN_UINT32 : AG_SCAN_FLOAT32;
            dump_prepare(f, "sat_ladder", t, 2, &s);
        }
}

// Also as a driver gets them that has subgroups.
void dump_scans(fixture *f)
{
    const ag_gl had = f->device->gpu.gl;
    ag_device_tuning(f->device)->emulate = 1;
    for (int subgroups = 0; subgroups < 2; ++subgroups) {
        dump_pretend(f, &had, subgroups);
        dump_methods(f, subgroups);
    }
    dump_pretend_no_more(f, &had);
}

void dump_register_columns(fixture *f)
{
    static const char *const formats[] = {"rgba8", "rgba16f", "rgba32f", "rgb10a2"};
    ag_register_columns_settings s = AG_REGISTER_COLUMNS_DEFAULTS;
    for (s.weight = AG_DOWN_WEIGHT_KARIS; s.weight <= AG_DOWN_WEIGHT_ALPHA; ++s.weight)
        for (int i = 0; i < 4; ++i) {
            texture t[] = {texture_create(f, formats[i], 40, 36, NULL),
                           texture_create(f, formats[i], 20, 9, NULL)};
            dump_prepare(f, "register_columns", t, 2, &s);
        }
}
