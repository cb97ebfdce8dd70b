// viewer/frames_mode.c - frames without a window, through EGL
// SPDX-License-Identifier: MIT
#include "frames_mode.h"

#include "capture.h"
#include "file.h"
#include "headless.h"
#include "image.h"
#include "report.h"
#include "setup.h"
#include "window_ui.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void GLAD_API_PTR on_debug(GLenum from, GLenum type, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *text, const void *user)
{
    (void)from, (void)id, (void)length, (void)user;
    if (type != GL_DEBUG_TYPE_PUSH_GROUP && type != GL_DEBUG_TYPE_POP_GROUP &&
        severity != GL_DEBUG_SEVERITY_NOTIFICATION)
        fprintf(stderr, "afterglow-viewer: GL: %s\n", text);
}

static void print_times(frame *f)
{
    timers_finish(&f->timers);
    printf("%-28s %10s %10s\n", "GPU, ms", "median", "p95");
    for (int i = 0; i < f->timers.row_count; i++) {
        const timer_row *row = &f->timers.rows[i];
        printf("%-28s %10.3f %10.3f\n", i ? row->name : "whole frame",
               (double)timers_percentile(row->ms, row->count, 50),
               (double)timers_percentile(row->ms, row->count, 95));
    }
    for (int i = 0; i < f->node_count + f->other_count; i++) {
        const node *n = frame_node(f, i);
        ag_stats s = {.struct_size = sizeof s};
        if (n->works && f->graph.ag->stats(n->ag_pass, AG_WHOLE_PASS, &s) >= 0 && s.samples)
            printf("%-28s %10.3f %10.3f\n", n->name, s.gpu_median * 1e-6, s.gpu_p95 * 1e-6);
        else if (n->on && !n->works)
            printf("%-28s %s\n", n->name, n->why);
    }
    const timer_row *points = timers_find(&f->timers, "particles");
    float ms = points ? timers_percentile(points->ms, points->count, 50) : 0;
    if (ms > 0)
        printf("%-28s %10.0f particles/ms\n", "particles",
               (double)((float)f->particles.count / ms));
}

// As a window's swap chain does: the CPU is two frames ahead at most. Without it, times would be
// those of a queue that is hundreds of frames long, and most would come too late for the timers.
static void pace(const GladGLContext *gl, GLsync fences[2], int number)
{
    GLsync *fence = &fences[number % 2];
    if (*fence) {
        gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, 60000000000u);
        gl->DeleteSync(*fence);
    }
    *fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

static bool draw_frames(frame *f, window_ui *ui, const viewer_command *wanted, GLsync fences[2])
{
    const float dt = 1.0f / (float)wanted->fps;
    char path[4096];
    for (int i = 1; i <= wanted->frames; i++) {
        pace(f->gl, fences, i);
        const int rect[4] = {0, 0, wanted->width, wanted->height};
        camera_step(&f->camera, &(camera_move){0}, dt);
        if (ui)
            window_ui_frame(ui, f, wanted->width, wanted->height, dt);
        else
            frame_size(f, wanted->width, wanted->height, rect);
        if (!frame_draw(f, dt))
            return fail(STATUS_FAILED, "frame %d: %s", i, f->log) == STATUS_OK;
        if (ui)
            window_ui_draw(ui, f);
        snprintf(path, sizeof path, "%s/%05d.png", wanted->video ? wanted->video : "", i);
        if (wanted->video && !capture_save(f, path))
            return false;
    }
    return !wanted->screenshot || capture_save(f, wanted->screenshot);
}

static bool draw_all(frame *f, window_ui *ui, const viewer_command *wanted)
{
    GLsync fences[2] = {0};
    bool good = draw_frames(f, ui, wanted, fences);
    for (int i = 0; i < 2; i++)
        if (fences[i])
            f->gl->DeleteSync(fences[i]);
    return good;
}

// Before minutes are spent on frames: whether they can be kept.
static int check_outputs(const viewer_command *wanted)
{
    const char *path = wanted->screenshot;
    image_file type = path ? image_file_type(path) : FILE_PNG;
    if (type != FILE_PNG && type != FILE_JPG)
        return fail(STATUS_USAGE, "--screenshot %s: expected .png or .jpg", path);
    if (wanted->video && !file_is_folder(wanted->video))
        return fail(STATUS_USAGE, "--video %s: expected a folder", wanted->video);
    return path ? file_check_writable(path) : STATUS_OK;
}

int frames_mode(const viewer_command *wanted)
{
    char error[512];
    GladGLContext gl;
    bool debug = getenv("AFTERGLOW_GL_DEBUG") != NULL;
    int status = check_outputs(wanted);
    if (status != STATUS_OK)
        return status;
    headless *context =
        headless_create(&(headless_options){.device = wanted->device, .debug = debug}, error,
                        sizeof error);
    if (!context)
        return fail(STATUS_FAILED, "no OpenGL 4.3 without a window: %s", error);
    const setup_gl from = {headless_proc, context};
    frame *f = calloc(1, sizeof *f);
    window_ui *ui = NULL;
    status = !f ? fail_memory() : setup_load(&from, &gl) ? STATUS_OK : STATUS_FAILED;
    if (status == STATUS_OK && debug) {
        gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        gl.DebugMessageCallback(on_debug, NULL);
    }
    if (status == STATUS_OK)
        status = setup_frame(f, &gl, &from, wanted);
    if (status == STATUS_OK && wanted->panel) {
        ui = window_ui_open(&gl, NULL, wanted->ui_scale > 0 ? (float)wanted->ui_scale : 1);
        status = ui ? STATUS_OK : STATUS_FAILED;
    }
    if (status == STATUS_OK && !draw_all(f, ui, wanted))
        status = STATUS_FAILED;
    if (status == STATUS_OK) {
        printf("%s, %d frames of %dx%d\n", (const char *)gl.GetString(GL_RENDERER), wanted->frames,
               f->width, f->height);
        print_times(f);
    }
    window_ui_close(ui);
    if (f)
        frame_close(f);
    free(f);
    headless_destroy(context);
    return status;
}
