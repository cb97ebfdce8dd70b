// viewer/glfw.h - GLFW opened at run time: one program serves machines with a screen and machines
// without
// SPDX-License-Identifier: MIT
#ifndef VIEWER_GLFW_H
#define VIEWER_GLFW_H

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdbool.h>
#include <stddef.h>

// The functions that are used, once.
// clang-format off
#define GLFW_FUNCTIONS(X)     \
    X(Init)                   \
    X(Terminate)              \
    X(GetError)               \
    X(WindowHint)             \
    X(CreateWindow)           \
    X(DestroyWindow)          \
    X(MakeContextCurrent)     \
    X(SwapInterval)           \
    X(SwapBuffers)            \
    X(PollEvents)             \
    X(WaitEventsTimeout)      \
    X(WindowShouldClose)      \
    X(GetFramebufferSize)     \
    X(GetWindowSize)          \
    X(GetWindowContentScale)  \
    X(GetCursorPos)           \
    X(GetTime)                \
    X(GetProcAddress)         \
    X(SetKeyCallback)         \
    X(SetCharCallback)        \
    X(SetScrollCallback)      \
    X(SetCursorPosCallback)   \
    X(SetMouseButtonCallback) \
    X(SetDropCallback)        \
    X(SetWindowIcon)          \
    X(SetWindowSizeLimits)
// clang-format on

typedef struct glfw {
    void *library;
#define X(name) __typeof__(&glfw##name) name;
    GLFW_FUNCTIONS(X)
#undef X
} glfw;

bool glfw_load(glfw *g, char *error, size_t error_size);
void glfw_unload(glfw *g, GLFWwindow *window); // a zeroed one is fine; window NULL: none

#endif
