// viewer/frame_build.c - which passes and textures a frame has: from the effects' own descriptions
// SPDX-License-Identifier: MIT
#include "frame_build.h"

#include "report.h"

#include <stdio.h>
#include <string.h>

enum { FEEDS = 16 };

typedef struct feed { // a texture that slots of this name can have
    const char *name;
    int texture;
} feed;

typedef struct builder {
    frame *f;
    graph *g;
    feed feeds[FEEDS]; // [0] is "src": the picture as far as it is
    int feed_count;
} builder;

// ---- textures and the viewer's own passes
// ---------------------------------------------------------

static int add_texture(builder *b, graph_texture t)
{
    if (b->g->texture_count == GRAPH_MAX)
        return GRAPH_NONE;
    b->g->textures[b->g->texture_count] = t;
    return b->g->texture_count++;
}

static int add_picture(builder *b, const char *label, uint32_t format)
{
    return add_texture(b, (graph_texture){.label = label,
                                          .format = format,
                                          .width = b->f->planned[0],
                                          .height = b->f->planned[1],
                                          .scales = true});
}

static uint32_t record_street(void *user, const graph *g, const graph_pass *p)
{
    frame *f = user;
    GLuint names[SCENE_TEXTURES];
    for (int i = 0; i < SCENE_TEXTURES; i++)
        names[i] = g->textures[p->slots[i]].name;
    int timer = timers_start(&f->timers, "scene");
    scene_street(&f->scene, &f->street, f->particles.fall == FALL_RAIN ? 1 : 0, &f->moment, names);
    timers_stop(&f->timers, timer);
    return GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT |
           GL_FRAMEBUFFER_BARRIER_BIT;
}

static uint32_t record_particles(void *user, const graph *g, const graph_pass *p)
{
    frame *f = user;
    int timer = timers_start(&f->timers, "particles");
    scene_particles(&f->scene, &f->particles, f->street.seed, &f->moment,
                    g->textures[p->slots[1]].name, g->textures[p->slots[0]].name);
    timers_stop(&f->timers, timer);
    return 0;
}

static void draw(frame *f, GLuint program, GLuint target, GLuint texture)
{
    const GladGLContext *gl = f->gl;
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, f->target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target, 0);
    gl->UseProgram(program);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, texture);
    gl->BindVertexArray(f->nothing);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->BindVertexArray(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->UseProgram(0);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

static uint32_t record_copy(void *user, const graph *g, const graph_pass *p)
{
    frame *f = user;
    int timer = timers_start(&f->timers, "copy");
    f->gl->Viewport(0, 0, f->width, f->height);
    draw(f, f->copy, g->textures[p->slots[1]].name, g->textures[p->slots[0]].name);
    timers_stop(&f->timers, timer);
    return 0;
}

typedef struct shown_side { // a picture on the canvas
    int texture, exposure;  // of the graph; exposure GRAPH_NONE: none was found
    const view_settings *view;
    int from, to; // columns of the canvas
} shown_side;

static void draw_side(frame *f, const graph *g, const shown_side *side, GLuint canvas)
{
    const GladGLContext *gl = f->gl;
    const int *r = f->rect, y = f->canvas_height - r[1] - r[3];
    bool automatic = side->view->automatic && side->exposure != GRAPH_NONE;
    if (side->texture == GRAPH_NONE || side->to <= side->from)
        return;
    gl->ProgramUniform4f(f->present, 0, (float)r[0], (float)y, (float)r[2], (float)r[3]);
    gl->ProgramUniform2i(f->present, 1, f->width, f->height);
    gl->ProgramUniform3f(f->present, 2, side->view->exposure, side->view->tonemap == TONE_ACES,
                         automatic);
    gl->ActiveTexture(GL_TEXTURE1);
    gl->BindTexture(GL_TEXTURE_2D, automatic ? g->textures[side->exposure].name : 0);
    gl->Viewport(r[0], y, r[2], r[3]);
    gl->Enable(GL_SCISSOR_TEST);
    gl->Scissor(side->from, y, side->to - side->from, r[3]);
    draw(f, f->present, canvas, g->textures[side->texture].name);
    gl->Disable(GL_SCISSOR_TEST);
    gl->ActiveTexture(GL_TEXTURE1);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->ActiveTexture(GL_TEXTURE0);
}

enum { PRESENT_AFTER, PRESENT_AFTER_EV, PRESENT_LEFT, PRESENT_LEFT_EV, PRESENT_CANVAS };

// A is on the left of B, and before of after.
static uint32_t record_present(void *user, const graph *g, const graph_pass *p)
{
    frame *f = user;
    const int *r = f->rect;
    bool others = f->other != GRAPH_NONE;
    int bar = f->view.split ? r[0] + (int)(f->view.split_at * (float)r[2] + 0.5f) : r[0];
    shown_side after = {p->slots[PRESENT_AFTER], p->slots[PRESENT_AFTER_EV], &f->view, bar,
                        r[0] + r[2]};
    shown_side left = {p->slots[PRESENT_LEFT], p->slots[PRESENT_LEFT_EV],
                       others ? &f->other_view : &f->view, r[0], bar};
    int timer = timers_start(&f->timers, "tone map");
    if (others && f->side == 0) {
        after.from = left.from, after.to = bar;
        left.from = bar, left.to = r[0] + r[2];
    }
    draw_side(f, g, &after, g->textures[p->slots[PRESENT_CANVAS]].name);
    draw_side(f, g, &left, g->textures[p->slots[PRESENT_CANVAS]].name);
    timers_stop(&f->timers, timer);
    return 0;
}

// ---- an effect's slots
// ------------------------------------------------------------------------------

static int find_feed(const builder *b, const ag_slot_info *slot)
{
    for (int i = 0; i < b->feed_count; i++)
        if (strcmp(b->feeds[i].name, slot->name) == 0 &&
            node_takes(slot, b->g->textures[b->feeds[i].texture].format))
            return b->feeds[i].texture;
    // An effect of depth calls its input src, too: the first texture of the scene's that it takes.
    for (int i = 1; i < b->feed_count && strcmp(slot->name, "src") == 0; i++)
        if (node_takes(slot, b->g->textures[b->feeds[i].texture].format))
            return b->feeds[i].texture;
    return GRAPH_NONE;
}

// The format of what is written: of the first, most like the picture, that the slot takes after
// `skip` others.
static uint32_t choose_format(const ag_slot_info *slot, int skip)
{
    static const uint32_t liked[NODE_FORMATS] = {GL_RGBA16F, GL_RGBA32F, GL_R32F,
                                                 GL_RG32F,   GL_RG16F,   GL_R16F};
    uint32_t last = slot->format_count ? slot->formats[0] : 0;
    for (int i = 0; i < NODE_FORMATS; i++) {
        if (!node_takes(slot, liked[i]))
            continue;
        last = liked[i];
        if (skip-- == 0)
            break;
    }
    return last;
}

static int level_count(int width, int height)
{
    int most = width > height ? width : height, count = 1;
    for (; most > 1; most /= 2)
        count++;
    return count;
}

static ag_texture describe(const graph_texture *t)
{
    return (ag_texture){.struct_size = sizeof(ag_texture),
                        .target = GL_TEXTURE_2D,
                        .format = t->format,
                        .width = t->width,
                        .height = t->height,
                        .version = 1};
}

static GLuint make_state(frame *f, node *n, int slot, uint32_t format, const int32_t size[3])
{
    const GladGLContext *gl = f->gl;
    if (n->states[slot] && n->state_sizes[slot][0] == size[0] && n->state_sizes[slot][1] == size[1])
        return n->states[slot];
    if (n->states[slot] && f->graph.device)
        f->graph.ag->forget(f->graph.device, n->states[slot]);
    gl->DeleteTextures(1, &n->states[slot]);
    gl->GenTextures(1, &n->states[slot]);
    gl->BindTexture(GL_TEXTURE_2D, n->states[slot]);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, format, size[0], size[1]);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    // All zero before the first execute.
    GLuint target = 0;
    gl->GenFramebuffers(1, &target);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                             n->states[slot], 0);
    gl->ClearBufferfv(GL_COLOR, 0, (const GLfloat[4]){0});
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    gl->DeleteFramebuffers(1, &target);
    n->state_sizes[slot][0] = size[0];
    n->state_sizes[slot][1] = size[1];
    return n->states[slot];
}

// The texture of an output of this size. Returns GRAPH_NONE when there are too many.
static int make_output(builder *b, node *n, int slot, const ag_job *job, int skip)
{
    const ag_slot_info *info = node_slot(n->info, slot);
    graph_texture t = {.label = n->labels[slot],
                       .format = choose_format(info, skip),
                       .wanted = AG_USE_SAMPLE};
    int32_t size[3] = {0};
    if (b->g->ag->slot_size(n->ag_pass, job, (uint32_t)slot, size) < 0)
        return GRAPH_NONE;
    if (!size[0]) { // any size: half of the picture's
        size[0] = b->f->planned[0] > 1 ? b->f->planned[0] / 2 : 1;
        size[1] = b->f->planned[1] > 1 ? b->f->planned[1] / 2 : 1;
    }
    t.width = size[0];
    t.height = size[1];
    t.scales = size[0] == b->f->planned[0] && size[1] == b->f->planned[1] && !n->chains;
    t.levels = n->chains ? level_count(size[0], size[1]) : 0;
    if (info->access & AG_STATE)
        t.imported = make_state(b->f, n, slot, t.format, size);
    return add_texture(b, t);
}

// A chain is made in place: the picture is copied into its first level before.
static int make_chain(builder *b, node *n, int slot, int skip)
{
    int w = b->f->planned[0], h = b->f->planned[1];
    graph_texture t = {.label = n->labels[slot],
                       .width = w,
                       .height = h,
                       .scales = true,
                       .levels = level_count(w, h),
                       .format = choose_format(node_slot(n->info, slot), skip)};
    int copied = add_texture(b, t);
    if (copied == GRAPH_NONE || b->g->pass_count == GRAPH_MAX)
        return GRAPH_NONE;
    t.before = &b->g->textures[copied];
    t.wanted = AG_USE_SAMPLE;
    b->g->passes[b->g->pass_count++] = (graph_pass){.label = "copy",
                                                    .slots = {b->feeds[0].texture, copied},
                                                    .slot_count = 2,
                                                    .outputs = 2,
                                                    .record = record_copy,
                                                    .user = b->f};
    return add_texture(b, t);
}

static bool refuse(node *n, const char *format, const char *what)
{
    snprintf(n->why, sizeof n->why, format, what);
    return false;
}

// Fills the node's slots with textures; `skip`: the formats of outputs to pass over. False: says
// why in n->why.
static bool is_guide(const ag_slot_info *slot)
{
    return (slot->access & AG_OPTIONAL) &&
           (strcmp(slot->name, "albedo") == 0 || strcmp(slot->name, "normal") == 0 ||
            strcmp(slot->name, "depth") == 0);
}

static bool fill_slots(builder *b, node *n, graph_pass *p, int skip)
{
    ag_texture slots[GRAPH_SLOTS] = {0};
    ag_job job = {sizeof job, .slots = slots, .slot_count = n->info->slot_count,
                  .settings = n->settings};
    p->outputs = 0;
    for (int pass = 0; pass < 2; pass++) { // inputs first: outputs depend on them
        for (int i = 0; i < (int)n->info->slot_count; i++) {
            const ag_slot_info *slot = node_slot(n->info, i);
            bool output = (slot->access & AG_WRITE) != 0, optional = slot->access & AG_OPTIONAL;
            if (output != (pass == 1))
                continue;
            snprintf(n->labels[i], sizeof n->labels[i], "%s %s", n->name, slot->name);
            int texture = GRAPH_NONE;
            if (!output)
                texture = find_feed(b, slot);
            else if ((slot->access & AG_READ) && !(slot->access & AG_STATE))
                texture = make_chain(b, n, i, skip);
            else if (!optional || (slot->access & AG_STATE)) // denoise's history
                texture = make_output(b, n, i, &job, skip);
            if (texture == GRAPH_NONE && !optional)
                return output ? refuse(n, "%s", b->f->log[0] ? b->f->log : "too many textures")
                              : refuse(n, "needs %s, which this picture does not have", slot->name);
            p->slots[i] = n->textures[i] = texture;
            if (texture == GRAPH_NONE)
                continue;
            slots[i] = describe(&b->g->textures[texture]);
            p->outputs |= output ? 1u << i : 0;
        }
    }
    const ag_plan *plan;
    if (b->g->ag->declare(n->ag_pass, &job, &plan) >= 0)
        return true;
    // Without the guides: what an effect does not read with its present settings it may refuse.
    for (int i = 0; i < (int)n->info->slot_count; i++)
        if (!(node_slot(n->info, i)->access & AG_WRITE) && is_guide(node_slot(n->info, i))) {
            p->slots[i] = n->textures[i] = GRAPH_NONE;
            slots[i] = (ag_texture){0};
        }
    return b->g->ag->declare(n->ag_pass, &job, &plan) >= 0 || refuse(n, "%s", b->f->log);
}

static void add_node(builder *b, node *n)
{
    graph *g = b->g;
    int textures = g->texture_count, passes = g->pass_count;
    bool added = false;
    n->why[0] = b->f->log[0] = '\0';
    for (int skip = 0; skip < NODE_FORMATS && !added; skip++) {
        graph_pass p = {.label = n->info->id,
                        .effect = n->info->id,
                        .settings = n->settings,
                        .flags = AG_JOB_TIME_STEPS,
                        .pass = n->ag_pass,
                        .slot_count = (int)n->info->slot_count};
        g->texture_count = textures;
        g->pass_count = passes;
        for (int i = 0; i < GRAPH_SLOTS; i++)
            n->textures[i] = p.slots[i] = GRAPH_NONE;
        added = fill_slots(b, n, &p, skip) && g->pass_count < GRAPH_MAX;
        if (added) {
            n->pass = g->pass_count;
            g->passes[g->pass_count++] = p;
        }
    }
    n->works = added;
    if (!added) {
        g->texture_count = textures;
        g->pass_count = passes;
        return;
    }
    n->why[0] = '\0';
    for (int i = 0; i < (int)n->info->slot_count; i++) {
        const graph_texture *t = n->textures[i] == GRAPH_NONE ? NULL : &g->textures[n->textures[i]];
        bool picture = t && strcmp(node_slot(n->info, i)->name, "dst") == 0 && t->scales;
        if (n->filters && n->in_picture && picture) {
            g->textures[n->textures[i]].wanted = 0; // what follows decides whether it is needed
            b->feeds[0].texture = n->textures[i];
        }
    }
}

// ---- the whole frame
// ----------------------------------------------------------------------------------

static void add_source(builder *b)
{
    frame *f = b->f;
    graph *g = b->g;
    static const char *const names[SCENE_TEXTURES] = {"src",    "normal", "albedo",
                                                      "motion", "depth",  "radius"};
    if (f->image.name) {
        int image = add_texture(b, (graph_texture){.label = "image",
                                                   .format = GL_RGBA16F,
                                                   .width = f->image.width,
                                                   .height = f->image.height,
                                                   .imported = f->image.name,
                                                   .scales = true});
        b->feeds[b->feed_count++] = (feed){"src", image};
    } else {
        graph_pass street = {.label = "scene",
                             .slot_count = SCENE_TEXTURES,
                             .outputs = (1 << SCENE_TEXTURES) - 1,
                             .record = record_street,
                             .user = f};
        for (int i = 0; i < SCENE_TEXTURES; i++) {
            street.slots[i] = add_picture(b, scene_textures[i].name, scene_textures[i].format);
            b->feeds[b->feed_count++] = (feed){names[i], street.slots[i]};
        }
        g->passes[g->pass_count++] = street;
        int lit = add_picture(b, "scene and particles", GL_RGBA16F);
        g->textures[lit].before = &g->textures[street.slots[SCENE_COLOUR]];
        g->passes[g->pass_count++] = (graph_pass){.label = "particles",
                                                  .slots = {street.slots[SCENE_DEPTH], lit},
                                                  .slot_count = 2,
                                                  .outputs = 2,
                                                  .record = record_particles,
                                                  .user = f};
        b->feeds[0].texture = lit;
    }
    int kernel = add_texture(b, (graph_texture){.label = "kernel",
                                                .format = GL_R32F,
                                                .width = 31,
                                                .height = 31,
                                                .imported = f->kernel});
    b->feeds[b->feed_count++] = (feed){"kernel", kernel};
    b->feeds[b->feed_count++] = (feed){"kernel_image", kernel};
    f->before = b->feeds[0].texture;
}

// What the first effect of that name has found.
static int find_exposure(const node *nodes, int count)
{
    for (const node *n = nodes; n < nodes + count; n++)
        for (int i = 0; n->works && strcmp(n->id, "exposure") == 0 && i < (int)n->info->slot_count;
             i++)
            if (node_slot(n->info, i)->access & AG_STATE)
                return n->textures[i];
    return GRAPH_NONE;
}

static void add_present(builder *b)
{
    frame *f = b->f;
    graph_pass p = {.label = "tone map",
                    .slot_count = 5,
                    .outputs = 1 << PRESENT_CANVAS,
                    .record = record_present,
                    .user = f};
    bool others = f->other != GRAPH_NONE;
    p.slots[PRESENT_AFTER] = f->after;
    p.slots[PRESENT_AFTER_EV] = find_exposure(f->nodes, f->node_count);
    p.slots[PRESENT_LEFT] = others ? f->other : f->before;
    p.slots[PRESENT_LEFT_EV] =
        others ? find_exposure(f->others, f->other_count) : p.slots[PRESENT_AFTER_EV];
    p.slots[PRESENT_CANVAS] = add_texture(b, (graph_texture){.label = "canvas",
                                                             .format = GL_RGBA8,
                                                             .width = f->canvas_width,
                                                             .height = f->canvas_height,
                                                             .imported = f->canvas,
                                                             .wanted = AG_USE_FRAMEBUFFER});
    b->g->passes[b->g->pass_count++] = p;
}

static void want_inspected(frame *f)
{
    const graph_texture *t = frame_inspected(f);
    if (t)
        f->graph.textures[t - f->graph.textures].wanted |= AG_USE_SAMPLE;
}

// Whether what it computes is in the picture, or decides how that is shown.
static bool is_seen(const node *n)
{
    return (n->filters && n->in_picture) || strcmp(n->id, "exposure") == 0;
}

// Returns the picture that comes out.
static int add_chain(builder *b, node *nodes, int count, bool seen_alone)
{
    frame *f = b->f;
    b->feeds[0].texture = f->before;
    for (node *n = nodes; n < nodes + count; n++) {
        if (!n->on || (seen_alone && !is_seen(n)))
            continue;
        if (!n->ag_pass && f->graph.ag->pass_create(f->graph.device, n->info->id, &n->ag_pass) < 0)
            refuse(n, "%s", f->log);
        else
            add_node(b, n);
    }
    return b->feeds[0].texture;
}

static void add_all(frame *f)
{
    builder b = {.f = f, .g = &f->graph};
    f->graph.texture_count = f->graph.pass_count = 0;
    f->graph.width = f->width;
    f->graph.height = f->height;
    for (int i = 0; i < f->node_count + f->other_count; i++) {
        frame_node(f, i)->works = false;
        frame_node(f, i)->pass = GRAPH_NONE;
    }
    add_source(&b);
    f->after = add_chain(&b, f->nodes, f->node_count, false);
    f->other = frame_compares(f) ? add_chain(&b, f->others, f->other_count, true) : GRAPH_NONE;
    add_present(&b);
    want_inspected(f);
}

static void copy_plans(frame *f)
{
    for (int i = 0; i < f->node_count + f->other_count; i++) {
        node *n = frame_node(f, i);
        const ag_plan *plan = n->works ? graph_plan(&f->graph, n->pass) : NULL;
        n->step_count = 0;
        memcpy(n->accepted, n->settings, n->info->settings_size);
        if (!plan)
            continue;
        n->plan = *plan;
        const char *row = (const char *)plan->steps;
        for (uint32_t k = 0; k < plan->step_count && k < NODE_STEPS; k++, row += plan->step_stride)
            n->steps[n->step_count++] = *(const ag_step *)(const void *)row;
    }
}

bool frame_build(frame *f)
{
    int count = f->node_count + f->other_count;
    f->dirty = false;
    for (int tries = 0; tries <= count; tries++) {
        f->quiet = true;
        add_all(f);
        f->quiet = false;
        if (graph_compile(&f->graph, true)) {
            copy_plans(f);
            return true;
        }
        // The one that refused is left out, and the frame goes on without it.
        int i = 0;
        while (i < count && !(frame_node(f, i)->works && frame_node(f, i)->pass == f->graph.failed))
            i++;
        if (i == count)
            break;
        refuse(frame_node(f, i), "%s", f->log);
        frame_node(f, i)->on = false;
    }
    return false;
}

static bool has_changed(const node *n)
{
    return memcmp(n->settings, n->accepted, n->info->settings_size) != 0;
}

void frame_refresh(frame *f)
{
    bool changed = false, mended = false;
    for (const node *n = f->nodes; n < f->nodes + f->node_count; n++) {
        changed = changed || (n->works && has_changed(n));
        mended = mended || (n->on && !n->works && has_changed(n)); // it may work now
    }
    if (mended)
        frame_build(f);
    if (mended || !changed)
        return;
    f->quiet = true;
    bool done = graph_refresh(&f->graph);
    f->quiet = false;
    if (done) {
        copy_plans(f);
        return;
    }
    // Other settings can want other formats: then the frame is made anew. What is refused even then
    // goes back.
    for (node *n = f->nodes; n < f->nodes + f->node_count; n++) {
        bool on = n->on;
        if (!n->works || !has_changed(n))
            continue;
        char wanted[1024];
        if (n->info->settings_size > sizeof wanted)
            continue;
        memcpy(wanted, n->accepted, n->info->settings_size);
        if (frame_build(f) && n->works)
            return;
        note("%s: %s", n->info->id, n->why);
        memcpy(n->settings, wanted, n->info->settings_size);
        n->on = on;
    }
    frame_build(f);
}
