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
#include "times_panel.h"
#include "toast.h"
#include "ui_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct window_ui {
    panel panel;
    inspector inspector;
    ui_draw draw;
    ui_input last; // of the frame before
    bool hidden, help, ends, splitting, hot;
    bool shot;          // a screenshot is due once the frame is drawn
    bool was_down[2];   // a button, on the picture
    float speed_before; // of the street's time, while it is stopped
    unsigned long told; // messages shown so far
    float told_age;
    const char *told_text;
};

window_ui *window_ui_open(const GladGLContext *gl, float scale)
{
    window_ui *ui = calloc(1, sizeof *ui);
    if (!ui ||
        !ui_open(scale, font_regular, font_regular_size, font_medium, font_medium_size, font_mono,
                 font_mono_size) ||
        !ui_draw_open(&ui->draw, gl) || !inspector_open(&ui->inspector, gl)) {
        fail(STATUS_FAILED, "the panel cannot be made");
        window_ui_close(ui);
        return NULL;
    }
    panel_open(&ui->panel);
    ui_tell_places(getenv("AFTERGLOW_VIEWER_PLACES"));
    ui->told_age = 1e9f;
    toast_last(&ui->told); // what was said before there was a panel
    ui->last.mouse[0] = ui->last.mouse[1] = -1;
    return ui;
}

void window_ui_close(window_ui *ui)
{
    if (!ui)
        return;
    inspector_close(&ui->inspector);
    ui_draw_close(&ui->draw);
    ui_close();
    free(ui);
}

bool window_ui_ends(const window_ui *ui)
{
    return ui->ends;
}

void window_ui_drop(window_ui *ui, frame *f, const char *path)
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
    if (capture_load(f, path)) {
        snprintf(ui->panel.image, sizeof ui->panel.image, "%s", file_name(path));
        note("%s", file_name(path));
    }
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

static void take_keys(window_ui *ui, frame *f, const ui_input *in)
{
    const bool *key = in->pressed;
    if (ui_wants_keys())
        return;
    if (key[UI_KEY_ESCAPE])
        escape(ui, f);
    if (key[UI_KEY_F1])
        ui->help = !ui->help;
    if (key[UI_KEY_H])
        ui->hidden = !ui->hidden;
    if (key[UI_KEY_X])
        f->view.split = !f->view.split;
    if (key[UI_KEY_I])
        frame_inspect(f, f->inspect_id[0] ? "" : "scene", SCENE_COLOUR);
    if (key[UI_KEY_R] && frame_reload(f))
        note("the module was loaded anew");
    if (key[UI_KEY_T])
        write_trace(f);
    if (key[UI_KEY_F5])
        record_path(f);
    if (key[UI_KEY_F6])
        camera_play(&f->camera, !f->camera.playing);
    if (key[UI_KEY_HOME])
        camera_reset(&f->camera);
    if (key[UI_KEY_SPACE])
        stop_time(ui, f);
    ui->shot = key[UI_KEY_F12];
}

// ---- the mouse on the picture
// --------------------------------------------------------------------------------

static void take_split(window_ui *ui, frame *f, const ui_input *in, bool pressed)
{
    const int *r = f->rect;
    float x = (float)r[0] + f->view.split_at * (float)r[2];
    bool inside = in->mouse[1] >= (float)r[1] && in->mouse[1] < (float)(r[1] + r[3]);
    ui->hot =
        f->view.split &&
        (ui->splitting || (!ui_wants_mouse() && inside && fabsf(in->mouse[0] - x) < ui_px(8)));
    if (ui->hot && pressed)
        ui->splitting = true;
    if (!in->buttons[0] || !f->view.split)
        ui->splitting = false;
    if (ui->splitting && r[2] > 0)
        f->view.split_at = fminf(fmaxf((in->mouse[0] - (float)r[0]) / (float)r[2], 0), 1);
}

static void take_mouse(window_ui *ui, frame *f, const ui_input *in, camera_move *move)
{
    float dx = in->mouse[0] - ui->last.mouse[0], dy = in->mouse[1] - ui->last.mouse[1];
    bool there = in->mouse[0] >= 0 && ui->last.mouse[0] >= 0;
    for (int i = 0; i < 2; i++) {
        bool pressed = in->buttons[i] && !ui->last.buttons[i];
        there = there && !pressed; // what the mouse moved until then is no drag
        if (i == 0)
            take_split(ui, f, in, pressed);
        if (pressed)
            ui->was_down[i] = !ui_wants_mouse() && !ui->splitting;
        if (!in->buttons[i])
            ui->was_down[i] = false;
    }
    float turn = 0.0028f;
    if (there && ui->was_down[0]) { // the picture follows the hand
        move->turn = -dx * turn;
        move->tilt = dy * turn;
    }
    if (there && ui->was_down[1])
        move->orbit = -dx * turn;
}

static void take_camera(window_ui *ui, frame *f, const ui_input *in)
{
    camera_move move = {.fast = in->fast};
    take_mouse(ui, f, in, &move);
    if (!ui_wants_keys() && !in->alter) {
        move.ahead = (float)in->ahead - (float)in->back;
        move.right = (float)in->right - (float)in->left;
        move.up = (float)in->up - (float)in->down;
    }
    camera_step(&f->camera, &move, in->dt);
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

void window_ui_frame(window_ui *ui, frame *f, const ui_input *in)
{
    float w = (float)in->width, h = (float)in->height;
    bool small = w < ui_px(560) || h < ui_px(320); // no room for more than the picture
    bool shown = !ui->hidden && !small;
    float side = shown ? ui_px(312) : 0,
          strip = shown && h >= ui_px(480) ? floorf(fmaxf(ui_px(188), h * 0.24f)) : 0;
    float right = shown && f->inspect_id[0] && w >= ui_px(900) ? fminf(ui_px(400), w * 0.32f) : 0;
    int rect[4] = {(int)side, 0, (int)(w - side - right), (int)(h - strip)};
    ui_begin(in);
    take_keys(ui, f, in);
    if (f->graph.device == NULL)
        return; // the module is gone, and said why
    frame_size(f, in->width, in->height, rect);
    take_camera(ui, f, in);
    take_messages(ui, in->dt);
    if (shown)
        panel_show(&ui->panel, f, 0, 0, side, h);
    if (strip > 0)
        times_panel_show(f, side, h - strip, w - side, strip);
    if (right > 0)
        inspector_show(&ui->inspector, f, w - right, 0, right, h - strip, in->mouse, in->wheel);
    overlay_split(f, ui->hot);
    overlay_banner(f);
    if (!ui->hidden) {
        overlay_camera(f);
        overlay_message(f, ui->told_text, ui->told_age);
    }
    if (ui->help)
        overlay_help(w, h);
    ui->last = *in;
}

// For tests: what cannot be read off the panel.
static void tell_state(const window_ui *ui, const frame *f)
{
    char text[512];
    ag_reload reload = {.struct_size = sizeof reload};
    f->graph.ag->reload_status(f->graph.device, &reload);
    snprintf(text, sizeof text,
             "frame %llu 0 0 0\nrect %d %d %d %d\nsplit %d %.4f 0 0\nreload %u %u %u 0\n"
             "window %d %d 0 0\nmodes %d %d %d %d\nkeys %d 0 0 0\n",
             (unsigned long long)f->number, f->rect[0], f->rect[1], f->rect[2], f->rect[3],
             f->view.split, (double)f->view.split_at, (unsigned)reload.generation,
             (unsigned)reload.failed, (unsigned)reload.pending, f->canvas_width, f->canvas_height,
             ui->hidden, ui->help, f->image.name != 0, f->camera.recording, f->camera.key_count);
    ui_tell_state(text);
}

void window_ui_draw(window_ui *ui, frame *f)
{
    char name[64];
    tell_state(ui, f);
    if (f->inspect_id[0])
        inspector_draw(&ui->inspector, f);
    ui_draw_all(&ui->draw, f->canvas, f->canvas_width, f->canvas_height);
    if (!ui->shot)
        return;
    ui->shot = false;
    capture_name(name, sizeof name, "picture", ".png");
    if (capture_save(f, name))
        note("saved %s", name);
}
