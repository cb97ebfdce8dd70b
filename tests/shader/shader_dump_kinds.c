// shader_dump_kinds.c - variants of tables and chains, with and without subgroups
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include <afterglow/box_blur.h>
#include <afterglow/depth_of_field.h>
#include <afterglow/local_stats.h>
#include <afterglow/mipchain.h>
#include <afterglow/sat.h>
#include <afterglow/soft_shadow.h>

#include "core/device.h"
#include "effects/sat/sat_plan.h"
#include "shader_dump.h"

// ---- tables ------------------------------------------------------------------------------------

enum { TABLE_W = 40, TABLE_H = 35 };

// Formats by slot; NULL: the slot is empty. `more`: of row and column of all but the first, mean is
// 1 x 1.
static void prepare_slots(fixture *f, const char *effect, const char *const formats[DUMP_SLOTS],
                          int count, int more, const void *settings)
{
    texture t[DUMP_SLOTS] = {0};
    for (int i = 0; i < count; ++i) {
        bool mean = i == DUMP_SLOTS - 1;
        if (formats[i])
            t[i] = texture_create(f, formats[i], mean ? 1 : TABLE_W + (i ? more : 0),
                                  mean ? 1 : TABLE_H + (i ? more : 0), NULL);
    }
    dump_prepare(f, effect, t, count, settings);
}

static void table(fixture *f, const char *src, int storage, const ag_sat_settings *like)
{
    bool pair = storage == AG_SAT_DOUBLE_FLOAT, residual = storage == AG_SAT_FLOAT32_RESIDUAL;
    const char *dst = storage == AG_SAT_UINT32 ? "rgba32ui" : "rgba32f";
    const char *low = pair ? "rgba32f" : residual ? "rgba16f" : NULL;
    ag_sat_settings s = *like;
    s.storage = storage;
    s.tolerance = 0;
    s.max_box = 8;
    const char *const formats[DUMP_SLOTS] = {src,
                                             dst,
                                             low,
                                             s.square ? dst : NULL,
                                             s.square ? low : NULL,
                                             s.offset == AG_SAT_OFFSET_MEAN ? "rgba32f" : NULL};
    prepare_slots(f, "sat", formats, DUMP_SLOTS, s.edge, &s);
}

// What the others leave out of the last step: folded with low parts; split, folded or not.
static void dump_last_steps(fixture *f, const ag_sat_settings *like)
{
    ag_tuning *tuning = ag_device_tuning(f->device);
    ag_sat_settings s = *like;
    s.storage = AG_SAT_SPLIT;
    tuning->carry = AG_CARRY_FOLDED;
    table(f, "rgba16f", AG_SAT_DOUBLE_FLOAT, &s);
    for (int carry = AG_CARRY_STEP; carry <= AG_CARRY_FOLDED; ++carry) {
        tuning->carry = carry;
        texture t[3] = {texture_create(f, "rgba16f", TABLE_W, TABLE_H, NULL),
                        texture_create(f, "rgba32f", TABLE_W, TABLE_H, NULL),
                        texture_create(f, "rgba32f", ag_sat_split_width(TABLE_W, TABLE_H),
                                       ag_sat_split_height(TABLE_W, TABLE_H), NULL)};
        dump_prepare(f, "sat", t, 3, &s);
    }
}

// Of every border, with and without a radius a texel; of every storage and number of channels.
static void dump_boxes(fixture *f, const ag_box_blur_settings *like)
{
    static const char *const formats[] = {"r8", "rg8", "rgba8", "r16f", "rg16f"};
    ag_box_blur_settings b = *like;
    int way = ag_device_tuning(f->device)->tables;
    for (b.border = AG_BORDER_ZERO; b.border <= AG_BORDER_NORMALIZE; ++b.border)
        for (int radius = 0; radius < 2 && b.border != AG_BORDER_WRAP; ++radius)
            prepare_slots(f, "box_blur",
                          (const char *const[DUMP_SLOTS]){"rgba16f", radius ? "r32f" : NULL, NULL,
                                                          "rgba16f"},
                          4, 0, &b);
    b.border = AG_BORDER_CLAMP;
    // By image units all that differs is a format's name.
    for (size_t i = 0; way != AG_TABLES_IMAGE && i < sizeof formats / sizeof *formats; ++i)
        for (b.storage = AG_BOX_STORAGE_AUTO; b.storage <= AG_BOX_STORAGE_DOUBLE_FLOAT;
             b.storage += 2)
            prepare_slots(f, "box_blur",
                          (const char *const[DUMP_SLOTS]){formats[i], NULL, NULL, formats[i]}, 4, 0,
                          &b);
    b.storage = AG_BOX_STORAGE_AUTO;
    for (int integers = 0; integers < 2; ++integers)
        prepare_slots(f, "box_blur",
                      (const char *const[DUMP_SLOTS]){"rgba8", NULL,
                                                      integers ? "rgba32ui" : "rgba32f", "rgba8"},
                      4, 0, &b);
}

// Every shape and storage, in every format of the output.
static void dump_focus(fixture *f)
{
    ag_depth_of_field_settings s;
    CHECK_STATUS(f->ag->defaults("depth_of_field", &s, sizeof s), AG_OK);
    for (s.shape = AG_SHAPE_BOX; s.shape <= AG_SHAPE_DISC; ++s.shape)
        for (s.storage = AG_FOCUS_FLOAT32; s.storage <= AG_FOCUS_DOUBLE_FLOAT; ++s.storage)
            prepare_slots(f, "depth_of_field",
                          (const char *const[DUMP_SLOTS]){
                              "rgba16f", "r32f",
                              format_at((2 * s.shape + s.storage) % FORMAT_COUNT)->name},
                          3, 0, &s);
}

static void dump_shadow(fixture *f)
{
    ag_soft_shadow_settings s;
    CHECK_STATUS(f->ag->defaults("soft_shadow", &s, sizeof s), AG_OK);
    prepare_slots(f, "soft_shadow",
                  (const char *const[DUMP_SLOTS]){"r32f", "r32f", "r8", "rgba32ui"}, 4, 0, &s);
}

// Tables of every format and storage, and the effects that query them.
void dump_tables(fixture *f)
{
    ag_sat_settings s;
    ag_box_blur_settings b;
    ag_local_stats_settings l;
    ag_tuning *tuning = ag_device_tuning(f->device);
    CHECK_STATUS(f->ag->defaults("sat", &s, sizeof s), AG_OK);
    CHECK_STATUS(f->ag->defaults("box_blur", &b, sizeof b), AG_OK);
    CHECK_STATUS(f->ag->defaults("local_stats", &l, sizeof l), AG_OK);
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (format_at(i)->channels >= 3) {
            tuning->carry = i % 2 ? AG_CARRY_STEP : AG_CARRY_FOLDED;
            table(f, format_at(i)->name, AG_SAT_FLOAT32, &s);
        }
    dump_last_steps(f, &s);
    tuning->carry = AG_CARRY_STEP;
    s.square = 1;
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_UINT32; ++storage)
        for (int kind = 0; kind < 3; ++kind) { // corner and mean, center, exclusive
            bool integers = storage == AG_SAT_UINT32;
            s.offset = kind || integers ? AG_SAT_OFFSET_NONE : AG_SAT_OFFSET_MEAN;
            s.origin = kind == 1 && !integers;
            s.edge = kind == 2;
            table(f, "rgba16f", storage, &s);
        }
    for (int way = AG_TABLES_IMAGE; way <= AG_TABLES_BUFFER; ++way) {
        *tuning = (ag_tuning){.tables = way};
        dump_boxes(f, &b);
        dump_focus(f);
        dump_shadow(f);
        for (l.border = AG_BORDER_CLAMP; l.border <= AG_BORDER_NORMALIZE; ++l.border)
            if (l.border != AG_BORDER_WRAP)
                prepare_slots(f, "local_stats",
                              (const char *const[DUMP_SLOTS]){
                                  l.border == AG_BORDER_CLAMP ? "rgba16f" : "r16f", "rgba32f",
                                  "rgba32f"},
                              3, 0, &l);
    }
    *tuning = (ag_tuning){0};
}

// Tables by subgroups, also as a driver gets them that has subgroups.
void dump_subgroups(fixture *f)
{
    ag_sat_settings s;
    CHECK_STATUS(f->ag->defaults("sat", &s, sizeof s), AG_OK);
    const ag_gl had = f->device->gpu.gl;
    ag_tuning *tuning = ag_device_tuning(f->device);
    tuning->emulate = 1;
    for (int subgroups = 0; subgroups < 2; ++subgroups) {
        dump_pretend(f, &had, subgroups);
        for (tuning->carry = AG_CARRY_STEP; tuning->carry <= AG_CARRY_FOLDED; ++tuning->carry)
            for (tuning->tile = AG_TILE_32; tuning->tile <= AG_TILE_64; ++tuning->tile) {
                table(f, "rgba16f", AG_SAT_FLOAT32, &s);
                table(f, "rgba8", AG_SAT_UINT32, &s);
                if (tuning->tile == AG_TILE_32) // one texel for each load
                    table(f, "rgba32f", AG_SAT_FLOAT32, &s);
            }
    }
    dump_pretend_no_more(f, &had);
}

// ---- chains ------------------------------------------------------------------------------------

static ag_mipchain_settings mip_defaults(fixture *f)
{
    ag_mipchain_settings s;
    CHECK_STATUS(f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    return s;
}

static void mipchain(fixture *f, const char *format, int width, int height,
                     const ag_mipchain_settings *s)
{
    texture t =
        texture_create_array(f, format, width, height, 0, texture_full_levels(width, height), NULL);
    dump_prepare(f, "mipchain", &t, 1, s);
}

// Formats, reductions and sizes each by themselves: they meet in few lines of the chains' shaders.
void dump_mips(fixture *f)
{
    const ag_mipchain_settings plain = mip_defaults(f);
    ag_mipchain_settings s = plain;
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int odd = 0; odd < 2; ++odd) {
            s.exactness = odd ? AG_MIP_DIRECT : AG_MIP_RECURSIVE;
            mipchain(f, format_at(i)->name, 64 - odd, 64 - odd, &s);
        }
    ag_device_tuning(f->device)->without = AG_WITHOUT_TEXTURE_UNITS;
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (int odd = 0; odd < 2; ++odd)
            mipchain(f, format_at(i)->name, 64 - odd, 64 - odd * (1 - i % 2), &plain);
    ag_device_tuning(f->device)->without = 0;
    s = plain;
    for (s.reduce = AG_MIP_MEAN; s.reduce <= AG_MIP_FIRST; ++s.reduce)
        for (int odd = 0; odd < 2; ++odd)
            mipchain(f, "rg16f", 64 - odd, 64, &s);
    s = plain;
    for (s.weight = AG_MIP_WEIGHT_KARIS; s.weight <= AG_MIP_WEIGHT_COVERAGE; ++s.weight)
        for (int odd = 0; odd < 2; ++odd)
            mipchain(f, odd ? "rgba32f" : "rgba16f", 64, 64 - odd, &s);
    for (int i = 1; i < 7; ++i) // even stages of every length, tails, and last arrivers
        mipchain(f, "rgba8", 3 << i, 5 << i, &plain);
    mipchain(f, "rgba8", 240, 135, &plain);
    mipchain(f, "rgba8", 128, 128, &plain);
}

// By subgroups, also as a driver gets them that has subgroups.
void dump_mip_subgroups(fixture *f)
{
    const ag_gl had = f->device->gpu.gl;
    for (int subgroups = 0; subgroups < 2; ++subgroups) {
        ag_mipchain_settings s = mip_defaults(f);
        ag_device_tuning(f->device)->emulate = 1;
        dump_pretend(f, &had, subgroups);
        for (int i = 1; i < 7; ++i) {
            s.weight = i % 3 ? AG_MIP_WEIGHT_NONE : AG_MIP_WEIGHT_KARIS;
            mipchain(f, i % 2 ? "rgba16f" : "rg8", 3 << i, 5 << i, &s);
        }
        s.weight = AG_MIP_WEIGHT_NONE;
        for (s.reduce = AG_MIP_MIN; s.reduce <= AG_MIP_MINMAX; ++s.reduce)
            mipchain(f, "rg16f", 64, 64, &s);
    }
    dump_pretend_no_more(f, &had);
}

// Chains whose end is in the first dispatch, and chains with a tail, by shared memory and by
// subgroups.
void dump_mip_tails(fixture *f)
{
    const ag_gl had = f->device->gpu.gl;
    for (int subgroups = 0; subgroups < 2; ++subgroups) {
        ag_mipchain_settings s = mip_defaults(f);
        dump_pretend(f, &had, subgroups);
        for (s.weight = AG_MIP_WEIGHT_NONE; s.weight <= AG_MIP_WEIGHT_ALPHA; ++s.weight)
            for (int size = 63; size <= 512; size = 2 * size + 1) {
                mipchain(f, "rgba16f", size, size, &s);
                mipchain(f, "rgba8", size + 1, size + 1, &s);
            }
        s.weight = AG_MIP_WEIGHT_NONE;
        for (int i = 0; i < FORMAT_COUNT; ++i) {
            mipchain(f, format_at(i)->name, 128, 128, &s); // two even stages
            mipchain(f, format_at(i)->name, 192, 192, &s); // an even one, then the rest
        }
        s.reduce = AG_MIP_MIN;
        mipchain(f, "r32f", 655, 655, &s);
        s.reduce = AG_MIP_MINMAX;
        mipchain(f, "rg16f", 1023, 1023, &s);
    }
    dump_pretend_no_more(f, &had);
}
