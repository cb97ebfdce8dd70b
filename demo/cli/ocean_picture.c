// cli/ocean_picture.c - a picture of the surface that the effect "ocean" made
// SPDX-License-Identifier: MIT
#include "ocean_picture.h"
#include "report.h"
#include "texture.h"

#include <afterglow/bloom.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 128, GROUP = 8 };

// The variance of the slopes of each cascade, and how high crests are, from the maps themselves.
static int measure_sea(const GladGLContext *gl, const ocean_maps *maps, int size, int cascades,
                       float variances[4], float *crest)
{
    size_t texels = (size_t)size * (size_t)size;
    float *values = malloc(texels * (size_t)cascades * 4 * sizeof *values);
    if (!values)
        return fail_memory();
    double height = 0;
    for (int map = 0; map < 2; map++) {
        gl->BindTexture(GL_TEXTURE_2D_ARRAY, map ? maps->derivatives : maps->displacement);
        gl->GetTexImage(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA, GL_FLOAT, values);
        for (int c = 0; c < cascades; c++) {
            double sum = 0;
            for (size_t i = 0; i < texels; i++) {
                const float *v = values + ((size_t)c * texels + i) * 4;
                sum += map ? 0.5 * ((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1])
                           : (double)v[1] * (double)v[1];
            }
            if (map)
                variances[c] = (float)(sum / (double)texels);
            else
                height += sum / (double)texels;
        }
    }
    *crest = (float)(4.2 * sqrt(height) + 0.05);
    free(values);
    return STATUS_OK;
}

static void bind_map(const GladGLContext *gl, GLuint unit, GLuint map)
{
    gl->ActiveTexture(GL_TEXTURE0 + unit);
    gl->BindTexture(GL_TEXTURE_2D_ARRAY, map);
    gl->GenerateMipmap(GL_TEXTURE_2D_ARRAY);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_REPEAT);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_REPEAT);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
}

// In tiles: a dispatch of the whole picture can exceed the time limit of a driver's watchdog.
static void render(const GladGLContext *gl, GLuint program, const ag_ocean_settings *settings,
                   const float variances[4], float crest, int width, int height)
{
    int columns = (width + TILE - 1) / TILE, rows = (height + TILE - 1) / TILE;
    gl->UseProgram(program);
    gl->Uniform4i(1, settings->cascades, 32 << settings->size, 0, 0);
    gl->Uniform4f(2, settings->lengths[0], settings->lengths[1], settings->lengths[2], crest);
    gl->Uniform4fv(3, 1, variances);
    for (int i = 0; i < columns * rows; i++) {
        int x = i % columns * TILE, y = i / columns * TILE;
        gl->Uniform4i(0, x, y, width, height);
        gl->DispatchCompute(TILE / GROUP, TILE / GROUP, 1);
        gl->Finish();
        progress("tiles", i + 1, columns * rows);
    }
    progress_clear();
    gl->UseProgram(0);
}

// Lights spread as in a lens: the sun and its glitter are far above white.
static int bloom(session *owner, const texture *picture, const texture *bloomed)
{
    const ag_api *api = owner->api;
    ag_bloom_settings look = AG_BLOOM_DEFAULTS;
    look.intensity = 0.14f;
    look.size = 0.55f;
    look.blades = 8;
    ag_texture slots[3] = {texture_view(picture),
                           {.struct_size = sizeof(ag_texture)},
                           texture_view(bloomed)};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 3,
                  .settings = &look,
                  .next_use = AG_USE_COPY};
    ag_pass *pass = NULL;
    ag_status status = api->pass_create(owner->device, "bloom", &pass);
    if (status >= 0)
        status = api->run(pass, &job);
    int result = session_check(owner, status, STATUS_FAILED, "bloom");
    api->pass_destroy(pass);
    return result;
}

int ocean_picture(session *owner, const ocean_maps *maps, const ag_ocean_settings *settings,
                  int width, int height, image *out)
{
    const GladGLContext *gl = &owner->gpu.gl;
    const format_info *format = format_find(FORMAT_FLOAT32, 4);
    texture picture = {0}, bloomed = {0};
    GLuint program = 0;
    float variances[4] = {0}, crest = 0;
    int status =
        texture_create(&owner->gpu, "the picture", format, width, height, 0, false, &picture);
    if (status == STATUS_OK)
        status = texture_create(&owner->gpu, "the bloomed picture", format, width, height, 0, false,
                                &bloomed);
    if (status == STATUS_OK)
        status = gpu_program(&owner->gpu, ag_embedded_scene, "ocean.comp", &program);
    if (status == STATUS_OK)
        status = measure_sea(gl, maps, 32 << settings->size, settings->cascades, variances, &crest);
    if (status == STATUS_OK) {
        bind_map(gl, 1, maps->derivatives);
        bind_map(gl, 0, maps->displacement);
        gl->BindImageTexture(0, picture.name, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
        render(gl, program, settings, variances, crest, width, height);
        gl->MemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
        status = bloom(owner, &picture, &bloomed);
    }
    if (status == STATUS_OK)
        status = texture_read(&owner->gpu, &bloomed, 0, out);
    gl->DeleteProgram(program);
    texture_destroy(&owner->gpu, &picture);
    texture_destroy(&owner->gpu, &bloomed);
    return status;
}
