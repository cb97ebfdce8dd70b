// loader.h - addresses of GL functions: by the host's callback, or by the platform's own loader
// SPDX-License-Identifier: MIT
#ifndef AG_LOADER_H
#define AG_LOADER_H

#include <afterglow/afterglow.h>
#include <stdbool.h>
#include <stddef.h>

typedef void (*ag_any_function)(void);

// The library in which the module found the context by itself. All NULL: the host has gl_proc.
typedef struct ag_platform {
    void *library;          // held open, because it is asked again
    void *(*current)(void); // eglGetCurrentContext and the like
    const void *context;    // what that returned at device_create
} ag_platform;

typedef struct ag_loader {
    const ag_host *host;                   // its gl_proc is used if it has one
    ag_any_function (*find)(const char *); // else eglGetProcAddress or glXGetProcAddressARB
    ag_platform platform;                  // and where that is
} ag_loader;

// With host->gl_proc NULL: finds which of EGL and GLX (on Windows WGL) has a context current on
// this thread, among the libraries that the process has loaded. It loads none itself.
// The platform must be closed.
//   errors  AG_E_GL (none has), with a message
ag_status ag_loader_make(const ag_host *host, ag_loader *loader);
// Whether the context is still current on this thread; true if no platform was found.
bool ag_platform_is_current(const ag_platform *platform);
void ag_platform_close(ag_platform *platform);

// Writes the address of a GL function to `function`, a pointer to a function pointer. Returns
// false, and NULL there, if it is not found.
bool ag_loader_find(const ag_loader *loader, const char *name, void *function);

#endif
