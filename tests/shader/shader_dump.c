// shader_dump.c - writes every shader variant that the effects use, as the driver gets it
// SPDX-License-Identifier: MIT
//
// Nothing here knows how a variant is made: jobs are prepared, and glShaderSource is overheard. Only
// what must be among them is known, by the defines of the FFT's shaders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/bloom.h>
#include <afterglow/box_blur.h>
#include <afterglow/convolve.h>
#include <afterglow/local_stats.h>
#include <afterglow/mipchain.h>
#include <afterglow/sat.h>

#include "core/device.h"
#include "effects/fft/fft_plan.h"
#include "fixture.h"
#include "jobs.h"
#include "test_shader.h"
#include "texture.h"

// Pairs of defines that some variant must have: which shader by a define of its own, and what in it.
static const char *const wanted[][2] = {
    {"KERNEL 0", "CHANNELS 1"},   {"KERNEL 0", "CHANNELS 2"},   {"KERNEL 0", "CHANNELS 3"},
    {"KERNEL 0", "CHANNELS 4"},   {"KERNEL 0", "BORDERED 0"},   {"KERNEL 0", "BORDERED 1"},
    {"KERNEL 0", "FILTERED 0"},   {"KERNEL 0", "FILTERED 1"},   {"KERNEL 0", "SPLIT 0"},
    {"KERNEL 0", "SPLIT 1"},      {"KERNEL 1", "CHANNELS 1"},   {"KERNEL 1", "CHANNELS 3"},
    {"KERNEL 1", "CHANNELS 4"},   {"KERNEL 1", "SPLIT 0"},      {"KERNEL 1", "SPLIT 1"},
    {"PADDED 0", "BORDERED 0"},   {"PADDED 0", "SPLIT 0"},      {"PADDED 0", "SPLIT 1"},
    {"PADDED 1", "BORDERED 0"},   {"PADDED 1", "BORDERED 1"},   {"PADDED 1", "SPLIT 0"},
    {"PADDED 1", "SPLIT 1"},      {"MODE 0", "SPLIT 0"},        {"MODE 0", "SPLIT 1"},
    {"MODE 1", "SPLIT 0"},        {"MODE 1", "SPLIT 1"},        {"STORE 0", "CHANNELS 1"},
    {"STORE 0", "CHANNELS 2"},    {"STORE 0", "CHANNELS 3"},    {"STORE 0", "CHANNELS 4"},
    {"STORE 0", "FILTERED 0"},    {"STORE 0", "FILTERED 1"},    {"STORE 0", "SPLIT 0"},
    {"STORE 0", "SPLIT 1"},       {"WINDOWED 1", "CHANNELS 1"}, {"WINDOWED 1", "CHANNELS 2"},
    {"WINDOWED 1", "CHANNELS 3"}, {"WINDOWED 1", "PADDED 0"},   {"WINDOWED 1", "PADDED 1"},
    {"WINDOWED 1", "SPLIT 0"},    {"WINDOWED 1", "SPLIT 1"},    {"MODE 1", "BORDERED 1"},
    {"MODE 1", "BORDERED 0"},     {"MODE 1", "PADDED 0"},       {"COMPACT 1", "KERNEL 0"},
    {"COMPACT 1", "MODE 0"},      {"COMPACT 1", "STORE 0"},     {"COMPACT 1", "SPLIT 0"},
    {"COMPACT 1", "SPLIT 1"},     {"COMPACT 1", "SHARE 1"},     {"COMPACT 1", "SHARE 2"},
    {"COMPACT 1", "SPREAD 0"},    {"COMPACT 1", "SPREAD 1"},    {"COMPACT 1", "PADDED 0"},
    {"COMPACT 1", "BORDERED 1"},  {"COMPACT 1", "FILTERED 1"},  {"RUNS 0", "ODD_X 1"},
    {"RUNS 1", "ODD_X 1"},        {"RUNS 1", "ODD_Y 1"},        {"RUNS 1", "BATCHES 2"},
    {"RUNS 2", "ODD_X 1"},        {"RUNS 2", "ODD_Y 1"},        {"RUNS 2", "ODD_X 0"},
    {"RUNS 2", "BATCHES 2"},      {"RUNS 2", "ARRAY 0"},        {"LUMINANCE 0", "ARRAY 1"},
    {"LUMINANCE 1", "ARRAY 0"},   {"LUMINANCE 2", "ARRAY 1"},
};
enum { WANTED = sizeof wanted / sizeof *wanted };

typedef struct dump {
    const char *directory;
    uint64_t *hashes; // of the texts written so far
    size_t count, capacity;
    bool found[WANTED];
    bool failed;
} dump;

static bool defines(const char *text, const char *what)
{
    char line[64];
    snprintf(line, sizeof line, "#define %s\n", what);
    return strstr(text, line) != NULL;
}

static void on_source(void *user, const char *text, size_t length)
{
    dump *d = user;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    for (size_t i = 0; i < d->count; ++i)
        if (d->hashes[i] == hash)
            return;
    if (d->count == d->capacity) {
        d->capacity = d->capacity ? 2 * d->capacity : 256;
        d->hashes = realloc(d->hashes, d->capacity * sizeof *d->hashes);
        if (!d->hashes)
            abort();
    }
    d->hashes[d->count++] = hash;
    for (int i = 0; i < WANTED; ++i)
        d->found[i] = d->found[i] || (defines(text, wanted[i][0]) && defines(text, wanted[i][1]));
    char path[1024];
    snprintf(path, sizeof path, "%s/%04zu.comp", d->directory, d->count);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file))
        d->failed = true;
}

enum { MOST_SLOTS = 6 };

static bool pretended; // the driver may refuse what is prepared now

// Prepares a job over these textures, which are destroyed then. Name 0: the slot is empty.
static void prepare(fixture *f, const char *effect, texture *t, int count, const void *settings,
                    uint32_t size)
{
    ag_texture slots[MOST_SLOTS];
    for (int i = 0; i < count; ++i)
        slots[i] = t[i].name ? texture_view(&t[i]) : texture_no_view();
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = (uint32_t)count,
                  .settings = settings,
                  .settings_size = size,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_pass *pass = fixture_pass(f, effect);
    host_log_clear(&f->host);
    if (f->ag->prepare(pass, &job) != AG_OK && !pretended) {
        host_log_print(&f->host);
        check_fail(__FILE__, __LINE__, "prepare", "%s from %s, %dx%d", effect, t[0].format->name,
                   t[0].width, t[0].height);
    }
    f->ag->pass_destroy(pass);
    for (int i = 0; i < count; ++i)
        if (t[i].name) {
            f->ag->forget(f->device, t[i].name);
            texture_destroy(f, &t[i]);
        }
}

// ---- convolutions and spectra ------------------------------------------------------------------

typedef struct
    variant { // NULL formats: rgba32f, the kernel's r32f; kernel_width 0: no slot for one
    const char *src, *kernel, *dst;
    int width, height, kernel_width, kernel_height;
} variant;

static void prepare_variant(fixture *f, const char *effect, const variant *v, const void *settings,
                            uint32_t size)
{
    int count = v->kernel_width ? 3 : 2;
    texture t[3] = {texture_create(f, v->src ? v->src : "rgba32f", v->width, v->height, NULL)};
    if (v->kernel_width)
        t[1] = texture_create(f, v->kernel ? v->kernel : "r32f", v->kernel_width, v->kernel_height,
                              NULL);
    t[count - 1] = texture_create(f, v->dst ? v->dst : "rgba32f", v->width, v->height, NULL);
    prepare(f, effect, t, count, settings, size);
}

static void convolve(fixture *f, variant v, int method, int border)
{
    ag_convolve_settings s = {.method = method, .border = border, .scrub = 1};
    prepare_variant(f, "convolve", &v, &s, sizeof s);
}

static void convolve_alpha(fixture *f, variant v)
{
    ag_convolve_settings s = {.method = AG_CONVOLVE_FFT,
                              .border = AG_BORDER_ZERO,
                              .alpha = AG_ALPHA_CONVOLVE,
                              .scrub = 1};
    prepare_variant(f, "convolve", &v, &s, sizeof s);
}

static void bloom(fixture *f, variant v, int shape)
{
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    s.shape = shape;
    prepare_variant(f, "bloom", &v, &s, sizeof s);
}

static void spectrum(fixture *f, const char *src, const char *dst, int width, int height)
{
    prepare_variant(f, "spectrum", &(variant){src, NULL, dst, width, height, 0, 0}, NULL, 0);
}

// Every format in every slot, every method, border and shape, on small images.
static void dump_formats(fixture *f)
{
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        const format_info *format = format_at(i);
        const variant base = {NULL, NULL, NULL, 12, 10, 3, 3};
        variant src = base, kernel = base, dst = base;
        src.src = format->name;
        kernel.kernel = format->name;
        dst.dst = format->name;
        for (int method = 1; method < 3; ++method) {
            for (int border = 0; border < 4; ++border)
                convolve(f, src, method, border);
            convolve(f, dst, method, AG_BORDER_ZERO);
            if (format->channels != 2)
                convolve(f, kernel, method, AG_BORDER_ZERO);
        }
        bloom(f, src, AG_BLOOM_GAUSSIAN);
        bloom(f, src, AG_BLOOM_APERTURE);
        bloom(f, dst, AG_BLOOM_GAUSSIAN);
        if (format->channels != 2)
            bloom(f, kernel, AG_BLOOM_TEXTURE);
        spectrum(f, format->name, NULL, 12, 10);
        spectrum(f, NULL, format->name, 12, 10);
    }
    for (int four = 0; four < 2; ++four) // a kernel for all channels, or one for each
        convolve_alpha(f, (variant){NULL, four ? "rgba32f" : NULL, NULL, 12, 10, 3, 3});
}

// ---- drivers that pretend ----------------------------------------------------------------------

// Handles that name nothing: the texts are all that is wanted.
static GLuint64 GLAD_API_PTR some_handle(GLuint name, GLint level, GLboolean layered, GLint layer,
                                         GLenum format)
{
    (void)layered;
    (void)layer;
    (void)format;
    return (GLuint64)name << 32 | (GLuint64)(level + 1);
}

static void GLAD_API_PTR make_resident(GLuint64 handle, GLenum access)
{
    (void)handle;
    (void)access;
}

static void GLAD_API_PTR make_non_resident(GLuint64 handle)
{
    (void)handle;
}

// Makes the device take its driver for one that has these, or has them not: this one may refuse what is
// prepared then, but the texts are all that is wanted. `had`: what it is.
static void pretend(fixture *f, const ag_gl *had, bool warps, bool bindless)
{
    ag_gl *gl = &f->device->gpu.gl;
    *gl = *had;
    gl->has_warps = warps;
    gl->has_bindless = bindless;
    if (bindless && !had->has_bindless) {
        gl->GetImageHandle = some_handle;
        gl->MakeImageHandleResident = make_resident;
        gl->MakeImageHandleNonResident = make_non_resident;
    }
    pretended = (warps && !had->has_warps) || (bindless && !had->has_bindless);
    fixture_ignore(f, pretended);
}

static void pretend_no_more(fixture *f, const ag_gl *had)
{
    f->device->gpu.gl = *had;
    *ag_device_tuning(f->device) = (ag_tuning){0};
    pretended = false;
    fixture_ignore(f, false);
    host_log_clear(&f->host);
}

// ---- tables ------------------------------------------------------------------------------------

enum { TABLE_W = 40, TABLE_H = 35 };

// Formats by slot; NULL: the slot is empty. `more`: of row and column of all but the first, mean is 1 x 1.
static void prepare_slots(fixture *f, const char *effect, const char *const formats[MOST_SLOTS],
                          int count, int more, const void *settings, uint32_t size)
{
    texture t[MOST_SLOTS] = {0};
    for (int i = 0; i < count; ++i) {
        bool mean = i == MOST_SLOTS - 1;
        if (formats[i])
            t[i] = texture_create(f, formats[i], mean ? 1 : TABLE_W + (i ? more : 0),
                                  mean ? 1 : TABLE_H + (i ? more : 0), NULL);
    }
    prepare(f, effect, t, count, settings, size);
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
    const char *const formats[MOST_SLOTS] = {src,
                                             dst,
                                             low,
                                             s.square ? dst : NULL,
                                             s.square ? low : NULL,
                                             s.offset == AG_SAT_OFFSET_MEAN ? "rgba32f" : NULL};
    prepare_slots(f, "sat", formats, MOST_SLOTS, s.edge, &s, sizeof s);
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
                          (const char *const[MOST_SLOTS]){"rgba16f", radius ? "r32f" : NULL, NULL,
                                                          "rgba16f"},
                          4, 0, &b, sizeof b);
    b.border = AG_BORDER_CLAMP;
    // By image units all that differs is a format's name.
    for (size_t i = 0; way != AG_TABLES_IMAGE && i < sizeof formats / sizeof *formats; ++i)
        for (b.storage = AG_BOX_STORAGE_AUTO; b.storage <= AG_BOX_STORAGE_DOUBLE_FLOAT;
             b.storage += 2)
            prepare_slots(f, "box_blur",
                          (const char *const[MOST_SLOTS]){formats[i], NULL, NULL, formats[i]}, 4, 0,
                          &b, sizeof b);
    b.storage = AG_BOX_STORAGE_AUTO;
    for (int integers = 0; integers < 2; ++integers)
        prepare_slots(f, "box_blur",
                      (const char *const[MOST_SLOTS]){"rgba8", NULL,
                                                      integers ? "rgba32ui" : "rgba32f", "rgba8"},
                      4, 0, &b, sizeof b);
}

// Tables of every format, storage and method, and what asks them.
static void dump_tables(fixture *f)
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
            s.method = AG_SAT_TILES;
            tuning->carry = i % 2 ? AG_CARRY_STEP : AG_CARRY_FOLDED;
            table(f, format_at(i)->name, AG_SAT_FLOAT32, &s);
            s.method = AG_SAT_BRLT_SCANROW;
            table(f, format_at(i)->name, AG_SAT_FLOAT32, &s);
        }
    tuning->carry = AG_CARRY_STEP;
    s.square = 1;
    for (int storage = AG_SAT_FLOAT32; storage <= AG_SAT_UINT32; ++storage)
        for (int kind = 0; kind < 3; ++kind) // corner and mean, center, exclusive
            for (s.method = AG_SAT_TILES; s.method <= AG_SAT_BRLT_SCANROW; ++s.method) {
                bool integers = storage == AG_SAT_UINT32;
                s.offset = kind || integers ? AG_SAT_OFFSET_NONE : AG_SAT_OFFSET_MEAN;
                s.origin = kind == 1 && !integers;
                s.edge = kind == 2;
                table(f, "rgba16f", storage, &s);
            }
    for (int way = AG_TABLES_IMAGE; way <= AG_TABLES_BUFFER; ++way) {
        *tuning = (ag_tuning){.tables = way};
        dump_boxes(f, &b);
        for (l.border = AG_BORDER_CLAMP; l.border <= AG_BORDER_NORMALIZE; ++l.border)
            if (l.border != AG_BORDER_WRAP)
                prepare_slots(f, "local_stats",
                              (const char *const[MOST_SLOTS]){
                                  l.border == AG_BORDER_CLAMP ? "rgba16f" : "r16f", "rgba32f",
                                  "rgba32f"},
                              3, 0, &l, sizeof l);
    }
    *tuning = (ag_tuning){0};
}

// Tables by warps, also as a driver gets them that has subgroups.
static void dump_warps(fixture *f)
{
    ag_sat_settings s;
    CHECK_STATUS(f->ag->defaults("sat", &s, sizeof s), AG_OK);
    const ag_gl had = f->device->gpu.gl;
    ag_tuning *tuning = ag_device_tuning(f->device);
    tuning->emulate = 1;
    for (int warps = 0; warps < 2; ++warps) {
        pretend(f, &had, warps, had.has_bindless);
        for (tuning->carry = AG_CARRY_STEP; tuning->carry <= AG_CARRY_FOLDED; ++tuning->carry)
            for (tuning->tile = AG_TILE_32; tuning->tile <= AG_TILE_64; ++tuning->tile) {
                table(f, "rgba16f", AG_SAT_FLOAT32, &s);
                table(f, "rgba8", AG_SAT_UINT32, &s);
            }
    }
    pretend_no_more(f, &had);
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
    prepare(f, "mipchain", &t, 1, s, sizeof *s);
}

// Formats, reductions and sizes each by themselves: they meet in few lines of the chains' shaders.
static void dump_mips(fixture *f)
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

// By warps, also as a driver gets them that has subgroups.
static void dump_mip_warps(fixture *f)
{
    const ag_gl had = f->device->gpu.gl;
    for (int warps = 0; warps < 2; ++warps) {
        ag_mipchain_settings s = mip_defaults(f);
        ag_device_tuning(f->device)->emulate = 1;
        pretend(f, &had, warps, had.has_bindless);
        for (int i = 1; i < 7; ++i) {
            s.weight = i % 3 ? AG_MIP_WEIGHT_NONE : AG_MIP_WEIGHT_KARIS;
            mipchain(f, i % 2 ? "rgba16f" : "rg8", 3 << i, 5 << i, &s);
        }
        s.weight = AG_MIP_WEIGHT_NONE;
        for (s.reduce = AG_MIP_MIN; s.reduce <= AG_MIP_MINMAX; ++s.reduce)
            mipchain(f, "rg16f", 64, 64, &s);
    }
    pretend_no_more(f, &had);
}

// By handles, without warps and with them; then with joined stages and without handles.
static void dump_mip_joined(fixture *f)
{
    const ag_gl had = f->device->gpu.gl;
    for (int way = 0; way < 3; ++way) {
        bool handles = way < 2;
        ag_mipchain_settings s = mip_defaults(f);
        ag_device_tuning(f->device)->stages = handles ? AG_STAGES_AUTO : AG_STAGES_JOINED;
        pretend(f, &had, way == 1, handles);
        for (s.weight = AG_MIP_WEIGHT_NONE; s.weight <= AG_MIP_WEIGHT_ALPHA; ++s.weight)
            for (int size = 63; size <= 512; size = 2 * size + 1) {
                mipchain(f, "rgba16f", size, size, &s);
                mipchain(f, "rgba8", size + 1, size + 1, &s);
            }
        s.weight = AG_MIP_WEIGHT_NONE;
        for (int i = 0; i < FORMAT_COUNT; ++i)
            mipchain(f, format_at(i)->name, 128, 128, &s);
        s.reduce = AG_MIP_MIN;
        mipchain(f, "r32f", 655, 655, &s);
        s.reduce = AG_MIP_MINMAX;
        mipchain(f, "rg16f", 1023, 1023, &s);
    }
    pretend_no_more(f, &had);
}

// ---- lines -------------------------------------------------------------------------------------

enum { STAGES = AG_FFT_MAX_STAGES, RADICES = 17 };
typedef struct cover { // which radix has been seen at which stage of how many, split or not
    bool seen[2][STAGES + 1][STAGES][RADICES];
    bool odd[2][STAGES + 1]; // and odd lengths
} cover;

static int unseen(cover *c, const ag_fft_line *line, bool mark)
{
    int count = 0;
    for (int s = 0; s <= line->stages; ++s) {
        bool *seen = s < line->stages ? &c->seen[line->split][line->stages][s][line->radix[s]]
                                      : &c->odd[line->split][line->stages];
        if (s == line->stages && line->length % 2 == 0)
            break;
        count += !*seen;
        *seen = *seen || mark;
    }
    return count;
}

// Lengths that together have every radix at every stage that any length has, in both forms of
// shared memory, and odd ones. With wrap an image of that size is a line of that length.
static int dump_lengths(fixture *f, bool rows)
{
    static ag_fft_line lines[AG_FFT_MAX_LENGTH + 1]; // stages 0: there is none
    cover c = {0};
    int chosen = 0;
    for (int n = 0; n <= AG_FFT_MAX_LENGTH; ++n)
        if (n < (rows ? 2 : 3) || !ag_fft_plan_line(n, rows, 1024, &lines[n]))
            lines[n].stages = 0;
    for (;;) {
        int best = 0, most = 0;
        for (int n = 0; n <= AG_FFT_MAX_LENGTH; ++n) {
            int count = lines[n].stages ? unseen(&c, &lines[n], false) : 0;
            if (count > most) {
                most = count;
                best = n;
            }
        }
        if (!best)
            return chosen;
        unseen(&c, &lines[best], true);
        variant v = {NULL, NULL, NULL, rows ? best : 4, rows ? 4 : best, 1, 1};
        convolve(f, v, AG_CONVOLVE_FFT, AG_BORDER_WRAP);
        ++chosen;
    }
}

// Images that do not fill their lines: zeros behind them, or borders.
static void dump_paddings(fixture *f)
{
    static const int sizes[] = {31, 150, 401, 2500, 6001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int border = AG_BORDER_ZERO; border <= AG_BORDER_CLAMP; ++border) {
            variant wide = {NULL, NULL, NULL, sizes[i], 4, 5, 1};
            variant high = {NULL, NULL, NULL, 4, sizes[i], 1, 5};
            convolve(f, wide, AG_CONVOLVE_FFT, border);
            convolve(f, high, AG_CONVOLVE_FFT, border);
        }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        spectrum(f, NULL, NULL, sizes[i], 4);
        spectrum(f, NULL, NULL, 4, sizes[i]);
    }
}

// Every number of channels, with lines of every format's own; in an image of few row pairs, whose rows take a
// channel a group, and in one of many.
static void dump_channels(fixture *f)
{
    static const char *const formats[] = {"r32f", "rg32f", "rgba32f", "rgba8"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        for (int many = 0; many < 2; ++many) {
            variant v = {formats[i], NULL, NULL, many ? 64 : 1024, many ? 640 : 4, 1, 1};
            convolve(f, v, AG_CONVOLVE_FFT, AG_BORDER_WRAP);
            if (format_named(formats[i])->channels == 4)
                convolve_alpha(f, v);
        }
}

// Spectra in two bytes a component: few and many row pairs, one and two lines a group, padded or not.
static void dump_compact(fixture *f)
{
    static const int sizes[][2] = {{12, 10},  {512, 8},  {2048, 6}, {8192, 4},
                                   {4, 8192}, {6, 1000}, {500, 700}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int border = AG_BORDER_ZERO; border <= AG_BORDER_WRAP; border += i ? 3 : 1) {
            variant v = {NULL, NULL, NULL, sizes[i][0], sizes[i][1], 1, 1};
            ag_convolve_settings s = {.method = AG_CONVOLVE_FFT,
                                      .border = border,
                                      .scrub = 1,
                                      .storage = AG_STORAGE_COMPACT};
            prepare_variant(f, "convolve", &v, &s, sizeof s);
        }
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    s.storage = AG_STORAGE_COMPACT;
    prepare_variant(f, "bloom", &(variant){NULL, NULL, NULL, 12, 10, 3, 3}, &s, sizeof s);
}

// ---- what the effects say of themselves --------------------------------------------------------

// Every effect, with its defaults, from every format of its first slot, of a texture and an array in turn: nothing need
// be known of an effect whose variants are these. What it refuses is left out.
static void dump_described(fixture *f)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e)
        for (uint32_t i = 0; i < job_slot_info(effects[e], 0)->format_count; ++i) {
            const format_info *format = format_find(job_slot_info(effects[e], 0)->formats[i]);
            test_job j;
            job_create(f, effects[e]->id, 24, 20, &j);
            if (format && !j.lower.name) { // not of levels in place, whose variants are above
                texture_destroy(f, &j.textures[0]);
                j.textures[0] = texture_create_array(f, format->name, 24, 20, i % 2, 1, NULL);
                j.slots[0] = texture_view(&j.textures[0]);
                ag_pass *pass = fixture_pass(f, effects[e]->id);
                ag_status status = f->ag->prepare(pass, &j.job);
                CHECK_F(status == AG_OK || status == AG_E_FORMAT || status == AG_E_ARG,
                        "%s from %s: %s", effects[e]->id, format->name, host_log_last(&f->host));
                f->ag->pass_destroy(pass);
            }
            job_destroy(f, &j);
        }
    host_log_clear(&f->host);
}

// ---- all ---------------------------------------------------------------------------------------

int shader_dump(const char *directory)
{
    fixture *f = fixture_open(NULL);
    if (!f)
        return 77;
    dump d = {.directory = directory};
    f->host.trace.on_source = on_source;
    f->host.trace.on_call_user = &d;
    f->host.trace.dry = true;
    f->host.trace.dry_word = 0x3f800000; // sums of kernels that are 1, and taps of no special form
    dump_formats(f);
    size_t formats = d.count;
    dump_mips(f);
    dump_mip_warps(f);
    dump_mip_joined(f);
    size_t chains = d.count - formats;
    dump_paddings(f);
    size_t paddings = d.count - formats - chains;
    int rows = dump_lengths(f, true), columns = dump_lengths(f, false);
    size_t before = d.count;
    dump_channels(f);
    dump_compact(f);
    size_t channels = d.count - before;
    before = d.count;
    dump_tables(f);
    dump_warps(f);
    size_t tables = d.count - before;
    before = d.count;
    dump_described(f);
    printf(
        "  note  %zu variants: %zu for formats, %zu for chains, %zu for paddings, %zu for channels, %zu for "
        "tables, %zu by description, the rest for %d row, %d column lengths\n",
        d.count, formats, chains, paddings, channels, tables, d.count - before, rows, columns);
    for (int i = 0; i < WANTED; ++i)
        if (!d.found[i]) {
            printf("  FAIL  no variant has %s and %s\n", wanted[i][0], wanted[i][1]);
            d.failed = true;
        }
    f->host.trace.on_source = NULL;
    f->host.trace.dry = false;
    free(d.hashes);
    bool clean = fixture_close(f);
    return clean && !d.failed && d.count > 0 ? 0 : 1;
}
