// cli/api.c - the module that is linked into the command line
// SPDX-License-Identifier: MIT
#include "effect.h"
#include "report.h"

const ag_api *effect_api(void)
{
    const ag_api *api = ag_entry_v1(AG_ABI_MINOR);
    if (!api || api->struct_size < sizeof *api) {
        fail(STATUS_FAILED, "the plugin is older than this program");
        return NULL;
    }
    return api;
}
