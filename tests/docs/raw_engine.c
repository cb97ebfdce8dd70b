// raw_engine.c - bloom in a raw GL engine: start, resize without a stall, draw, lose the context
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>
#include <string.h>

typedef struct glow {
    const ag_api *ag;
    ag_device *device;
    ag_pass *pass;
    ag_bloom_settings look;
    ag_texture slots[2][3]; // of the two jobs, in the order of bloom's slots
    ag_job now, next;       // what is drawn; what is being prepared
    int drawable, changing;
    uint64_t version;
} glow;

// Once per GL context, which is current. Do not move the struct afterwards: the jobs point into it.
int glow_open(glow *g, ag_entry_fn entry, const ag_host *host)
{
    memset(g, 0, sizeof *g);
    g->ag = entry(AG_ABI_MINOR);
    if (g->ag->device_create(host, NULL, &g->device) < 0 ||
        g->ag->pass_create(g->device, "bloom", &g->pass) < 0)
        return 0; // host->log got the reason
    g->ag->defaults("bloom", &g->look, sizeof g->look);
    return 1;
}

// New textures. Keep the old ones until glow_draw returns the new `bloomed`.
void glow_resize(glow *g, uint32_t frame, uint32_t bloomed)
{
    int other = g->now.slots == g->slots[0];
    ag_texture *slots = g->slots[other];
    memset(slots, 0, sizeof g->slots[other]);
    ag_texture *src = &slots[AG_BLOOM_SRC], *dst = &slots[AG_BLOOM_DST];
    src->struct_size = dst->struct_size = sizeof *src;
    src->version = dst->version = ++g->version; // GL reuses the names of deleted textures
    g->ag->texture(g->device, frame, 0, src);   // if it fails, glow_draw returns the old ones
    g->ag->texture(g->device, bloomed, 0, dst);
    memset(&g->next, 0, sizeof g->next);
    g->next.struct_size = sizeof g->next;
    g->next.flags = AG_JOB_BACKGROUND; // the driver's threads compile
    g->next.slots = slots;
    g->next.slot_count = 3;
    g->next.settings = &g->look;
    g->next.next_use = AG_USE_SAMPLE; // the tone mapper samples the output
    g->changing = 1;
}

// Every frame. Returns the bloomed texture, or 0: show the frame without bloom.
uint32_t glow_draw(glow *g, uint64_t number)
{
    g->ag->frame(g->device, number); // GPU times and live reload
    ag_status status = g->changing ? g->ag->prepare(g->pass, &g->next) : AG_PENDING;
    if (status != AG_PENDING) {
        g->changing = 0;
        if (status >= 0) {
            g->now = g->next;
            g->drawable = 1;
        }
    }
    if (!g->drawable)
        return 0;
    g->now.frame = number;
    // AG_E_LOST: call glow_close, then glow_open with a new context.
    status = g->ag->execute(g->pass, &g->now, NULL);
    return status >= 0 ? g->now.slots[AG_BLOOM_DST].name : 0;
}

// `context_gone`: the context was lost or destroyed, so no GL function may be called.
void glow_close(glow *g, int context_gone)
{
    g->ag->device_destroy(g->device, context_gone);
}
