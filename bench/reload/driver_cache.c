// driver_cache.c - the driver's own cache of compiled programs: off, or in a folder of this run's
// SPDX-License-Identifier: MIT
//
// NVIDIA's keeps machine code by what the driver made of a shader, in the user's home; off by
// default here, because it would make cold starts warm, and edits of earlier runs known. Mesa's is
// left alone then.
#define _XOPEN_SOURCE 700
#include "bench_reload.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[64];

void driver_cache_off(void)
{
    setenv("__GL_SHADER_DISK_CACHE", "0", 1);
}

static int drop_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    remove(path); // a driver that writes there still must not stop the rest
    return 0;
}

void driver_cache_drop(void)
{
    if (folder[0])
        nftw(folder, drop_entry, 16, FTW_DEPTH | FTW_PHYS);
    folder[0] = '\0';
}

int driver_cache_empty(void)
{
    driver_cache_drop();
    snprintf(folder, sizeof folder, "/tmp/afterglow-driver-XXXXXX");
    if (!mkdtemp(folder)) {
        folder[0] = '\0';
        return fail(STATUS_FAILED, "no temporary folder can be made");
    }
    setenv("__GL_SHADER_DISK_CACHE", "1", 1);
    setenv("__GL_SHADER_DISK_CACHE_PATH", folder, 1);
    setenv("MESA_SHADER_CACHE_DIR", folder, 1);
    return STATUS_OK;
}
