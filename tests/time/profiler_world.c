// profiler_world.c - scripted clocks, and a pass timed by them
// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "afterglow/convolve.h"
#include "test_profiler.h"

static const uint64_t second = 1000000000u;

void world_pass(world *w, uint64_t ns)
{
    w->now += ns;
    w->gpu_now += ns + (uint64_t)llround((double)ns * w->drift);
}

static uint64_t world_now(void *user)
{
    world *w = ((test_host *)user)->extra;
    world_pass(w, 20);
    if (w->falls)
        w->now -= 1000;
    return w->now;
}

static uint64_t gpu_clock(void *user)
{
    world *w = user;
    ++w->readings;
    world_pass(w, w->reading_ns / 3); // it is read somewhere on the way, not in the middle
    uint64_t now = w->gpu_now;
    world_pass(w, w->reading_ns - w->reading_ns / 3);
    return now;
}

static void on_stamp(void *user, uint32_t query)
{
    world *w = user;
    CHECK(query < WORLD_STAMPS);
    world_pass(w, w->next_step < WORLD_STEPS && w->step_ns[w->next_step] ? w->step_ns[w->next_step]
                                                                         : w->before_stamp);
    if (w->next_step++ == 0)
        w->true_begin = w->now;
    w->stamps[query] = w->gpu_now;
    if (w->set_back_at && --w->set_back_at == 0)
        w->now -= w->set_back;
}

static bool stamp(void *user, uint32_t query, uint64_t *value)
{
    const world *w = user;
    *value = w->stamps[query];
    return !w->stuck;
}

void scene_open(scene *s, bool old, ag_device_desc desc)
{
    memset(s, 0, sizeof *s);
    s->w = (world){.now = 5 * second,
                   .gpu_now = 77 * second + 12345,
                   .reading_ns = 2000,
                   .before_stamp = 1000};
    desc.struct_size = sizeof desc;
    s->f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    CHECK(s->f != NULL);
    fixture *f = s->f;
    f->host.extra = &s->w;
    f->host.host.now_ns = world_now;
    f->host.trace.on_call_user = &s->w;
    f->host.trace.dry = true; // the times are scripted, so nothing has to run
    f->host.trace.dry_word = 0x3f800000;
    f->host.trace.gpu_clock = gpu_clock;
    f->host.trace.on_stamp = on_stamp;
    f->host.trace.stamp = stamp;
    if (old) {
        f->host.trace.major = 4;
        f->host.trace.minor = 3;
        f->host.trace.hide_extension = "GL_ARB_query_buffer_object";
    }
    fixture_device(f, &desc);
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &s->j);
    job_set(&s->j, "method", 0, AG_CONVOLVE_FFT);
    s->pass = fixture_pass(f, "convolve");
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(s->pass, &s->j.job, &plan), AG_OK);
    s->steps = plan->step_count;
    CHECK(s->steps >= 2 && s->steps < WORLD_STEPS);
    for (uint32_t i = 0; i < s->steps; ++i)
        s->bytes += plan->steps[i].bytes;
    CHECK_STATUS(f->ag->prepare(s->pass, &s->j.job), AG_OK);
}

void scene_close(scene *s, fixture *group)
{
    CHECK_EQ(s->f->host.trace.impatient, 0);
    job_destroy(s->f, &s->j);
    CHECK(fixture_close(s->f));
    fixture_current(group);
}

void scene_execute(scene *s, uint32_t flags)
{
    s->w.next_step = 0;
    s->j.job.flags = flags;
    CHECK_STATUS(s->f->ag->execute(s->pass, &s->j.job, NULL), AG_OK);
}

void scene_frame(scene *s)
{
    CHECK_STATUS(s->f->ag->frame(s->f->device, 1), AG_OK);
}

ag_stats scene_stats(scene *s, uint32_t step)
{
    ag_stats stats = {.struct_size = sizeof stats};
    CHECK_STATUS(s->f->ag->stats(s->pass, step, &stats), AG_OK);
    return stats;
}
