// cli/pass_folder.c - effects that come from folders, named by their paths
// SPDX-License-Identifier: MIT
#include "effect.h"
#include "report.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

// The device that read the folder, and the description with it, lives until the program ends.
static session reader;

static void leave(void)
{
    if (reader.api)
        headless_make_current(reader.gpu.context);
    session_close(&reader);
}

bool effect_is_folder(const char *name)
{
    return strchr(name, '/') || strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

const ag_effect_info *effect_load(const ag_api *api, const char *folder, int device)
{
    const ag_effect_info *effect = NULL;
    if (!reader.api) {
        int status = session_open(&reader, &(session_desc){.api = api, .device = device});
        if (status != STATUS_OK || atexit(leave) != 0)
            return NULL;
    }
    ag_status read = api->pass_load(reader.device, folder, &effect);
    session_check(&reader, read, STATUS_USAGE, folder);
    return read < 0 ? NULL : effect;
}
