// cli/tiff.c - libtiff, opened when the first .tif file is read or written
// SPDX-License-Identifier: MIT
#include "tiff.h"

#include "report.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

char tiff_error[128];

static void keep_error(const char *module, const char *format, va_list values)
{
    (void)module;
    if (!*tiff_error) // the first says most
        vsnprintf(tiff_error, sizeof tiff_error, format, values);
}

static bool find_all(void *from, tiff_library *out)
{
    bool all = true;
#define X(name)                               \
    {                                         \
        void *at = dlsym(from, "TIFF" #name); \
        memcpy(&out->name, &at, sizeof at);   \
        all = all && at;                      \
    }
    TIFF_FUNCTIONS(X)
#undef X
    return all;
}

const tiff_library *tiff_open(const char *path)
{
    static tiff_library library;
    static bool opened;
    *tiff_error = '\0';
    if (opened)
        return &library;
    void *from = dlopen(AG_TIFF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!from || !find_all(from, &library)) {
        fail(STATUS_USAGE, "%s: .tif files need the library " AG_TIFF_LIBRARY "%s", path,
             from ? ", a newer one" : "");
        return NULL;
    }
    library.SetErrorHandler(keep_error);
    library.SetWarningHandler(NULL);
    opened = true;
    return &library;
}
