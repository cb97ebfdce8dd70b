// viewer/overlay.c - what lies over the picture: the split, messages, the banner of a broken
// shader, the keys
// SPDX-License-Identifier: MIT
#include "overlay.h"

#include "image.h"
#include "ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BANNER_LINES = 10 };

static void tag(float x, float y, const char *text, bool ends)
{
    float w = ui_text_width(UI_SMALL, text) + ui_px(12), h = ui_px(20);
    ui_rect(ends ? x - w : x, y, w, h, ui_colour(UI_SHADE), ui_px(3));
    ui_text_at((ends ? x - w : x) + ui_px(6), y + ui_px(3), UI_SMALL, ui_colour(UI_TEXT), text);
}

void overlay_split(const frame *f, bool hot)
{
    if (!f->view.split)
        return;
    const int *r = f->rect;
    float x = floorf((float)r[0] + f->view.split_at * (float)r[2]), y = (float)r[1],
          h = (float)r[3];
    float middle = y + h * 0.5f, size = ui_px(hot ? 13 : 11), a = ui_px(4);
    ui_over(true);
    ui_rect(x - ui_px(1), y, ui_px(2), h, ui_colour(hot ? UI_ACCENT : UI_TEXT), 0);
    ui_rect(x - size, middle - size, 2 * size, 2 * size, ui_colour(hot ? UI_ACCENT : UI_TEXT),
            size);
    for (int s = -1; s <= 1; s += 2) { // two arrow heads
        float tip = x + (float)s * ui_px(7), back = x + (float)s * ui_px(3);
        ui_stroke(back, middle - a, tip, middle, ui_colour(UI_DEEP), ui_px(2));
        ui_stroke(back, middle + a, tip, middle, ui_colour(UI_DEEP), ui_px(2));
    }
    bool sides = frame_compares(f);
    if (x - (float)r[0] > ui_px(80))
        tag(x - ui_px(10), y + ui_px(10), sides ? "A" : "Before", true);
    if ((float)(r[0] + r[2]) - x > ui_px(80))
        tag(x + ui_px(10), y + ui_px(10), sides ? "B" : "After", false);
    ui_over(false);
}

void overlay_banner(const frame *f)
{
    ag_reload state = {.struct_size = sizeof state};
    char title[256];
    if (!f->graph.device || f->graph.ag->reload_status(f->graph.device, &state) < 0 ||
        !state.failed || !state.message)
        return;
    const char *lines[BANNER_LINES];
    int lengths[BANNER_LINES], count = 0;
    for (const char *at = state.message; *at && count < BANNER_LINES; count++) {
        lines[count] = at;
        lengths[count] = (int)strcspn(at, "\n");
        at += lengths[count] + (at[lengths[count]] == '\n');
    }
    float margin = ui_px(16), line = ui_text_height(UI_MONO) + ui_px(3);
    float x = (float)f->rect[0] + margin, y = (float)f->rect[1] + margin;
    float w = (float)f->rect[2] - 2 * margin, h = ui_px(40) + (float)count * line;
    ui_panel_begin("banner", x, y, w, h, false, 0xf01d1a5cu); // dark red
    ui_rect(x, y, ui_px(4), h, ui_colour(UI_BAD), 0);
    if (state.file && state.line)
        snprintf(title, sizeof title, "%s:%u:%u does not work. The last good shaders go on.",
                 state.file, (unsigned)state.line, (unsigned)state.column);
    else
        snprintf(title, sizeof title, "%s does not work. The last good shaders go on.",
                 state.file ? state.file : "The shader folder");
    ui_text_cut(x + ui_px(16), y + ui_px(9), UI_MEDIUM, 0xffffffffu, title, w - ui_px(32));
    y += ui_px(32);
    for (int i = 0; i < count; i++, y += line) {
        char text[256];
        snprintf(text, sizeof text, "%.*s", lengths[i] < 250 ? lengths[i] : 250, lines[i]);
        ui_text_cut(x + ui_px(16), y, UI_MONO, 0xffd8d8f4u, text, w - ui_px(32));
    }
    ui_panel_end();
}

void overlay_help(float width, float height)
{
    static const char *const keys[][2] = {
        {"W A S D, Q E", "fly: ahead, left, back, right, down, up"},
        {"Shift", "faster"},
        {"Drag", "look around"},
        {"Right drag", "orbit about what is ahead"},
        {"Home", "camera to where it began"},
        {"Space", "stop the street's time, and let it go on"},
        {"X", "split: before and after, or A and B; drag its bar"},
        {"B", "edit the other of presets A and B"},
        {"G", "histogram and waveform"},
        {"L", "loupe: texels under the cursor, and their values"},
        {"I", "inspector of the frame's textures"},
        {"H", "hide everything but the picture"},
        {"R", "load the module anew, settings kept"},
        {"T", "write a trace of the last frames (.json)"},
        {"F5", "record a camera path; again: stop and save it (.json)"},
        {"F6", "fly along the path; again: stop"},
        {"F12", "write a picture of the window (.png)"},
        {"Drop a file", IMAGE_READ_FILES ": show it; .json: a preset"},
        {"Control click", "type a number into a slider"},
        {"Esc", "close this, the inspector, then the viewer"},
    };
    const int count = sizeof keys / sizeof *keys;
    float line = floorf(fminf(ui_px(23), (height - ui_px(76)) / (float)count));
    float w = fminf(ui_px(520), width), h = ui_px(76) + (float)count * line;
    float x = floorf((width - w) / 2), y = floorf(fmaxf((height - h) / 2, 0));
    ui_panel_begin("help", x, y, w, h, false, 0xf4201c1au);
    ui_frame(x, y, w, h, ui_colour(UI_FAINT));
    ui_text_at(x + ui_px(24), y + ui_px(20), UI_TITLE, ui_colour(UI_TEXT), "Keys");
    ui_text_right(x + w - ui_px(24), y + ui_px(25), UI_SMALL, ui_colour(UI_FAINT), "F1");
    y += ui_px(56);
    for (int i = 0; i < count; i++, y += line) {
        ui_text_at(x + ui_px(24), y, UI_MEDIUM, ui_colour(UI_ACCENT), keys[i][0]);
        ui_text_at(x + ui_px(150), y, UI_REGULAR, ui_colour(UI_TEXT), keys[i][1]);
    }
    ui_panel_end();
}

void overlay_message(const frame *f, const char *text, float age)
{
    const float stays = 4, fades = 0.5f;
    if (!*text || age > stays)
        return;
    float left = fminf((stays - age) / fades, 1);
    uint32_t alpha = (uint32_t)(left * 255) << 24;
    float most = (float)f->rect[2] - ui_px(64);
    float w = fminf(ui_text_width(UI_REGULAR, text), most) + ui_px(28), h = ui_px(32);
    float x = floorf((float)f->rect[0] + ((float)f->rect[2] - w) / 2);
    float y = (float)(f->rect[1] + f->rect[3]) - h - ui_px(18);
    ui_over(true);
    ui_rect(x, y, w, h, (ui_colour(UI_PANEL) & 0xffffffu) | alpha, ui_px(4));
    ui_text_cut(x + ui_px(14), y + ui_px(8), UI_REGULAR, (ui_colour(UI_TEXT) & 0xffffffu) | alpha,
                text, most);
    ui_over(false);
}

void overlay_camera(const frame *f)
{
    char text[64];
    const camera *c = &f->camera;
    if (!c->recording && !c->playing)
        return;
    float x = (float)f->rect[0] + ui_px(16), y = (float)(f->rect[1] + f->rect[3]) - ui_px(36);
    snprintf(text, sizeof text, c->recording ? "Recording %.1f s" : "Path %.1f s",
             (double)c->path_time);
    ui_over(true);
    ui_rect(x, y, ui_text_width(UI_SMALL, text) + ui_px(28), ui_px(20), ui_colour(UI_SHADE),
            ui_px(3));
    ui_rect(x + ui_px(7), y + ui_px(6), ui_px(8), ui_px(8),
            ui_colour(c->recording ? UI_BAD : UI_GOOD), ui_px(4));
    ui_text_at(x + ui_px(21), y + ui_px(3), UI_SMALL, ui_colour(UI_TEXT), text);
    ui_over(false);
}
