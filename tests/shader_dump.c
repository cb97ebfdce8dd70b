// shader_dump.c - writes every shader variant that the effects use, as the driver gets it
// SPDX-License-Identifier: MIT
//
// Nothing here knows how a variant is made: jobs are prepared, and glShaderSource is overheard.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>

#include "fft_plan.h"
#include "fixture.h"
#include "shader_tests.h"
#include "texture.h"

typedef struct dump {
    const char *directory;
    uint64_t *hashes; // of the texts written so far
    size_t count, capacity;
    bool failed;
} dump;

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
    char path[1024];
    snprintf(path, sizeof path, "%s/%04zu.comp", d->directory, d->count);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, length, file) != length || fclose(file))
        d->failed = true;
}

typedef struct variant { // NULL formats: rgba32f, the kernel's r32f
    const char *src, *kernel, *dst;
    int width, height, kernel_width, kernel_height;
} variant;

static void prepare(fixture *f, const char *effect, const variant *v, const void *settings,
                    uint32_t size)
{
    texture t[3] = {texture_create(f, v->src ? v->src : "rgba32f", v->width, v->height, NULL),
                    texture_create(f, v->kernel ? v->kernel : "r32f", v->kernel_width,
                                   v->kernel_height, NULL),
                    texture_create(f, v->dst ? v->dst : "rgba32f", v->width, v->height, NULL)};
    ag_texture slots[3] = {texture_view(&t[0]), texture_view(&t[1]), texture_view(&t[2])};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 3,
                  .settings = settings,
                  .settings_size = size,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_pass *pass = fixture_pass(f, effect);
    host_log_clear(&f->host);
    if (f->ag->prepare(pass, &job) != AG_OK) {
        host_log_print(&f->host);
        check_fail(__FILE__, __LINE__, "prepare", "%s %s %dx%d", effect, v->src ? v->src : "",
                   v->width, v->height);
    }
    f->ag->pass_destroy(pass);
    for (int i = 0; i < 3; ++i) {
        f->ag->forget(f->device, t[i].name);
        texture_destroy(f, &t[i]);
    }
}

static void convolve(fixture *f, variant v, int method, int border)
{
    ag_convolve_settings s = {.method = method, .border = border, .scrub = 1};
    prepare(f, "convolve", &v, &s, sizeof s);
}

static void bloom(fixture *f, variant v, int shape)
{
    ag_bloom_settings s;
    CHECK_STATUS(f->ag->defaults("bloom", &s, sizeof s), AG_OK);
    s.shape = shape;
    prepare(f, "bloom", &v, &s, sizeof s);
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
    }
}

enum { STAGES = AG_FFT_MAX_STAGES, RADICES = 17 };
typedef struct cover { // which radix has been seen at which stage of how many
    bool seen[STAGES + 1][STAGES][RADICES];
} cover;

static int unseen(cover *c, const ag_fft_line *line, bool mark)
{
    int count = 0;
    for (int s = 0; s < line->stages; ++s) {
        bool *seen = &c->seen[line->stages][s][line->radix[s]];
        count += !*seen;
        *seen = *seen || mark;
    }
    return count;
}

// Lengths that together have every radix at every stage that any length has. With wrap an image of
// that size is a line of that length.
static int dump_lengths(fixture *f, bool rows)
{
    cover c = {{{{false}}}};
    int chosen = 0;
    for (;;) {
        int best = 0, most = 0;
        for (int n = rows ? 2 : 3; n <= AG_FFT_MAX_LENGTH; n += rows ? 2 : 1) {
            ag_fft_line line;
            if (!ag_fft_plan_line(n, rows, rows ? 8 : 16, 2, 1024, &line))
                continue;
            int count = unseen(&c, &line, false);
            if (count > most) {
                most = count;
                best = n;
            }
        }
        if (!best)
            return chosen;
        ag_fft_line line;
        CHECK(ag_fft_plan_line(best, rows, rows ? 8 : 16, 2, 1024, &line));
        unseen(&c, &line, true);
        variant v = {NULL, NULL, NULL, rows ? best : 4, rows ? 4 : best, 1, 1};
        convolve(f, v, AG_CONVOLVE_FFT, AG_BORDER_WRAP);
        ++chosen;
    }
}

// The same column lengths with fewer rows in them: other numbers of legs.
static void dump_legs(fixture *f)
{
    for (int height = 10; height <= 80; height += 10)
        for (int kernel = 1; kernel <= 2 * height; kernel += height / 2) {
            variant v = {NULL, NULL, NULL, 4, height, 1, kernel};
            convolve(f, v, AG_CONVOLVE_FFT, AG_BORDER_ZERO);
            convolve(f, v, AG_CONVOLVE_FFT, AG_BORDER_CLAMP);
        }
}

int shader_dump(const char *directory)
{
    fixture *f = fixture_open(NULL);
    if (!f)
        return 77;
    dump d = {.directory = directory};
    f->host.trace.on_source = on_source;
    f->host.trace.on_call_user = &d;
    dump_formats(f);
    size_t formats = d.count;
    dump_legs(f);
    size_t legs = d.count - formats;
    int rows = dump_lengths(f, true), columns = dump_lengths(f, false);
    printf(
        "  note  %zu variants: %zu for formats, %zu for legs, the rest for %d row, %d column lengths\n",
        d.count, formats, legs, rows, columns);
    f->host.trace.on_source = NULL;
    free(d.hashes);
    bool clean = fixture_close(f);
    return clean && !d.failed && d.count > 0 ? 0 : 1;
}
