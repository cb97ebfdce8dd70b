// host.c - all that an engine adds to bloom its HDR frame
#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>

static const ag_api *ag;
static ag_device *device;
static ag_pass *bloom;
static ag_bloom_settings look = AG_BLOOM_DEFAULTS;
static ag_texture slots[3]; // AG_BLOOM_KERNEL_IMAGE is optional and stays empty
static ag_job job = {sizeof job,
                     .slots = slots,
                     .slot_count = 3,
                     .settings = &look,
                     .settings_size = sizeof look,
                     .next_use = AG_USE_SAMPLE};

// Once, with the context current. `entry` is ag_entry_v1, linked or from dlsym.
int glow_start(ag_entry_fn entry, const ag_host *host)
{
    ag = entry(AG_ABI_MINOR);
    if (ag->device_create(host, NULL, &device) < 0 || ag->pass_create(device, "bloom", &bloom) < 0)
        return 0;
    look.shape = AG_BLOOM_APERTURE;
    return 1;
}

// For new textures, both GL_RGBA16F: compiles and allocates.
int glow_resize(uint32_t frame, uint32_t bloomed, int width, int height)
{
    ag_texture *src = &slots[AG_BLOOM_SRC], *dst = &slots[AG_BLOOM_DST];
    uint64_t version = src->version + 1; // GL reuses the names of deleted textures
    // 0x0DE1 is GL_TEXTURE_2D, 0x881A is GL_RGBA16F.
    *src = (ag_texture){sizeof *src, frame, 0x0DE1, 0x881A, width, height, .version = version};
    *dst = *src;
    dst->name = bloomed;
    return ag->prepare(bloom, &job) >= 0;
}

// Every frame: records GL commands, and nothing else. If it fails, `bloomed` is unchanged.
int glow_draw(uint64_t number)
{
    job.frame = number;
    return ag->execute(bloom, &job, NULL) >= 0 && ag->frame(device, number) >= 0;
}

void glow_stop(void)
{
    ag->device_destroy(device, 0);
}
