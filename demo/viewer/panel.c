// viewer/panel.c - the settings of all that the frame has, by the effects' own descriptions
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "panel.h"

#include "capture.h"
#include "effect.h"
#include "preset.h"
#include "report.h"
#include "ui.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- presets
// -------------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void find_presets(panel *p)
{
    DIR *folder = opendir(".");
    snprintf(p->presets[0], sizeof p->presets[0], PRESET_INITIAL);
    p->preset_count = 1;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (strncmp(entry->d_name, "afterglow-preset-", 17) == 0 && length > 22 && length < 64 &&
            strcmp(entry->d_name + length - 5, ".json") == 0 && p->preset_count < PANEL_PRESETS)
            memcpy(p->presets[p->preset_count++], entry->d_name, length + 1);
    }
    if (folder)
        closedir(folder);
    qsort(p->presets[1], (size_t)p->preset_count - 1, sizeof p->presets[0], by_name);
}

bool panel_save_preset(panel *p, frame *f)
{
    char name[64];
    capture_name(name, sizeof name, "preset", ".json");
    if (!preset_save(f, name))
        return false;
    note("saved %s", name);
    find_presets(p);
    snprintf(f->presets[f->side], sizeof f->presets[0], "%s", name);
    return true;
}

// The two sides: which is edited, whether both are shown.
static void show_sides(frame *f)
{
    static const char *const names[] = {"A", "B"};
    static const char *const copies[] = {"Copy to B", "Copy to A"};
    for (int i = 0; i < 2; i++) {
        if (ui_tab(names[i], f->side == i) && f->side != i)
            frame_swap(f);
        ui_tip("Two chains of effects, each with its settings and its view. Key B: the other one");
        ui_same_row(3);
    }
    if (ui_tab("A | B", frame_compares(f))) {
        f->view.split = !frame_compares(f);
        f->view.against = AGAINST_OTHER;
    }
    ui_tip("Both at once, left and right of a bar");
    ui_same_row(6);
    if (ui_button(copies[f->side], -1))
        frame_copy_side(f);
    ui_tip("Makes the other side as this one");
}

static void show_presets(panel *p, frame *f)
{
    const char *names[PANEL_PRESETS + 1], *now = f->presets[f->side];
    int count = p->preset_count, which = -1;
    for (int i = 0; i < count; i++) {
        names[i] = p->presets[i];
        which = strcmp(names[i], now) == 0 ? i : which;
    }
    if (which < 0) { // of another folder
        which = count;
        names[count++] = now;
    }
    float save = ui_px(54);
    if (ui_choice("##preset", names, count, &which, ui_width() - save - ui_px(6))) {
        if (which == 0)
            preset_initial(f);
        else if (which < p->preset_count)
            preset_load(f, p->presets[which]);
    }
    ui_tip("Settings that were saved in this folder");
    ui_same_row(6);
    if (ui_button("Save", save))
        panel_save_preset(p, f);
    ui_tip("This side as a JSON file in this folder");
}

// ---- one setting
// ------------------------------------------------------------------------------------------

// How a number is written inside its slider: with its unit. ImGui takes a printf format, so % is
// doubled.
static const char *number_format(const ag_setting_info *row, char *buffer, size_t size)
{
    double span = row->max - row->min;
    int digits = row->type == AG_INT ? 0 : span <= 0.2 ? 4 : span <= 4 ? 3 : span <= 40 ? 2 : 1;
    int used = row->type == AG_INT
                   ? snprintf(buffer, size, "%%d")
                   : snprintf(buffer, size, span > 1000 ? "%%.4g" : "%%.%df", digits);
    const char *unit = row->unit ? row->unit : "";
    size_t at = (size_t)used;
    if (*unit && at + 1 < size && strlen(unit) <= 9 && row->count == 1)
        buffer[at++] = ' ';
    for (; *unit && strlen(row->unit) <= 9 && row->count == 1 && at + 2 < size; unit++) {
        buffer[at++] = *unit;
        if (*unit == '%')
            buffer[at++] = '%';
    }
    buffer[at] = '\0';
    return buffer;
}

static void initial_value(const ag_setting_info *row, void *place)
{
    for (uint32_t k = 0; k < row->count && k < AG_MAX_VALUES; k++) {
        float number = (float)row->initial[k];
        int32_t integer = (int32_t)row->initial[k];
        memcpy((char *)place + 4 * k, row->type == AG_FLOAT ? (void *)&number : (void *)&integer,
               4);
    }
}

static bool is_initial(const ag_setting_info *row, const void *place)
{
    char initial[4 * AG_MAX_VALUES];
    initial_value(row, initial);
    return memcmp(initial, place, 4 * row->count) == 0;
}

static bool show_control(const ag_setting_info *row, void *place, float width)
{
    char format[48];
    int32_t *integer = place;
    if (row->type == AG_BOOL) {
        bool on = *integer != 0;
        bool changed = ui_toggle("##on", &on);
        *integer = on;
        return changed;
    }
    if (row->type == AG_ENUM) {
        int which = *integer;
        bool changed = ui_choice("##which", row->names, (int)row->name_count, &which, width);
        *integer = which;
        return changed;
    }
    number_format(row, format, sizeof format);
    if (row->type == AG_INT)
        return ui_slider_int("##int", integer, (int)fmax(row->min, -1e6), (int)fmin(row->max, 1e6),
                             format, width);
    double low = fmax(row->min, -1e5), high = fmin(row->max, 1e5);
    bool changed = false, wide = low >= 0 && high - low > 50;
    for (uint32_t k = 0; k < row->count; k += 4) { // a matrix by columns, four numbers a line
        char id[16];
        snprintf(id, sizeof id, "##%u", (unsigned)k);
        uint32_t count = row->count - k < 4 ? row->count - k : 4;
        changed = ui_slider_float(id, (float *)place + k, (int)count, (float)low, (float)high,
                                  format, wide, width) ||
                  changed;
    }
    return changed;
}

static void show_setting(const ag_setting_info *row, void *place)
{
    char tip[640], range[256], initial[128], label[48];
    float x, y, column = ui_px(98);
    bool changed = !is_initial(row, place), held, hovered;
    ui_push(row->name);
    ui_cursor(&x, &y);
    snprintf(label, sizeof label, "%s", row->name);
    for (char *at = label; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    snprintf(tip, sizeof tip, "%s\n%s%s%s, default %s.%s", row->help ? row->help : "",
             effect_setting_range(row, range, sizeof range), row->unit && *row->unit ? " " : "",
             row->unit ? row->unit : "", effect_setting_default(row, initial, sizeof initial),
             changed ? " Right click: the default" : "");
    ui_area("##label", x, y, column - ui_px(4), ui_px(20), &held, &hovered);
    bool reset = ui_right_clicked();
    ui_tip(tip);
    if (changed)
        ui_rect(x + ui_px(1), y + ui_px(9), ui_px(4), ui_px(4), ui_colour(UI_ACCENT), ui_px(2));
    ui_text_cut(x + ui_px(10), y + ui_px(3), UI_REGULAR, ui_colour(changed ? UI_TEXT : UI_DIM),
                label, column - ui_px(14));
    ui_set_cursor(x + column, y);
    show_control(row, place, ui_width());
    if (ui_right_clicked() || reset)
        initial_value(row, place);
    ui_tip(tip);
    ui_pop();
}

static void show_settings(const ag_effect_info *info, void *settings)
{
    for (int i = 0; i < (int)info->setting_count; i++) {
        const ag_setting_info *row = effect_setting(info, i);
        show_setting(row, (char *)settings + row->offset);
    }
}

// ---- one section
// ------------------------------------------------------------------------------------------

static bool *find_fold(panel *p, const char *id)
{
    for (int i = 0; i < p->fold_count; i++)
        if (strcmp(p->folds[i].id, id) == 0)
            return &p->folds[i].open;
    if (p->fold_count == PANEL_FOLDS)
        return &p->folds[0].open;
    struct panel_fold *fold = &p->folds[p->fold_count++];
    snprintf(fold->id, sizeof fold->id, "%s", id);
    return &fold->open;
}

static void section_name(const char *id, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s", id);
    for (char *at = buffer; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    if (*buffer >= 'a' && *buffer <= 'z')
        *buffer = (char)(*buffer - 'a' + 'A');
}

// The heading: a triangle, the name; what follows on its right is the caller's. Returns whether it
// is open.
static bool show_heading(panel *p, const char *id, uint32_t colour, const char *tip)
{
    char name[64];
    float x, y;
    bool *open = find_fold(p, id), held, hovered;
    section_name(id, name, sizeof name);
    ui_cursor(&x, &y);
    if (ui_area("##name", x, y, ui_width() - ui_px(112), ui_px(20), &held, &hovered))
        *open = !*open;
    ui_tip(tip);
    ui_set_cursor(x, y);
    ui_fold("##fold", open);
    ui_text_at(x + ui_px(18), y + ui_px(2), UI_MEDIUM, colour, name);
    ui_set_cursor(x, y);
    return *open;
}

// Returns whether it is to leave the chain.
static bool show_node_settings(frame *f, node *n)
{
    bool leaves;
    ui_text_wrapped(ui_colour(UI_FAINT), n->info->help);
    ui_space(1);
    show_settings(n->info, n->settings);
    if (n->filters) {
        float x, y;
        ui_cursor(&x, &y);
        ui_text_at(x + ui_px(10), y + ui_px(3), UI_REGULAR, ui_colour(UI_DIM), "in picture");
        ui_set_cursor(x + ui_px(98), y);
        if (ui_toggle("##picture", &n->in_picture))
            f->dirty = true;
        ui_tip(
            "On: what it makes goes on through the frame. Off: it is made for the inspector alone");
    }
    if (ui_small_button("Reset", "All settings of this effect to their defaults"))
        node_reset(n, f->graph.ag);
    ui_same_row(6);
    if (ui_small_button("Inspect", "Its textures, in the inspector")) {
        int slot = (int)n->info->slot_count - 1;
        for (int i = slot; i >= 0; i--) // the first that it writes
            slot = node_slot(n->info, i)->access & AG_WRITE ? i : slot;
        frame_inspect(f, n->name, slot);
    }
    ui_same_row(6);
    leaves = ui_small_button("Remove", "It leaves the chain, with its settings");
    ui_space(4);
    return leaves;
}

// `move`: it is asked to change places by that.
static bool show_node(panel *p, frame *f, int index, int *move)
{
    node *n = &f->nodes[index];
    float x, y, right;
    char text[64] = "";
    ag_stats stats = {.struct_size = sizeof stats};
    ui_push(n->name);
    ui_cursor(&x, &y);
    right = x + ui_width();
    bool broken = n->why[0] && !n->works, leaves = false;
    bool open = show_heading(p, n->name,
                             ui_colour(broken  ? UI_BAD
                                       : n->on ? UI_TEXT
                                               : UI_DIM),
                             broken ? n->why : n->info->help);
    if (n->works && f->graph.ag->stats(n->ag_pass, AG_WHOLE_PASS, &stats) >= 0 && stats.samples)
        snprintf(text, sizeof text, stats.gpu_median < 9.95e6 ? "%.2f ms" : "%.0f ms",
                 stats.gpu_median * 1e-6);
    ui_text_right(right - ui_px(72), y + ui_px(3), UI_SMALL, ui_colour(UI_FAINT), text);
    ui_set_cursor(right - ui_px(64), y);
    *move = ui_arrow("##up", true) ? -1 : 0;
    ui_tip("Earlier in the frame");
    ui_set_cursor(right - ui_px(48), y);
    *move += ui_arrow("##down", false);
    ui_tip("Later in the frame");
    ui_set_cursor(right - ui_px(28), y);
    if (ui_toggle("##on", &n->on))
        f->dirty = true;
    ui_set_cursor(x, y + ui_px(24));
    if (broken)
        ui_text_wrapped(ui_colour(UI_BAD), n->why);
    if (open)
        leaves = show_node_settings(f, n);
    ui_pop();
    return leaves;
}

static void show_add(panel *p, frame *f)
{
    const ag_effect_info *all[FRAME_EFFECTS];
    const char *names[FRAME_EFFECTS], *tips[FRAME_EFFECTS];
    int count = (int)frame_effects(f, all);
    for (int i = 0; i < count; i++) {
        names[i] = all[i]->id;
        tips[i] = all[i]->help;
    }
    int chosen = ui_menu("Add an effect", names, tips, count, ui_width());
    ui_tip("At the end of the chain; one of a kind may come several times");
    node *n = chosen >= 0 ? frame_add(f, names[chosen]) : NULL;
    if (chosen >= 0 && !n)
        note("%s", f->log);
    if (n) {
        n->on = true;
        *find_fold(p, n->name) = true;
    }
}

// Changes of the chain wait until all of it was laid out.
static void show_chain(panel *p, frame *f)
{
    int moved = -1, by = 0, removed = -1;
    for (int i = 0; i < f->node_count; i++) {
        int move = 0;
        if (show_node(p, f, i, &move))
            removed = i;
        if (move) {
            moved = i;
            by = move;
        }
    }
    if (moved >= 0)
        frame_move(f, moved, by);
    if (removed >= 0)
        frame_remove(f, removed);
    ui_space(2);
    show_add(p, f);
}

static void show_own(panel *p, frame *f, int which)
{
    void *settings = preset_own(f, which);
    ui_push(own_info[which].id);
    float x, y;
    ui_cursor(&x, &y);
    bool open = show_heading(p, own_info[which].id, ui_colour(UI_TEXT), own_info[which].help);
    ui_set_cursor(x, y + ui_px(24));
    if (open) {
        show_settings(&own_info[which], settings);
        if (ui_small_button("Reset", "All of these to their defaults"))
            own_defaults(&own_info[which], settings);
        ui_space(4);
    }
    ui_pop();
}

// ---- the panel
// --------------------------------------------------------------------------------------------

void panel_open(panel *p)
{
    *p = (panel){0};
    find_presets(p);
    *find_fold(p, "bloom") = true;
    *find_fold(p, "view") = true;
}

static void caption(const char *text)
{
    float x, y;
    ui_cursor(&x, &y);
    ui_text_at(x, y, UI_SMALL, ui_colour(UI_FAINT), text);
    ui_space(15);
}

void panel_show(panel *p, frame *f, float x, float y, float w, float h)
{
    char text[160];
    float cx, cy, head = h < ui_px(480) ? 0 : ui_px(46);
    if (head > 0) {
        ui_panel_begin("heading", x, y, w, head, false, ui_colour(UI_PANEL));
        ui_cursor(&cx, &cy);
        ui_text_at(cx, cy + ui_px(1), UI_TITLE, ui_colour(UI_TEXT), "Afterglow");
        snprintf(text, sizeof text, "%s  \xc2\xb7  F1 help",
                 f->graph.ag ? f->graph.ag->version : "no module");
        ui_text_right(x + w - ui_px(14), cy + ui_px(7), UI_SMALL, ui_colour(UI_FAINT), text);
        ui_rect(x, y + head - ui_px(1), w, ui_px(1), ui_colour(UI_LINE), 0);
        ui_panel_end();
    }
    ui_panel_begin("settings", x, y + head, w, h - head, true, ui_colour(UI_PANEL));
    caption("PRESETS");
    show_sides(f);
    show_presets(p, f);
    ui_line();
    caption("SOURCE");
    float px, py;
    ui_cursor(&px, &py);
    ui_text_cut(px, py, UI_REGULAR, ui_colour(UI_TEXT),
                f->image.name ? f->image.label : "Night street", ui_width() - ui_px(70));
    snprintf(text, sizeof text, "%d \xc3\x97 %d", f->width, f->height);
    ui_text_right(px + ui_width(), py + ui_px(1), UI_SMALL, ui_colour(UI_FAINT), text);
    ui_space(20);
    if (f->image.name && ui_button("Back to the street", -1)) {
        frame_use_image(f, 0, 0, 0);
        f->view = f->street_view;
    }
    if (!f->image.name) {
        show_own(p, f, OWN_SCENE);
        show_own(p, f, OWN_PARTICLES);
    }
    ui_line();
    caption("EFFECTS, IN THEIR ORDER");
    show_chain(p, f);
    ui_line();
    caption("DISPLAY");
    show_own(p, f, OWN_VIEW);
    ui_space(6);
    ui_panel_end();
}
