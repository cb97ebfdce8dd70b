// cli/tiff.c - libtiff, opened when the first .tif file is read or written, or linked
// SPDX-License-Identifier: MIT
#include "tiff.h"

#include "report.h"

#ifdef AG_TIFF_LIBRARY
#include <dlfcn.h>
#endif
#include <stdio.h>
#include <string.h>

char tiff_error[128];

static void keep_error(const char *module, const char *format, va_list values)
{
    (void)module;
    if (!*tiff_error) // the first says most
        vsnprintf(tiff_error, sizeof tiff_error, format, values);
}

#ifdef AG_TIFF_LIBRARY
static bool find_all(const char *path, tiff_library *out)
{
    void *from = dlopen(AG_TIFF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    bool all = from;
#define X(name)                                             \
    {                                                       \
        void *at = from ? dlsym(from, "TIFF" #name) : NULL; \
        memcpy(&out->name, &at, sizeof at);                 \
        all = all && at;                                    \
    }
    TIFF_FUNCTIONS(X)
#undef X
    if (!all)
        fail(STATUS_USAGE, "%s: .tif files need the library " AG_TIFF_LIBRARY "%s", path,
             from ? ", a newer one" : "");
    return all;
}
#else
static bool find_all(const char *path, tiff_library *out)
{
    (void)path;
#define X(name) out->name = TIFF##name;
    TIFF_FUNCTIONS(X)
#undef X
    return true;
}
#endif

const tiff_library *tiff_open(const char *path)
{
    static tiff_library library;
    static bool opened;
    *tiff_error = '\0';
    if (opened)
        return &library;
    if (!find_all(path, &library))
        return NULL;
    library.SetErrorHandler(keep_error);
    library.SetWarningHandler(NULL);
    opened = true;
    return &library;
}
