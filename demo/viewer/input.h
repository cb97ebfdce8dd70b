// viewer/input.h - what hands did, in order: a frame gets as much of it as it can tell apart
// SPDX-License-Identifier: MIT
//
// A panel that is laid out once a frame sees of a button and a key only whether they are down. So a
// second change of one, or a move away from where a button changed, waits for the next frame: a
// click that is shorter than a frame is seen, and where it was.
#ifndef VIEWER_INPUT_H
#define VIEWER_INPUT_H

#include "ui.h"

enum { INPUT_EVENTS = 512, INPUT_KEYS = 32, INPUT_BUTTONS = 3 };
typedef enum input_kind { INPUT_MOVE, INPUT_WHEEL, INPUT_BUTTON, INPUT_KEY, INPUT_CHAR } input_kind;

typedef struct input_event {
    input_kind kind;
    bool down;     // of a button or a key: pressed, not released
    unsigned code; // of a button (0 to 2), a key (GLFW_KEY_*), or the character
    float x, y;    // of a move: where to; of the wheel: y alone
} input_event;

typedef struct input_queue {
    input_event events[INPUT_EVENTS];
    int count;
    bool keys[INPUT_KEYS], buttons[INPUT_BUTTONS]; // down after the events that were taken
    bool last_keys[INPUT_KEYS], last_buttons[INPUT_BUTTONS]; // after all of them
    float mouse[2];
} input_queue;

// Keys that nobody asks for are left out. While the queue is too long, because frames do not end,
// presses are, too; releases never are.
void input_add(input_queue *queue, const input_event *event);
// Sets all of `out` but its size and dt. Call it once a frame.
void input_take(input_queue *queue, ui_input *out);

#endif
