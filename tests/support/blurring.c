// blurring.c - one blur on the GPU and by the definition
// SPDX-License-Identifier: MIT
#include "blurring.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "summing.h"

enum { SRC, RADIUS, TABLE, DST, SLOTS };

int blurring_way(int turn)
{
    return AG_TABLES_IMAGE + turn % BLURRING_WAYS;
}

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

blurring blurring_of(fixture *f, const char *name, int width, int height, const double *src)
{
    blurring b = {.name = name, .width = width, .height = height, .src = src};
    CHECK_STATUS(f->ag->defaults("box_blur", &b.settings, sizeof b.settings), AG_OK);
    return b;
}

double *blurring_run(fixture *f, ag_pass *pass, const blurring *b)
{
    texture t[SLOTS] = {[SRC] = texture_create_array(f, or_float(b->src_format), b->width,
                                                     b->height, b->layers, 1, b->src),
                        [DST] = texture_create_array(f, or_float(b->dst_format), b->width,
                                                     b->height, b->layers, 1, NULL)};
    if (b->radius)
        t[RADIUS] = texture_create(f, "r32f", b->width, b->height, b->radius);
    ag_texture slots[SLOTS];
    for (int i = 0; i < SLOTS; ++i)
        slots[i] = t[i].name ? texture_view(&t[i]) : texture_no_view();
    if (b->table)
        slots[TABLE] = texture_view(b->table);
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = SLOTS,
                  .settings = &b->settings,
                  .next_use = AG_USE_COPY,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    ag_tuning *tuning = ag_device_tuning(f->device), former = *tuning;
    tuning->tables = b->tables;
    fixture_run(f, pass, &job);
    *tuning = former;
    double *got = texture_read(f, &t[DST], 0);
    for (int i = 0; i < SLOTS; ++i)
        if (t[i].name) {
            f->ag->forget(f->device, t[i].name);
            texture_destroy(f, &t[i]);
        }
    return got;
}

// All iterations, of one layer, by the definition. malloc.
static double *expected(const blurring *b, int layer)
{
    const format_info *format = format_named(or_float(b->src_format));
    int n = format->channels;
    size_t count = (size_t)(b->width * b->height * n);
    double *now = malloc(count * sizeof *now), *next = malloc(count * sizeof *next);
    CHECK(now && next);
    memcpy(now, b->src + (size_t)layer * count, count * sizeof *now);
    for (int k = 0; k < b->settings.iterations; ++k) {
        for (int y = 0; y < b->height; ++y)
            for (int x = 0; x < b->width; ++x)
                for (int c = 0; c < n; ++c) {
                    double r = (double)b->settings.radius;
                    r *= b->radius ? b->radius[y * b->width + x] : 1;
                    r = isfinite(r) && r > 0 ? r : 0;
                    double from[2] = {x - r, y - r}, to[2] = {x + 1 + r, y + 1 + r};
                    next[(y * b->width + x) * n + c] =
                        sat_ref_box(now, b->width, b->height, n, c, from, to, b->settings.border)
                            .mean;
                }
        double *done = now;
        now = next;
        next = done;
    }
    free(next);
    return now;
}

bool blurring_check(fixture *f, ag_pass *pass, const blurring *b, double limit)
{
    const format_info *in = format_named(or_float(b->src_format));
    const format_info *out = format_named(or_float(b->dst_format));
    int layers = b->layers ? b->layers : 1, texels = b->width * b->height;
    double *got = blurring_run(f, pass, b), worst = 0, units = 0;
    size_t beyond = 0;
    char where[160] = "";
    for (int layer = 0; layer < layers; ++layer) {
        double *want = expected(b, layer);
        for (int t = 0; t < texels; ++t)
            for (int c = 0; c < out->channels; ++c) {
                double w = c < in->channels ? want[t * in->channels + c] : c == 3 ? 1 : 0;
                double g = got[(layer * texels + t) * out->channels + c];
                // 3-channel sources have alpha 1, which a border of zeros blurs, too
                if (c == 3 && in->channels == 3)
                    continue;
                double e = fabs(g - w), u = format_error_units(out, c, w, g, limit);
                beyond += !(u <= 0.51) || (out->bits[0] == 32 && !(e <= limit));
                if (!isnan(worst) && !(e <= worst)) {
                    worst = e;
                    snprintf(where, sizeof where,
                             "worst at (%d, %d) channel %d layer %d: %.9g, not %.9g", t % b->width,
                             t / b->width, c, layer, g, w);
                }
                units = isnan(units) || u <= units ? units : u;
            }
        free(want);
    }
    free(got);
    bool ok = !beyond;
    printf(
        "  %-5s %s %dx%d %s -> %s, radius %g, border %d, %d iterations, tables %d: %.2g <= %.2g\n",
        ok ? "ok" : "WRONG", b->name, b->width, b->height, in->name, out->name,
        (double)b->settings.radius, b->settings.border, b->settings.iterations, b->tables, worst,
        limit);
    if (!ok)
        printf("        %zu values of %d beyond the limit; %s; at most %.2f units\n", beyond,
               layers * texels * out->channels, where, units);
    return ok;
}
