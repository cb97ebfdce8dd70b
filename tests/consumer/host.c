// host.c - all that an engine adds to bloom its HDR frame
#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>

static const ag_api *ag;
static ag_device *device;
static ag_pass *bloom;
static ag_bloom_settings look;
static ag_texture slots[3]; // src, kernel_image (empty), dst: the order of bloom's slots
static ag_job job = {sizeof job, .slots = slots, .slot_count = 3, .settings = &look,
                     .settings_size = sizeof look, .next_use = AG_USE_SAMPLE};

// Once, with the context current. `entry` is ag_entry_v1, linked or from dlsym; the host has at least
// gl_proc, and log.
int glow_start(ag_entry_fn entry, const ag_host *host)
{
    ag = entry(AG_ABI_MINOR);
    if (!ag || ag->device_create(host, NULL, &device) < 0 || ag->pass_create(device, "bloom", &bloom) < 0)
        return 0;
    ag->defaults("bloom", &look, sizeof look);
    look.shape = AG_BLOOM_APERTURE;
    return 1;
}

// When the frame's textures are new: compiles and allocates. 0x0DE1 is GL_TEXTURE_2D, 0x881A GL_RGBA16F.
int glow_resize(uint32_t frame, uint32_t bloomed, int width, int height)
{
    ag_texture texture = {sizeof texture, frame, 0x0DE1, 0x881A, width, height, .version = ++slots[0].version};
    slots[0] = slots[2] = texture;
    slots[2].name = bloomed;
    return ag->prepare(bloom, &job) >= 0;
}

// Every frame: records GL commands, and nothing else.
int glow_draw(uint64_t number)
{
    job.frame = number;
    return ag->execute(bloom, &job, NULL) >= 0 && ag->frame(device, number) >= 0;
}

void glow_stop(void)
{
    ag->device_destroy(device, 0);
}
