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
    GLuint queries[ROW];
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

typedef enum call {
    RESULT,
    RESULT_NO_WAIT,
    RESULT_AVAILABLE,
    BUFFERED,
    BINDING,
    STAMP,
    CLOCK
} call;

static void make(const row *r, call what, int i)
{
    static const GLenum names[] = {GL_QUERY_RESULT, GL_QUERY_RESULT_NO_WAIT,
                                   GL_QUERY_RESULT_AVAILABLE};
    const GladGLContext *gl = r->gl;
    GLuint64 value = 0;
    GLint bound = 0;
    if (what <= RESULT_AVAILABLE)
        gl->GetQueryObjectui64v(r->queries[i], names[what], &value);
    else if (what == BUFFERED) // with a buffer bound the address is an offset
        gl->GetQueryObjectui64v(r->queries[i], GL_QUERY_RESULT,
                                (GLuint64 *)((uintptr_t)i * sizeof(GLuint64)));
    else if (what == BINDING)
        gl->GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
    else if (what == STAMP)
        gl->QueryCounter(r->queries[i], GL_TIMESTAMP);
    else
        bench_now_us();
}

// The median of ROW calls each; results have arrived, but those that a buffer gets, which have not.
static double price_of(row *r, call what)
{
    const GladGLContext *gl = r->gl;
    GLuint buffer = 0;
    if (what == BUFFERED) {
        gl->GenBuffers(1, &buffer);
        gl->BindBuffer(GL_QUERY_BUFFER, buffer);
        gl->BufferData(GL_QUERY_BUFFER, ROW * sizeof(GLuint64), NULL, GL_DYNAMIC_READ);
    }
    for (int s = 0; s < SAMPLES; s++) {
        if (what <= BUFFERED)
            stamp_all(r);
        if (what <= RESULT_AVAILABLE)
            gl->Finish();
        double begin = bench_now_us();
        for (int i = 0; i < ROW; i++)
            make(r, what, i);
        r->us[s] = (bench_now_us() - begin) / ROW;
        if (what == BUFFERED || what == STAMP)
            gl->Finish();
    }
    if (buffer) {
        gl->BindBuffer(GL_QUERY_BUFFER, 0);
        gl->DeleteBuffers(1, &buffer);
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
    print("the system's clock", price_of(&r, CLOCK));
    print("glQueryCounter", price_of(&r, STAMP));
    print("a result that has arrived: GL_QUERY_RESULT", price_of(&r, RESULT));
    print("the same: GL_QUERY_RESULT_NO_WAIT",
          buffers ? price_of(&r, RESULT_NO_WAIT) : (double)NAN);
    print("the same: GL_QUERY_RESULT_AVAILABLE", price_of(&r, RESULT_AVAILABLE));
    price_of_early(&r, work, user, &first, &later);
    print("one that has not: _AVAILABLE, first query", first);
    print("one that has not: _AVAILABLE, later queries", later);
    print("a result into a GL_QUERY_BUFFER", buffers ? price_of(&r, BUFFERED) : (double)NAN);
    print("GL_QUERY_BUFFER_BINDING", buffers ? price_of(&r, BINDING) : (double)NAN);
    gl->DeleteQueries(ROW, r.queries);
}
