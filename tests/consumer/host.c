// host.c - all that an engine adds to bloom its HDR frame
#include <afterglow/simple.h>

static ag_simple post;

// Once, with the context current. `entry` is ag_entry_v1, linked or from dlsym.
int glow_start(ag_entry_fn entry, const ag_host *host)
{
    return ag_simple_open(&post, entry, host, NULL) >= 0;
}

// Every frame, with GL's names of two textures. The first frame compiles and allocates, later ones
// only record GL commands. If it fails, `bloomed` is unchanged.
int glow_draw(uint32_t frame, uint32_t bloomed)
{
    ag_bloom_settings look = AG_BLOOM_DEFAULTS;
    look.intensity = 0.3f;
    return ag_simple_bloom(&post, frame, bloomed, &look) >= 0 && ag_simple_frame(&post) >= 0;
}

// Before one of them is deleted or resized.
void glow_forget(uint32_t texture)
{
    ag_simple_forget(&post, texture);
}

void glow_stop(void)
{
    ag_simple_close(&post, 0);
}
