// wgl.c - see wgl.h
// SPDX-License-Identifier: MIT
#include "wgl.h"

#define WIN32_LEAN_AND_MEAN
#include <stdio.h>
#include <string.h>
#include <windows.h>

// WGL_ARB_create_context, WGL_ARB_create_context_profile
enum { MAJOR = 0x2091, MINOR = 0x2092, PROFILE_MASK = 0x9126, CORE = 1 };

static struct {
    HWND window;
    HDC device;
    HGLRC context;
} wgl;

static int fails(char *error, int capacity, const char *what)
{
    snprintf(error, (size_t)capacity, "%s (error %lu)", what, GetLastError());
    wgl_destroy();
    return 0;
}

int wgl_create(int major, int minor, char *error, int capacity)
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
    const int attributes[] = {MAJOR, major, MINOR, minor, PROFILE_MASK, CORE, 0};
    HGLRC(WINAPI * create)(HDC, HGLRC, const int *) = NULL;

    RegisterClassA(&type);
    wgl.window = CreateWindowA("afterglow", "afterglow", WS_OVERLAPPEDWINDOW, 0, 0, 64, 64, NULL,
                               NULL, type.hInstance, NULL);
    wgl.device = wgl.window ? GetDC(wgl.window) : NULL;
    if (!wgl.device)
        return fails(error, capacity, "no window");
    int format = ChoosePixelFormat(wgl.device, &wanted);
    if (!format || !SetPixelFormat(wgl.device, format, &wanted))
        return fails(error, capacity, "no pixel format");
    // wglCreateContextAttribsARB can be asked for only with a context current: an old one, first.
    HGLRC first = wglCreateContext(wgl.device);
    if (!first || !wglMakeCurrent(wgl.device, first))
        return fails(error, capacity, "wglCreateContext");
    PROC address = wglGetProcAddress("wglCreateContextAttribsARB");
    memcpy(&create, &address, sizeof address);
    wgl.context = create ? create(wgl.device, NULL, attributes) : NULL;
    wglMakeCurrent(NULL, NULL);
    wglDeleteContext(first);
    if (!wgl.context || !wglMakeCurrent(wgl.device, wgl.context))
        return fails(error, capacity, "wglCreateContextAttribsARB");
    return 1;
}

void wgl_destroy(void)
{
    wglMakeCurrent(NULL, NULL);
    if (wgl.context)
        wglDeleteContext(wgl.context);
    if (wgl.device)
        ReleaseDC(wgl.window, wgl.device);
    if (wgl.window)
        DestroyWindow(wgl.window);
    memset(&wgl, 0, sizeof wgl);
}

void *wgl_proc(void *user, const char *name)
{
    (void)user;
    PROC address = wglGetProcAddress(name);
    void *pointer = NULL;
    // Some drivers give small numbers in place of NULL.
    if ((INT_PTR)address >= -1 && (INT_PTR)address <= 3)
        address = (PROC)GetProcAddress(GetModuleHandleA("opengl32.dll"), name);
    memcpy(&pointer, &address, sizeof address);
    return pointer;
}

const char *wgl_string(unsigned name)
{
    const unsigned char *(APIENTRY * get)(unsigned) = NULL;
    void *address = wgl_proc(NULL, "glGetString");
    memcpy(&get, &address, sizeof address);
    return get ? (const char *)get(name) : "";
}

void *wgl_module(const char *path, const char *function)
{
    HMODULE module = LoadLibraryA(path);
    FARPROC address = module ? GetProcAddress(module, function) : NULL;
    void *pointer = NULL;
    memcpy(&pointer, &address, sizeof address);
    return pointer;
}

void wgl_sleep(unsigned ms)
{
    Sleep(ms);
}
