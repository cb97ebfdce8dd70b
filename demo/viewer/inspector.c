// viewer/inspector.c - any texture of the frame: levels, tables, spectra, value by value
// SPDX-License-Identifier: MIT
#include "inspector.h"

#include "format.h"
#include "shader.h"
#include "ui.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHOICES = 128, RANGE_SAMPLES = 65536 };

bool inspector_open(inspector *s, const GladGLContext *gl)
{
    *s = (inspector){.gl = gl, .curve = true, .cursor = {-1, -1}, .asked = {-1, -1}};
    s->program = shader_draw(gl, "screen.vert", "inspect.frag");
    gl->GenFramebuffers(1, &s->target);
    gl->GenBuffers(1, &s->pixels);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, s->pixels);
    gl->BufferData(GL_PIXEL_PACK_BUFFER, 4 * sizeof(float), NULL, GL_STREAM_READ);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return s->program != 0;
}

void inspector_close(inspector *s)
{
    if (!s->gl)
        return;
    s->gl->DeleteProgram(s->program);
    s->gl->DeleteTextures(1, &s->shown);
    s->gl->DeleteFramebuffers(1, &s->target);
    s->gl->DeleteBuffers(1, &s->pixels);
    *s = (inspector){0};
}

// ---- which texture
// ------------------------------------------------------------------------------------------

typedef struct choice {
    char name[64];
    const char *id;
    int slot;
} choice;

static int list_choices(const frame *f, choice choices[CHOICES])
{
    int count = 0;
    for (int i = 0; i < (f->image.name ? 1 : SCENE_TEXTURES); i++) {
        snprintf(choices[count].name, sizeof choices[0].name, "%s",
                 i ? scene_textures[i].name : "picture as it came in");
        choices[count].id = "scene";
        choices[count++].slot = i;
    }
    for (const node *n = f->nodes; n < f->nodes + f->node_count; n++)
        for (int i = 0; n->works && i < (int)n->info->slot_count && count < CHOICES; i++) {
            if (n->textures[i] == GRAPH_NONE || !(node_slot(n->info, i)->access & AG_WRITE))
                continue;
            snprintf(choices[count].name, sizeof choices[0].name, "%s", n->labels[i]);
            choices[count].id = n->name;
            choices[count++].slot = i;
        }
    return count;
}

static void show_choice(frame *f, float width)
{
    choice choices[CHOICES];
    const char *names[CHOICES];
    int count = list_choices(f, choices), which = -1;
    for (int i = 0; i < count; i++) {
        names[i] = choices[i].name;
        if (strcmp(choices[i].id, f->inspect_id) == 0 && choices[i].slot == f->inspect_slot)
            which = i;
    }
    if (ui_choice("##texture", names, count, &which, width) && which >= 0)
        frame_inspect(f, choices[which].id, choices[which].slot);
}

// Something else is looked at: all of it, in the way that suits it.
static void begin(inspector *s, frame *f, const graph_texture *t)
{
    const node *n = frame_find(f, f->inspect_id);
    if (strcmp(s->of, f->inspect_id) == 0 && s->of_slot == f->inspect_slot)
        return;
    snprintf(s->of, sizeof s->of, "%s", f->inspect_id);
    s->of_slot = f->inspect_slot;
    s->level = s->channel = 0;
    s->zoom = 0;
    s->exposure = 0;
    // Pictures are light; tables, spectra, depth and motion are numbers.
    bool picture = n ? n->chains || (n->filters && n->in_picture) : s->of_slot == SCENE_COLOUR;
    s->curve = picture && t->format == GL_RGBA16F;
    s->signed_ = !n && (s->of_slot == SCENE_MOTION || s->of_slot == SCENE_NORMAL);
    s->find_range = !s->curve && !s->signed_;
}

// ---- what of it is seen
// --------------------------------------------------------------------------------------

static void size_of(const frame *f, const graph_texture *t, int level, int size[2])
{
    int w = t->scales && f->graph.width ? f->graph.width : t->width;
    int h = t->scales && f->graph.height ? f->graph.height : t->height;
    size[0] = w >> level > 0 ? w >> level : 1;
    size[1] = h >> level > 0 ? h >> level : 1;
}

static void choose_view(inspector *s, const int size[2])
{
    float all = fminf((float)s->area[0] / (float)size[0], (float)s->area[1] / (float)size[1]);
    float zoom = s->zoom > 0 ? s->zoom : all;
    if (s->zoom <= 0) {
        s->middle[0] = 0.5f * (float)size[0];
        s->middle[1] = 0.5f * (float)size[1];
    }
    for (int i = 0; i < 2; i++) {
        s->view[2 + i] = (float)s->area[i] / zoom;
        s->view[i] = s->middle[i] - 0.5f * s->view[2 + i];
    }
}

static void move_view(inspector *s, const int size[2], float x, float y, bool held, bool hovered)
{
    float place[2], moved[2], wheel = ui_wheel();
    ui_mouse(place, moved);
    float px = (place[0] - x) / (float)s->area[0], py = (place[1] - y) / (float)s->area[1];
    float at[2] = {s->view[0] + px * s->view[2], s->view[1] + py * s->view[3]};
    float zoom = (float)s->area[0] / s->view[2];
    s->cursor[0] = s->cursor[1] = -1;
    if (!hovered && !held)
        return;
    if (held && (moved[0] != 0 || moved[1] != 0)) {
        s->zoom = zoom;
        s->middle[0] -= moved[0] / zoom;
        s->middle[1] -= moved[1] / zoom;
    }
    if (hovered && wheel != 0) { // what is under the cursor stays there
        s->zoom = fminf(fmaxf(zoom * powf(1.25f, wheel), 0.02f), 64);
        s->middle[0] = at[0] + (s->middle[0] - at[0]) * zoom / s->zoom;
        s->middle[1] = at[1] + (s->middle[1] - at[1]) * zoom / s->zoom;
    }
    if (at[0] >= 0 && at[1] >= 0 && at[0] < (float)size[0] && at[1] < (float)size[1]) {
        s->cursor[0] = (int)at[0];
        s->cursor[1] = (int)at[1];
    }
}

// Before the panel is laid out with it.
static void make_shown(inspector *s)
{
    const GladGLContext *gl = s->gl;
    if (s->shown && s->shown_width == s->area[0] && s->shown_height == s->area[1])
        return;
    gl->DeleteTextures(1, &s->shown);
    gl->GenTextures(1, &s->shown);
    gl->BindTexture(GL_TEXTURE_2D, s->shown);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, s->area[0], s->area[1]);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    s->shown_width = s->area[0];
    s->shown_height = s->area[1];
}

// ---- the panel
// -------------------------------------------------------------------------------------------------

static void show_tools(inspector *s, const graph_texture *t)
{
    static const char *const names[] = {"RGB", "R", "G", "B", "A"};
    for (int i = 0; i < 5; i++) {
        if (i)
            ui_same_row(3);
        if (ui_tab(names[i], s->channel == i))
            s->channel = i;
    }
    if (ui_width() > ui_px(350)) // else in a row of their own
        ui_same_row(12);
    if (ui_tab("sRGB", s->curve))
        s->curve = !s->curve;
    ui_tip("Through the display's curve; off: values as codes");
    ui_same_row(3);
    if (ui_tab("\xc2\xb1", s->signed_))
        s->signed_ = !s->signed_;
    ui_tip("Values with signs: 0 is grey");
    ui_same_row(3);
    if (ui_tab("Fit", s->zoom <= 0))
        s->zoom = 0;
    ui_tip("All of it");
    ui_same_row(3);
    if (ui_tab("Range", false))
        s->find_range = true;
    ui_tip("The exposure that shows nearly all values");
    if (t->levels > 1)
        ui_slider_int("##level", &s->level, 0, t->levels - 1, "level %d",
                      (ui_width() - ui_px(6)) / 2);
    if (t->levels > 1)
        ui_same_row(6);
    ui_slider_float("##exposure", &s->exposure, 1, -24, 24, "%.1f EV", false, ui_width());
}

static void show_value(const inspector *s, float x, float y)
{
    char text[160];
    if (s->cursor[0] < 0)
        snprintf(text, sizeof text, "Move over the picture for values. Wheel: zoom");
    else if (!s->has_value)
        snprintf(text, sizeof text, "%d, %d", s->cursor[0], s->cursor[1]);
    else
        snprintf(text, sizeof text, "%d, %d:  %.5g  %.5g  %.5g  %.5g", s->asked[0], s->asked[1],
                 (double)s->value[0], (double)s->value[1], (double)s->value[2],
                 (double)s->value[3]);
    ui_text_at(x, y, UI_SMALL, ui_colour(s->cursor[0] < 0 ? UI_FAINT : UI_TEXT), text);
}

void inspector_show(inspector *s, frame *f, float x, float y, float w, float h)
{
    char text[96], number[16];
    float cx, cy, pad = ui_px(14);
    bool held = false, hovered = false;
    ui_panel_begin("inspector", x, y, w, h, false, ui_colour(UI_PANEL));
    ui_rect(x, y, ui_px(1), h, ui_colour(UI_LINE), 0);
    ui_text(UI_MEDIUM, ui_colour(UI_TEXT), "Inspector");
    ui_cursor(&cx, &cy);
    show_choice(f, ui_width());
    const graph_texture *t = frame_inspected(f);
    if (!t || !t->name) {
        ui_text_wrapped(ui_colour(UI_DIM),
                        "This texture is not made at present: its effect is off.");
        ui_panel_end();
        return;
    }
    begin(s, f, t);
    show_tools(s, t);
    int size[2];
    s->level = t->levels > 1 && s->level < t->levels ? s->level : 0;
    size_of(f, t, s->level, size);
    ui_cursor(&cx, &cy);
    cx = x + pad;
    float height = y + h - cy - ui_px(44);
    s->area[0] = (int)fmaxf(w - 2 * pad, 1);
    s->area[1] = (int)fmaxf(height, 1);
    choose_view(s, size);
    ui_area("##texels", cx, cy, (float)s->area[0], (float)s->area[1], &held, &hovered);
    move_view(s, size, cx, cy, held, hovered);
    choose_view(s, size);
    make_shown(s);
    ui_picture(s->shown, cx, cy, (float)s->area[0], (float)s->area[1]);
    ui_frame(cx, cy, (float)s->area[0], (float)s->area[1], ui_colour(UI_LINE));
    cy += (float)s->area[1] + ui_px(6);
    snprintf(text, sizeof text, "%s  \xc2\xb7  %d \xc3\x97 %d%s", format_name(t->format, number),
             size[0], size[1], t->levels > 1 ? "" : "");
    ui_text_at(cx, cy, UI_SMALL, ui_colour(UI_DIM), text);
    snprintf(text, sizeof text, "%.0f %%", (double)((float)s->area[0] / s->view[2]) * 100);
    ui_text_right(cx + (float)s->area[0], cy, UI_SMALL, ui_colour(UI_FAINT), text);
    show_value(s, cx, cy + ui_px(16));
    ui_panel_end();
}

// ---- what it shows
// ---------------------------------------------------------------------------------------------

// One texel, read without a wait: what was asked for in an earlier frame is there by now.
static void read_value(inspector *s, const graph_texture *t)
{
    const GladGLContext *gl = s->gl;
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, s->pixels);
    if (s->asked[0] >= 0)
        gl->GetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof s->value, s->value);
    s->has_value = s->asked[0] >= 0;
    if (s->cursor[0] >= 0) {
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, s->target);
        gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->name,
                                 s->level);
        gl->ReadPixels(s->cursor[0], s->cursor[1], 1, 1, GL_RGBA, GL_FLOAT, NULL);
        gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    }
    memcpy(s->asked, s->cursor, sizeof s->asked);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// One channel alone is shown as grey; 98 of 100 values lie within what is shown. Waits for the GPU:
// it is asked for once.
static void find_range(inspector *s, const graph_texture *t, const int size[2])
{
    const GladGLContext *gl = s->gl;
    const bool one = t->format == GL_R32F || t->format == GL_R16F || t->format == GL_R8;
    size_t texels = (size_t)size[0] * (size_t)size[1], step = texels / RANGE_SAMPLES + 1, count = 0;
    float *values = malloc(texels * 4 * sizeof *values);
    s->find_range = false;
    s->channel = one ? 1 : s->channel;
    if (!values)
        return;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, s->target);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->name,
                             s->level);
    gl->ReadPixels(0, 0, size[0], size[1], GL_RGBA, GL_FLOAT, values);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    for (size_t i = 0; i < texels;
         i += step) { // gathered at the front, which has been read by then
        const float *v = values + 4 * i;
        float most = s->channel ? fabsf(v[s->channel - 1])
                                : fmaxf(fmaxf(fabsf(v[0]), fabsf(v[1])), fabsf(v[2]));
        if (isfinite(most))
            values[count++] = most;
    }
    qsort(values, count, sizeof *values, ascending);
    float high = count ? values[(count - 1) * 98 / 100] : 0;
    s->exposure = high > 0 ? fminf(fmaxf(-log2f(high), -24), 24) : 0;
    free(values);
}

void inspector_draw(inspector *s, const frame *f)
{
    const GladGLContext *gl = s->gl;
    const graph_texture *t = frame_inspected(f);
    int size[2];
    if (!t || !t->name || !s->shown)
        return;
    size_of(f, t, s->level, size);
    gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                      GL_PIXEL_BUFFER_BARRIER_BIT);
    if (s->find_range)
        find_range(s, t, size);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, s->target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s->shown, 0);
    gl->Viewport(0, 0, s->area[0], s->area[1]);
    gl->UseProgram(s->program);
    gl->Uniform4fv(0, 1, s->view);
    gl->Uniform4i(1, size[0], size[1], s->level, s->channel);
    gl->Uniform4f(2, exp2f(s->exposure), 0, s->curve, s->signed_);
    gl->Uniform2f(3, (float)s->area[0], (float)s->area[1]);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, t->name);
    gl->BindVertexArray(f->nothing);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->BindVertexArray(0);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->UseProgram(0);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    read_value(s, t);
}
