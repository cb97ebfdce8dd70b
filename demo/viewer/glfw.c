// viewer/glfw.c - GLFW opened at run time
// SPDX-License-Identifier: MIT
#include "glfw.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool load(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

bool glfw_load(glfw *g, char *error, size_t error_size)
{
    *g = (glfw){.library = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL)};
    if (!g->library) {
        snprintf(error, error_size, "%s", dlerror());
        return false;
    }
#define X(name)                                                        \
    if (!load(g->library, "glfw" #name, &g->name)) {                   \
        snprintf(error, error_size, "libglfw.so.3 has no glfw" #name); \
        return false;                                                  \
    }
    GLFW_FUNCTIONS(X)
#undef X
    return true;
}

void glfw_unload(glfw *g, GLFWwindow *window)
{
    if (!g->library)
        return;
    if (window)
        g->DestroyWindow(window);
    if (g->Terminate)
        g->Terminate();
    // The library stays mapped: drivers leave threads and exit handlers behind that still point
    // into it.
    *g = (glfw){0};
}
