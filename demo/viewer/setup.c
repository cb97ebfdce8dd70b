// viewer/setup.c - what a window and frames without one begin with alike
// SPDX-License-Identifier: MIT
#include "setup.h"

#include "capture.h"
#include "copy_speed.h"
#include "module.h"
#include "preset.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_SIZE = 4096 };

static const setup_gl *loading;

static GLADapiproc load(const char *name)
{
    void *address = loading->proc(loading->user, name);
    GLADapiproc function;
    memcpy(&function, &address, sizeof function);
    return function;
}

bool setup_load(const setup_gl *from, GladGLContext *gl)
{
    loading = from;
    if (gladLoadGLContext(gl, load) && gl->VERSION_4_3)
        return true;
    fail(STATUS_FAILED, "this OpenGL is older than 4.3: %s",
         gl->GetString ? (const char *)gl->GetString(GL_VERSION) : "no functions");
    return false;
}

// A software renderer has no copy speed worth naming.
static uint32_t measure_copy(const GladGLContext *gl)
{
    const char *renderer = (const char *)gl->GetString(GL_RENDERER);
    gpu_timer timer;
    copy_speed speed = {0};
    char error[256];
    if (strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe"))
        return 0;
    bool done = gpu_timer_create(gl, &timer, error, sizeof error) &&
                copy_speed_measure(&timer, COPY_SIZE, &speed, error, sizeof error);
    gpu_timer_destroy(&timer);
    return done ? (uint32_t)(speed.gb_s * 1e3) : 0;
}

static int select_inspected(frame *f, const char *text)
{
    const char *dot = strchr(text, '.');
    char id[48] = "";
    if (dot && (size_t)(dot - text) < sizeof id)
        memcpy(id, text, (size_t)(dot - text));
    const node *n = frame_find(f, id);
    for (int i = 0; dot && n && i < (int)n->info->slot_count; i++)
        if (strcmp(node_slot(n->info, i)->name, dot + 1) == 0) {
            frame_inspect(f, n->name, i);
            return STATUS_OK;
        }
    for (int i = 0; dot && strcmp(id, "scene") == 0 && i < SCENE_TEXTURES; i++)
        if (strcmp(scene_textures[i].name, dot + 1) == 0) {
            frame_inspect(f, "scene", i);
            return STATUS_OK;
        }
    return fail(STATUS_USAGE,
                "--inspect %s: expected EFFECT.SLOT as `afterglow list` has them, or "
                "scene.normal, scene.albedo, scene.motion, scene.depth",
                text);
}

// The second one is B.
static bool load_presets(frame *f, const char *const presets[2])
{
    if (presets[0] && !preset_load(f, presets[0]))
        return false;
    if (!presets[1])
        return true;
    frame_swap(f);
    bool loaded = preset_load(f, presets[1]);
    frame_swap(f);
    f->view.split = true;
    f->view.against = AGAINST_OTHER;
    return loaded;
}

int setup_frame(frame *f, const GladGLContext *gl, const setup_gl *from,
                const viewer_command *wanted)
{
    static char found[4096];
    const char *module = wanted->module ? wanted->module : "libafterglow.so.1";
    f->copy_speed = measure_copy(gl);
    if (!frame_open(f, gl, from->proc, from->user, module_find(module, found, sizeof found),
                    wanted->shaders))
        return STATUS_FAILED;
    preset_initial(f);
    for (int i = 0; i < wanted->pass_count; i++)
        if (!frame_load(f, wanted->passes[i]))
            return fail(STATUS_USAGE, "--pass %s: %s", wanted->passes[i], f->log);
    if ((wanted->image && !capture_load(f, wanted->image)) || !load_presets(f, wanted->presets) ||
        (wanted->path && !camera_load(&f->camera, wanted->path)))
        return STATUS_USAGE;
    camera_play(&f->camera, wanted->path != NULL);
    for (int i = 0; i < wanted->set_count; i++)
        if (preset_set(f, wanted->sets[i]) != STATUS_OK)
            return STATUS_USAGE;
    return wanted->inspect ? select_inspected(f, wanted->inspect) : STATUS_OK;
}
