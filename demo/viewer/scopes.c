// viewer/scopes.c - histogram, waveform, and a loupe with values
// SPDX-License-Identifier: MIT
#include "scopes.h"

#include "shader.h"
#include "ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINEAR_BYTES = 4 * sizeof(float), CODE_BYTES = 4, SHORTEST = 64 };

static GLuint make_texture(const GladGLContext *gl, int width, int height)
{
    GLuint name = 0;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, width, height);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

bool scopes_open(scopes *s, const GladGLContext *gl)
{
    *s = (scopes){.gl = gl, .at = {-1, -1}, .asked = {-1, -1}};
    s->count = shader_compute(gl, "scopes.comp");
    s->draw = shader_draw(gl, "screen.vert", "scopes.frag");
    s->loupe = make_texture(gl, LOUPE_TEXELS, LOUPE_TEXELS);
    gl->GenFramebuffers(1, &s->target);
    gl->GenFramebuffers(1, &s->read);
    gl->GenBuffers(1, &s->counts);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, s->counts);
    gl->BufferData(GL_SHADER_STORAGE_BUFFER, (SCOPES_COLUMNS + 1) * 768 * sizeof(GLuint), NULL,
                   GL_DYNAMIC_COPY);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    gl->GenBuffers(1, &s->pixels);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, s->pixels);
    gl->BufferData(GL_PIXEL_PACK_BUFFER, LINEAR_BYTES + CODE_BYTES, NULL, GL_STREAM_READ);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return s->count && s->draw;
}

void scopes_close(scopes *s)
{
    if (!s->gl)
        return;
    s->gl->DeleteProgram(s->count);
    s->gl->DeleteProgram(s->draw);
    s->gl->DeleteTextures(1, &s->shown);
    s->gl->DeleteTextures(1, &s->loupe);
    s->gl->DeleteFramebuffers(1, &s->target);
    s->gl->DeleteFramebuffers(1, &s->read);
    s->gl->DeleteBuffers(1, &s->counts);
    s->gl->DeleteBuffers(1, &s->pixels);
    *s = (scopes){0};
}

// ---- the layout

static void show_scopes(scopes *s, const frame *f)
{
    static const char *const levels[] = {"255", "128", "0"};
    const int *r = f->rect;
    float gap = ui_px(10), w = floorf(fminf((float)r[2] - 2 * gap, ui_px(560)));
    float h = floorf(fminf(ui_px(128), (float)r[3] * 0.28f));
    float x = (float)r[0] + gap, y = (float)(r[1] + r[3]) - h - gap;
    if (s->size[0] != (int)w || s->size[1] != (int)h) {
        s->gl->DeleteTextures(1, &s->shown);
        s->size[0] = (int)w, s->size[1] = (int)h;
        s->shown =
            make_texture(s->gl, s->size[0] > 1 ? s->size[0] : 1, s->size[1] > 1 ? s->size[1] : 1);
    }
    if (w < 3 * SHORTEST || h < SHORTEST)
        return;
    float middle = x + floorf(w * 0.36f);
    ui_picture(s->shown, x, y, w, h);
    for (int i = 1; i < 4; i++) {
        float line = floorf(y + h * (float)i / 4) + 0.5f;
        ui_stroke(middle, line, x + w, line, 0x30ffffffu, 1);
        float column = floorf(x + (middle - x) * (float)i / 4) + 0.5f;
        ui_stroke(column, y, column, y + h, 0x30ffffffu, 1);
    }
    ui_rect(middle - ui_px(1), y, ui_px(2), h, ui_colour(UI_LINE), 0);
    ui_frame(x, y, w, h, ui_colour(UI_LINE));
    for (int i = 0; i < 3; i++)
        ui_text_right(x + w - ui_px(4), y + (h - ui_px(15)) * (float)i / 2, UI_SMALL,
                      ui_colour(UI_DIM), levels[i]);
}

static void show_loupe(scopes *s, const frame *f, const float mouse[2])
{
    char text[4][80];
    const int *r = f->rect;
    bool over = mouse[0] >= (float)r[0] && mouse[0] < (float)(r[0] + r[2]) &&
                mouse[1] >= (float)r[1] && mouse[1] < (float)(r[1] + r[3]) && !ui_wants_mouse();
    s->at[0] = over ? (int)mouse[0] : r[0] + r[2] / 2;
    s->at[1] = over ? (int)mouse[1] : r[1] + r[3] / 2;
    float texel = ui_px((float)r[2] < ui_px(560) ? 6 : 9), side = texel * LOUPE_TEXELS,
          w = side + ui_px(170), gap = ui_px(24);
    float x = (float)s->at[0] + gap, y = (float)s->at[1] + gap;
    if (x + w > (float)(r[0] + r[2]))
        x = fmaxf((float)s->at[0] - gap - w, (float)r[0]);
    if (y + side > (float)(r[1] + r[3]))
        y = fmaxf((float)s->at[1] - gap - side, (float)r[1]);
    ui_rect(x, y, w, side, ui_colour(UI_SHADE), 0);
    ui_picture(s->loupe, x, y, side, side);
    ui_frame(x, y, w, side, ui_colour(UI_LINE));
    float half = (float)(LOUPE_TEXELS / 2) * texel;
    ui_frame(x + half - 2, y + half - 2, texel + 4, texel + 4, 0xff000000u);
    ui_frame(x + half - 1, y + half - 1, texel + 2, texel + 2, ui_colour(UI_ACCENT));
    if (s->asked[0] < 0)
        return;
    const float *v = s->linear, light = 0.2126f * v[0] + 0.7152f * v[1] + 0.0722f * v[2];
    snprintf(text[0], sizeof text[0], "%d, %d", s->asked[0] - r[0], s->asked[1] - r[1]);
    snprintf(text[1], sizeof text[1], "%.4g  %.4g  %.4g", (double)v[0], (double)v[1], (double)v[2]);
    snprintf(text[2], sizeof text[2], light > 0 ? "%+.1f EV of 0.18" : "no light",
             (double)log2f(light / 0.18f));
    snprintf(text[3], sizeof text[3], "codes %d  %d  %d", s->code[0], s->code[1], s->code[2]);
    x += side + ui_px(10);
    float line = fminf(floorf(side / 5.4f), ui_px(20));
    y += floorf(side - 5 * line) / 2;
    for (int i = 0; i < 4; i++, y += line)
        ui_text_at(x, y, UI_SMALL, ui_colour(i == 0 ? UI_FAINT : UI_TEXT), text[i]);
    ui_rect(x, y, ui_px(40), line - ui_px(2),
            0xff000000u | (uint32_t)s->code[2] << 16 | (uint32_t)s->code[1] << 8 | s->code[0], 0);
}

void scopes_show(scopes *s, const frame *f, const float mouse[2])
{
    ui_over(true);
    if (f->view.scopes)
        show_scopes(s, f);
    if (f->view.loupe)
        show_loupe(s, f, mouse);
    ui_over(false);
}

// ---- what they show

static void draw_scopes(scopes *s, const frame *f)
{
    const GladGLContext *gl = s->gl;
    const int *r = f->rect;
    int columns = r[2] < SCOPES_COLUMNS ? r[2] : SCOPES_COLUMNS, left;
    if (s->size[0] < 3 * SHORTEST || s->size[1] < SHORTEST)
        return;
    left = (int)((float)s->size[0] * 0.36f);
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, s->counts);
    gl->ClearBufferSubData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, 0, 768 * sizeof(GLuint),
                           GL_RED_INTEGER, GL_UNSIGNED_INT, NULL);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, s->counts);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, f->canvas);
    gl->UseProgram(s->count);
    gl->Uniform4i(0, r[0], f->canvas_height - r[1] - r[3], r[2], r[3]);
    gl->DispatchCompute((GLuint)columns, 1, 1);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, s->target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s->shown, 0);
    gl->Viewport(0, 0, s->size[0], s->size[1]);
    gl->UseProgram(s->draw);
    gl->Uniform4i(0, s->size[0], s->size[1], columns, left);
    gl->Uniform2f(1, (float)r[2] * (float)r[3], (float)r[2] * (float)r[3] / (float)columns);
    gl->BindVertexArray(f->nothing);
    gl->DrawArrays(GL_TRIANGLES, 0, 3);
    gl->BindVertexArray(0);
    gl->UseProgram(0);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

// The picture that is shown at a column of the canvas: of the split, one of two.
static GLuint picture_at(const frame *f, int x)
{
    const int *r = f->rect;
    bool left = f->view.split && (float)(x - r[0]) < f->view.split_at * (float)r[2];
    bool other = f->view.split && (frame_compares(f) ? left == (f->side == 1) : left);
    int texture = !other ? f->after : f->other != GRAPH_NONE ? f->other : f->before;
    return f->graph.textures[texture].name;
}

// Texels around the place; and its values, read without a wait: those of the frame before.
static void draw_loupe(scopes *s, const frame *f)
{
    const GladGLContext *gl = s->gl;
    const int *r = f->rect, n = LOUPE_TEXELS, x = s->at[0], y = f->canvas_height - 1 - s->at[1];
    int x0 = clamp(x - n / 2, 0, f->canvas_width - n),
        y0 = clamp(y - n / 2, 0, f->canvas_height - n);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, s->pixels);
    if (s->asked[0] >= 0) {
        gl->GetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, LINEAR_BYTES, s->linear);
        gl->GetBufferSubData(GL_PIXEL_PACK_BUFFER, LINEAR_BYTES, CODE_BYTES, s->code);
    }
    gl->MemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, s->read);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, f->canvas,
                             0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, s->target);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, s->loupe, 0);
    gl->BlitFramebuffer(x0, y0, x0 + n, y0 + n, 0, n, n, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    gl->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    gl->ReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, (char *)0 + LINEAR_BYTES);
    int tx = (int)(((float)(x - r[0]) + 0.5f) / (float)r[2] * (float)f->width);
    int ty = (int)(((float)(s->at[1] - r[1]) + 0.5f) / (float)r[3] * (float)f->height);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                             picture_at(f, x), 0);
    gl->ReadPixels(clamp(tx, 0, f->width - 1), clamp(ty, 0, f->height - 1), 1, 1, GL_RGBA, GL_FLOAT,
                   NULL);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    gl->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    memcpy(s->asked, s->at, sizeof s->asked);
}

void scopes_draw(scopes *s, const frame *f)
{
    if (f->view.scopes)
        draw_scopes(s, f);
    if (f->view.loupe && f->canvas_width >= LOUPE_TEXELS && f->canvas_height >= LOUPE_TEXELS)
        draw_loupe(s, f);
}
