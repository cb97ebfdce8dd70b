// viewer/frame.c - the frame: what lives from frame to frame, and the order in which it is drawn
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "frame.h"

#include "frame_build.h"
#include "report.h"
#include "shader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { KERNEL = 31, CANVAS_STEP = 256, SETTLE_FRAMES = 30 };

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// ---- the module
// -------------------------------------------------------------------------

// host.user is the frame; GL functions come from who gave it.
static struct gl_source {
    void *(*proc)(void *, const char *);
    void *user;
} source;

static void *load(void *user, const char *name)
{
    (void)user;
    return source.proc(source.user, name);
}

static void on_log(void *user, const ag_message *message)
{
    frame *f = user;
    if (message->level == AG_LOG_ERROR)
        snprintf(f->log, sizeof f->log, "%s", message->text);
    if (!f->quiet)
        fprintf(stderr, "afterglow: %s\n", message->text);
}

static void on_span(void *user, const ag_span *span)
{
    frame *f = user;
    bool placed = span->clock_error != AG_NO_CLOCK;
    f->spans[f->span_count++ % FRAME_SPANS] = (frame_span){span->effect,
                                                           span->name,
                                                           span->step == AG_WHOLE_PASS,
                                                           span->frame,
                                                           placed ? span->host_begin : 0,
                                                           placed ? span->host_end : 0,
                                                           span->cpu_begin,
                                                           span->cpu_end};
}

static size_t load_program(void *user, const char *key, void *data, size_t capacity)
{
    const frame *f = user;
    return cache_load(&f->programs, key, data, capacity);
}

static void store_program(void *user, const char *key, const void *data, size_t bytes)
{
    const frame *f = user;
    cache_store(&f->programs, key, data, bytes);
}

static bool open_module(frame *f)
{
    const ag_device_desc desc = {.struct_size = sizeof desc,
                                 .shader_dir = f->shaders,
                                 .timer_capacity = 4096,
                                 .copy_speed = f->copy_speed};
    return graph_open(&f->graph, f->gl, f->module, &f->host, &desc);
}

// ---- passes from folders

static const ag_effect_info *read_folder(const frame *f, const char *folder)
{
    const ag_effect_info *info = NULL;
    return f->graph.ag->pass_load(f->graph.device, folder, &info) < 0 ? NULL : info;
}

bool frame_load(frame *f, const char *folder)
{
    const ag_effect_info *info = f->graph.device ? read_folder(f, folder) : NULL;
    int known = 0;
    while (known < f->folder_count && strcmp(f->folders[known], folder) != 0)
        known++;
    if (info && (known == FRAME_FOLDERS || strlen(folder) >= FRAME_PATH)) {
        snprintf(f->log, sizeof f->log, "%s: there are too many folders", folder);
        return false;
    }
    if (info && known == f->folder_count)
        strcpy(f->folders[f->folder_count++], folder);
    node *n = info ? frame_find(f, info->id) : NULL;
    n = info && !n ? frame_add(f, info->id) : n;
    if (!n)
        return false;
    n->on = true;
    f->dirty = true;
    return true;
}

node *frame_node(frame *f, int index)
{
    return index < f->node_count ? &f->nodes[index] : &f->others[index - f->node_count];
}

// Descriptions that edits have changed.
static void follow_folders(frame *f)
{
    for (int i = 0; i < f->folder_count; i++) {
        const ag_effect_info *info = read_folder(f, f->folders[i]);
        for (int k = 0; info && k < f->node_count + f->other_count; k++) {
            node *n = frame_node(f, k);
            if (strcmp(n->id, info->id) == 0 && n->info != info &&
                node_describe(n, f->graph.ag, info))
                f->dirty = true;
        }
    }
}

uint32_t frame_effects(const frame *f, const ag_effect_info *all[FRAME_EFFECTS])
{
    uint32_t count = 0, found = 0;
    const ag_effect_info *const *effects = f->graph.ag->effects(&count);
    for (uint32_t i = 0; i < count && found < FRAME_EFFECTS; i++)
        all[found++] = effects[i];
    for (int i = 0; i < f->folder_count && found < FRAME_EFFECTS; i++) {
        const ag_effect_info *info = read_folder(f, f->folders[i]);
        if (info)
            all[found++] = info;
    }
    return found;
}

static const ag_effect_info *find_effect(const frame *f, const char *id)
{
    const ag_effect_info *all[FRAME_EFFECTS];
    uint32_t count = frame_effects(f, all);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i]->id, id) == 0)
            return all[i];
    return NULL;
}

// The module on disk may be another one, with other effects: those that it lacks leave the chain.
static int keep_nodes(const frame *f, node *nodes, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const ag_effect_info *info = find_effect(f, nodes[i].id);
        nodes[i].ag_pass = NULL;
        nodes[i].works = false;
        nodes[i].info = info;
        if (info && info->settings_size == nodes[i].settings_size)
            nodes[kept++] = nodes[i];
        else
            node_close(&nodes[i], f->gl);
    }
    return kept;
}

bool frame_reload(frame *f)
{
    graph_close(&f->graph);
    f->span_count = 0; // their names went with the module
    f->dirty = true;
    if (!open_module(f))
        return false;
    f->node_count = keep_nodes(f, f->nodes, f->node_count);
    f->other_count = keep_nodes(f, f->others, f->other_count);
    return true;
}

// ---- open and close
// -------------------------------------------------------------------------

// A disc whose sum is 1: what a lens that is out of focus does to a point.
static GLuint make_kernel(const GladGLContext *gl)
{
    float taps[KERNEL * KERNEL], sum = 0;
    GLuint name = 0;
    for (int i = 0; i < KERNEL * KERNEL; i++) {
        float x = (float)(i % KERNEL - KERNEL / 2), y = (float)(i / KERNEL - KERNEL / 2);
        taps[i] = fminf(fmaxf(KERNEL * 0.45f - sqrtf(x * x + y * y), 0), 1);
        sum += taps[i];
    }
    for (int i = 0; i < KERNEL * KERNEL; i++)
        taps[i] /= sum;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_R32F, KERNEL, KERNEL);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, KERNEL, KERNEL, GL_RED, GL_FLOAT, taps);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

bool frame_open(frame *f, const GladGLContext *gl, void *(*gl_proc)(void *, const char *),
                void *user, const char *module, const char *shaders)
{
    f->gl = gl;
    f->module = module;
    f->shaders = shaders;
    source = (struct gl_source){gl_proc, user};
    f->host = (ag_host){.struct_size = sizeof f->host,
                        .user = f,
                        .gl_proc = load,
                        .log = on_log,
                        .span = on_span,
                        .cache_load = load_program,
                        .cache_store = store_program};
    cache_open(&f->programs);
    own_defaults(&own_info[OWN_SCENE], &f->street);
    own_defaults(&own_info[OWN_PARTICLES], &f->particles);
    own_defaults(&own_info[OWN_VIEW], &f->view);
    camera_reset(&f->camera);
    timers_open(&f->timers, gl);
    gl->GenVertexArrays(1, &f->nothing);
    gl->GenFramebuffers(1, &f->target);
    f->copy = shader_draw(gl, "screen.vert", "copy.frag");
    f->present = shader_draw(gl, "screen.vert", "present.frag");
    f->kernel = make_kernel(gl);
    f->number = 1;
    f->dirty = true;
    return scene_open(&f->scene, gl) && f->copy && f->present && open_module(f);
}

void frame_close(frame *f)
{
    if (!f->gl)
        return;
    graph_close(&f->graph);
    for (int i = 0; i < f->node_count + f->other_count; i++)
        node_close(frame_node(f, i), f->gl);
    cache_close(&f->programs);
    scene_close(&f->scene);
    timers_close(&f->timers);
    f->gl->DeleteTextures(1, &f->kernel);
    f->gl->DeleteTextures(1, &f->canvas);
    f->gl->DeleteTextures(1, &f->image.name);
    f->gl->DeleteVertexArrays(1, &f->nothing);
    f->gl->DeleteFramebuffers(1, &f->target);
    f->gl->DeleteProgram(f->copy);
    f->gl->DeleteProgram(f->present);
}

// ---- what is shown
// -------------------------------------------------------------------------

void frame_use_image(frame *f, GLuint name, int width, int height)
{
    if (f->image.name)
        f->graph.ag->forget(f->graph.device, f->image.name);
    f->gl->DeleteTextures(1, &f->image.name);
    f->image = (frame_image){.name = name, .width = width, .height = height};
    f->dirty = true;
}

// ---- the chain

node *frame_find(frame *f, const char *name)
{
    for (node *n = f->nodes; n < f->nodes + f->node_count; n++)
        if (strcmp(n->name, name) == 0)
            return n;
    return NULL;
}

node *frame_add(frame *f, const char *id)
{
    const ag_effect_info *info = find_effect(f, id);
    node *n = &f->nodes[f->node_count];
    if (!info || f->node_count == NODES_MOST) {
        snprintf(f->log, sizeof f->log,
                 info ? "%s: the chain has %d effects already" : "%s: no such effect", id,
                 f->node_count);
        return NULL;
    }
    if (!node_open(n, f->graph.ag, info)) {
        node_close(n, NULL);
        return NULL;
    }
    for (int number = 2; frame_find(f, n->name); number++)
        snprintf(n->name, sizeof n->name, "%s-%d", info->id, number);
    f->node_count++;
    f->dirty = true;
    return n;
}

// Its pass and its textures go; the graph is built anew before the next frame.
static void drop_node(frame *f, node *n)
{
    for (int i = 0; i < GRAPH_SLOTS; i++)
        if (n->states[i])
            f->graph.ag->forget(f->graph.device, n->states[i]);
    if (n->ag_pass)
        f->graph.ag->pass_destroy(n->ag_pass);
    node_close(n, f->gl);
    f->dirty = true;
}

void frame_remove(frame *f, int index)
{
    if (strcmp(f->inspect_id, f->nodes[index].name) == 0)
        frame_inspect(f, "", 0);
    drop_node(f, &f->nodes[index]);
    f->node_count--;
    memmove(f->nodes + index, f->nodes + index + 1,
            (size_t)(f->node_count - index) * sizeof *f->nodes);
}

void frame_move(frame *f, int index, int by)
{
    int to = index + by;
    if (to < 0 || to >= f->node_count)
        return;
    node moved = f->nodes[index];
    f->nodes[index] = f->nodes[to];
    f->nodes[to] = moved;
    f->dirty = true;
}

// ---- A and B

void frame_copy_side(frame *f)
{
    for (int i = 0; i < f->other_count; i++)
        drop_node(f, &f->others[i]);
    f->other_count = 0;
    for (int i = 0; i < f->node_count; i++)
        if (node_copy(&f->others[f->other_count], f->graph.ag, &f->nodes[i]))
            f->other_count++;
        else
            node_close(&f->others[f->other_count], NULL);
    f->other_view = f->view;
    memcpy(f->presets[!f->side], f->presets[f->side], sizeof f->presets[0]);
    f->has_other = true;
    f->dirty = true;
}

void frame_swap(frame *f)
{
    if (!f->has_other)
        frame_copy_side(f);
    for (int i = 0; i < NODES_MOST; i++) {
        node kept = f->nodes[i];
        f->nodes[i] = f->others[i];
        f->others[i] = kept;
    }
    int count = f->node_count;
    f->node_count = f->other_count;
    f->other_count = count;
    // How the two are compared stays.
    view_settings now = f->view;
    f->view.exposure = f->other_view.exposure;
    f->view.automatic = f->other_view.automatic;
    f->view.tonemap = f->other_view.tonemap;
    f->other_view = now;
    f->side = !f->side;
    f->dirty = true;
}

bool frame_compares(const frame *f)
{
    return f->view.split && f->view.against == AGAINST_OTHER;
}

// ---- what the inspector shows

void frame_inspect(frame *f, const char *name, int slot)
{
    char copy[sizeof f->inspect_id]; // `name` may be the present one
    snprintf(copy, sizeof copy, "%s", name);
    memcpy(f->inspect_id, copy, sizeof copy);
    f->inspect_slot = slot;
    f->dirty = true; // it has to outlive the frame now
}

const graph_texture *frame_inspected(const frame *f)
{
    const graph *g = &f->graph;
    int texture = GRAPH_NONE;
    if (!f->inspect_id[0])
        return NULL;
    if (strcmp(f->inspect_id, "scene") == 0)
        texture = f->image.name ? 0 : f->inspect_slot == SCENE_COLOUR ? f->before : f->inspect_slot;
    for (const node *n = f->nodes; n < f->nodes + f->node_count; n++)
        if (n->works && strcmp(n->name, f->inspect_id) == 0)
            texture = n->textures[f->inspect_slot];
    return texture >= 0 && texture < g->texture_count ? &g->textures[texture] : NULL;
}

// ---- sizes
// -------------------------------------------------------------------------

static bool make_canvas(frame *f, int width, int height)
{
    if (f->canvas && width <= f->made_canvas[0] && height <= f->made_canvas[1])
        return false;
    // In steps, so that a window that is dragged does not make one a frame.
    f->made_canvas[0] = (width + CANVAS_STEP - 1) / CANVAS_STEP * CANVAS_STEP;
    f->made_canvas[1] = (height + CANVAS_STEP - 1) / CANVAS_STEP * CANVAS_STEP;
    f->gl->DeleteTextures(1, &f->canvas);
    f->gl->GenTextures(1, &f->canvas);
    f->gl->BindTexture(GL_TEXTURE_2D, f->canvas);
    f->gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, f->made_canvas[0], f->made_canvas[1]);
    f->gl->BindTexture(GL_TEXTURE_2D, 0);
    return true;
}

static int scaled(int length, float scale)
{
    int texels = (int)((float)length * scale + 0.5f);
    return texels > 1 ? texels : 1;
}

// The largest rectangle of the picture's shape in another.
static void fit(const int in[4], int width, int height, int out[4])
{
    double scale = fmin((double)in[2] / width, (double)in[3] / height);
    out[2] = (int)fmax(width * scale + 0.5, 1);
    out[3] = (int)fmax(height * scale + 0.5, 1);
    out[0] = in[0] + (in[2] - out[2]) / 2;
    out[1] = in[1] + (in[3] - out[3]) / 2;
}

bool frame_size(frame *f, int canvas_width, int canvas_height, const int rect[4])
{
    f->dirty = make_canvas(f, canvas_width, canvas_height) || f->dirty;
    f->canvas_width = canvas_width;
    f->canvas_height = canvas_height;
    memcpy(f->rect, rect, sizeof f->rect);
    int width = scaled(rect[2], f->street.scale), height = scaled(rect[3], f->street.scale);
    if (f->image.name) {
        width = f->image.width;
        height = f->image.height;
        fit(rect, width, height, f->rect);
    }
    bool same = width == f->width && height == f->height;
    f->width = width;
    f->height = height;
    bool planned = width == f->planned[0] && height == f->planned[1];
    f->settle = planned || !same ? 0 : f->settle + 1;
    if (f->dirty || f->settle > SETTLE_FRAMES || f->image.name) {
        f->dirty = f->dirty || !planned;
        f->planned[0] = width;
        f->planned[1] = height;
        f->settle = 0;
    } else if (width > f->planned[0] || height > f->planned[1]) {
        // While it grows, some room ahead, so that the frames of a drag prepare nothing.
        f->planned[0] = width > f->planned[0] ? width + width / 8 : f->planned[0];
        f->planned[1] = height > f->planned[1] ? height + height / 8 : f->planned[1];
        f->dirty = true;
    } else if (!same) {
        f->quiet = true;
        bool done = graph_resize(&f->graph, width, height);
        f->quiet = false;
        if (!done) {
            f->planned[0] = width;
            f->planned[1] = height;
            f->dirty = true;
        }
    }
    return true;
}

// ---- a frame
// -------------------------------------------------------------------------

static void begin_moment(frame *f, float dt)
{
    scene_frame *m = &f->moment;
    m->before = m->now;
    camera_look(&f->camera.now, (float)f->width / (float)f->height, &m->now);
    if (!f->has_before || m->width != f->width || m->height != f->height)
        m->before = m->now;
    f->has_before = true;
    m->dt = dt * f->street.speed;
    m->time = f->time;
    m->number = f->number;
    m->width = f->width;
    m->height = f->height;
    f->time += m->dt;
}

static void clear_canvas(frame *f)
{
    static const GLfloat dark[4] = {0.043f, 0.047f, 0.055f, 1};
    f->gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, f->target);
    f->gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, f->canvas,
                                0);
    f->gl->ClearBufferfv(GL_COLOR, 0, dark);
    f->gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

bool frame_draw(frame *f, float dt)
{
    uint64_t begin = now_ns();
    timers_begin(&f->timers);
    if (f->graph.device)
        follow_folders(f);
    if (frame_compares(f) && !f->has_other)
        frame_copy_side(f);
    f->dirty = f->dirty || frame_compares(f) != (f->other != GRAPH_NONE);
    bool done = f->graph.device && (f->dirty ? frame_build(f) : true);
    if (done)
        frame_refresh(f);
    begin_moment(f, dt);
    f->graph.dt = dt;
    clear_canvas(f);
    done = done && graph_execute(&f->graph, f->number);
    f->number++;
    timers_end(&f->timers, (float)(now_ns() - begin) * 1e-6f);
    return done;
}
