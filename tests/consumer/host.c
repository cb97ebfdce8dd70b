// host.c - all that an engine adds to bloom its HDR frame
#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>

static const ag_api *ag;
static ag_device *device;
static ag_pass *bloom;
static ag_bloom_settings look = AG_BLOOM_DEFAULTS;
static ag_texture slots[3] = {[AG_BLOOM_SRC] = {sizeof *slots}, [AG_BLOOM_DST] = {sizeof *slots}};
static ag_job job = {sizeof job, .slots = slots, .slot_count = 3, .settings = &look,
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

// For new textures: GL knows their formats and sizes.
int glow_textures(uint32_t frame, uint32_t bloomed)
{
    slots[AG_BLOOM_SRC].version++; // GL reuses the names of deleted textures
    slots[AG_BLOOM_DST].version++;
    return ag->texture(device, frame, 0, &slots[AG_BLOOM_SRC]) >= 0 &&
           ag->texture(device, bloomed, 0, &slots[AG_BLOOM_DST]) >= 0;
}

// Every frame. prepare takes microseconds, except after a change: it then compiles and allocates.
// execute only records GL commands. If one fails, `bloomed` is unchanged.
int glow_draw(uint64_t number)
{
    job.frame = number;
    return ag->prepare(bloom, &job) >= 0 && ag->execute(bloom, &job, NULL) >= 0 &&
           ag->frame(device, number) >= 0;
}

void glow_stop(void)
{
    ag->device_destroy(device, 0);
}
