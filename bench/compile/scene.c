// scene.c - the textures and the job of a plan, as a host would create them
// SPDX-License-Identifier: MIT
#include "cli/effect.h"
#include "cli/report.h"
#include "compile.h"
#include "picture.h"

#include <stdlib.h>
#include <string.h>

static GLuint make_texture(const GladGLContext *gl, const compile_slot *slot, int width, int height)
{
    GLuint name = 0;
    int levels = 1;
    for (int size = width > height ? width : height; slot->levels && size > 1; size /= 2)
        levels++;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, levels, slot->format, width, height);
    picture kernel = {0};
    if (slot->kernel)
        kernel = picture_kernel(width, height, false);
    if (kernel.texels)
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_FLOAT, kernel.texels);
    picture_free(&kernel);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

static int make_slots(const compile_plan *plan, compile_scene *out)
{
    for (size_t i = 0; i < sizeof out->slots / sizeof *out->slots; i++)
        out->slots[i].struct_size = sizeof out->slots[i];
    for (int i = 0; i < COMPILE_SLOTS && plan->slots[i].name; i++) {
        const compile_slot *slot = &plan->slots[i];
        int at = effect_find_slot(out->effect, slot->name, strlen(slot->name));
        if (at < 0)
            return STATUS_FAILED;
        int width = slot->width ? slot->width : plan->width;
        int height = slot->height ? slot->height : plan->height;
        out->names[i] = make_texture(out->gl, slot, width, height);
        out->slots[at] = (ag_texture){.struct_size = sizeof out->slots[at],
                                      .name = out->names[i],
                                      .target = GL_TEXTURE_2D,
                                      .format = slot->format,
                                      .width = width,
                                      .height = height};
    }
    return STATUS_OK;
}

int scene_open(const GladGLContext *gl, const ag_api *api, const compile_plan *plan,
               compile_scene *out)
{
    *out = (compile_scene){.gl = gl, .effect = effect_find(api, plan->effect)};
    if (!out->effect)
        return STATUS_FAILED;
    if (out->effect->slot_count > sizeof out->slots / sizeof *out->slots)
        return fail(STATUS_FAILED, "%s has too many slots for the bench", plan->effect);
    out->settings = calloc(1, out->effect->settings_size);
    if (!out->settings)
        return fail_memory();
    int status = make_slots(plan, out);
    if (status == STATUS_OK &&
        api->defaults(plan->effect, out->settings, out->effect->settings_size) < 0)
        status = fail(STATUS_FAILED, "%s has no defaults", plan->effect);
    for (int i = 0; i < COMPILE_SETTINGS && status == STATUS_OK; i++)
        if (plan->settings[i])
            status = effect_set(out->effect, plan->settings[i], out->settings);
    out->job = (ag_job){.struct_size = sizeof out->job,
                        .slots = out->slots,
                        .slot_count = out->effect->slot_count,
                        .settings = out->settings,
                        .next_use = AG_USE_SAMPLE};
    return status;
}

void scene_close(compile_scene *target)
{
    if (target->gl)
        target->gl->DeleteTextures(COMPILE_SLOTS, target->names); // 0 is skipped
    free(target->settings);
    *target = (compile_scene){0};
}
