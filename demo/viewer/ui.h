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

typedef enum ui_key {
    UI_KEY_ESCAPE,
    UI_KEY_F1,
    UI_KEY_F5,
    UI_KEY_F6,
    UI_KEY_F12,
    UI_KEY_SPACE,
    UI_KEY_HOME,
    UI_KEY_SHIFT,
    UI_KEY_A,
    UI_KEY_B,
    UI_KEY_D,
    UI_KEY_E,
    UI_KEY_G,
    UI_KEY_H,
    UI_KEY_I,
    UI_KEY_L,
    UI_KEY_Q,
    UI_KEY_R,
    UI_KEY_S,
    UI_KEY_T,
    UI_KEY_W,
    UI_KEY_X,
    UI_KEYS
} ui_key;

// ---- the context
// `window`: a GLFWwindow, whose OpenGL context is current, or NULL: nobody has hands then.
bool ui_open(void *window, float scale, const unsigned char *regular, size_t regular_size,
             const unsigned char *medium, size_t medium_size, const unsigned char *mono,
             size_t mono_size);
void ui_close(void);
void ui_begin(int width, int height, float dt); // of the canvas; seconds since the last frame
void ui_end(void); // onto the framebuffer that is bound, whose last row is the top
// From now on each ui_end writes to this file where everything that can be touched is, a line each:
// the ids on the way to it with slashes between, x, y, width, height. `state` comes after that. For
// tests, which play a hand.
void ui_tell_places(const char *path);
void ui_tell_state(const char *state);

// ---- hands. A press that is shorter than a frame counts in full.
bool ui_wants_mouse(void); // the panel has it, not the picture
bool ui_wants_keys(void);  // a number is being edited
void ui_mouse(float place[2],
              float moved[2]);     // place -1, -1: elsewhere; moved since the last frame
bool ui_mouse_down(int button);    // 0: left, 1: right
bool ui_mouse_pressed(int button); // in this frame
float ui_wheel(void);
bool ui_key_down(ui_key key);
bool ui_key_pressed(ui_key key); // in this frame, not by repetition

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
// A list that opens from a button. Returns what was chosen; -1: nothing.
int ui_menu(const char *label, const char *const *names, const char *const *tips, int count,
            float width);
bool ui_slider_float(const char *id, float *values, int count, float low, float high,
                     const char *format, bool logarithmic, float width);
bool ui_slider_int(const char *id, int *value, int low, int high, const char *format, float width);
bool ui_area(const char *id, float x, float y, float w, float h, bool *held,
             bool *hovered);   // pressed
void ui_tip(const char *text); // of what was just drawn
bool ui_hovered(void);
bool ui_right_clicked(void);
void ui_push(const char *id); // ids inside are of this
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
