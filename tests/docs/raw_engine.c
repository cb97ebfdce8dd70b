// raw_engine.c - bloom in a raw GL engine: start, resize without a stall, draw, lose the context
#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>
#include <string.h>

typedef struct glow {
    const ag_api *ag;
    ag_device *device;
    ag_pass *pass;
    ag_bloom_settings look;
    ag_texture slots[2]
                    [3]; // of the jobs below, in the order of bloom's slots: src, kernel_image, dst
    ag_job now, next;    // what is drawn; what is being prepared
    int drawable, changing;
    uint64_t version;
} glow;

// Once per GL context, which is current. The struct must not move afterwards: jobs point into it.
int glow_open(glow *g, ag_entry_fn entry, const ag_host *host)
{
    memset(g, 0, sizeof *g);
    g->ag = entry(AG_ABI_MINOR);
    if (g->ag->device_create(host, NULL, &g->device) < 0 ||
        g->ag->pass_create(g->device, "bloom", &g->pass) < 0)
        return 0; // host->log has said why
    g->ag->defaults("bloom", &g->look, sizeof g->look);
    return 1;
}

// New textures, both GL_RGBA16F. Keep the old ones until glow_draw has moved on (returns g->now's dst).
void glow_resize(glow *g, uint32_t frame, uint32_t bloomed, int width, int height)
{
    int other = g->now.slots == g->slots[0];
    ag_texture *slots = g->slots[other];
    memset(slots, 0, sizeof g->slots[other]);
    ag_texture *src = &slots[AG_BLOOM_SRC], *dst = &slots[AG_BLOOM_DST];
    src->struct_size = sizeof *src;
    src->name = frame;
    src->target = 0x0DE1; // GL_TEXTURE_2D
    src->format = 0x881A; // GL_RGBA16F
    src->width = width;
    src->height = height;
    src->version = ++g->version; // GL gives deleted names out again
    *dst = *src;
    dst->name = bloomed;
    memset(&g->next, 0, sizeof g->next);
    g->next.struct_size = sizeof g->next;
    g->next.flags = AG_JOB_BACKGROUND; // prepare does not wait for compiles
    g->next.slots = slots;
    g->next.slot_count = 3;
    g->next.settings = &g->look;
    g->next.settings_size = sizeof g->look;
    g->next.next_use = AG_USE_SAMPLE; // the tone mapper samples what comes out
    g->changing = 1;
}

// Every frame. Returns the texture that was bloomed, or 0: show the frame as it is.
uint32_t glow_draw(glow *g, uint64_t number)
{
    g->ag->frame(g->device, number); // times and live reload; never waits
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
    status = g->ag->execute(g->pass, &g->now, NULL);
    return status >= 0 ? g->now.slots[AG_BLOOM_DST].name : 0; // AG_E_LOST: close, then open on a new context
}

// `context_gone`: it was lost or destroyed; then no GL function is called.
void glow_close(glow *g, int context_gone)
{
    g->ag->device_destroy(g->device, context_gone);
}
