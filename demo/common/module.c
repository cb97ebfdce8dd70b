// module.c - finds and loads a module of Afterglow's interface
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // readlink
#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *module_find(const char *name, char *buffer, size_t size)
{
    static const char *const places[] = {"/../lib/", "/"};
    char self[3072];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strchr(name, '/') ? NULL : strrchr(self, '/');
    for (int i = 0; slash && i < 2; i++) {
        snprintf(buffer, size, "%.*s%s%s", (int)(slash - self), self, places[i], name);
        if (access(buffer, R_OK) == 0)
            return buffer;
    }
    return name;
}

const ag_api *module_open(const char *file, void **library, char *why, size_t size)
{
    ag_entry_fn entry = NULL;
    *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (*library)
        *(void **)&entry = dlsym(*library, "ag_entry_v1"); // POSIX: ISO C has no cast
    const ag_api *api = entry ? entry(AG_ABI_MINOR) : NULL;
    if (api)
        return api;
    if (!*library)
        snprintf(why, size, "%s", dlerror());
    else
        snprintf(why, size, "%s %s", file,
                 entry ? "does not serve this version of the interface"
                       : "has no symbol ag_entry_v1: it is no module of Afterglow");
    if (*library)
        dlclose(*library);
    *library = NULL;
    return NULL;
}
