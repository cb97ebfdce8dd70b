// headless.c - an OpenGL context of Windows, of a window that is never shown
// SPDX-License-Identifier: MIT
#include "../common/headless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

// WGL_ARB_create_context, its profile and robustness; WGL_ARB_create_context_no_error
enum {
    MAJOR = 0x2091,
    MINOR = 0x2092,
    FLAGS = 0x2094,
    PROFILE_MASK = 0x9126,
    CORE = 1,
    DEBUG = 1,
    ROBUST = 4,
    RESET_STRATEGY = 0x8256,
    LOSE_CONTEXT = 0x8252,
    NO_ERROR_CHECKS = 0x31b3
};

struct headless {
    HWND window;
    HDC device;
    HGLRC context;
};

typedef HGLRC(WINAPI *create_fn)(HDC, HGLRC, const int *);

static bool open_window(headless *wgl)
{
    const WNDCLASSA type = {.style = CS_OWNDC,
                            .lpfnWndProc = DefWindowProcA,
                            .hInstance = GetModuleHandleA(NULL),
                            .lpszClassName = "afterglow"};
    const PIXELFORMATDESCRIPTOR wanted = {.nSize = sizeof wanted,
                                          .nVersion = 1,
                                          .dwFlags = PFD_DRAW_TO_WINDOW | PFD_SUPPORT_OPENGL |
                                                     PFD_DOUBLEBUFFER,
                                          .iPixelType = PFD_TYPE_RGBA,
                                          .cColorBits = 24};
    RegisterClassA(&type); // fails for the second context, which has the class already
    wgl->window = CreateWindowA("afterglow", "afterglow", WS_OVERLAPPEDWINDOW, 0, 0, 64, 64, NULL,
                                NULL, type.hInstance, NULL);
    wgl->device = wgl->window ? GetDC(wgl->window) : NULL;
    int format = wgl->device ? ChoosePixelFormat(wgl->device, &wanted) : 0;
    return format && SetPixelFormat(wgl->device, format, &wanted);
}

static HGLRC try_context(const headless *wgl, create_fn create, const headless_options *options,
                         bool robust)
{
    const int flags = (options->debug ? DEBUG : 0) | (robust ? ROBUST : 0);
    int list[16] = {MAJOR,        options->major ? options->major : 4,
                    MINOR,        options->major ? options->minor : 3,
                    PROFILE_MASK, CORE,
                    FLAGS,        flags};
    int used = 8;
    if (robust) {
        list[used++] = RESET_STRATEGY;
        list[used++] = LOSE_CONTEXT;
    }
    if (options->no_error) {
        list[used++] = NO_ERROR_CHECKS;
        list[used++] = 1;
    }
    return create(wgl->device, options->share ? options->share->context : NULL, list);
}

headless *headless_create(const headless_options *options, char *error, size_t error_size)
{
    const headless_options zero = {0};
    options = options ? options : &zero;
    headless *wgl = calloc(1, sizeof *wgl);
    const char *what = "out of memory";
    if (wgl && options->device) {
        what = "Windows chooses the device; expected --device 0";
    } else if (wgl && !open_window(wgl)) {
        what = "no window for OpenGL";
    } else if (wgl) {
        // This function can be asked for only with a context current: an old one, first.
        create_fn create = NULL;
        what = "the driver has no wglCreateContextAttribsARB";
        HGLRC first = wglCreateContext(wgl->device);
        if (first && wglMakeCurrent(wgl->device, first)) {
            PROC address = wglGetProcAddress("wglCreateContextAttribsARB");
            memcpy(&create, &address, sizeof address);
        }
        if (create && options->robust)
            wgl->context = try_context(wgl, create, options, true);
        if (create && !wgl->context)
            wgl->context = try_context(wgl, create, options, false);
        wglMakeCurrent(NULL, NULL);
        if (first)
            wglDeleteContext(first);
        if (create)
            what = "the driver cannot create an OpenGL core context of this version";
        if (wgl->context && headless_make_current(wgl))
            return wgl;
    }
    snprintf(error, error_size, "%s (error %lu)", what, GetLastError());
    headless_destroy(wgl);
    return NULL;
}

bool headless_make_current(headless *context)
{
    return wglMakeCurrent(context ? context->device : NULL, context ? context->context : NULL);
}

void *headless_proc(void *user, const char *name)
{
    (void)user;
    PROC address = wglGetProcAddress(name);
    void *pointer = NULL;
    // Some drivers give small numbers in place of NULL. What OpenGL 1.1 has is in the library.
    if ((INT_PTR)address >= -1 && (INT_PTR)address <= 3)
        address = (PROC)GetProcAddress(GetModuleHandleA("opengl32.dll"), name);
    memcpy(&pointer, &address, sizeof address);
    return pointer;
}

int headless_is_current(void *user)
{
    const headless *wgl = user;
    return wglGetCurrentContext() == wgl->context;
}

void headless_destroy(headless *context)
{
    if (!context)
        return;
    if (context->context) {
        if (headless_is_current(context))
            wglMakeCurrent(NULL, NULL);
        wglDeleteContext(context->context);
    }
    if (context->device)
        ReleaseDC(context->window, context->device);
    if (context->window)
        DestroyWindow(context->window);
    free(context);
}
