// viewer/input.c - what hands did, in order: a frame gets as much of it as it can tell apart
// SPDX-License-Identifier: MIT
#include "input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <string.h>

enum { PRESSES = 200, NONE = -1 }; // each press needs room for its release

// What a key is: a shortcut; the bool of ui_input that is true while it is held.
#define HELD(member) (int)offsetof(ui_input, member)
static const struct {
    int key;
    ui_key shortcut;
    int held;
} keys[] = {
    {GLFW_KEY_ESCAPE, UI_KEY_ESCAPE, HELD(edit[6])},
    {GLFW_KEY_F1, UI_KEY_F1, NONE},
    {GLFW_KEY_F5, UI_KEY_F5, NONE},
    {GLFW_KEY_F6, UI_KEY_F6, NONE},
    {GLFW_KEY_F12, UI_KEY_F12, NONE},
    {GLFW_KEY_SPACE, UI_KEY_SPACE, NONE},
    {GLFW_KEY_HOME, UI_KEY_HOME, HELD(edit[7])},
    {GLFW_KEY_H, UI_KEY_H, NONE},
    {GLFW_KEY_R, UI_KEY_R, NONE},
    {GLFW_KEY_T, UI_KEY_T, NONE},
    {GLFW_KEY_X, UI_KEY_X, NONE},
    {GLFW_KEY_I, UI_KEY_I, NONE},
    {GLFW_KEY_W, UI_KEY_NONE, HELD(ahead)},
    {GLFW_KEY_S, UI_KEY_NONE, HELD(back)},
    {GLFW_KEY_A, UI_KEY_NONE, HELD(left)},
    {GLFW_KEY_D, UI_KEY_NONE, HELD(right)},
    {GLFW_KEY_E, UI_KEY_NONE, HELD(up)},
    {GLFW_KEY_Q, UI_KEY_NONE, HELD(down)},
    {GLFW_KEY_LEFT_SHIFT, UI_KEY_NONE, HELD(fast)},
    {GLFW_KEY_RIGHT_SHIFT, UI_KEY_NONE, HELD(fast)},
    {GLFW_KEY_LEFT_CONTROL, UI_KEY_NONE, HELD(alter)},
    {GLFW_KEY_RIGHT_CONTROL, UI_KEY_NONE, HELD(alter)},
    {GLFW_KEY_TAB, UI_KEY_NONE, HELD(edit[0])},
    {GLFW_KEY_LEFT, UI_KEY_NONE, HELD(edit[1])},
    {GLFW_KEY_RIGHT, UI_KEY_NONE, HELD(edit[2])},
    {GLFW_KEY_BACKSPACE, UI_KEY_NONE, HELD(edit[3])},
    {GLFW_KEY_DELETE, UI_KEY_NONE, HELD(edit[4])},
    {GLFW_KEY_ENTER, UI_KEY_NONE, HELD(edit[5])},
    {GLFW_KEY_END, UI_KEY_NONE, HELD(edit[8])},
};
enum { KEYS = sizeof keys / sizeof *keys };
_Static_assert((int)KEYS <= (int)INPUT_KEYS, "the queue's tables are too short");

static int find_key(unsigned key)
{
    for (int i = 0; i < KEYS; i++)
        if (keys[i].key == (int)key)
            return i;
    return NONE;
}

void input_add(input_queue *queue, const input_event *event)
{
    input_event added = *event, *last = &queue->events[queue->count ? queue->count - 1 : 0];
    bool *state = NULL;
    if (added.kind == INPUT_KEY) {
        int row = find_key(added.code);
        if (row == NONE)
            return;
        added.code = (unsigned)row;
        state = &queue->last_keys[row];
    } else if (added.kind == INPUT_BUTTON) {
        if (added.code >= INPUT_BUTTONS)
            return;
        state = &queue->last_buttons[added.code];
    } else if (queue->count && last->kind == added.kind && added.kind == INPUT_MOVE) {
        *last = added;
        return;
    }
    bool release = state && !added.down;
    if ((state && *state == added.down) || (!release && queue->count >= PRESSES))
        return;
    if (state)
        *state = added.down;
    queue->events[queue->count++] = added;
}

typedef struct frame_changes { // of the frame that is being filled
    bool keys[INPUT_KEYS], buttons[INPUT_BUTTONS];
    bool clicked, moved, wheeled, edited;
} frame_changes;

// False: the event has to wait for the next frame.
static bool take(input_queue *queue, const input_event *event, frame_changes *now, ui_input *out)
{
    switch (event->kind) {
    case INPUT_MOVE:
        if (now->clicked || now->wheeled)
            return false;
        queue->mouse[0] = event->x;
        queue->mouse[1] = event->y;
        now->moved = true;
        return true;
    case INPUT_WHEEL:
        out->wheel += event->y;
        now->wheeled = true;
        return true;
    case INPUT_BUTTON:
        // Who drags has to see the last place with the button down.
        if (now->buttons[event->code] || (!event->down && now->moved))
            return false;
        queue->buttons[event->code] = event->down;
        now->buttons[event->code] = now->clicked = true;
        return true;
    case INPUT_KEY:
        if (now->keys[event->code] ||
            now->clicked) // control and a click are not a click and control
            return false;
        queue->keys[event->code] = event->down;
        now->keys[event->code] = true;
        now->edited = now->edited || keys[event->code].held >= HELD(edit);
        out->pressed[keys[event->code].shortcut] |= event->down;
        return true;
    case INPUT_CHAR:
        if (now->edited || out->char_count == UI_CHARS)
            return false;
        out->chars[out->char_count++] = event->code;
        return true;
    }
    return true;
}

void input_take(input_queue *queue, ui_input *out)
{
    frame_changes now = {0};
    int used = 0;
    *out = (ui_input){.width = out->width, .height = out->height, .dt = out->dt};
    while (used < queue->count && take(queue, &queue->events[used], &now, out))
        used++;
    queue->count -= used;
    memmove(queue->events, queue->events + used, (size_t)queue->count * sizeof *queue->events);
    memcpy(out->mouse, queue->mouse, sizeof out->mouse);
    memcpy(out->buttons, queue->buttons, sizeof out->buttons);
    for (int i = 0; i < KEYS; i++)
        if (keys[i].held != NONE && queue->keys[i])
            *(bool *)((char *)out + keys[i].held) = true;
}
