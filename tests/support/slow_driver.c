// slow_driver.c - a driver that takes a number of frames for each program
// SPDX-License-Identifier: MIT
#include "slow_driver.h"
#include "check.h"

bool slow_driver_is_at(const slow_driver *slow, uint32_t program)
{
    CHECK(program < SLOW_PROGRAMS);
    return slow->frame < slow->ready[program];
}

static bool is_compiling(void *user, uint32_t program)
{
    slow_driver *slow = user;
    bool compiles = slow_driver_is_at(slow, program);
    if (slow->question_ns) {
        *slow->clock += slow->question_ns;
        ++slow->frame;
    }
    return compiles;
}

static void on_link(void *user, uint32_t program)
{
    slow_driver *slow = user;
    CHECK(program < SLOW_PROGRAMS);
    slow->ready[program] = slow->frame + (uint64_t)rng_int(&slow->random, slow->least, slow->most);
    slow->last = program;
    ++slow->links;
    if (slow->clock)
        *slow->clock += slow->link_ns;
}

void slow_driver_start(slow_driver *slow, gl_trace *trace, int least, int most)
{
    *slow = (slow_driver){
        .frame = 1, .least = least, .most = most, .random = rng_start("slow driver", 5)};
    trace->on_call_user = slow;
    trace->is_compiling = is_compiling;
    trace->on_link = on_link;
    trace->impatient = 0;
}

void slow_driver_stop(gl_trace *trace)
{
    trace->is_compiling = NULL;
    trace->on_link = NULL;
}

void slow_driver_finish(slow_driver *slow)
{
    for (int i = 0; i < SLOW_PROGRAMS; ++i)
        if (slow->ready[i] > slow->frame)
            slow->ready[i] = slow->frame;
}
