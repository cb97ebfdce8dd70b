// viewer/timers.c - how long the viewer's own passes take on the GPU
// SPDX-License-Identifier: MIT
#include "timers.h"

#include <stdlib.h>
#include <string.h>

void timers_open(timers *t, const GladGLContext *gl)
{
    *t = (timers){.gl = gl, .row_count = 1};
    t->rows[0].name = "frame";
    for (int i = 0; i < TIMERS_RING; i++)
        gl->GenQueries(2 * TIMERS_MOST, t->ring[i].query[0]);
}

void timers_close(timers *t)
{
    for (int i = 0; t->gl && i < TIMERS_RING; i++)
        t->gl->DeleteQueries(2 * TIMERS_MOST, t->ring[i].query[0]);
    *t = (timers){0};
}

static void collect(timers *t, uint64_t frame)
{
    int slot = (int)(frame % TIMERS_RING);
    for (int i = 0; i < t->row_count; i++) {
        GLuint64 from = 0, to = 0;
        if (!t->ring[slot].used[i])
            continue;
        t->gl->GetQueryObjectui64v(t->ring[slot].query[i][0], GL_QUERY_RESULT, &from);
        t->gl->GetQueryObjectui64v(t->ring[slot].query[i][1], GL_QUERY_RESULT, &to);
        timer_row *row = &t->rows[i];
        row->ms[row->count++ % TIMERS_HISTORY] = to > from ? (float)(to - from) * 1e-6f : 0;
    }
}

// The frame's end is stamped last: once its time is there, all others are.
static bool is_there(const timers *t, uint64_t frame)
{
    GLint there = 0;
    t->gl->GetQueryObjectiv(t->ring[frame % TIMERS_RING].query[0][1], GL_QUERY_RESULT_AVAILABLE,
                            &there);
    return there != 0;
}

void timers_begin(timers *t)
{
    while (t->harvested < t->frame && is_there(t, t->harvested))
        collect(t, t->harvested++);
    if (t->frame - t->harvested >= TIMERS_RING) {
        t->harvested++; // its queries are needed again
        t->dropped++;
    }
    memset(t->ring[t->frame % TIMERS_RING].used, 0, sizeof t->ring[0].used);
    t->gl->QueryCounter(t->ring[t->frame % TIMERS_RING].query[0][0], GL_TIMESTAMP);
    t->ring[t->frame % TIMERS_RING].used[0] = true;
}

void timers_end(timers *t, float cpu_ms)
{
    t->gl->QueryCounter(t->ring[t->frame % TIMERS_RING].query[0][1], GL_TIMESTAMP);
    t->frame++;
    t->cpu_ms[t->cpu_count++ % TIMERS_HISTORY] = cpu_ms;
}

void timers_finish(timers *t)
{
    t->gl->Finish();
    while (t->harvested < t->frame)
        collect(t, t->harvested++);
}

int timers_start(timers *t, const char *name)
{
    int i = 1;
    while (i < t->row_count && strcmp(t->rows[i].name, name) != 0)
        i++;
    if (i == TIMERS_MOST)
        return -1;
    if (i == t->row_count)
        t->rows[t->row_count++] = (timer_row){.name = name};
    t->ring[t->frame % TIMERS_RING].used[i] = true;
    t->gl->QueryCounter(t->ring[t->frame % TIMERS_RING].query[i][0], GL_TIMESTAMP);
    return i;
}

void timers_stop(timers *t, int section)
{
    if (section >= 0)
        t->gl->QueryCounter(t->ring[t->frame % TIMERS_RING].query[section][1], GL_TIMESTAMP);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float timers_percentile(const float *ring, int count, int percent)
{
    float sorted[TIMERS_HISTORY];
    int n = count < TIMERS_HISTORY ? count : TIMERS_HISTORY;
    if (!n)
        return 0;
    memcpy(sorted, ring, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    int rank = (n * percent + 99) / 100;
    return sorted[rank > 0 ? rank - 1 : 0];
}

float timers_chart_top(const timers *t)
{
    static const float steps[] = {1,   2,   5,    10,   16.7f, 33.3f, 50,    100,
                                  200, 500, 1000, 2000, 5000,  10000, 20000, 50000};
    float gpu = timers_percentile(t->rows[0].ms, t->rows[0].count, 50),
          cpu = timers_percentile(t->cpu_ms, t->cpu_count, 50);
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && steps[i] < 2 * (gpu > cpu ? gpu : cpu))
        i++;
    return steps[i];
}

const timer_row *timers_find(const timers *t, const char *name)
{
    for (int i = 0; i < t->row_count; i++)
        if (strcmp(t->rows[i].name, name) == 0)
            return &t->rows[i];
    return NULL;
}
