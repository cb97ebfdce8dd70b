// wgl.h - a context by WGL, on a window that is never shown
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_WGL_H
#define AG_TEST_WGL_H

// How Windows' GL functions are called; windows.h calls it APIENTRY.
#ifdef _M_IX86
#define WGL_CALL __stdcall
#else
#define WGL_CALL
#endif

// Makes a core context of at least this version current, or writes why it cannot.
int wgl_create(int major, int minor, char *error, int capacity);
void wgl_destroy(void);

// The address of a GL function: those of 1.1 are opengl32.dll's own, others the driver's.
void *wgl_proc(void *user, const char *name);

// glGetString.
const char *wgl_string(unsigned name);

// The address of a function in a DLL, which is loaded; NULL if either is missing.
void *wgl_module(const char *path, const char *function);

void wgl_sleep(unsigned ms);

#endif
