// TracyC.h - those declarations of Tracy's C interface that the example in docs/profiling.md uses
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_TRACYC_H
#define AG_TEST_TRACYC_H

#include <stddef.h>
#include <stdint.h>

struct ___tracy_gpu_new_context_data {
    int64_t gpuTime;
    float period;
    uint8_t context, flags, type;
};
struct ___tracy_gpu_zone_begin_data {
    uint64_t srcloc;
    uint16_t queryId;
    uint8_t context;
};
struct ___tracy_gpu_zone_end_data {
    uint16_t queryId;
    uint8_t context;
};
struct ___tracy_gpu_time_data {
    int64_t gpuTime;
    uint16_t queryId;
    uint8_t context;
};
uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char *source, size_t source_size,
                                    const char *function, size_t function_size, const char *name,
                                    size_t name_size, uint32_t color);
void ___tracy_emit_gpu_new_context_serial(const struct ___tracy_gpu_new_context_data data);
void ___tracy_emit_gpu_zone_begin_alloc_serial(const struct ___tracy_gpu_zone_begin_data data);
void ___tracy_emit_gpu_zone_end_serial(const struct ___tracy_gpu_zone_end_data data);
void ___tracy_emit_gpu_time_serial(const struct ___tracy_gpu_time_data data);

#endif
