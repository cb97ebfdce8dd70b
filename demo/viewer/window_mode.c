// viewer/window_mode.c - the viewer in a window of its own, by GLFW
// SPDX-License-Identifier: MIT
#include "window_mode.h"

#include "report.h"
#include "setup.h"
#include "window_ui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DROPS = 8, ICON = 64 };

typedef struct window {
    GLFWwindow *handle;
    GladGLContext gl;
    char drops[DROPS][1024];
    int drop_count;
    double last_time;
    GLuint blit;
    bool debug;
} window;

static window *self; // GLFW's callbacks get the handle alone

static void on_drop(GLFWwindow *w, int count, const char **paths)
{
    (void)w;
    for (int i = 0; i < count && self->drop_count < DROPS; i++)
        snprintf(self->drops[self->drop_count++], sizeof self->drops[0], "%s", paths[i]);
}

static float take_time(window *w)
{
    double now = glfwGetTime(), dt = now - w->last_time;
    w->last_time = now;
    return (float)fmin(fmax(dt, 1e-4), 0.1); // a stall is no leap in the scene
}

// ---- the window
// -------------------------------------------------------------------------------------------

// A six-bladed star on a dark disc.
static void set_icon(window *w)
{
    static unsigned char texels[ICON * ICON * 4];
    for (int i = 0; i < ICON * ICON; i++) {
        float x = ((float)(i % ICON) + 0.5f) / ICON * 2 - 1,
              y = ((float)(i / ICON) + 0.5f) / ICON * 2 - 1;
        float r = sqrtf(x * x + y * y), light = 0.05f / (r * r + 0.02f);
        for (int k = 0; k < 3; k++) {
            float a = (float)k * 1.0471976f + 0.2617994f;
            float across = fabsf(x * sinf(a) - y * cosf(a));
            light += expf(-across * across * 900) * fmaxf(1 - r * 1.1f, 0) * 0.9f;
        }
        const float tint[3] = {1.0f, 0.78f, 0.42f};
        for (int c = 0; c < 3; c++)
            texels[4 * i + c] = (unsigned char)fminf(20 + 235 * light * tint[c], 255);
        texels[4 * i + 3] = (unsigned char)(255 * fminf(fmaxf((0.98f - r) * 24, 0), 1));
    }
    glfwSetWindowIcon(w->handle, 1, &(GLFWimage){ICON, ICON, texels});
}

static void *proc(void *user, const char *name)
{
    GLFWglproc function = glfwGetProcAddress(name);
    void *address = NULL;
    (void)user;
    memcpy(&address, &function, sizeof address);
    return address;
}

static void GLAD_API_PTR on_debug(GLenum from, GLenum type, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *text, const void *user)
{
    (void)from, (void)id, (void)length, (void)user;
    if (type != GL_DEBUG_TYPE_PUSH_GROUP && type != GL_DEBUG_TYPE_POP_GROUP &&
        severity != GL_DEBUG_SEVERITY_NOTIFICATION)
        fprintf(stderr, "afterglow-viewer: GL: %s\n", text);
}

static int open_window(window *w, const viewer_command *wanted)
{
    const char *why = NULL;
    if (!glfwInit()) {
        glfwGetError(&why);
        return fail(STATUS_FAILED,
                    "there is no display: %s. Without one: --frames N --screenshot FILE",
                    why ? why : "GLFW cannot start");
    }
    w->debug = getenv("AFTERGLOW_GL_DEBUG") != NULL;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, w->debug);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "afterglow-viewer"); // of the desktop entry
    w->handle = glfwCreateWindow(wanted->width, wanted->height, "Afterglow", NULL, NULL);
    if (!w->handle) {
        glfwGetError(&why);
        return fail(STATUS_FAILED, "no window with OpenGL 4.3 core: %s",
                    why ? why : "no reason given");
    }
    glfwMakeContextCurrent(w->handle);
    glfwSwapInterval(1);
    glfwSetDropCallback(w->handle, on_drop);
    glfwSetWindowSizeLimits(w->handle, 320, 180, GLFW_DONT_CARE, GLFW_DONT_CARE);
    set_icon(w);
    return STATUS_OK;
}

static void show(const window *w, const frame *f)
{
    const GladGLContext *gl = &w->gl;
    int width = f->canvas_width, height = f->canvas_height;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, w->blit);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, f->canvas,
                             0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    gl->BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glfwSwapBuffers(w->handle);
}

static void run(window *w, frame *f, window_ui *ui)
{
    w->last_time = glfwGetTime();
    while (!glfwWindowShouldClose(w->handle) && !window_ui_ends(ui)) {
        int width = 0, height = 0;
        glfwPollEvents();
        glfwGetFramebufferSize(w->handle, &width, &height);
        if (width < 1 || height < 1) { // it is an icon now
            glfwWaitEventsTimeout(0.1);
            continue;
        }
        const float dt = take_time(w);
        for (int i = 0; i < w->drop_count; i++)
            window_ui_drop(f, w->drops[i]);
        w->drop_count = 0;
        window_ui_frame(ui, f, width, height, dt);
        if (!f->graph.device)
            break; // the module could not be loaded again
        if (!frame_draw(f, dt))
            fail(STATUS_FAILED, "no frame: %s", f->log);
        window_ui_draw(ui, f);
        show(w, f);
    }
}

static float screen_scale(const window *w)
{
    float x = 1, y = 1;
    glfwGetWindowContentScale(w->handle, &x, &y);
    return fminf(fmaxf(x, 0.5f), 4);
}

int window_mode(const viewer_command *wanted)
{
    window *w = self = calloc(1, sizeof *w);
    frame *f = calloc(1, sizeof *f);
    window_ui *ui = NULL;
    int status = w && f ? open_window(w, wanted) : fail_memory();
    const setup_gl from = {proc, w};
    if (status == STATUS_OK)
        status = setup_load(&from, &w->gl) ? STATUS_OK : STATUS_FAILED;
    if (status == STATUS_OK && w->debug) {
        w->gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        w->gl.DebugMessageCallback(on_debug, NULL);
    }
    if (status == STATUS_OK)
        status = setup_frame(f, &w->gl, &from, wanted);
    if (status == STATUS_OK) {
        ui = window_ui_open(&w->gl, w->handle,
                            wanted->ui_scale > 0 ? (float)wanted->ui_scale : screen_scale(w));
        status = ui ? STATUS_OK : STATUS_FAILED;
    }
    if (status == STATUS_OK) {
        w->gl.GenFramebuffers(1, &w->blit);
        run(w, f, ui);
        status = f->graph.device ? STATUS_OK : STATUS_FAILED;
        w->gl.DeleteFramebuffers(1, &w->blit);
    }
    window_ui_close(ui);
    if (f)
        frame_close(f);
    free(f);
    glfwTerminate();
    free(w);
    return status;
}
