// measure.c - measures one piece of work hot and cold
// SPDX-License-Identifier: MIT
#include "measure.h"

#include <math.h>

typedef struct rotation {
    const measure_work *work;
    int sets; // 1: hot
} rotation;

static bool record(void *user, unsigned turn)
{
    const rotation *self = user;
    return self->work->record(self->work->user, (int)(turn % (unsigned)self->sets));
}

static void between(void *user)
{
    const rotation *self = user;
    if (self->work->between)
        self->work->between(self->work->user);
}

int measure_sets(double set_bytes, double total_bytes)
{
    double sets = ceil(total_bytes / set_bytes);
    return sets < 2 ? 2 : sets > MEASURE_MAX_SETS ? MEASURE_MAX_SETS : (int)sets;
}

bool measure(gpu_timer *timer, const measure_work *work, int samples, measured *out)
{
    rotation hot = {work, 1}, cold = {work, work->sets};
    *out = (measured){.sets = work->sets};
    return gpu_time_run(timer, &(gpu_work){record, between, &hot}, samples, &out->hot) &&
           gpu_time_run(timer, &(gpu_work){record, between, &cold}, samples, &out->cold);
}
