// test_hazards.c - which barriers follow from what dispatches access: pure C
// SPDX-License-Identifier: MIT
//
// Random dispatches on four memories, with the rules of core/hazards.h spelled out by brute force:
// every earlier access of every byte is kept, with the bits of all barriers since.
#include <stdio.h>
#include <string.h>

#include <afterglow/afterglow.h>

#include "check.h"
#include "core/hazards.h"
#include "random.h"

enum {
    BUFFER = GL_SHADER_STORAGE_BARRIER_BIT,
    IMAGE = GL_SHADER_IMAGE_ACCESS_BARRIER_BIT,
    TEXTURE = GL_TEXTURE_FETCH_BARRIER_BIT
};

// ---- by brute force ----------------------------------------------------------------------------

enum { MEMORIES = 4, BYTES = 16, STEPS = 60, HISTORY = 1024 };

typedef struct past {
    ag_touch touch;
    GLbitfield seen;
    uint32_t step;
} past;

static bool collides(const past *p, const ag_touch *t, uint32_t step)
{
    const ag_touch *b = &p->touch;
    bool changes = (b->how | t->how) & (AG_WRITE | AG_ADD), both_add = b->how == AG_ADD;
    both_add = both_add && t->how == AG_ADD;
    bool shares = b->how == AG_WRITE && t->how == AG_WRITE && p->step == step;
    return b->memory == t->memory && b->from < t->to && t->from < b->to && changes && !both_add &&
           !shares && !(p->seen & t->unit);
}

// Never too few, and too many only where the list grew long and started anew.
static void test_random(void **state)
{
    (void)state;
    rng r = rng_start("hazards", 71);
    static const uint32_t hows[] = {AG_READ, AG_WRITE, AG_READ | AG_WRITE, AG_ADD};
    static const GLbitfield units[] = {BUFFER, IMAGE, TEXTURE};
    static past history[HISTORY];
    uint32_t missing = 0, more = 0, barriers = 0;
    for (int round = 0; round < 2000; ++round) {
        ag_hazards h = {0};
        uint32_t count = 0;
        for (uint32_t step = 0; step < STEPS; ++step) {
            ag_touch t[3];
            uint32_t n = (uint32_t)rng_int(&r, 1, 3);
            for (uint32_t i = 0; i < n; ++i) {
                uint64_t from = (uint64_t)rng_int(&r, 0, BYTES - 1);
                t[i] = (ag_touch){(uint32_t)rng_int(&r, 0, MEMORIES - 1), hows[rng_int(&r, 0, 3)],
                                  units[rng_int(&r, 0, 2)], from,
                                  from + (uint64_t)rng_int(&r, 1, BYTES)};
            }
            GLbitfield right = 0;
            for (uint32_t i = 0; i < n; ++i)
                for (uint32_t k = 0; k < count; ++k)
                    if (collides(&history[k], &t[i], step / 4))
                        right |= t[i].unit;
            GLbitfield bits = ag_hazards_of(&h, t, n, step / 4);
            if (bits)
                bits = ag_hazards_barrier(&h, bits);
            GLbitfield room = ag_hazards_add(&h, t, n, step / 4);
            missing += (right & ~(bits | room)) != 0;
            more += !right && bits;
            barriers += (bits | room) != 0;
            for (uint32_t k = 0; k < count; ++k)
                history[k].seen |= bits | room;
            for (uint32_t i = 0; i < n; ++i)
                history[count++] = (past){t[i], 0, step / 4};
        }
    }
    printf("  %u barriers; %u too few, %u too many\n", barriers, missing, more);
    CHECK_EQ(missing, 0);
    CHECK_EQ(more, 0);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_random)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
