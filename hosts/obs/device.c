// device.c - one Afterglow device for OBS's graphics context
// SPDX-License-Identifier: MIT
//
// This source file is under the MIT licence. A plugin that is built of it links libobs, which is
// under the GNU GPL, version 2 or later, so the built plugin is distributed under those terms.
#include "filter.h"

#include <string.h>

enum { BMALLOC_ALIGNMENT = 32 }; // base_get_alignment() in OBS 28 to 30

static obs_device shared; // used with the graphics context current only, so by one thread at a time

// OBS's allocator, so that OBS's count of allocations has the module's, too.
static void *allocate(void *user, size_t bytes, size_t align)
{
    (void)user;
    return align <= BMALLOC_ALIGNMENT ? bmalloc(bytes) : NULL;
}

static void release(void *user, void *block, size_t bytes, size_t align)
{
    (void)user;
    (void)bytes;
    (void)align;
    bfree(block);
}

// A wrong setting fails in each frame: the same sentence is logged once.
static void take_message(void *user, const ag_message *message)
{
    static char last[MODULE_WHY];
    static const int levels[] = {LOG_ERROR, LOG_WARNING, LOG_INFO};
    (void)user;
    if (strncmp(last, message->text, sizeof last - 1) == 0)
        return;
    strncpy(last, message->text, sizeof last - 1);
    blog(message->level <= AG_LOG_INFO ? levels[message->level] : LOG_DEBUG, "[afterglow] %s",
         message->text);
}

const obs_device *device_acquire(void)
{
    if (shared.users == 0) {
        char why[MODULE_WHY];
        shared.ag = module_open(why);
        if (!shared.ag) {
            blog(LOG_ERROR, "[afterglow] %s", why);
            return NULL;
        }
        if (gs_get_device_type() != GS_DEVICE_OPENGL) {
            blog(LOG_ERROR, "[afterglow] OBS draws by Direct3D here: the filter needs OpenGL");
            return NULL;
        }
        // Without gl_proc the module finds GL's functions itself, by EGL or GLX.
        const ag_host host = {
            .struct_size = sizeof host, .alloc = allocate, .free = release, .log = take_message};
        if (shared.ag->device_create(&host, NULL, &shared.device) < 0)
            return NULL;
    }
    shared.users++;
    return &shared;
}

void device_release(void)
{
    if (--shared.users == 0) {
        shared.ag->device_destroy(shared.device, 0);
        shared.device = NULL;
    }
}
