// viewer/window_ui.c - the panel around the picture: where everything is, and what keys do
// SPDX-License-Identifier: MIT
#include "window_ui.h"

#include "capture.h"
#include "file.h"
#include "fonts.h"
#include "inspector.h"
#include "overlay.h"
#include "panel.h"
#include "preset.h"
#include "report.h"
#include "scopes.h"
#include "times_panel.h"
#include "toast.h"
#include "ui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct window_ui {
    panel panel;
    inspector inspector;
    scopes scopes;
    bool hidden, help, ends, splitting, hot;
    bool shot;          // a screenshot is due once the frame is drawn
    bool was_down[2];   // a button, on the picture
    float mouse[2];     // -1, -1: elsewhere
    float speed_before; // of the street's time, while it is stopped
    unsigned long told; // messages shown so far
    float told_age;
    const char *told_text;
};

window_ui *window_ui_open(const GladGLContext *gl, void *window, float scale)
{
    window_ui *ui = calloc(1, sizeof *ui);
    if (!ui ||
        !ui_open(window, scale, font_regular, font_regular_size, font_medium, font_medium_size,
                 font_mono, font_mono_size) ||
        !inspector_open(&ui->inspector, gl) || !scopes_open(&ui->scopes, gl)) {
        fail(STATUS_FAILED, "the panel cannot be made");
        window_ui_close(ui);
        return NULL;
    }
    panel_open(&ui->panel);
    ui_tell_places(getenv("AFTERGLOW_VIEWER_PLACES"));
    ui->told_age = 1e9f;
    toast_last(&ui->told); // what was said before there was a panel
    return ui;
}

void window_ui_close(window_ui *ui)
{
    if (!ui)
        return;
    inspector_close(&ui->inspector);
    scopes_close(&ui->scopes);
    ui_close();
    free(ui);
}

bool window_ui_ends(const window_ui *ui)
{
    return ui->ends;
}

void window_ui_drop(frame *f, const char *path)
{
    if (file_is_folder(path)) { // of a pass; what is wrong was printed
        if (frame_load(f, path))
            note("%s: loaded", file_name(path));
        return;
    }
    if (strcmp(file_extension(path), ".json") == 0) {
        if (preset_load(f, path))
            note("%s: loaded", file_name(path));
        return;
    }
    if (capture_load(f, path))
        note("%s", file_name(path));
}

// ---- keys
// ------------------------------------------------------------------------------------------------

static void record_path(frame *f)
{
    char name[64];
    camera *c = &f->camera;
    if (!c->recording) {
        camera_record(c, true);
        return;
    }
    camera_record(c, false);
    capture_name(name, sizeof name, "path", ".json");
    if (camera_save(c, name))
        note("saved %s: F6 flies along it", name);
}

static void write_trace(frame *f)
{
    char name[64];
    capture_name(name, sizeof name, "trace", ".json");
    if (capture_trace(f, name))
        note("saved %s, for ui.perfetto.dev", name);
}

static void stop_time(window_ui *ui, frame *f)
{
    bool stopped = f->street.speed == 0;
    if (!stopped)
        ui->speed_before = f->street.speed;
    f->street.speed = stopped ? (ui->speed_before > 0 ? ui->speed_before : 1) : 0;
}

static void escape(window_ui *ui, frame *f)
{
    if (ui->help)
        ui->help = false;
    else if (f->inspect_id[0])
        frame_inspect(f, "", 0);
    else
        ui->ends = true;
}

static void take_keys(window_ui *ui, frame *f)
{
    if (ui_wants_keys())
        return;
    if (ui_key_pressed(UI_KEY_ESCAPE))
        escape(ui, f);
    if (ui_key_pressed(UI_KEY_F1))
        ui->help = !ui->help;
    if (ui_key_pressed(UI_KEY_H))
        ui->hidden = !ui->hidden;
    if (ui_key_pressed(UI_KEY_X))
        f->view.split = !f->view.split;
    if (ui_key_pressed(UI_KEY_I))
        frame_inspect(f, f->inspect_id[0] ? "" : "scene", SCENE_COLOUR);
    if (ui_key_pressed(UI_KEY_B))
        frame_swap(f);
    if (ui_key_pressed(UI_KEY_G))
        f->view.scopes = !f->view.scopes;
    if (ui_key_pressed(UI_KEY_L))
        f->view.loupe = !f->view.loupe;
    if (ui_key_pressed(UI_KEY_R) && frame_reload(f))
        note("the module was loaded anew");
    if (ui_key_pressed(UI_KEY_T))
        write_trace(f);
    if (ui_key_pressed(UI_KEY_F5))
        record_path(f);
    if (ui_key_pressed(UI_KEY_F6))
        camera_play(&f->camera, !f->camera.playing);
    if (ui_key_pressed(UI_KEY_HOME))
        camera_reset(&f->camera);
    if (ui_key_pressed(UI_KEY_SPACE))
        stop_time(ui, f);
    ui->shot = ui_key_pressed(UI_KEY_F12);
}

// ---- the mouse on the picture
// --------------------------------------------------------------------------------

static void take_split(window_ui *ui, frame *f, const float mouse[2])
{
    const int *r = f->rect;
    float x = (float)r[0] + f->view.split_at * (float)r[2];
    bool inside = mouse[1] >= (float)r[1] && mouse[1] < (float)(r[1] + r[3]);
    ui->hot = f->view.split &&
              (ui->splitting || (!ui_wants_mouse() && inside && fabsf(mouse[0] - x) < ui_px(8)));
    if (ui->hot && ui_mouse_pressed(0))
        ui->splitting = true;
    if (!ui_mouse_down(0) || !f->view.split)
        ui->splitting = false;
    if (ui->splitting && r[2] > 0)
        f->view.split_at = fminf(fmaxf((mouse[0] - (float)r[0]) / (float)r[2], 0), 1);
}

static void take_mouse(window_ui *ui, frame *f, camera_move *move)
{
    float moved[2];
    const float turn = 0.0028f;
    ui_mouse(ui->mouse, moved);
    take_split(ui, f, ui->mouse);
    for (int i = 0; i < 2; i++) {
        if (ui_mouse_pressed(i))
            ui->was_down[i] = !ui_wants_mouse() && !ui->splitting;
        ui->was_down[i] = ui->was_down[i] && ui_mouse_down(i);
    }
    if (ui->was_down[0]) { // the picture follows the hand
        move->turn = -moved[0] * turn;
        move->tilt = moved[1] * turn;
    }
    if (ui->was_down[1])
        move->orbit = -moved[0] * turn;
}

static float axis(ui_key more, ui_key less)
{
    return (float)ui_key_down(more) - (float)ui_key_down(less);
}

static void take_camera(window_ui *ui, frame *f, float dt)
{
    camera_move move = {.fast = ui_key_down(UI_KEY_SHIFT)};
    take_mouse(ui, f, &move);
    if (!ui_wants_keys()) {
        move.ahead = axis(UI_KEY_W, UI_KEY_S);
        move.right = axis(UI_KEY_D, UI_KEY_A);
        move.up = axis(UI_KEY_E, UI_KEY_Q);
    }
    camera_step(&f->camera, &move, dt);
}

// ---- the layout
// ------------------------------------------------------------------------------------------------

static void take_messages(window_ui *ui, float dt)
{
    unsigned long number = 0;
    const char *text = toast_last(&number);
    ui->told_age = number != ui->told ? 0 : ui->told_age + dt;
    ui->told = number;
    ui->told_text = text;
}

void window_ui_frame(window_ui *ui, frame *f, int width, int height, float dt)
{
    float w = (float)width, h = (float)height;
    bool small = w < ui_px(480) || h < ui_px(270); // no room for more than the picture
    bool shown = !ui->hidden && !small;
    float side = shown ? floorf(fminf(fmaxf(w * 0.36f, ui_px(232)), ui_px(312))) : 0,
          strip = shown && h >= ui_px(480) ? floorf(fmaxf(ui_px(188), h * 0.24f)) : 0;
    int rect[4] = {(int)side, 0, (int)(w - side), (int)(h - strip)};
    ui_begin(width, height, dt);
    take_keys(ui, f);
    if (f->graph.device == NULL)
        return; // the module is gone, and said why
    frame_size(f, width, height, rect);
    take_camera(ui, f, dt);
    take_messages(ui, dt);
    if (shown)
        panel_show(&ui->panel, f, 0, 0, side, h);
    if (strip > 0)
        times_panel_show(f, side, h - strip, w - side, strip);
    if (shown && f->inspect_id[0]) { // over the picture, which keeps its size
        float wide = floorf(fminf(ui_px(400), (w - side) * 0.6f));
        inspector_show(&ui->inspector, f, w - wide, 0, wide, h - strip);
    }
    overlay_split(f, ui->hot);
    if (!ui->hidden)
        scopes_show(&ui->scopes, f, ui->mouse);
    overlay_banner(f);
    if (!ui->hidden) {
        overlay_camera(f);
        overlay_message(f, ui->told_text, ui->told_age);
    }
    if (ui->help)
        overlay_help(w, h);
}

// For tests: what cannot be read off the panel.
static void tell_state(const window_ui *ui, const frame *f)
{
    char text[4096];
    ag_reload reload = {.struct_size = sizeof reload};
    f->graph.ag->reload_status(f->graph.device, &reload);
    snprintf(text, sizeof text,
             "frame %llu 0 0 0\nrect %d %d %d %d\nsplit %d %.4f 0 0\nreload %u %u %u 0\n"
             "window %d %d 0 0\nmodes %d %d %d %d\nkeys %d %d 0 0\n",
             (unsigned long long)f->number, f->rect[0], f->rect[1], f->rect[2], f->rect[3],
             f->view.split, (double)f->view.split_at, (unsigned)reload.generation,
             (unsigned)reload.failed, (unsigned)reload.pending, f->canvas_width, f->canvas_height,
             ui->hidden, ui->help, f->image.name != 0, f->camera.recording, f->camera.key_count,
             f->side);
    for (int i = 0; i < f->node_count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "chain/%s %d %d %d 0\n", f->nodes[i].name, i,
                 f->nodes[i].on, f->nodes[i].works);
    }
    ui_tell_state(text);
}

void window_ui_draw(window_ui *ui, frame *f)
{
    char name[64];
    tell_state(ui, f);
    if (f->inspect_id[0])
        inspector_draw(&ui->inspector, f);
    if (!ui->hidden)
        scopes_draw(&ui->scopes, f);
    f->gl->BindFramebuffer(GL_FRAMEBUFFER, f->target);
    f->gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, f->canvas,
                                0);
    ui_end();
    f->gl->BindFramebuffer(GL_FRAMEBUFFER, 0);
    if (!ui->shot)
        return;
    ui->shot = false;
    capture_name(name, sizeof name, "picture", ".png");
    if (capture_save(f, name))
        note("saved %s", name);
}
