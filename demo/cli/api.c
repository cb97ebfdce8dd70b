// cli/api.c - the module whose effects run: the one that is linked in, or a chosen file
// SPDX-License-Identifier: MIT
#include "effect.h"
#include "module.h"
#include "report.h"

static const ag_api *chosen;

int effect_choose_module(const char *file)
{
    char found[4096], why[1024];
    void *library;
    chosen = module_open(module_find(file, found, sizeof found), &library, why, sizeof why);
    return chosen ? STATUS_OK : fail(STATUS_USAGE, "--module: %s", why);
}

const ag_api *effect_api(void)
{
    const ag_api *api = chosen ? chosen : ag_entry_v1(AG_ABI_MINOR);
    if (!api || api->struct_size < sizeof *api) {
        fail(STATUS_FAILED, "the plugin is older than this program");
        return NULL;
    }
    return api;
}
