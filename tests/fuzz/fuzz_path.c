// fuzz_path.c - camera paths of the viewer: whoever flies along one stays in the street
// SPDX-License-Identifier: MIT
//
// Behind the file's last line the input has a byte for the time of each step.
#define _GNU_SOURCE // memrchr
#include "camera.h"
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 64 };

static void check_pose(const pose *p)
{
    FUZZ_CHECK(p->eye[0] >= -6.6f && p->eye[0] <= 6.6f);
    FUZZ_CHECK(p->eye[1] >= 0.35f && p->eye[1] <= 14.0f);
    FUZZ_CHECK(p->eye[2] >= -9.0f && p->eye[2] <= 110.0f);
    FUZZ_CHECK(p->pitch >= -1.4f && p->pitch <= 1.4f && isfinite(p->yaw));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static camera *c, *before;
    if (!c) {
        c = calloc(1, sizeof *c);
        before = calloc(1, sizeof *before);
        FUZZ_CHECK(c && before);
    }
    camera_reset(c);
    const uint8_t *end = size ? memrchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    memcpy(before, c, sizeof *c);
    if (!camera_load(c, fuzz_file(data, length))) {
        FUZZ_CHECK(memcmp(before, c, sizeof *c) == 0);
        return 0;
    }
    FUZZ_CHECK(c->key_count >= 1 && c->key_count <= PATH_KEYS);
    for (int i = 0; i < c->key_count; i++) {
        check_pose(&c->keys[i]);
        FUZZ_CHECK(c->times[i] >= (i ? c->times[i - 1] : 0));
    }
    fuzz_input input = {data + length, size - length};
    camera_play(c, true);
    float all = c->times[c->key_count - 1];
    for (int i = 0; i < STEPS; i++) {
        camera_view view;
        uint32_t part = fuzz_take(&input, 1);
        camera_step(c, &(camera_move){0}, part ? all * (float)part / 2048 : 1.0f / 60);
        check_pose(&c->now);
        camera_look(&c->now, 1.5f, &view);
        for (int k = 0; k < 16; k++)
            FUZZ_CHECK(isfinite(view.clip[k / 4][k % 4]));
    }
    return 0;
}
