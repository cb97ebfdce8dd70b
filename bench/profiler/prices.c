// prices.c - the CPU times of the single GL calls by which a pass is timed
// SPDX-License-Identifier: MIT
#include "prices.h"

#include "bench.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { ROW = 64, SAMPLES = 50 };

typedef struct row { // of timestamps, and the times of each way to query them
    const GladGLContext *gl;
    GLuint queries[ROW], buffer;
    double us[SAMPLES];
} row;

static bool has_query_buffer(const GladGLContext *gl)
{
    GLint major = 0, minor = 0;
    gl->GetIntegerv(GL_MAJOR_VERSION, &major);
    gl->GetIntegerv(GL_MINOR_VERSION, &minor);
    return major * 10 + minor >= 44 || bench_has_extension(gl, "GL_ARB_query_buffer_object");
}

static void stamp_all(const row *r)
{
    for (int i = 0; i < ROW; i++)
        r->gl->QueryCounter(r->queries[i], GL_TIMESTAMP);
}

// Timestamps that have arrived, each queried once.
static double price_of(row *r, GLenum name)
{
    for (int s = 0; s < SAMPLES; s++) {
        stamp_all(r);
        r->gl->Finish();
        GLuint64 value = 0;
        double begin = bench_now_us();
        for (int i = 0; i < ROW; i++)
            r->gl->GetQueryObjectui64v(r->queries[i], name, &value);
        r->us[s] = (bench_now_us() - begin) / ROW;
    }
    return bench_median(r->us, SAMPLES);
}

static double price_of_buffered(row *r)
{
    const GladGLContext *gl = r->gl;
    gl->GenBuffers(1, &r->buffer);
    gl->BindBuffer(GL_QUERY_BUFFER, r->buffer);
    gl->BufferData(GL_QUERY_BUFFER, ROW * sizeof(GLuint64), NULL, GL_DYNAMIC_READ);
    for (int s = 0; s < SAMPLES; s++) {
        stamp_all(r);
        double begin = bench_now_us();
        for (int i = 0; i < ROW; i++) // with a buffer bound the address is an offset
            gl->GetQueryObjectui64v(r->queries[i], GL_QUERY_RESULT,
                                    (GLuint64 *)((uintptr_t)i * sizeof(GLuint64)));
        r->us[s] = (bench_now_us() - begin) / ROW;
        gl->Finish();
    }
    gl->BindBuffer(GL_QUERY_BUFFER, 0);
    gl->DeleteBuffers(1, &r->buffer);
    return bench_median(r->us, SAMPLES);
}

static double price_of_binding(row *r)
{
    for (int s = 0; s < SAMPLES; s++) {
        GLint bound = 0;
        double begin = bench_now_us();
        for (int i = 0; i < ROW; i++)
            r->gl->GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
        r->us[s] = (bench_now_us() - begin) / ROW;
    }
    return bench_median(r->us, SAMPLES);
}

static double price_of_stamp(row *r)
{
    for (int s = 0; s < SAMPLES; s++) {
        double begin = bench_now_us();
        stamp_all(r);
        r->us[s] = (bench_now_us() - begin) / ROW;
        r->gl->Finish();
    }
    return bench_median(r->us, SAMPLES);
}

static double price_of_clock(row *r)
{
    for (int s = 0; s < SAMPLES; s++) {
        double begin = bench_now_us(), last = begin;
        for (int i = 0; i < ROW; i++)
            last = bench_now_us();
        r->us[s] = (last - begin) / ROW;
    }
    return bench_median(r->us, SAMPLES);
}

// Queries of a timestamp behind queued work. The first one may have to flush recorded commands.
// Queries that find the result available are not counted.
static void price_of_early(row *r, void (*work)(void *user), void *user, double *of_first,
                           double *of_later)
{
    static double next[SAMPLES];
    int kept = 0;
    for (int s = 0; s < SAMPLES; s++) {
        const GladGLContext *gl = r->gl;
        work(user);
        gl->QueryCounter(r->queries[0], GL_TIMESTAMP);
        GLuint there = 0;
        double begin = bench_now_us();
        gl->GetQueryObjectuiv(r->queries[0], GL_QUERY_RESULT_AVAILABLE, &there);
        double first = bench_now_us();
        for (int i = 1; i < ROW; i++)
            gl->GetQueryObjectuiv(r->queries[0], GL_QUERY_RESULT_AVAILABLE, &there);
        double end = bench_now_us();
        if (!there) {
            r->us[kept] = first - begin;
            next[kept++] = (end - first) / (ROW - 1);
        }
        gl->Finish();
    }
    *of_first = bench_median(r->us, kept);
    *of_later = bench_median(next, kept);
}

static void print(const char *name, double us)
{
    char cell[REPORT_CELL];
    printf("  %-46s %6s%s\n", name, report_cell("%.3f", us, cell), isfinite(us) ? " us" : "");
}

void prices_print(const GladGLContext *gl, void (*work)(void *user), void *user)
{
    static row r;
    bool buffers = has_query_buffer(gl);
    double first, later;
    r.gl = gl;
    gl->GenQueries(ROW, r.queries);
    stamp_all(&r);
    gl->Finish();
    printf("single calls, CPU (medians; %d in a row):\n", ROW);
    print("the system's clock", price_of_clock(&r));
    print("glQueryCounter", price_of_stamp(&r));
    print("a result that has arrived: GL_QUERY_RESULT", price_of(&r, GL_QUERY_RESULT));
    print("the same: GL_QUERY_RESULT_NO_WAIT",
          buffers ? price_of(&r, GL_QUERY_RESULT_NO_WAIT) : (double)NAN);
    print("the same: GL_QUERY_RESULT_AVAILABLE", price_of(&r, GL_QUERY_RESULT_AVAILABLE));
    price_of_early(&r, work, user, &first, &later);
    print("one that has not: _AVAILABLE, first query", first);
    print("one that has not: _AVAILABLE, later queries", later);
    print("a result into a GL_QUERY_BUFFER", buffers ? price_of_buffered(&r) : (double)NAN);
    print("GL_QUERY_BUFFER_BINDING", buffers ? price_of_binding(&r) : (double)NAN);
    gl->DeleteQueries(ROW, r.queries);
}
