// driver_cache.c - the driver's own cache of compiled programs: off, or in a folder of this run
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700
#include "driver_cache.h"

#include "cli/report.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char folder[64];

void driver_cache_off(bool mesa)
{
    setenv("__GL_SHADER_DISK_CACHE", "0", 1); // NVIDIA's
    if (mesa) {
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
        setenv("MESA_GLSL_CACHE_DISABLE", "true", 1); // the same before Mesa 22
    }
}

int driver_cache_new(bool all)
{
    driver_cache_drop();
    snprintf(folder, sizeof folder, "/tmp/afterglow-driver-XXXXXX");
    if (!mkdtemp(folder)) {
        folder[0] = '\0';
        return fail(STATUS_FAILED, "no temporary folder can be made");
    }
    unsetenv("MESA_SHADER_CACHE_DISABLE");
    unsetenv("MESA_GLSL_CACHE_DISABLE");
    setenv("MESA_SHADER_CACHE_DIR", folder, 1);
    setenv("MESA_GLSL_CACHE_DIR", folder, 1);
    if (all) {
        setenv("__GL_SHADER_DISK_CACHE", "1", 1);
        setenv("__GL_SHADER_DISK_CACHE_PATH", folder, 1);
    }
    return STATUS_OK;
}

static int drop_entry(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    remove(path); // a driver may still write there: remove as much as possible
    return 0;
}

void folder_drop(const char *path)
{
    nftw(path, drop_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void driver_cache_drop(void)
{
    if (folder[0])
        folder_drop(folder);
    folder[0] = '\0';
}
