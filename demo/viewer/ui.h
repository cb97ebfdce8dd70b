// viewer/ui.h - Dear ImGui as C sees it: what the panel is made of, and nothing more
// SPDX-License-Identifier: MIT
//
// All places and lengths are in pixels of the canvas. Rows of a panel go down; ui_row_* put one
// setting a row.
#ifndef VIEWER_UI_H
#define VIEWER_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { UI_CHARS = 16 };
typedef enum ui_key {
    UI_KEY_NONE,
    UI_KEY_ESCAPE,
    UI_KEY_F1,
    UI_KEY_F5,
    UI_KEY_F6,
    UI_KEY_F12,
    UI_KEY_SPACE,
    UI_KEY_HOME,
    UI_KEY_H,
    UI_KEY_R,
    UI_KEY_T,
    UI_KEY_X,
    UI_KEY_I,
    UI_KEY_COUNT
} ui_key;

typedef struct ui_input { // since the last frame
    int width, height;    // of the canvas
    float dt;
    float mouse[2];  // -1, -1: elsewhere
    bool buttons[3]; // left, right, middle: down now
    float wheel;
    bool pressed[UI_KEY_COUNT];                           // went down
    bool ahead, back, left, right, up, down, fast, alter; // W S A D E Q, shift, control: held
    // Keys that edit a number, held, in ImGui's order: tab, left, right, backspace, delete, enter,
    // escape, home, end.
    bool edit[9];
    unsigned chars[UI_CHARS];
    int char_count;
} ui_input;

// ---- the context
bool ui_open(float scale, const unsigned char *regular, size_t regular_size,
             const unsigned char *medium, size_t medium_size, const unsigned char *mono,
             size_t mono_size);
void ui_close(void);
// The glyphs' texture, RGBA8, to be made once; its name is then given back.
const unsigned char *ui_atlas(int *width, int *height);
void ui_set_atlas(uint32_t texture);
void ui_begin(const ui_input *input);
// Calls `draw` for each part of what was laid out, back to front.
typedef struct ui_part {
    const void *vertices, *indices; // 20 bytes: 2 floats, 2 floats, 4 bytes; indices of 16 bits
    int vertex_count, index_count;  // of the list; set with its first part
    bool first;                     // of its list
    int offset, count, base;        // of indices, from a vertex on
    float clip[4];                  // x0, y0, x1, y1
    uint32_t texture;
} ui_part;
void ui_end(void (*draw)(void *user, const ui_part *part), void *user);
// From now on each ui_end writes to this file where everything that can be touched is, a line each:
// the ids on the way to it with slashes between, x, y, width, height. `state` comes after that. For
// tests, which play a hand.
void ui_tell_places(const char *path);
void ui_tell_state(const char *state);
bool ui_wants_mouse(void); // the panel has it, not the picture
bool ui_wants_keys(void);  // a number is being edited

// ---- colours and measures
enum ui_colour {
    UI_TEXT,
    UI_DIM,
    UI_FAINT,
    UI_ACCENT,
    UI_GOOD,
    UI_BAD,
    UI_PANEL,
    UI_DEEP,
    UI_LINE,
    UI_FIELD,
    UI_SHADE,
    UI_COLOURS
};
uint32_t ui_colour(enum ui_colour which);
uint32_t ui_series(int index); // colours of bars that stand side by side
float ui_px(float points);     // points times the scale
enum ui_font { UI_REGULAR, UI_MEDIUM, UI_SMALL, UI_MONO, UI_TITLE };
float ui_text_width(enum ui_font font, const char *text);
float ui_text_height(enum ui_font font);

// ---- panels
void ui_panel_begin(const char *name, float x, float y, float w, float h, bool scrolls,
                    uint32_t colour);
void ui_panel_end(void);
float ui_width(void); // what is left of the row
void ui_cursor(float *x, float *y);
void ui_set_cursor(float x, float y);
void ui_space(float points);
void ui_same_row(float gap); // points
void ui_line(void);          // across the panel

// ---- text
void ui_text(enum ui_font font, uint32_t colour, const char *text);
void ui_text_wrapped(uint32_t colour, const char *text);
void ui_text_at(float x, float y, enum ui_font font, uint32_t colour, const char *text);
// The same, ending at x, and cut with dots where it is wider than `most`.
void ui_text_right(float x, float y, enum ui_font font, uint32_t colour, const char *text);
void ui_text_cut(float x, float y, enum ui_font font, uint32_t colour, const char *text,
                 float most);

// ---- what can be touched. Each returns whether it was.
bool ui_button(const char *label, float width); // width 0: as the text; -1: the rest of the row
bool ui_small_button(const char *label, const char *tip);
bool ui_arrow(const char *id, bool up);
bool ui_toggle(const char *id, bool *on);
bool ui_fold(const char *id, bool *open); // a triangle before a heading
bool ui_tab(const char *label, bool selected);
bool ui_choice(const char *id, const char *const *names, int count, int *which, float width);
bool ui_slider_float(const char *id, float *values, int count, float low, float high,
                     const char *format, bool logarithmic, float width);
bool ui_slider_int(const char *id, int *value, int low, int high, const char *format, float width);
bool ui_area(const char *id, float x, float y, float w, float h, bool *held,
             bool *hovered);   // pressed
void ui_tip(const char *text); // of what was just drawn
bool ui_hovered(void);
bool ui_right_clicked(void);
void ui_drag(float *dx, float *dy); // since the last frame, while a button is down
void ui_push(const char *id);       // ids inside are of this
void ui_pop(void);

// ---- drawing. On the panel that is open, or over everything.
void ui_over(bool on);
void ui_rect(float x, float y, float w, float h, uint32_t colour, float rounding);
void ui_frame(float x, float y, float w, float h, uint32_t colour);
void ui_stroke(float x0, float y0, float x1, float y1, uint32_t colour, float thick);
void ui_curve(const float *xy, int count, uint32_t colour, float thick);
void ui_picture(uint32_t texture, float x, float y, float w, float h);

#ifdef __cplusplus
}
#endif
#endif
