// graph.c - a render graph as in an engine: passes that read and write textures
// SPDX-License-Identifier: MIT
#include "graph.h"

#include "module.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

// ---- the module --------------------------------------------------------------------------------

bool graph_open(graph *g, const GladGLContext *gl, const char *module, const ag_host *host,
                const ag_device_desc *desc)
{
    char why[512] = "see the log";
    *g = (graph){.gl = gl};
    g->ag = module_open(module, &g->module, why, sizeof why);
    if (g->ag && g->ag->device_create(host, desc, &g->device) >= 0)
        return true;
    fprintf(stderr, "graph: %s does not serve: %s\n", module, why);
    graph_close(g);
    return false;
}

static void free_memory(graph *g)
{
    for (int i = 0; i < g->made_count; i++)
        g->ag->forget(g->device, g->made[i]); // GL reuses names
    g->gl->DeleteTextures(g->made_count, g->made);
    g->gl->DeleteBuffers(1, &g->scratch);
    g->made_count = 0;
    g->scratch = 0;
}

void graph_close(graph *g)
{
    if (g->device) {
        free_memory(g);
        g->ag->device_destroy(g->device, 0);
    }
    if (g->module)
        dlclose(g->module);
    *g = (graph){0};
}

// ---- the order of passes --------------------------------------------------------------------

static bool writes(const graph_pass *p, int slot)
{
    return p->outputs >> slot & 1;
}

// What a pass reads in a slot: of a texture that it writes in place, what that was before. NULL:
// nothing.
static graph_texture *reads(graph *g, const graph_pass *p, int slot)
{
    graph_texture *t = p->slots[slot] == GRAPH_NONE ? NULL : &g->textures[p->slots[slot]];
    return t && writes(p, slot) ? t->before : t;
}

// Gives a pass and all it depends on a level. Passes that nobody asks for keep GRAPH_NONE: dropped.
static int keep(graph *g, int index)
{
    graph_pass *p = &g->passes[index];
    if (p->level != GRAPH_NONE)
        return p->level;
    int level = 0;
    for (int k = 0; k < p->slot_count; k++) {
        const graph_texture *t = reads(g, p, k);
        int writer = t ? t->writer : GRAPH_NONE;
        if (writer != GRAPH_NONE && keep(g, writer) >= level)
            level = keep(g, writer) + 1;
    }
    g->level_count = level >= g->level_count ? level + 1 : g->level_count;
    return p->level = level;
}

// Finds the passes that are kept, and for each texture its first and last level and later uses.
static void find_lifetimes(graph *g)
{
    g->level_count = 0;
    for (int i = 0; i < g->texture_count; i++)
        g->textures[i].writer = GRAPH_NONE;
    for (int i = 0; i < g->pass_count; i++) {
        g->passes[i].level = GRAPH_NONE;
        for (int k = 0; k < g->passes[i].slot_count; k++)
            if (writes(&g->passes[i], k) && g->passes[i].slots[k] != GRAPH_NONE)
                g->textures[g->passes[i].slots[k]].writer = i;
    }
    for (int i = 0; i < g->texture_count; i++)
        if (g->textures[i].wanted && g->textures[i].writer != GRAPH_NONE)
            keep(g, g->textures[i].writer);
    for (int i = 0; i < g->texture_count; i++) {
        graph_texture *t = &g->textures[i];
        t->first = t->writer == GRAPH_NONE ? 0 : g->passes[t->writer].level;
        t->last = t->wanted ? INT_MAX : t->first;
        t->uses = t->wanted;
    }
    for (int i = 0; i < g->pass_count; i++) {
        const graph_pass *p = &g->passes[i];
        for (int k = 0; k < p->slot_count && p->level != GRAPH_NONE; k++) {
            graph_texture *t = reads(g, p, k);
            if (!t)
                continue;
            t->last = p->level > t->last ? p->level : t->last;
            t->uses |= p->effect      ? AG_USE_PASS
                       : writes(p, k) ? AG_USE_SAMPLE | AG_USE_IMAGE | AG_USE_FRAMEBUFFER
                                      : AG_USE_SAMPLE;
        }
    }
    // One GL texture lives as long as what it becomes.
    for (graph_texture *t = g->textures + g->texture_count; t-- > g->textures;)
        if (t->before && t->last > t->before->last)
            t->before->last = t->last;
}

// ---- memory ------------------------------------------------------------------------------------

static ag_job make_job(const graph *g, const graph_pass *p, ag_texture slots[GRAPH_SLOTS])
{
    ag_job job = {sizeof job, .slots = slots, .settings = p->settings, .frame = g->frame};
    job.flags = p->flags;
    job.dt = g->dt;
    for (int k = 0; k < p->slot_count; k++) {
        slots[k] = (ag_texture){.struct_size = sizeof slots[k]};
        if (p->slots[k] == GRAPH_NONE)
            continue;
        const graph_texture *t = &g->textures[p->slots[k]];
        slots[k] = (ag_texture){sizeof slots[k], t->name,   GL_TEXTURE_2D, t->format,
                                t->width,        t->height, .version = 1};
        if (t->scales) { // planned for the full size, whatever part is computed
            job.plan_width = t->width;
            job.plan_height = t->height;
            slots[k].rect_width = g->width;
            slots[k].rect_height = g->height;
        }
        if (writes(p, k))
            job.next_use |= t->uses;
        job.slot_count = (uint32_t)k + 1;
    }
    if (g->scratch && p->scratch_bytes)
        job.scratch = (ag_buffer){sizeof job.scratch, g->scratch, p->scratch, p->scratch_bytes};
    return job;
}

static bool declare(graph *g)
{
    for (graph_pass *p = g->passes; p < g->passes + g->pass_count; p++) {
        ag_texture slots[GRAPH_SLOTS];
        const ag_plan *plan;
        p->scratch_bytes = 0;
        if (!p->effect || p->level == GRAPH_NONE)
            continue;
        g->failed = (int)(p - g->passes);
        if (!p->pass && g->ag->pass_create(g->device, p->effect, &p->pass) < 0)
            return false;
        const ag_job job = make_job(g, p, slots);
        if (g->ag->declare(p->pass, &job, &plan) < 0)
            return false;
        p->scratch_bytes = plan->scratch_bytes;
        p->alignment = plan->scratch_alignment;
        p->barriers_before = plan->barriers_before;
    }
    return true;
}

// The lowest offset where the scratch of a pass overlaps no other of its level; without sharing, no
// other at all.
static void place_scratch(graph *g)
{
    g->scratch_bytes = g->scratch_apart = 0;
    for (int i = 0; i < g->pass_count; i++) {
        graph_pass *p = &g->passes[i];
        p->scratch = 0;
        for (int k = 0; k < i; k++) {
            const graph_pass *q = &g->passes[k];
            uint64_t end = q->scratch + q->scratch_bytes;
            bool meet = p->scratch < end && q->scratch < p->scratch + p->scratch_bytes;
            if (meet && (q->level == p->level || !g->shares)) {
                p->scratch = (end + p->alignment - 1) / p->alignment * p->alignment;
                k = -1; // start again: it may overlap an earlier one
            }
        }
        uint64_t end = p->scratch + p->scratch_bytes;
        g->scratch_bytes = end > g->scratch_bytes ? end : g->scratch_bytes;
        g->scratch_apart += p->scratch_bytes;
    }
    g->gl->GenBuffers(1, &g->scratch);
    g->gl->BindBuffer(GL_COPY_WRITE_BUFFER, g->scratch);
    g->gl->BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(g->scratch_bytes + 16), NULL,
                      GL_DYNAMIC_COPY);
    g->gl->BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

// The GL texture of an equal graph texture whose users are all finished before `t`; 0: none.
static GLuint find_dead(const graph *g, const graph_texture *t)
{
    for (const graph_texture *u = g->textures; g->shares && u < t; u++) {
        bool fits = u->name && !u->imported && u->format == t->format && u->width == t->width &&
                    u->height == t->height && u->levels == t->levels;
        for (const graph_texture *v = g->textures; v < t && fits; v++)
            fits = v->name != u->name || v->last < t->first || t->last < v->first;
        if (fits)
            return u->name;
    }
    return 0;
}

static uint64_t texture_bytes(const graph_texture *t)
{
    uint64_t texel = t->format == GL_RGBA32F                            ? 16
                     : t->format == GL_RGBA16F || t->format == GL_RG32F ? 8
                     : t->format == GL_R16F || t->format == GL_RG8      ? 2
                     : t->format == GL_R8                               ? 1
                                                                        : 4;
    uint64_t bytes = 0;
    for (int level = 0; level < (t->levels ? t->levels : 1); level++) {
        uint64_t w = (uint64_t)t->width >> level, h = (uint64_t)t->height >> level;
        bytes += texel * (w ? w : 1) * (h ? h : 1);
    }
    return bytes;
}

static void place_textures(graph *g)
{
    g->texture_bytes = g->texture_apart = 0;
    for (graph_texture *t = g->textures; t < g->textures + g->texture_count; t++) {
        bool dropped = t->writer == GRAPH_NONE || g->passes[t->writer].level == GRAPH_NONE;
        t->name = t->before ? t->before->name : t->imported;
        if (t->before || t->imported || dropped)
            continue;
        g->texture_apart += texture_bytes(t);
        t->name = find_dead(g, t);
        if (t->name)
            continue;
        g->texture_bytes += texture_bytes(t);
        g->gl->GenTextures(1, &t->name);
        g->gl->BindTexture(GL_TEXTURE_2D, t->name);
        g->gl->TexStorage2D(GL_TEXTURE_2D, t->levels ? t->levels : 1, t->format, t->width,
                            t->height);
        g->gl->BindTexture(GL_TEXTURE_2D, 0);
        g->made[g->made_count++] = t->name;
    }
}

static bool prepare(graph *g)
{
    for (const graph_pass *p = g->passes; p < g->passes + g->pass_count; p++) {
        ag_texture slots[GRAPH_SLOTS];
        if (!p->effect || p->level == GRAPH_NONE)
            continue;
        const ag_job job = make_job(g, p, slots);
        g->failed = (int)(p - g->passes);
        if (g->ag->prepare(p->pass, &job) < 0)
            return false;
    }
    return true;
}

bool graph_compile(graph *g, bool shares)
{
    free_memory(g);
    g->shares = shares;
    find_lifetimes(g);
    if (!declare(g))
        return false;
    place_scratch(g);
    place_textures(g);
    return prepare(g);
}

bool graph_refresh(graph *g)
{
    uint64_t bytes[GRAPH_MAX];
    bool same = true;
    for (int i = 0; i < g->pass_count; i++)
        bytes[i] = g->passes[i].scratch_bytes;
    bool done = declare(g);
    for (int i = 0; i < g->pass_count; i++) {
        same = same && g->passes[i].scratch_bytes == bytes[i];
        if (!done)
            g->passes[i].scratch_bytes = bytes[i];
    }
    return done && (same ? prepare(g) : graph_compile(g, g->shares));
}

const ag_plan *graph_plan(const graph *g, int pass)
{
    const graph_pass *p = &g->passes[pass];
    ag_texture slots[GRAPH_SLOTS];
    const ag_plan *plan = NULL;
    if (!p->effect || !p->pass || p->level == GRAPH_NONE)
        return NULL;
    const ag_job job = make_job(g, p, slots);
    return g->ag->declare(p->pass, &job, &plan) < 0 ? NULL : plan;
}

bool graph_resize(graph *g, int width, int height)
{
    int w = g->width, h = g->height;
    g->width = width;
    g->height = height;
    if (prepare(g))
        return true;
    g->width = w;
    g->height = h;
    prepare(g);
    return false;
}

// ---- the frame ---------------------------------------------------------------------------------

static void place_barrier(graph *g, uint32_t bits)
{
    if (bits)
        g->gl->MemoryBarrier(bits);
    g->barriers += bits != 0;
    g->pending = 0;
}

// Whether the pass keeps texels of another size from the last frame: denoise's history.
static bool is_stale(const graph *g, const graph_pass *p)
{
    bool stale = false;
    for (int k = 0; k < p->slot_count; k++) {
        const graph_texture *t = p->slots[k] == GRAPH_NONE ? NULL : &g->textures[p->slots[k]];
        stale = stale || (t && writes(p, k) && t->imported && t->scales);
    }
    return stale && (g->executed[0] != g->width || g->executed[1] != g->height);
}

bool graph_execute(graph *g, uint64_t frame)
{
    g->barriers = g->barriers_apart = 0;
    g->frame = frame;
    for (int level = 0; level < g->level_count; level++) {
        // Its inputs were written before; the GL texture that it writes may have been read for
        // another one.
        uint32_t bits = g->pending;
        for (int i = 0; i < g->pass_count; i++)
            bits |= g->passes[i].level == level ? g->passes[i].barriers_before : 0;
        place_barrier(g, bits);
        for (const graph_pass *p = g->passes; p < g->passes + g->pass_count; p++) {
            ag_texture slots[GRAPH_SLOTS];
            if (p->level != level)
                continue;
            ag_job job = make_job(g, p, slots);
            job.flags |= is_stale(g, p) ? AG_JOB_RESET : 0;
            bits = 0;
            g->failed = (int)(p - g->passes);
            if (!p->effect)
                bits = p->record(p->user, g, p);
            else if (g->ag->execute(p->pass, &job, &bits) < 0)
                return false;
            g->pending |= bits;
            g->barriers_apart += 2; // before and after, if it stood alone
        }
    }
    place_barrier(g, g->pending);
    g->executed[0] = g->width;
    g->executed[1] = g->height;
    return g->ag->frame(g->device, frame) >= 0;
}

void graph_print(const graph *g)
{
    int kept = 0;
    for (int i = 0; i < g->pass_count; i++)
        kept += g->passes[i].level != GRAPH_NONE;
    printf("%d passes in %d levels, %d dropped %5s %12s\n", kept, g->level_count,
           g->pass_count - kept, "now", "apart");
    printf("scratch %33" PRIu64 " %12" PRIu64 " bytes\n", g->scratch_bytes, g->scratch_apart);
    printf("textures %32" PRIu64 " %12" PRIu64 " bytes\n", g->texture_bytes, g->texture_apart);
    printf("barriers %32u %12u a frame\n", g->barriers, g->barriers_apart);
}
