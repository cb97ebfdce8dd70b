// spans_tracy.c - Afterglow's GPU times in Tracy (0.11 or newer), as a GPU context of their own
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>
#include <string.h>
#include <tracy/TracyC.h>

enum { CONTEXT = 77 }; // any number that no other GPU context of the program has

static uint16_t next_query; // Tracy needs a new number for each time; it may wrap around

// Once. The times are on the host's clock already. Tracy gets the relation of the two clocks here,
// and needs no calibration later.
void tracy_open(const ag_host *host)
{
    struct ___tracy_gpu_new_context_data data = {
        .gpuTime = (int64_t)host->now_ns(host->user), .period = 1, .context = CONTEXT, .type = 1};
    ___tracy_emit_gpu_new_context_serial(data);
}

static void put_time(uint16_t query, uint64_t time)
{
    struct ___tracy_gpu_time_data data = {.gpuTime = (int64_t)time,
                                          .queryId = query,
                                          .context = CONTEXT};
    ___tracy_emit_gpu_time_serial(data);
}

// ag_host.span. Each zone is closed as soon as it is opened, so a pass and its steps are zones side
// by side. Pass on only the steps if a pass has several.
void tracy_on_span(void *user, const ag_span *span)
{
    (void)user;
    if (span->clock_error == AG_NO_CLOCK)
        return;
    struct ___tracy_gpu_zone_begin_data begin = {.queryId = next_query++, .context = CONTEXT};
    struct ___tracy_gpu_zone_end_data end = {.queryId = next_query++, .context = CONTEXT};
    begin.srcloc = ___tracy_alloc_srcloc_name(0, "afterglow", 9, span->effect, strlen(span->effect),
                                              span->name, strlen(span->name), 0);
    ___tracy_emit_gpu_zone_begin_alloc_serial(begin);
    ___tracy_emit_gpu_zone_end_serial(end);
    put_time(begin.queryId, span->host_begin);
    put_time(end.queryId, span->host_end);
}
