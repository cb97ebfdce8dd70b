// down_case.c - what the files of the bench "downsample" share
// SPDX-License-Identifier: MIT
#include "down_case.h"

#include "cli/effect.h"
#include "cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double overlap(int from, int to, int i, int j)
{
    long long cell = (long long)i * from, texel = (long long)j * to;
    long long low = cell > texel ? cell : texel;
    long long high = cell + from < texel + to ? cell + from : texel + to;
    return high > low ? (double)(high - low) / from : 0;
}

double *down_exact(const picture *source, int width, int height)
{
    int from = source->width, rows = source->height;
    double *across = calloc(3 * (size_t)width * (size_t)rows, sizeof *across);
    double *out = calloc(3 * (size_t)width * (size_t)height, sizeof *out);
    for (int y = 0; across && out && y < rows; y++)
        for (int x = 0; x < width; x++)
            for (int j = (int)((long long)x * from / width);
                 (long long)j * width < (long long)(x + 1) * from; j++)
                for (int c = 0; c < 3; c++)
                    across[3 * ((size_t)y * (size_t)width + (size_t)x) + (size_t)c] +=
                        overlap(from, width, x, j) *
                        (double)
                            source->texels[4 * ((size_t)y * (size_t)from + (size_t)j) + (size_t)c];
    for (int y = 0; across && out && y < height; y++)
        for (int j = (int)((long long)y * rows / height);
             (long long)j * height < (long long)(y + 1) * rows; j++)
            for (int x = 0; x < 3 * width; x++)
                out[3 * (size_t)y * (size_t)width + (size_t)x] +=
                    overlap(rows, height, y, j) * across[3 * (size_t)j * (size_t)width + (size_t)x];
    free(across);
    return out;
}

static int levels_of(int width, int height)
{
    int levels = 1;
    while (width >> levels > 0 || height >> levels > 0)
        levels++;
    return levels;
}

GLuint down_chain(const GladGLContext *gl, GLenum format, const picture *source)
{
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, levels_of(source->width, source->height), format, source->width,
                     source->height);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, source->width, source->height, GL_RGBA, GL_FLOAT,
                      source->texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return gl->GetError() == GL_NO_ERROR ? name : 0;
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

static ag_texture view(GLuint name, GLenum format, bench_size size)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .name = name,
                        .target = GL_TEXTURE_2D,
                        .format = format,
                        .width = size.width,
                        .height = size.height};
}

int down_pass_open(bench *owner, const char *effect, const char *const *settings, GLuint source,
                   GLenum format, bench_size size, const bench_size *targets, int count,
                   down_pass *out)
{
    const ag_api *api = owner->api;
    *out = (down_pass){.owner = owner, .targets = count};
    const ag_effect_info *info = effect_find(api, effect);
    out->settings = info ? calloc(1, info->settings_size) : NULL;
    if (!out->settings)
        return fail_memory();
    ag_status status = api->defaults(effect, out->settings, info->settings_size);
    for (; settings && *settings; settings++)
        if (effect_set(info, *settings, out->settings) != STATUS_OK)
            return STATUS_FAILED;
    out->slots[0] = view(source, format, size);
    for (int i = 0; i < count; i++)
        out->slots[1 + i] =
            view(picture_texture(&owner->gpu.gl, format, targets[i].width, targets[i].height, NULL),
                 format, targets[i]);
    out->job = (ag_job){.struct_size = sizeof(ag_job),
                        .slots = out->slots,
                        .slot_count = 1 + (uint32_t)count,
                        .settings = out->settings,
                        .next_use = AG_USE_SAMPLE};
    if (status >= 0)
        status = api->pass_create(owner->device, effect, &out->pass);
    if (status >= 0)
        status = api->prepare(out->pass, &out->job);
    return status >= 0 ? STATUS_OK
                       : fail(STATUS_FAILED, "%s: %s", effect, api->status_text(status));
}

void down_pass_close(down_pass *target)
{
    if (!target->owner)
        return;
    const ag_api *api = target->owner->api;
    api->pass_destroy(target->pass);
    api->forget(target->owner->device, target->slots[0].name);
    for (int i = 1; i <= target->targets; i++) {
        api->forget(target->owner->device, target->slots[i].name);
        target->owner->gpu.gl.DeleteTextures(1, &target->slots[i].name);
    }
    free(target->settings);
    *target = (down_pass){0};
}
