// viewer/times_panel.c - where the frame's time goes: bars of every step, and the last 240 frames
// SPDX-License-Identifier: MIT
#include "times_panel.h"

#include "ui.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 96 };

typedef struct row {         // a step, or a pass of the viewer's own
    const char *pass, *step; // step NULL: the whole pass
    double median, p95;      // ms
    double gb_per_s, ratio;  // 0: not known
    int series;
} row;

static int collect(const frame *f, row rows[ROWS])
{
    int count = 0, series = 0;
    for (int i = 1; i < f->timers.row_count && count < ROWS; i++) {
        const timer_row *t = &f->timers.rows[i];
        if (strcmp(t->name, "tone map") == 0)
            continue; // comes last, as in the frame
        rows[count++] = (row){.pass = t->name,
                              .series = series++,
                              .median = (double)timers_percentile(t->ms, t->count, 50),
                              .p95 = (double)timers_percentile(t->ms, t->count, 95)};
    }
    for (int k = 0; k < f->node_count + f->other_count; k++) { // of A and B
        const node *n = frame_node((frame *)(uintptr_t)f, k);
        for (int i = 0; n->works && i < n->step_count && count < ROWS; i++) {
            ag_stats s = {.struct_size = sizeof s};
            if (f->graph.ag->stats(n->ag_pass, (uint32_t)i, &s) < 0 || !s.samples)
                continue;
            rows[count++] = (row){.pass = n->name,
                                  .step = n->steps[i].name,
                                  .series = series,
                                  .median = s.gpu_median * 1e-6,
                                  .p95 = s.gpu_p95 * 1e-6,
                                  .gb_per_s = s.gb_per_s,
                                  .ratio = s.copy_ratio};
        }
        series += n->works;
    }
    const timer_row *last = timers_find(&f->timers, "tone map");
    if (last && count < ROWS)
        rows[count++] = (row){.pass = last->name,
                              .series = series,
                              .median = (double)timers_percentile(last->ms, last->count, 50),
                              .p95 = (double)timers_percentile(last->ms, last->count, 95)};
    return count;
}

static void write_ms(char *text, size_t size, double ms)
{
    snprintf(text, size, ms < 9.9995 ? "%.3f" : ms < 99.995 ? "%.2f" : "%.0f", ms);
}

// ---- the bar and the table
// -------------------------------------------------------------------------------

static void show_bar(const row *rows, int count, float x, float y, float w, float h)
{
    double sum = 0;
    float at = x;
    for (int i = 0; i < count; i++)
        sum += rows[i].median;
    ui_rect(x, y, w, h, ui_colour(UI_DEEP), ui_px(2));
    for (int i = 0; i < count && sum > 0; i++) {
        float part = (float)(rows[i].median / sum) * w;
        // Steps of a pass have its colour, with a gap of a pixel between all.
        ui_rect(at, y, fmaxf(part - 1, 0.5f), h, ui_series(rows[i].series), 0);
        at += part;
    }
}

static void show_table(const frame *f, const row *rows, int count, float x, float w)
{
    static const char *const heads[] = {"p50 ms", "p95 ms", "GB/s", "% of copy"};
    char text[128];
    double most = 1e-9;
    float line = ui_px(18), right = x + w - ui_px(4), step = ui_px(66);
    int columns = w < ui_px(440) ? 2 : 4; // as many as there is room for, and bars after that
    float names = fminf(ui_px(190), w - (float)columns * step), bar_x = x + names;
    float bar_w = right - (float)columns * step - bar_x - ui_px(10), cx, y;
    bar_w = bar_w < ui_px(30) ? 0 : bar_w;
    for (int i = 0; i < count; i++)
        most = fmax(most, rows[i].p95);
    ui_cursor(&cx, &y);
    for (int k = 0; k < columns; k++)
        ui_text_right(right - (float)(columns - 1 - k) * step, y, UI_SMALL, ui_colour(UI_FAINT),
                      heads[k]);
    ui_text_at(x, y, UI_SMALL, ui_colour(UI_FAINT), "step");
    y += line;
    for (int i = 0; i < count; i++, y += line) {
        const row *r = &rows[i];
        bool named = i == 0 || strcmp(rows[i - 1].pass, r->pass) != 0;
        ui_rect(x, y + ui_px(3), ui_px(8), ui_px(8), ui_series(r->series), ui_px(2));
        snprintf(text, sizeof text, "%s%s%s", named ? r->pass : "",
                 r->step && named ? " \xc2\xb7 " : "", r->step ? r->step : "");
        for (char *at = text; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        ui_text_cut(x + (named ? ui_px(14) : ui_px(26)), y, UI_SMALL,
                    ui_colour(named ? UI_TEXT : UI_DIM), text, names - ui_px(32));
        if (bar_w > 0) {
            ui_rect(bar_x, y + ui_px(6), (float)(r->p95 / most) * bar_w, ui_px(2),
                    ui_colour(UI_FAINT), 0);
            ui_rect(bar_x, y + ui_px(3), (float)(r->median / most) * bar_w, ui_px(8),
                    ui_series(r->series), 0);
        }
        write_ms(text, sizeof text, r->median);
        ui_text_right(right - (float)(columns - 1) * step, y, UI_SMALL, ui_colour(UI_TEXT), text);
        write_ms(text, sizeof text, r->p95);
        ui_text_right(right - (float)(columns - 2) * step, y, UI_SMALL, ui_colour(UI_DIM), text);
        if (columns < 4)
            continue;
        snprintf(text, sizeof text, r->gb_per_s >= 9.95 ? "%.0f" : "%.1f", r->gb_per_s);
        ui_text_right(right - step, y, UI_SMALL, ui_colour(UI_DIM),
                      r->gb_per_s >= 0.05 ? text : "\xe2\x80\x93");
        snprintf(text, sizeof text, "%.0f", r->ratio * 100);
        ui_text_right(right, y, UI_SMALL, ui_colour(UI_DIM), r->ratio > 0 ? text : "\xe2\x80\x93");
    }
    (void)f;
    ui_set_cursor(x, y);
    ui_space(2);
}

// ---- the last frames
// ------------------------------------------------------------------------------------------

static float at_back(const float *ring, int count, int back)
{
    return ring[(count - 1 - back) % TIMERS_HISTORY];
}

static void show_curve(const float *ring, int count, float top, float x, float y, float w, float h,
                       uint32_t colour)
{
    float xy[2 * TIMERS_HISTORY];
    int n = count < TIMERS_HISTORY ? count : TIMERS_HISTORY;
    for (int i = 0; i < n; i++) { // the newest on the right
        xy[2 * i] = x + w - (float)i * w / (TIMERS_HISTORY - 1);
        xy[2 * i + 1] = y + h - fminf(at_back(ring, count, i) / top, 1) * h;
    }
    if (n > 1)
        ui_curve(xy, n, colour, ui_px(1.5f));
}

static void show_frames(const frame *f, float x, float y, float w, float h)
{
    char text[96];
    const timer_row *gpu = &f->timers.rows[0];
    float top = timers_chart_top(&f->timers), head = ui_px(20), high = h - head - ui_px(22);
    uint32_t gpu_colour = ui_colour(UI_ACCENT), cpu_colour = ui_series(0);
    const char *title = w > ui_px(290) ? "Last 240 frames" : w > ui_px(230) ? "Frames" : "";
    ui_text_at(x, y, UI_MEDIUM, ui_colour(UI_TEXT), title);
    snprintf(text, sizeof text, "CPU %.2f ms",
             (double)timers_percentile(f->timers.cpu_ms, f->timers.cpu_count, 50));
    ui_text_right(x + w, y + ui_px(1), UI_SMALL, cpu_colour, text);
    float used = ui_text_width(UI_SMALL, text) + ui_px(12);
    snprintf(text, sizeof text, "GPU %.2f ms", (double)timers_percentile(gpu->ms, gpu->count, 50));
    ui_text_right(x + w - used, y + ui_px(1), UI_SMALL, gpu_colour, text);
    y += head;
    ui_rect(x, y, w, high, ui_colour(UI_DEEP), ui_px(2));
    for (int i = 1; i < 4; i++)
        ui_stroke(x, floorf(y + high * (float)i / 4) + 0.5f, x + w,
                  floorf(y + high * (float)i / 4) + 0.5f, ui_colour(UI_LINE), 1);
    snprintf(text, sizeof text, top == floorf(top) ? "%.0f ms" : "%.1f ms", (double)top);
    ui_text_at(x + ui_px(5), y + ui_px(3), UI_SMALL, ui_colour(UI_FAINT), text);
    show_curve(f->timers.cpu_ms, f->timers.cpu_count, top, x, y, w, high, cpu_colour);
    show_curve(gpu->ms, gpu->count, top, x, y, w, high, gpu_colour);
    y += high + ui_px(5);
    const timer_row *points = timers_find(&f->timers, "particles");
    float ms = points ? timers_percentile(points->ms, points->count, 50) : 0;
    ag_health health = {.struct_size = sizeof health};
    ag_reload reload = {.struct_size = sizeof reload};
    if (f->graph.device) {
        f->graph.ag->health(f->graph.device, &health);
        f->graph.ag->reload_status(f->graph.device, &reload);
    }
    snprintf(text, sizeof text, "%llu dropped  \xc2\xb7  shaders %s%u",
             (unsigned long long)health.dropped_samples + f->timers.dropped,
             f->shaders ? "generation " : "embedded, ", (unsigned)reload.generation);
    if (!f->shaders)
        snprintf(text, sizeof text, "%llu dropped  \xc2\xb7  shaders embedded",
                 (unsigned long long)health.dropped_samples + f->timers.dropped);
    ui_text_at(x, y, UI_SMALL, ui_colour(UI_FAINT), text);
    if (ms > 0 && !f->image.name && w > ui_px(290)) {
        double rate = f->particles.count / (double)ms;
        snprintf(text, sizeof text,
                 rate >= 1e6   ? "%.2f M particles/ms"
                 : rate >= 1e4 ? "%.0f K particles/ms"
                               : "%.0f particles/ms",
                 rate >= 1e6   ? rate * 1e-6
                 : rate >= 1e4 ? rate * 1e-3
                               : rate);
        ui_text_right(x + w, y, UI_SMALL, ui_colour(UI_FAINT), text);
    }
}

void times_panel_show(const frame *f, float x, float y, float w, float h)
{
    static row rows[ROWS]; // too large for some stacks
    char text[96];
    int count = collect(f, rows);
    float pad = ui_px(14), half = floorf(w * 0.6f), head = ui_px(54), cx, cy;
    double bytes = (double)(f->graph.texture_bytes + f->graph.scratch_bytes) / 1048576;
    double apart = (double)(f->graph.texture_apart + f->graph.scratch_apart) / 1048576;
    ui_panel_begin("steps", x, y + head, half, h - head, true, ui_colour(UI_PANEL));
    show_table(f, rows, count, x + pad, half - 2 * pad);
    ui_panel_end();
    ui_panel_begin("times", x, y, w, h, false, ui_colour(UI_PANEL));
    ui_rect(x, y, w, ui_px(1), ui_colour(UI_LINE), 0);
    ui_cursor(&cx, &cy);
    ui_text_at(x + pad, cy, UI_MEDIUM, ui_colour(UI_TEXT), "GPU time by step");
    snprintf(text, sizeof text, "%.0f MiB of %.0f by sharing  \xc2\xb7  %u barriers of %u", bytes,
             apart, (unsigned)f->graph.barriers, (unsigned)f->graph.barriers_apart);
    ui_text_right(x + half - pad, cy + ui_px(1), UI_SMALL, ui_colour(UI_FAINT), text);
    show_bar(rows, count, x + pad, cy + ui_px(22), half - 2 * pad, ui_px(12));
    show_frames(f, x + half + pad, cy, w - half - 2 * pad, h - ui_px(18));
    ui_rect(x + half, y + ui_px(1), ui_px(1), h, ui_colour(UI_LINE), 0);
    ui_panel_end();
}
