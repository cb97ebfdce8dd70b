#include "window_ui.h"
#include "window_mode.h"
window_ui *window_ui_open(const GladGLContext *gl, float scale) { (void)gl; (void)scale; return 0; }
void window_ui_close(window_ui *ui) {(void)ui;}
void window_ui_frame(window_ui *ui, frame *f, const ui_input *input) {(void)ui;(void)f;(void)input;}
void window_ui_draw(window_ui *ui, frame *f) {(void)ui;(void)f;}
int window_mode(const viewer_command *w) {(void)w; return 1;}
