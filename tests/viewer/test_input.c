// test_input.c - hands faster than frames: no press is lost, merged or moved to another place
// SPDX-License-Identifier: MIT
//
// Random bursts of events, of which each frame takes what it can. What a panel would make of the
// frames, which see states only, has to be what was done.
#include "check.h"
#include "input.h"
#include "random.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS = 20000, BURST = 60 };

static void add(input_queue *q, input_kind kind, unsigned code, bool down)
{
    input_add(q, &(input_event){.kind = kind, .code = code, .down = down});
}

static void move(input_queue *q, float x, float y)
{
    input_add(q, &(input_event){.kind = INPUT_MOVE, .x = x, .y = y});
}

static void test_click(void **state)
{
    (void)state;
    input_queue *q = check_allocate(sizeof *q);
    ui_input in = {.width = 7};
    memset(q, 0, sizeof *q);
    move(q, 10, 20);
    add(q, INPUT_BUTTON, 0, true);
    add(q, INPUT_BUTTON, 0, false);
    move(q, 300, 400);
    input_take(q, &in);
    CHECK(in.buttons[0] && in.mouse[0] == 10 && in.mouse[1] == 20 && in.width == 7);
    input_take(q, &in);
    CHECK(!in.buttons[0] && in.mouse[0] == 10);
    input_take(q, &in);
    CHECK(!in.buttons[0] && in.mouse[0] == 300 && !q->count);
    // Whoever drags sees the last place before the release.
    add(q, INPUT_BUTTON, 0, true);
    input_take(q, &in);
    move(q, 50, 60);
    move(q, 70, 80);
    add(q, INPUT_BUTTON, 0, false);
    input_take(q, &in);
    CHECK(in.buttons[0] && in.mouse[0] == 70);
    input_take(q, &in);
    CHECK(!in.buttons[0] && in.mouse[0] == 70);
    // Control and a click, then control alone.
    add(q, INPUT_KEY, GLFW_KEY_LEFT_CONTROL, true);
    add(q, INPUT_BUTTON, 0, true);
    add(q, INPUT_KEY, GLFW_KEY_LEFT_CONTROL, false);
    input_take(q, &in);
    CHECK(in.buttons[0] && in.alter);
    // A key that is up before the frame; a shortcut twice.
    memset(q, 0, sizeof *q);
    for (int i = 0; i < 4; i++)
        add(q, INPUT_KEY, GLFW_KEY_X, i % 2 == 0);
    add(q, INPUT_KEY, GLFW_KEY_ENTER, true);
    add(q, INPUT_KEY, GLFW_KEY_ENTER, false);
    int shortcuts = 0, enters = 0;
    for (int i = 0; i < 8; i++) {
        input_take(q, &in);
        shortcuts += in.pressed[UI_KEY_X];
        enters += in.edit[5];
    }
    CHECK_EQ(shortcuts, 2);
    CHECK_EQ(enters, 1);
    free(q);
}

typedef struct counts { // of what was done, or of what frames show
    int presses[INPUT_BUTTONS], releases[INPUT_BUTTONS], shortcuts[UI_KEY_COUNT], enters;
    float at[INPUT_BUTTONS], wheel; // sums over presses of the place and their number
    unsigned chars;                 // a hash of all, in order
} counts;

static void look(counts *seen, const ui_input *in, ui_input *before)
{
    for (int i = 0; i < INPUT_BUTTONS; i++) {
        bool pressed = in->buttons[i] && !before->buttons[i];
        seen->presses[i] += pressed;
        seen->releases[i] += !in->buttons[i] && before->buttons[i];
        if (pressed)
            seen->at[i] += (float)(seen->presses[i] % 64) * in->mouse[0];
    }
    for (int i = UI_KEY_NONE + 1; i < UI_KEY_COUNT; i++)
        seen->shortcuts[i] += in->pressed[i];
    seen->enters += in->edit[5] && !before->edit[5];
    seen->wheel += in->wheel;
    for (int i = 0; i < in->char_count; i++)
        seen->chars = seen->chars * 31 + in->chars[i];
    *before = *in;
}

static void test_bursts(void **state)
{
    static const struct {
        int key, shortcut;
    } keys[] = {{GLFW_KEY_X, UI_KEY_X}, {GLFW_KEY_F5, UI_KEY_F5}, {GLFW_KEY_ENTER, 0}};
    (void)state;
    rng r = rng_start("bursts", 44);
    input_queue *q = check_allocate(sizeof *q);
    ui_input in = {0}, before = {0};
    counts done = {0}, seen = {0};
    bool button[INPUT_BUTTONS] = {0}, key[3] = {0};
    float x = 0;
    int frames = 0;
    memset(q, 0, sizeof *q);
    for (int i = 0; i < EVENTS; i++) {
        int which = rng_int(&r, 0, 2);
        switch (rng_int(&r, 0, 4)) {
        case 0:
            x = (float)rng_int(&r, 0, 100);
            move(q, x, 0);
            break;
        case 1:
            button[which] = !button[which];
            add(q, INPUT_BUTTON, (unsigned)which, button[which]);
            *(button[which] ? &done.presses[which] : &done.releases[which]) += 1;
            if (button[which])
                done.at[which] += (float)(done.presses[which] % 64) * x;
            break;
        case 2:
            key[which] = !key[which];
            add(q, INPUT_KEY, (unsigned)keys[which].key, key[which]);
            done.shortcuts[keys[which].shortcut] += key[which] && which < 2;
            done.enters += key[which] && which == 2;
            break;
        case 3:
            input_add(q, &(input_event){.kind = INPUT_WHEEL, .y = 1});
            done.wheel += 1;
            break;
        default: add(q, INPUT_CHAR, (unsigned)i, false); done.chars = done.chars * 31 + (unsigned)i;
        }
        if (i % BURST && i != EVENTS - 1)
            continue;
        while (q->count) { // as a stall ends: the queue has more than a frame takes
            input_take(q, &in);
            look(&seen, &in, &before);
            frames++;
        }
    }
    printf("  %d events in %d frames\n", EVENTS, frames);
    CHECK(frames < EVENTS);
    CHECK(memcmp(&done, &seen, sizeof done) == 0);
    free(q);
}

// No frame ends for long: what is too much is left out, but nothing stays down.
static void test_flood(void **state)
{
    (void)state;
    rng r = rng_start("flood", 45);
    input_queue *q = check_allocate(sizeof *q);
    ui_input in = {0};
    memset(q, 0, sizeof *q);
    for (int i = 0; i < 100000; i++) {
        unsigned code = (unsigned)rng_int(&r, GLFW_KEY_SPACE, GLFW_KEY_LAST);
        bool down = rng_int(&r, 0, 1);
        add(q, rng_int(&r, 0, 1) ? INPUT_KEY : INPUT_BUTTON, down ? code : code % 8, down);
        move(q, (float)i, 0);
        CHECK(q->count <= INPUT_EVENTS);
    }
    for (unsigned code = 0; code <= GLFW_KEY_LAST; code++) {
        add(q, INPUT_KEY, code, false);
        add(q, INPUT_BUTTON, code, false);
    }
    while (q->count)
        input_take(q, &in);
    input_take(q, &in);
    CHECK(!in.ahead && !in.fast && !in.alter && !in.buttons[0] && !in.buttons[1] && !in.buttons[2]);
    for (int i = 0; i < 9; i++)
        CHECK(!in.edit[i]);
    free(q);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_click), UNIT_TEST(test_bursts),
                                UNIT_TEST(test_flood)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
