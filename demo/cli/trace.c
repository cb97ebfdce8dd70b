// cli/trace.c - the times of a pass as a Chrome trace, for chrome://tracing and ui.perfetto.dev
// SPDX-License-Identifier: MIT
#include "file.h"
#include "json.h"
#include "report.h"
#include "stats.h"

#include <string.h>

enum { PROCESS = 1, TRACK_CPU = 1, TRACK_GPU = 2 };

static void put_name(json *out, const char *what, int track, const char *name)
{
    json_open_flat(out, NULL, '{');
    json_string(out, "ph", "M");
    json_string(out, "name", what);
    json_int(out, "pid", PROCESS);
    json_int(out, "tid", track);
    json_open(out, "args", '{');
    json_string(out, "name", name);
    json_close(out, '}');
    json_close(out, '}');
}

// Times in ns since the start of the trace; the format wants microseconds.
static void put_event(json *out, const char *name, int track, int64_t begin, int64_t end,
                      uint64_t frame)
{
    json_open_flat(out, NULL, '{');
    json_string(out, "ph", "X");
    json_string(out, "name", name);
    json_string(out, "cat", track == TRACK_GPU ? "gpu" : "cpu");
    json_int(out, "pid", PROCESS);
    json_int(out, "tid", track);
    json_number(out, "ts", (double)begin / 1e3);
    json_number(out, "dur", (double)(end - begin) / 1e3);
    json_open(out, "args", '{');
    json_uint(out, "frame", frame);
    json_close(out, '}');
    json_close(out, '}');
}

static void put_trace(FILE *stream, const session *source, const char *effect, const ag_plan *plan,
                      int64_t gpu_to_cpu)
{
    uint64_t start = UINT64_MAX;
    for (size_t i = 0; i < source->span_count; i++)
        start = source->spans[i].cpu_begin < start ? source->spans[i].cpu_begin : start;
    json out = json_begin(stream);
    json_open(&out, NULL, '{');
    json_string(&out, "displayTimeUnit", "ns");
    json_open(&out, "traceEvents", '[');
    put_name(&out, "process_name", 0, "afterglow");
    put_name(&out, "thread_name", TRACK_CPU, "CPU (execute)");
    put_name(&out, "thread_name", TRACK_GPU, "GPU");
    for (size_t i = 0; i < source->span_count; i++) {
        const session_span *span = &source->spans[i];
        const char *name = effect;
        if (span->step != AG_WHOLE_PASS && span->step < plan->step_count) {
            const char *row = (const char *)plan->steps + (size_t)span->step * plan->step_stride;
            name = ((const ag_step *)(const void *)row)->name;
        }
        // Differences of unsigned times, so that a GPU clock of any origin comes out right.
        uint64_t gpu_start = start - (uint64_t)gpu_to_cpu;
        put_event(&out, name, TRACK_CPU, (int64_t)(span->cpu_begin - start),
                  (int64_t)(span->cpu_end - start), span->frame);
        put_event(&out, name, TRACK_GPU, (int64_t)(span->gpu_begin - gpu_start),
                  (int64_t)(span->gpu_end - gpu_start), span->frame);
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
}

int trace_save(const char *path, const session *source, const char *effect, const ag_plan *plan,
               int64_t gpu_to_cpu)
{
    file_writer writer;
    int status = file_begin(&writer, path);
    if (status != STATUS_OK)
        return status;
    put_trace(writer.stream, source, effect, plan, gpu_to_cpu);
    return file_end(&writer, STATUS_OK);
}
