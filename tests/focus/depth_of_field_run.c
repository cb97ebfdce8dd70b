// depth_of_field_run.c - one run of "depth_of_field" on the GPU, and by the definition
// SPDX-License-Identifier: MIT
#include "focusing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SRC, DEPTH, DST, SLOTS };

static const char *or_float(const char *format)
{
    return format ? format : "rgba32f";
}

focusing focusing_of(fixture *f, const char *name, int width, int height, const double *src,
                     const double *depth)
{
    focusing b = {.name = name, .width = width, .height = height, .src = src, .depth = depth};
    CHECK_STATUS(f->ag->defaults("depth_of_field", &b.settings, sizeof b.settings), AG_OK);
    b.settings.encoding = AG_ENCODING_LINEAR;
    b.settings.focus_distance = 4;
    return b;
}

static int layers_of(const focusing *b)
{
    return b->layers ? b->layers : 1;
}

// A texture of a depth format, with what `values` holds; reads it back as the format has it.
static texture depth_texture(fixture *f, const focusing *b, double *held)
{
    size_t count = (size_t)b->width * (size_t)b->height * (size_t)layers_of(b);
    texture t = {.target = b->layers ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D};
    float *values = check_allocate(count * sizeof *values);
    for (size_t i = 0; i < count; ++i)
        values[i] = (float)b->depth[i];
    f->gl_transfer = true;
    f->gl.GenTextures(1, &t.name);
    f->gl.BindTexture(t.target, t.name);
    if (b->layers) {
        f->gl.TexStorage3D(t.target, 1, b->depth_format, b->width, b->height, b->layers);
        f->gl.TexSubImage3D(t.target, 0, 0, 0, 0, b->width, b->height, b->layers,
                            GL_DEPTH_COMPONENT, GL_FLOAT, values);
    } else {
        f->gl.TexStorage2D(t.target, 1, b->depth_format, b->width, b->height);
        f->gl.TexSubImage2D(t.target, 0, 0, 0, b->width, b->height, GL_DEPTH_COMPONENT, GL_FLOAT,
                            values);
    }
    f->gl.GetTexImage(t.target, 0, GL_DEPTH_COMPONENT, GL_FLOAT, values);
    f->gl.BindTexture(t.target, 0);
    f->gl_transfer = false;
    for (size_t i = 0; i < count; ++i)
        held[i] = (double)values[i];
    free(values);
    return t;
}

static ag_texture depth_view(const focusing *b, const texture *t)
{
    if (!b->depth_format)
        return texture_view(t);
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .name = t->name,
                        .target = t->target,
                        .format = b->depth_format,
                        .width = b->width,
                        .height = b->height,
                        .layers = layers_of(b),
                        .version = 1};
}

double *focusing_run(fixture *f, ag_pass *pass, const focusing *b, double **held)
{
    size_t count = (size_t)b->width * (size_t)b->height * (size_t)layers_of(b);
    double *depth = check_doubles(count);
    texture t[SLOTS] = {[SRC] = texture_create_array(f, or_float(b->src_format), b->width,
                                                     b->height, b->layers, 1, b->src),
                        [DST] = texture_create_array(f, or_float(b->dst_format), b->width,
                                                     b->height, b->layers, 1, NULL)};
    if (b->depth_format) {
        t[DEPTH] = depth_texture(f, b, depth);
    } else {
        t[DEPTH] = texture_create_array(f, "r32f", b->width, b->height, b->layers, 1, b->depth);
        for (size_t i = 0; i < count; ++i)
            depth[i] = (double)(float)b->depth[i];
    }
    ag_texture slots[SLOTS] = {texture_view(&t[SRC]), depth_view(b, &t[DEPTH]),
                               texture_view(&t[DST])};
    for (int i = 0; i < SLOTS && b->w; ++i) {
        slots[i].rect_x = b->x;
        slots[i].rect_y = b->y;
        slots[i].rect_width = b->w;
        slots[i].rect_height = b->h;
    }
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
    if (b->w)
        CHECK_EQ(texture_poison_count(f, &t[DST], 0, 0, 0, 0, 0),
                 layers_of(b) * (b->width * b->height - b->w * b->h));
    for (int i = 0; i < SLOTS; ++i) {
        f->ag->forget(f->device, t[i].name);
        if (i == DEPTH && b->depth_format)
            f->gl.DeleteTextures(1, &t[i].name);
        else
            texture_destroy(f, &t[i]);
    }
    if (held)
        *held = depth;
    else
        free(depth);
    return got;
}

// The rectangle of a layer by the definition, 4 channels a texel.
static void expect(const focusing *b, int layer, const double *depth, int w, int h, double *want,
                   unsigned char *doubt)
{
    const format_info *in = format_named(or_float(b->src_format));
    double *colour = check_doubles(4 * (size_t)(w * h)), *cut = check_doubles((size_t)(w * h));
    for (int i = 0; i < w * h; ++i) {
        size_t at = (size_t)((layer * b->height + b->y + i / w) * b->width + b->x + i % w);
        const double *v = b->src + at * (size_t)in->channels;
        bool bad = false;
        for (int c = 0; c < in->channels; ++c)
            bad = bad || !isfinite(v[c]);
        for (int c = 0; c < 4; ++c)
            colour[4 * i + c] = bad ? 0 : c < in->channels ? v[c] : c == 3;
        cut[i] = depth[at];
    }
    focus_ref(&b->settings, w, h, colour, cut, want, doubt);
    free(colour);
    free(cut);
}

bool focusing_check(fixture *f, ag_pass *pass, const focusing *b, double limit)
{
    const format_info *out = format_named(or_float(b->dst_format));
    int w = b->w ? b->w : b->width, h = b->w ? b->h : b->height, doubted = 0, wrong = 0;
    double *depth, *got = focusing_run(f, pass, b, &depth), worst = 0;
    double *want = check_doubles(4 * (size_t)(w * h));
    unsigned char *doubt = check_allocate((size_t)(w * h));
    char where[160] = "";
    for (int layer = 0; layer < layers_of(b); ++layer) {
        expect(b, layer, depth, w, h, want, doubt);
        for (int i = 0; i < w * h; ++i) {
            int at = (layer * b->height + b->y + i / w) * b->width + b->x + i % w;
            doubted += doubt[i];
            for (int c = 0; c < out->channels && !doubt[i]; ++c) {
                double g = got[at * out->channels + c], e = fabs(g - want[4 * i + c]);
                double u = format_error_units(out, c, want[4 * i + c], g, limit);
                wrong += !(u <= 0.51) || (out->bits[0] == 32 && !(e <= limit));
                if (!isnan(worst) && !(e <= worst)) {
                    worst = e;
                    snprintf(where, sizeof where, "(%d, %d) channel %d layer %d: %.9g, not %.9g",
                             i % w, i / w, c, layer, g, want[4 * i + c]);
                }
            }
        }
    }
    bool ok = !wrong && doubted * 4 <= w * h * layers_of(b);
    printf("  %-5s %s %dx%d, shape %d, storage %d, tables %d: %.2g <= %.2g; %d texels left out\n",
           ok ? "ok" : "WRONG", b->name, w, h, b->settings.shape, b->settings.storage, b->tables,
           worst, limit, doubted);
    if (!ok)
        printf("        %d values beyond the limit; worst at %s\n", wrong, where);
    free(depth);
    free(got);
    free(want);
    free(doubt);
    return ok;
}

double *focusing_scene(rng *r, int width, int height)
{
    double *depth = check_doubles((size_t)width * (size_t)height);
    for (int i = 0; i < width * height; ++i) {
        double x = (i % width + 0.5) / width, y = (i / width + 0.5) / height;
        double z = 40 + 10 * rng_uniform(r, 0, 1); // the wall
        if (y > 0.6)
            z = 3 + 20 * (1 - y); // the ground
        if (fabs(x - 0.65) < 0.15 && fabs(y - 0.4) < 0.25)
            z = 4; // the object
        if (fabs(x - 0.25) < 0.06)
            z = 1.7 + 0.5 * y; // the bar
        depth[i] = z;
    }
    return depth;
}

double *focusing_noise(rng *r, int width, int height, double low, double high)
{
    double *values = check_doubles(4 * (size_t)width * (size_t)height);
    for (int i = 0; i < 4 * width * height; ++i)
        values[i] = (double)(float)rng_uniform(r, low, high);
    return values;
}
