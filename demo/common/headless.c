// headless.c - an OpenGL context without a window, through EGL opened at run time
// SPDX-License-Identifier: MIT
#include "headless.h"

#define EGL_NO_X11 // the X11 types of these headers are not needed, nor are its headers
#define EGL_NO_PLATFORM_SPECIFIC_TYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEVICES 32

struct headless {
    void *library;
    EGLDisplay display; // shared by the whole process: never terminated
    EGLContext context;
    PFNEGLGETPROCADDRESSPROC get_proc;
    PFNEGLQUERYSTRINGPROC query_string;
    PFNEGLGETERRORPROC get_error;
    PFNEGLINITIALIZEPROC initialize;
    PFNEGLBINDAPIPROC bind_api;
    PFNEGLCHOOSECONFIGPROC choose_config;
    PFNEGLCREATECONTEXTPROC create_context;
    PFNEGLDESTROYCONTEXTPROC destroy_context;
    PFNEGLMAKECURRENTPROC make_current;
    PFNEGLGETCURRENTCONTEXTPROC get_current_context;
};

// ISO C has no cast between object and function pointers; POSIX promises that the bits agree.
static bool load_symbol(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load_extension(const headless *egl, const char *name, void *function)
{
    __eglMustCastToProperFunctionPointerType symbol = egl->get_proc(name);
    memcpy(function, &symbol, sizeof symbol);
}

static bool load_egl(headless *egl, char *error, size_t error_size)
{
    // NODELETE: the display outlives every headless, so the library behind it must stay mapped.
    egl->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!egl->library) {
        snprintf(error, error_size, "libEGL.so.1 cannot be opened: %s", dlerror());
        return false;
    }
    void *library = egl->library;
    bool complete = load_symbol(library, "eglGetProcAddress", &egl->get_proc) &&
                    load_symbol(library, "eglQueryString", &egl->query_string) &&
                    load_symbol(library, "eglGetError", &egl->get_error) &&
                    load_symbol(library, "eglInitialize", &egl->initialize) &&
                    load_symbol(library, "eglBindAPI", &egl->bind_api) &&
                    load_symbol(library, "eglChooseConfig", &egl->choose_config) &&
                    load_symbol(library, "eglCreateContext", &egl->create_context) &&
                    load_symbol(library, "eglDestroyContext", &egl->destroy_context) &&
                    load_symbol(library, "eglMakeCurrent", &egl->make_current) &&
                    load_symbol(library, "eglGetCurrentContext", &egl->get_current_context);
    if (!complete)
        snprintf(error, error_size, "libEGL.so.1 is older than EGL 1.4");
    return complete;
}

// Whether a space-separated list of extensions contains this name.
static bool has_extension(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length) {
        bool starts = at == list || at[-1] == ' ';
        if (starts && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

static int query_devices(const headless *egl, EGLDeviceEXT devices[MAX_DEVICES])
{
    PFNEGLQUERYDEVICESEXTPROC query = NULL;
    EGLint count = 0;
    load_extension(egl, "eglQueryDevicesEXT", &query);
    if (!query || !query(MAX_DEVICES, devices, &count))
        return 0;
    return count;
}

static void describe_devices(const headless *egl, char *error, size_t error_size)
{
    EGLDeviceEXT devices[MAX_DEVICES];
    int count = query_devices(egl, devices);
    PFNEGLQUERYDEVICESTRINGEXTPROC device_string = NULL;
    load_extension(egl, "eglQueryDeviceStringEXT", &device_string);

    int used = snprintf(error, error_size, "EGL has %d device%s", count, count == 1 ? "" : "s");
    for (int i = 0; i < count && used >= 0 && (size_t)used < error_size; i++) {
        const char *names = device_string ? device_string(devices[i], EGL_EXTENSIONS) : NULL;
        int more = snprintf(error + used, error_size - (size_t)used, "%s %d (%s)", i ? "," : ":", i,
                            names && *names ? names : "no extensions");
        used = more < 0 ? more : used + more;
    }
}

// The initialized display of a platform, or EGL_NO_DISPLAY.
static EGLDisplay open_platform(const headless *egl, EGLenum platform, void *native)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display = NULL;
    load_extension(egl, "eglGetPlatformDisplayEXT", &get_display);
    EGLDisplay display = get_display ? get_display(platform, native, NULL) : EGL_NO_DISPLAY;
    return display && egl->initialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

static bool open_display(headless *egl, int device, char *error, size_t error_size)
{
    // NULL if this EGL has no client extensions; it then has none of the platforms below.
    const char *client = egl->query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    EGLDeviceEXT devices[MAX_DEVICES];
    int count = query_devices(egl, devices);

    if (device >= 0 && device < count)
        egl->display = open_platform(egl, EGL_PLATFORM_DEVICE_EXT, devices[device]);
    if (!egl->display && device == 0 && has_extension(client, "EGL_MESA_platform_surfaceless"))
        egl->display = open_platform(egl, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
    if (egl->display)
        return true;
    if (device < 0 || device >= count) {
        describe_devices(egl, error, error_size);
    } else {
        snprintf(error, error_size, "EGL device %d cannot be initialized (EGL error 0x%04x)",
                 device, (unsigned)egl->get_error());
    }
    return false;
}

static bool choose_config(const headless *egl, EGLConfig *config)
{
    // Surface type 0, because the default would demand windows.
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLint count = 0;
    return egl->choose_config(egl->display, wanted, config, 1, &count) && count > 0;
}

static EGLContext try_context(const headless *egl, EGLConfig config,
                              const headless_options *options, bool robust)
{
    EGLint list[16] = {
        EGL_CONTEXT_MAJOR_VERSION,       options->major ? options->major : 4,
        EGL_CONTEXT_MINOR_VERSION,       options->major ? options->minor : 3,
        EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
    };
    int used = 6;
    if (options->debug) {
        list[used++] = EGL_CONTEXT_OPENGL_DEBUG;
        list[used++] = EGL_TRUE;
    }
    if (robust) {
        list[used++] = EGL_CONTEXT_OPENGL_ROBUST_ACCESS;
        list[used++] = EGL_TRUE;
        list[used++] = EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY;
        list[used++] = EGL_LOSE_CONTEXT_ON_RESET;
    }
    if (options->no_error) {
        list[used++] = EGL_CONTEXT_OPENGL_NO_ERROR_KHR;
        list[used++] = EGL_TRUE;
    }
    list[used] = EGL_NONE;
    EGLContext share = options->share ? options->share->context : EGL_NO_CONTEXT;
    return egl->create_context(egl->display, config, share, list);
}

// Tries without a config, then with one; each first with the requested robustness, then without.
static bool open_context(headless *egl, const headless_options *options, char *error,
                         size_t error_size)
{
    const char *extensions = egl->query_string(egl->display, EGL_EXTENSIONS);
    bool no_config = has_extension(extensions, "EGL_KHR_no_config_context") ||
                     has_extension(extensions, "EGL_MESA_configless_context");
    for (int chosen = no_config ? 0 : 1; chosen < 2 && !egl->context; chosen++) {
        EGLConfig config = EGL_NO_CONFIG_KHR;
        if (chosen && !choose_config(egl, &config))
            break;
        if (options->robust)
            egl->context = try_context(egl, config, options, true);
        if (!egl->context)
            egl->context = try_context(egl, config, options, false);
    }
    if (!egl->context) {
        snprintf(error, error_size,
                 "EGL cannot create an OpenGL %d.%d core context (EGL error 0x%04x)",
                 options->major ? options->major : 4, options->major ? options->minor : 3,
                 (unsigned)egl->get_error());
    }
    return egl->context != EGL_NO_CONTEXT;
}

headless *headless_create(const headless_options *options, char *error, size_t error_size)
{
    const headless_options zero = {0};
    options = options ? options : &zero;
    headless *egl = calloc(1, sizeof *egl);
    if (!egl) {
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    if (!load_egl(egl, error, error_size))
        goto fail;
    if (options->share)
        egl->display = options->share->display; // contexts share objects only within one display
    else if (!open_display(egl, options->device, error, error_size))
        goto fail;
    if (!egl->bind_api(EGL_OPENGL_API)) {
        snprintf(error, error_size, "this EGL has no desktop OpenGL");
        goto fail;
    }
    if (!open_context(egl, options, error, error_size))
        goto fail;
    if (!headless_make_current(egl)) {
        snprintf(error, error_size, "the context cannot be made current without a surface");
        goto fail;
    }
    return egl;

fail:
    headless_destroy(egl);
    return NULL;
}

// Unbinds the context of this thread. There may be no headless object, so EGL is looked up again.
static bool make_none_current(void)
{
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return true; // EGL was never opened, so no context is current
    PFNEGLGETCURRENTDISPLAYPROC get_display = NULL;
    PFNEGLMAKECURRENTPROC make_current = NULL;
    bool done = load_symbol(library, "eglGetCurrentDisplay", &get_display) &&
                load_symbol(library, "eglMakeCurrent", &make_current);
    EGLDisplay display = done ? get_display() : EGL_NO_DISPLAY;
    if (display)
        done = make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    dlclose(library);
    return done;
}

bool headless_make_current(headless *context)
{
    if (!context)
        return make_none_current();
    // Each thread has a current API, and only a context of that API would be unbound.
    context->bind_api(EGL_OPENGL_API);
    return context->make_current(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                                 context->context);
}

void *headless_proc(void *user, const char *name)
{
    const headless *egl = user;
    __eglMustCastToProperFunctionPointerType function = egl->get_proc(name);
    void *address = NULL;
    memcpy(&address, &function, sizeof address);
    return address;
}

int headless_is_current(void *user)
{
    const headless *egl = user;
    return egl->get_current_context() == egl->context;
}

void headless_destroy(headless *context)
{
    if (!context)
        return;
    if (context->context) {
        if (headless_is_current(context))
            make_none_current();
        context->destroy_context(context->display, context->context);
    }
    if (context->library)
        dlclose(context->library);
    free(context);
}
