// down_case.c - what the benches of images made smaller share: exact results, and ways that draw
// SPDX-License-Identifier: MIT
#include "down_case.h"

#include "cli/report.h"

#include <math.h>
#include <stdlib.h>

// ---- exact results -----------------------------------------------------------------------------

static double overlap(int from, int to, int i, int j)
{
    long long cell = (long long)i * from, texel = (long long)j * to;
    long long low = cell > texel ? cell : texel;
    long long high = cell + from < texel + to ? cell + from : texel + to;
    return high > low ? (double)(high - low) / from : 0;
}

double *area_average(const double *from, int channels, int width, int height, int to_width,
                     int to_height)
{
    size_t n = (size_t)channels, row = n * (size_t)to_width;
    double *across = calloc(row * (size_t)height, sizeof *across);
    double *out = calloc(row * (size_t)to_height, sizeof *out);
    for (int y = 0; across && out && y < height; y++)
        for (int x = 0; x < to_width; x++)
            for (int j = (int)((long long)x * width / to_width);
                 (long long)j * to_width < (long long)(x + 1) * width; j++)
                for (size_t c = 0; c < n; c++)
                    across[(size_t)y * row + n * (size_t)x + c] +=
                        overlap(width, to_width, x, j) *
                        from[n * ((size_t)y * (size_t)width + (size_t)j) + c];
    for (int y = 0; across && out && y < to_height; y++)
        for (int j = (int)((long long)y * height / to_height);
             (long long)j * to_height < (long long)(y + 1) * height; j++)
            for (size_t x = 0; x < row; x++)
                out[(size_t)y * row + x] +=
                    overlap(height, to_height, y, j) * across[(size_t)j * row + x];
    free(across);
    return out;
}

double *down_exact(const picture *source, int width, int height)
{
    size_t count = 3 * (size_t)source->width * (size_t)source->height;
    double *colours = malloc(count * sizeof *colours);
    for (size_t i = 0; colours && i < count; i++)
        colours[i] = (double)source->texels[i / 3 * 4 + i % 3];
    double *out =
        colours ? area_average(colours, 3, source->width, source->height, width, height) : NULL;
    free(colours);
    return out;
}

accuracy down_compare(const GladGLContext *gl, GLuint texture, int level, int width, int height,
                      const double *exact, double scale)
{
    picture got = {width, height, malloc(4 * (size_t)width * (size_t)height * sizeof(float))};
    gl->MemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    if (got.texels)
        gl->GetTexImage(GL_TEXTURE_2D, level, GL_RGBA, GL_FLOAT, got.texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    accuracy out = reference_compare(&got, exact, scale);
    if (out.checked && !isfinite(out.snr_db)) // nothing to tell them apart by
        out.snr_db = 999;
    picture_free(&got);
    return out;
}

// ---- ways that draw ----------------------------------------------------------------------------

const char *const down_subjects[DOWN_WAYS] = {"glGenerateMipmap", "blits", "progressive",
                                              "fragment loop"};

GLuint down_chain(const GladGLContext *gl, GLenum format, const picture *source)
{
    GLuint name = 0;
    int levels = 1;
    while (source->width >> levels > 0 || source->height >> levels > 0)
        levels++;
    while (gl->GetError() != GL_NO_ERROR)
        ; // only ours counts below
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, levels, format, source->width, source->height);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, source->width, source->height, GL_RGBA, GL_FLOAT,
                      source->texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return gl->GetError() == GL_NO_ERROR ? name : 0;
}

static bool record(void *user, int set)
{
    const drawn *self = user;
    down_ways_record(&self->ways, self->way, self->sources[set]);
    return true;
}

int drawn_measure(bench *owner, GLenum format, const picture *source, down_way way, int levels,
                  report_row *row, drawn *out)
{
    char error[512] = "";
    *out = (drawn){.owner = owner, .way = way};
    out->sets = measure_sets((double)row->bytes, owner->cold_bytes);
    if (!down_ways_open(&owner->gpu.gl, format, source->width, source->height, levels, &out->ways,
                        error, sizeof error))
        return fail(STATUS_FAILED, "%s: %s", down_subjects[way], error);
    down_ways_create(&out->ways, way);
    for (int i = 0; i < out->sets; i++)
        if (!(out->sources[i] = down_chain(&owner->gpu.gl, format, source)))
            return fail(STATUS_FAILED, "GL has no memory for %d chains", out->sets);
    const measure_work work = {record, NULL, out, out->sets};
    return measure(&owner->timer, &work, owner->samples, &row->times)
               ? STATUS_OK
               : fail(STATUS_FAILED, "%s failed", down_subjects[way]);
}

void drawn_close(drawn *target)
{
    if (!target->owner)
        return;
    target->owner->gpu.gl.DeleteTextures(target->sets, target->sources);
    down_ways_close(&target->ways);
}
