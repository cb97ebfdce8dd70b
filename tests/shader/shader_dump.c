// shader_dump.c - writes every shader variant that the effects use, with the text that drivers get
// SPDX-License-Identifier: MIT
//
// This file does not know how variants are made: it prepares jobs (shader_dump_jobs.c) and records
// glShaderSource. It only knows some variants that must be among them, by the defines of the FFT's
// shaders.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>
#include <afterglow/filter_spectrum.h>
#include <afterglow/ocean.h>

#include "core/device.h"
#include "dispatches.h"
#include "effects/fft/fft_plan.h"
#include "fixture.h"
#include "jobs.h"
#include "shader_dump.h"
#include "test_shader.h"
#include "texture.h"

// Two or three defines that some variant must have: which shader, by its name or by a define of its
// own, and what in it.
static const char *const wanted[][3] = {
    {"rows_r2c", "CHANNELS 1"},
    {"rows_r2c", "CHANNELS 2"},
    {"rows_r2c", "CHANNELS 3"},
    {"rows_r2c", "CHANNELS 4"},
    {"rows_r2c", "BORDERED 0"},
    {"rows_r2c", "BORDERED 1"},
    {"rows_r2c", "PADDED 0"},
    {"rows_r2c", "PADDED 1"},
    {"rows_r2c", "SPLIT 0"},
    {"rows_r2c", "SPLIT 1"},
    {"rows_r2c", "PER_CHANNEL 0"},
    {"rows_r2c", "PER_CHANNEL 1"},
    {"rows_r2c", "ALPHA 1"},
    {"rows_r2c", "COMPACT 1", "SPLIT 0"},
    {"rows_r2c", "COMPACT 1", "SPLIT 1"},
    {"rows_r2c", "FILTERABLE 1", "CHANNELS 1"},
    {"rows_r2c", "FILTERABLE 1", "CHANNELS 3"},
    {"rows_r2c", "FILTERABLE 1", "PADDED 1"},
    {"rows_r2c", "FILTERABLE 1", "COMPACT 1"},
    {"rows_r2c", "FILTERABLE 1", "BAND_LIMITED 1"},
    {"rows_r2c", "FILTERABLE 1", "NARROW 1"},
    {"columns", "BORDERED 0"},
    {"columns", "BORDERED 1"},
    {"columns", "PADDED 0"},
    {"columns", "PADDED 1"},
    {"columns", "SPLIT 0"},
    {"columns", "SPLIT 1"},
    {"columns", "COMPACT 1", "SPLIT 0"},
    {"columns", "COMPACT 1", "SPLIT 1"},
    {"columns", "SHARE 1"},
    {"columns", "SHARE 2"},
    {"columns_band_limited", "LINES 1"},
    {"rows_c2r", "CHANNELS 1"},
    {"rows_c2r", "CHANNELS 2"},
    {"rows_c2r", "CHANNELS 3"},
    {"rows_c2r", "CHANNELS 4"},
    {"rows_c2r", "SPLIT 0"},
    {"rows_c2r", "SPLIT 1"},
    {"rows_c2r", "COMPACT 1", "SPLIT 0"},
    {"rows_c2r", "COMPACT 1", "SPLIT 1"},
    {"rows_c2r", "BAND_LIMITED 1"},
    {"rows_c2r", "NARROW 1"},
    {"rows_c2r", "STORE 0"},
    {"rows_c2r", "STORE 1"},
    {"rows_c2r", "PER_CHANNEL 1", "CHANNELS 3"},
    {"rows_c2r", "PER_CHANNEL 1", "SPLIT 0"},
    {"rows_c2r", "PER_CHANNEL 1", "SPLIT 1"},
    {"rows_c2r", "PER_CHANNEL 1", "COMPACT 1"},
    {"rows_c2r", "PLAIN 1", "SPLIT 0"},
    {"rows_c2r", "PLAIN 1", "SPLIT 1"},
    {"rows_c2r", "PLAIN 1", "COMPACT 1"},
    {"kernel_rows", "CHANNELS 1"},
    {"kernel_rows", "CHANNELS 3"},
    {"kernel_rows", "CHANNELS 4"},
    {"kernel_rows", "SPLIT 0"},
    {"kernel_rows", "SPLIT 1"},
    {"kernel_columns", "BORDERED 0"},
    {"kernel_columns", "BORDERED 1"},
    {"kernel_columns", "PADDED 0"},
    {"kernel_columns", "SPLIT 0"},
    {"kernel_columns", "SPLIT 1"},
    {"lines", "CHANNELS 1"},
    {"lines", "CHANNELS 4"},
    {"lines", "HALF_IN 1"},
    {"lines", "PACKED_IN 1"},
    {"lines", "PACKED_OUT 1"},
    {"spread", "FROM_CELLS 0", "CHANNELS 2"},
    {"spread", "FROM_CELLS 0", "CHANNELS 3"},
    {"spread", "FROM_CELLS 0", "PACKED_IN 1"},
    {"spread", "FROM_CELLS 1", "HALF_IN 1"},
    {"spread", "FROM_CELLS 1", "AXIS 0"},
    {"spread", "FROM_CELLS 1", "PACKED_OUT 1"},
    {"lines", "LINE_KIND 1", "AXIS 0"},
    {"lines", "LINE_KIND 1", "SPLIT 1"},
    {"lines", "LINE_KIND 2", "AXIS 0"},
    {"lines", "LINE_KIND 2", "FROM_CELLS 0"},
    {"down", "VARIES 1"},
    {"up", "VARIES 1"},
    {"down", "RATIO_Y 4"},
    {"RATIO_X 4", "RATIO_Y 2"},
    {"spectrum_rows", "CHANNELS 1"},
    {"spectrum_rows", "CHANNELS 2"},
    {"spectrum_rows", "CHANNELS 3"},
    {"spectrum_rows", "SPLIT 0"},
    {"spectrum_rows", "SPLIT 1"},
    {"filter", "SRC_SRGB 0"},
    {"filter", "SRC_SRGB 1"},
    {"STORAGE 2", "FOLDED 1"},
    {"STORAGE 4", "FOLDED 0"},
    {"STORAGE 4", "FOLDED 1"},
    {"RUNS 0", "ODD_X 1"},
    {"RUNS 1", "ODD_X 1"},
    {"RUNS 1", "ODD_Y 1"},
    {"RUNS 1", "BATCHES 2"},
    {"RUNS 2", "ODD_X 1"},
    {"RUNS 2", "ODD_Y 1"},
    {"RUNS 2", "ODD_X 0"},
    {"RUNS 2", "BATCHES 2"},
    {"RUNS 2", "ARRAY 0"},
    {"EVEN 6", "SECOND 0"},
    {"EVEN 6", "SUBGROUPS 0"},
    {"EVEN 6", "SUBGROUPS 1"},
    {"SUBGROUPS 0", "SECOND 2"},
    {"SUBGROUPS 1", "SECOND 1"},
    {"SUBGROUPS 1", "SECOND 2"},
    {"LUMINANCE 0", "SRC_UNIT 3"},
    {"LUMINANCE 1", "SRC_UNIT 2"},
    {"LUMINANCE 2", "SRC_UNIT 3"},
};
enum { WANTED = sizeof wanted / sizeof *wanted };

typedef struct dump {
    bool found[WANTED];
    bool failed;
} dump;

// Whether a text has this define; or begins with this file, whose name is in small letters.
static bool defines(const char *text, const char *what)
{
    char line[64];
    snprintf(line, sizeof line, *what >= 'a' ? "/%s.comp - " : "#define %s\n", what);
    return strstr(text, line) != NULL;
}

static void on_text(void *user, const char *text)
{
    dump *d = user;
    for (int i = 0; i < WANTED; ++i)
        d->found[i] = d->found[i] || (defines(text, wanted[i][0]) && defines(text, wanted[i][1]) &&
                                      (!wanted[i][2] || defines(text, wanted[i][2])));
}

// ---- convolutions and spectra ------------------------------------------------------------------

typedef struct
    variant { // NULL formats: rgba32f, the kernel's r32f; kernel_width 0: no slot for one
    const char *src, *kernel, *dst;
    int width, height, kernel_width, kernel_height;
} variant;

static void prepare_variant(fixture *f, const char *effect, const variant *v, const void *settings)
{
    int count = v->kernel_width ? 3 : 2;
    texture t[3] = {texture_create(f, v->src ? v->src : "rgba32f", v->width, v->height, NULL)};
    if (v->kernel_width)
        t[1] = texture_create(f, v->kernel ? v->kernel : "r32f", v->kernel_width, v->kernel_height,
                              NULL);
    t[count - 1] = texture_create(f, v->dst ? v->dst : "rgba32f", v->width, v->height, NULL);
    dump_prepare(f, effect, t, count, settings);
}

static void convolve(fixture *f, variant v, int method, int border)
{
    ag_convolve_settings s = *ag_convolve_params(.method = method, .border = border, .scrub = 1);
    prepare_variant(f, "convolve", &v, &s);
}

static void convolve_alpha(fixture *f, variant v)
{
    ag_convolve_settings s =
        *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = AG_BORDER_ZERO,
                            .alpha = AG_ALPHA_CONVOLVE, .scrub = 1);
    prepare_variant(f, "convolve", &v, &s);
}

static void deconvolve(fixture *f, variant v, int border)
{
    ag_convolve_settings s = AG_CONVOLVE_DEFAULTS;
    s.border = border;
    s.edges = border == AG_BORDER_ZERO ? AG_EDGES_TAPER : AG_EDGES_BORDER;
    s.operation = AG_OPERATION_DECONVOLVE;
    dump_pretends = true; // no shader runs here, so prepare finds no taps and refuses
    prepare_variant(f, "convolve", &v, &s);
    dump_pretends = false;
    host_log_clear(&f->host);
}

static void bloom(fixture *f, variant v, int shape)
{
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    s.shape = shape;
    prepare_variant(f, "bloom", &v, &s);
}

static void spectrum(fixture *f, const char *src, const char *dst, int width, int height)
{
    prepare_variant(f, "spectrum", &(variant){src, NULL, dst, width, height, 0, 0}, NULL);
}

static void filter_spectrum(fixture *f, variant v, bool masked)
{
    ag_filter_spectrum_settings s = AG_FILTER_SPECTRUM_DEFAULTS;
    s.shape = masked ? AG_FILTER_SPECTRUM_MASK : AG_FILTER_SPECTRUM_LOWPASS;
    prepare_variant(f, "filter_spectrum", &v, &s);
}

// RGBA16, and codes and expanded highlights of each kind of format.
static void dump_frames(fixture *f)
{
    static const char *const formats[] = {"rgba16", "rgba8", "srgb8", "rgb10a2", "r8", "rgba16f"};
    const variant deep = {"rgba16", NULL, "rgba16", 12, 10, 3, 3};
    for (int method = 1; method < 3; ++method)
        convolve(f, deep, method, AG_BORDER_ZERO);
    filter_spectrum(f, deep, false);
    bloom(f, deep, AG_BLOOM_GAUSSIAN);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i)
        for (int way = 0; way < 6; ++way) {
            const variant v = {formats[i], NULL, formats[i], 12, 10, 3, 3};
            bool floats = strcmp(formats[i], "rgba16f") == 0;
            ag_bloom_settings s = *ag_bloom_params(AG_BLOOM_SDR);
            s.transfer = floats ? AG_BLOOM_LINEAR : AG_BLOOM_SRGB;
            s.gain = way == 1 && !floats ? 1 : 20;
            s.storage = way == 2 ? AG_STORAGE_COMPACT : AG_STORAGE_FULL;
            s.resolution = way == 3 ? AG_BLOOM_HALF : way == 4 ? AG_BLOOM_QUARTER : AG_BLOOM_FULL;
            s.firefly = way == 4 ? AG_BLOOM_FIREFLY_CLAMP : AG_BLOOM_FIREFLY_OFF;
            s.output = way == 5 ? AG_BLOOM_ADD : AG_BLOOM_COMPOSITE;
            prepare_variant(f, "bloom", &v, &s);
        }
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
        dump_blooms(f, format);
        if (format->channels != 2)
            bloom(f, kernel, AG_BLOOM_TEXTURE);
        filter_spectrum(f, base, false);
        if (format->channels != 2)
            filter_spectrum(f, kernel, true);
        spectrum(f, format->name, NULL, 12, 10);
        spectrum(f, NULL, format->name, 12, 10);
    }
    dump_frames(f);
    dump_bloom_grids(f);
    deconvolve(f, (variant){NULL, NULL, NULL, 12, 10, 3, 3}, AG_BORDER_ZERO);
    deconvolve(f, (variant){NULL, NULL, NULL, 13, 10, 3, 3}, AG_BORDER_WRAP);
    for (int four = 0; four < 2; ++four) // a kernel for all channels, or one for each
        convolve_alpha(f, (variant){NULL, four ? "rgba32f" : NULL, NULL, 12, 10, 3, 3});
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

// Every number of channels, with lines of every format's own; in an image of few row pairs, whose
// rows take a channel a group, and in one of many.
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

// Compact spectra: few and many row pairs, one and two lines a work group, padded or not.
static void dump_compact(fixture *f)
{
    static const int sizes[][2] = {{12, 10},  {512, 8},  {2048, 6}, {8192, 4},
                                   {4, 8192}, {6, 1000}, {500, 700}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int border = AG_BORDER_ZERO; border <= AG_BORDER_WRAP; border += i ? 3 : 1) {
            variant v = {NULL, NULL, NULL, sizes[i][0], sizes[i][1], 1, 1};
            ag_convolve_settings s =
                *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = border, .scrub = 1,
                                    .storage = AG_STORAGE_COMPACT);
            prepare_variant(f, "convolve", &v, &s);
        }
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    s.storage = AG_STORAGE_COMPACT;
    prepare_variant(f, "bloom", &(variant){NULL, NULL, NULL, 12, 10, 3, 3}, &s);
}

// Outputs that are the convolution and src's alpha, in both forms of shared memory and of spectra.
static void dump_alone(fixture *f)
{
    for (int wide = 0; wide < 2; ++wide)
        for (int storage = AG_STORAGE_FULL; storage <= AG_STORAGE_COMPACT; ++storage) {
            variant v = {"rgba16f", NULL, "rgba16f", wide ? 2048 : 64, 640, 3, 3};
            ag_convolve_settings s =
                *ag_convolve_params(.method = AG_CONVOLVE_FFT, .border = AG_BORDER_WRAP, .scrub = 1,
                                    .storage = storage);
            prepare_variant(f, "convolve", &v, &s);
        }
}

// Blooms of images so high that few frequencies are left, or some, of every number of channels.
static void dump_bands(fixture *f)
{
    static const char *const formats[] = {"r32f", "rg32f", "rgba16f"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
        for (int height = 100; height <= 1080; height += 490) {
            variant v = {formats[i], NULL, NULL, 640, height, 3, 3};
            prepare_variant(f, "bloom", &v, NULL);
        }
}

// ---- oceans -------------------------------------------------------------------------------------

// An ocean of every size; of one of them 16 and 32 bits, in textures and in arrays.
static void dump_oceans(fixture *f)
{
    for (int size = AG_OCEAN_32; size <= AG_OCEAN_1024; ++size)
        for (int way = 0; way < 4; ++way) {
            if (size != AG_OCEAN_256 && way != size % 4)
                continue;
            ag_ocean_settings s = AG_OCEAN_DEFAULTS;
            int n = 32 << size, layers = way / 2 * 2;
            const char *four = way % 2 ? "rgba16f" : "rgba32f", *one = way % 2 ? "r16f" : "r32f";
            s.size = size;
            s.cascades = layers ? layers : 1;
            texture t[3] = {texture_create_array(f, four, n, n, layers, 1, NULL),
                            texture_create_array(f, four, n, n, layers, 1, NULL),
                            texture_create_array(f, one, n, n, layers, 1, NULL)};
            dump_prepare(f, "ocean", t, 3, &s);
        }
}

// ---- all ---------------------------------------------------------------------------------------

int shader_dump(const char *directory)
{
    fixture *f = fixture_open(NULL);
    if (!f)
        return 77;
    dump d = {0};
    dispatches_begin(&f->host.trace, directory, on_text, &d);
    f->host.trace.dry = true;
    f->host.trace.dry_word = 0x3f800000; // sums of kernels that are 1, and taps of no special form
    dump_formats(f);
    uint32_t formats = dispatches_texts();
    dump_oceans(f);
    dump_mips(f);
    dump_mip_subgroups(f);
    dump_mip_tails(f);
    uint32_t chains = dispatches_texts() - formats;
    dump_paddings(f);
    uint32_t paddings = dispatches_texts() - formats - chains;
    int rows = dump_lengths(f, true), columns = dump_lengths(f, false);
    uint32_t before = dispatches_texts();
    dump_channels(f);
    dump_compact(f);
    dump_alone(f);
    dump_bands(f);
    uint32_t channels = dispatches_texts() - before;
    before = dispatches_texts();
    dump_transforms(f);
    uint32_t transforms = dispatches_texts() - before;
    before = dispatches_texts();
    dump_tables(f);
    dump_subgroups(f);
    uint32_t tables = dispatches_texts() - before;
    before = dispatches_texts();
    dump_wavelets(f);
    uint32_t wavelets = dispatches_texts() - before;
    before = dispatches_texts();
    dump_denoise(f);
    uint32_t denoised = dispatches_texts() - before;
    before = dispatches_texts();
    dump_described(f);
    printf(
        "  note  %u variants: %u for formats, %u for chains, %u for paddings, "
        "%u for channels, %u for fft, %u for tables, %u for wavelets, %u for denoise, %u by description, the rest "
        "for %d row, %d column lengths\n",
        dispatches_texts(), formats, chains, paddings, channels, transforms, tables, wavelets,
        denoised, dispatches_texts() - before, rows, columns);
    for (int i = 0; i < WANTED; ++i)
        if (!d.found[i]) {
            printf("  FAIL  no variant has %s and %s\n", wanted[i][0], wanted[i][1]);
            d.failed = true;
        }
    dispatches_end(&f->host.trace);
    f->host.trace.dry = false;
    bool clean = fixture_close(f);
    return clean && !d.failed && dispatches_texts() > 0 ? 0 : 1;
}
