// spans_own.c - Afterglow's times on the timeline of an engine's own profiler
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>

enum { TRACK_CPU, TRACK_GPU, EVENTS = 4096 };

typedef struct event { // of the engine's profiler; times on its clock, which is ag_host.now_ns
    const char *name;
    int track, depth;
    uint64_t begin, end, frame;
} event;

typedef struct profiler {
    event events[EVENTS]; // a ring
    uint64_t count;
} profiler;

static void add(profiler *p, const char *name, int track, int depth, uint64_t begin, uint64_t end,
                uint64_t frame)
{
    event *e = &p->events[p->count++ % EVENTS];
    e->name = name; // lives as long as the module is loaded
    e->track = track;
    e->depth = depth;
    e->begin = begin;
    e->end = end;
    e->frame = frame;
}

// ag_host.span; ag_host.user is the profiler. frame() calls it some frames later, parents first.
void profiler_on_span(void *user, const ag_span *span)
{
    profiler *p = user;
    int depth = span->step == AG_WHOLE_PASS ? 0 : 1;
    add(p, span->name, TRACK_CPU, depth, span->cpu_begin, span->cpu_end, span->frame);
    if (span->clock_error != AG_NO_CLOCK) // else the GPU's times are not known on this clock
        add(p, span->name, TRACK_GPU, depth, span->host_begin, span->host_end, span->frame);
}
