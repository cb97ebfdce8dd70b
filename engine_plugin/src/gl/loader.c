// loader.c - addresses of GL functions: by the host's callback, or by the platform's own loader
// SPDX-License-Identifier: MIT
#if !defined(_WIN32)
#define _GNU_SOURCE // RTLD_NOLOAD
#endif
#include "gl/loader.h"
#include "base/log.h"

#include <string.h>
#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#if defined(_WIN32)

static const char nobody[] = "WGL has no current context on this thread";

static ag_any_function in_opengl32(const char *name)
{
    HMODULE library = GetModuleHandleA("opengl32.dll");
    FARPROC address = library ? GetProcAddress(library, name) : NULL;
    ag_any_function function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

// wglGetProcAddress knows what is newer than OpenGL 1.1, and the DLL exports the rest.
static ag_any_function find_in_wgl(const char *name)
{
    ag_any_function get = in_opengl32("wglGetProcAddress"), function = NULL;
    PROC(WINAPI * get_proc)(LPCSTR) = NULL;
    memcpy(&get_proc, &get, sizeof get_proc);
    PROC address = get_proc ? get_proc(name) : NULL;
    memcpy(&function, &address, sizeof function);
    intptr_t value = (intptr_t)address; // some drivers return 1, 2, 3 or -1 for a failure
    return value >= -1 && value <= 3 ? in_opengl32(name) : function;
}

// wglGetCurrentContext has the calling convention of Windows.
static void *wgl_current(void)
{
    ag_any_function get = in_opengl32("wglGetCurrentContext");
    HGLRC(WINAPI * get_context)(void) = NULL;
    memcpy(&get_context, &get, sizeof get_context);
    return get_context ? get_context() : NULL;
}

static bool find_platform(ag_loader *loader)
{
    if (!wgl_current())
        return false;
    loader->find = find_in_wgl;
    // Loaded once more, so that it stays.
    loader->platform = (ag_platform){LoadLibraryA("opengl32.dll"), wgl_current, wgl_current()};
    return true;
}

void ag_platform_close(ag_platform *platform)
{
    if (platform->library)
        FreeLibrary(platform->library);
    *platform = (ag_platform){0};
}

#else

static const char nobody[] = "neither EGL nor GLX has a current context on this thread";

// ISO C has no cast between object and function pointers; POSIX promises that the bits agree.
static void symbol(void *library, const char *name, void *function)
{
    void *address = library ? dlsym(library, name) : NULL;
    memcpy(function, &address, sizeof address);
}

void ag_platform_close(ag_platform *platform)
{
    if (platform->library)
        dlclose(platform->library);
    *platform = (ag_platform){0};
}

static bool find_platform(ag_loader *loader)
{
    // NULL: what the program and its libraries export is searched, because a host may be linked
    // with a libEGL of another name.
    static const struct {
        const char *name, *current, *find;
    } libraries[] = {{"libEGL.so.1", "eglGetCurrentContext", "eglGetProcAddress"},
                     {"libGLX.so.0", "glXGetCurrentContext", "glXGetProcAddressARB"},
                     {"libGL.so.1", "glXGetCurrentContext", "glXGetProcAddressARB"},
                     {NULL, "eglGetCurrentContext", "eglGetProcAddress"},
                     {NULL, "glXGetCurrentContext", "glXGetProcAddressARB"}};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; ++i) {
        const char *name = libraries[i].name;
        void *(*current)(void) = NULL;
        // NOLOAD: a context of this library can be current only if the process has loaded it.
        void *library = dlopen(name, RTLD_LAZY | (name ? RTLD_NOLOAD : 0));
        symbol(library, libraries[i].current, &current);
        symbol(library, libraries[i].find, &loader->find);
        loader->platform = (ag_platform){library, current, current ? current() : NULL};
        if (loader->find && loader->platform.context)
            return true;
        ag_platform_close(&loader->platform);
    }
    loader->find = NULL;
    return false;
}

#endif

ag_status ag_loader_make(const ag_host *host, ag_loader *loader)
{
    *loader = (ag_loader){.host = host};
    if (host->gl_proc || find_platform(loader))
        return AG_OK;
    return ag_fail(host, AG_E_GL,
                   "host.gl_proc is NULL, and %s. Make the context current first, or set gl_proc",
                   nobody);
}

bool ag_platform_is_current(const ag_platform *platform)
{
    return !platform->current || platform->current() == platform->context;
}

bool ag_loader_find(const ag_loader *loader, const char *name, void *function)
{
    const ag_host *host = loader->host;
    ag_any_function found = NULL;
    if (loader->find) {
        found = loader->find(name);
    } else {
        void *address = host->gl_proc(host->user, name);
        memcpy(&found, &address, sizeof found);
    }
    memcpy(function, &found, sizeof found);
    return found != NULL;
}
