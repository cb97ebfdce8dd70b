// cli/trace.c - the times of a pass as a Chrome trace, for chrome://tracing and ui.perfetto.dev
// SPDX-License-Identifier: MIT
//
// Perfetto takes events of one track for nested calls: they may touch or enclose each other, and a
// parent that begins with its child must come first. The module reports spans in that order.
#include "file.h"
#include "json.h"
#include "report.h"
#include "stats.h"

#include <string.h>

enum { PROCESS = 1, TRACK_CPU = 1, TRACK_GPU = 2 };

static void put_name(json *out, const char *what, int track, const char *name)
{
    json_open_flat(out, NULL, '{');
    json_text(out, "ph", "M");
    json_text(out, "name", what);
    json_int(out, "pid", PROCESS);
    json_int(out, "tid", track);
    json_open(out, "args", '{');
    json_text(out, "name", name);
    json_close(out, '}');
    json_close(out, '}');
}

// Times in ns since the start of the trace; the format wants microseconds.
static void put_event(json *out, const char *name, int track, int64_t begin, int64_t end,
                      const session_span *span)
{
    json_open_flat(out, NULL, '{');
    json_text(out, "ph", "X");
    json_text(out, "name", name);
    json_text(out, "cat", track == TRACK_GPU ? "gpu" : "cpu");
    json_int(out, "pid", PROCESS);
    json_int(out, "tid", track);
    json_number(out, "ts", (double)begin / 1e3);
    json_number(out, "dur", (double)(end - begin) / 1e3);
    json_open(out, "args", '{');
    json_uint(out, "frame", span->frame);
    if (track == TRACK_GPU)
        json_number(out, "clock_error_us", (double)span->clock_error / 1e3);
    json_close(out, '}');
    json_close(out, '}');
}

static bool has_place(const session_span *span)
{
    return span->clock_error != AG_NO_CLOCK;
}

// The name of what was timed: a step, or the whole pass.
static const char *name_of(const session_span *span, const session_pass *passes, int count)
{
    const session_pass *pass = passes;
    for (int i = 0; i < count; i++)
        if (passes[i].work->pass == span->pass)
            pass = &passes[i];
    if (span->step != AG_WHOLE_PASS && span->step < pass->plan->step_count)
        return stats_plan_step(pass->plan, span->step)->name;
    return pass->effect;
}

static void put_trace(FILE *stream, const session_pass *passes, int count)
{
    const session *source = passes->work;
    // GPU times may lie before the CPU times that caused them, by the error of the clocks.
    uint64_t start = UINT64_MAX;
    for (size_t i = 0; i < source->span_count; i++) {
        const session_span *span = &source->spans[i];
        start = span->cpu_begin < start ? span->cpu_begin : start;
        start = has_place(span) && span->host_begin < start ? span->host_begin : start;
    }
    json out = json_begin(stream);
    json_open(&out, NULL, '{');
    json_text(&out, "displayTimeUnit", "ns");
    json_open(&out, "traceEvents", '[');
    put_name(&out, "process_name", 0, "afterglow");
    put_name(&out, "thread_name", TRACK_CPU, "CPU (execute)");
    put_name(&out, "thread_name", TRACK_GPU, "GPU");
    for (size_t i = 0; i < source->span_count; i++) {
        const session_span *span = &source->spans[i];
        const char *name = name_of(span, passes, count);
        put_event(&out, name, TRACK_CPU, (int64_t)(span->cpu_begin - start),
                  (int64_t)(span->cpu_end - start), span);
        if (has_place(span))
            put_event(&out, name, TRACK_GPU, (int64_t)(span->host_begin - start),
                      (int64_t)(span->host_end - start), span);
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
}

int trace_save(const char *path, const session_pass *passes, int count)
{
    file_writer writer;
    int status = file_begin(&writer, path);
    if (status != STATUS_OK)
        return status;
    put_trace(writer.stream, passes, count);
    return file_end(&writer, STATUS_OK);
}
