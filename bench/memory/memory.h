// memory.h - what the parts of `afterglow-bench memory` share: works, how they are timed and
// checked, what is told
// SPDX-License-Identifier: MIT
//
// A figure is a rate: useful work in a microsecond, so more is better, and the ratio of two rates
// of a series is how much slower one way is. Every kernel's result is compared with the CPU's
// before its time counts.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include "bench.h"

#include <stddef.h>
#include <stdint.h>

enum { MEMORY_TEXT = 64, MEMORY_MAX_RESULTS = 512, MEMORY_BUFFERS = 4 };

typedef struct memory_result {
    const char *group; // "global": the part that measured it
    char series[32];   // "stride": what is alike but for `x`
    char name[32];     // "8": which of the series; for people
    double x;          // the same as a number, for plots; NAN: it is none
    const char *unit;  // "GB/s"
    double value;      // in that unit
    double us, us_min,
        us_p95; // of one run: median, least, 95th percentile; NAN: not a time of the GPU's
    int samples;
    long long checked; // results that were compared with the CPU's; all were right
} memory_result;

typedef struct memory_bench {
    bench bench;
    const GladGLContext *gl;
    bool software, quick;
    int samples;
    double idle_since;  // microseconds of the CPU's clock when the GPU last was busy
    uint64_t bytes;     // of a source in global memory: more than caches hold
    GLuint out, source; // buffers: results, and words value(0), value(1) ...
    GLuint target;      // as large as the source, for what is not stored in `out`
    uint64_t out_bytes;
    memory_result results[MEMORY_MAX_RESULTS];
    int count;
} memory_bench;

// ---- works: memory.c ---------------------------------------------------------------------------

typedef struct memory_work {
    const char *shader;  // of shaders/, with common.glsl before it, and
    int threads, way;    // THREADS and WAY
    const char *defines; // further ones, as lines; NULL: none
    GLuint program;      // that of these; 0: memory_measure makes it
    uint64_t groups;     // laid out along x and y; or
    GLuint columns;      // so many along x, `groups` / `columns` along y; 0: as they come
    GLuint p[4], q[4];   // u_p, u_q
    GLuint buffers
        [MEMORY_BUFFERS];  // bindings 1 and following; 0: none. Binding 0 is the bench's `out`
    GLuint image, texture; // image unit 0, texture unit 0; 0: none
    GLenum format;         // of the image
    GLuint uniforms;       // uniform buffer 0; 0: none
    bool writes_image;
    int dispatches; // 0: one
    bool unordered; // no barrier between several
    // What result `id` should be, computed by the CPU. NULL: the source's value
    uint32_t (*expected)(const struct memory_work *work, uint32_t id);
    uint64_t results; // so many are checked; 0: they are checked already
    GLuint target;    // the buffer that has them, poisoned before; 0: `out`
    bool adds;        // results are added up from zero
    const void *user; // of `expected`
} memory_work;

// Makes its program; the one of before is used again where that is the same, else deleted.
GLuint memory_program(const memory_bench *self, const memory_work *work);
GLuint memory_buffer(const memory_bench *self, uint64_t bytes, const void *data); // NULL: undefined
uint32_t memory_value(uint32_t i); // word i of the source, as common.glsl's value()

// Records it once with u_store as given, and a barrier at its end.
void memory_record(const memory_bench *self, const memory_work *work, GLuint store);

// Poisons the results, runs the work once, and compares them: all, or if there are many some ten
// thousand from the first to the last. Stops at the first that is wrong. Returns how many.
long long memory_check(memory_bench *self, const memory_work *work);
// The last part of it, of a buffer's words.
long long memory_check_words(const memory_bench *self, GLuint buffer, uint64_t words,
                             const memory_work *work);
enum { MEMORY_POISON = 0x7fc0dead };

// The head of a figure; `name` as printf has it.
memory_result memory_head(const char *group, const char *series, double x, const char *unit,
                          const char *name, ...) __attribute__((format(printf, 5, 6)));
// Checks the work, times it, and adds the figure: `amount` in a run, by the nanosecond: GB/s of
// bytes. Timed after 120 ms of it, or 500 where the GPU has been idle for so long that its clock
// may have fallen. Where a GPU's p95 is beyond 1.3 of the least, again, up to three times.
void memory_measure(memory_bench *self, memory_result head, const memory_work *work, double amount);
// The same for a figure that is no rate of the GPU's time: value is in `head`.
void memory_add_value(memory_bench *self, const memory_result *head);

// ---- reports: report.c -------------------------------------------------------------------------

void memory_print(const memory_bench *self);
void memory_save(const memory_bench *self, const char *path); // NULL: does nothing

// ---- the parts, in the order in which they run -------------------------------------------------

#define MEMORY_PARTS(X) \
    X(global)           \
    X(records) X(constants) X(images) X(shared) X(groups) X(atomics) X(transfers) X(overlap)
#define MEMORY_DECLARE(name) void memory_##name(memory_bench *self);
MEMORY_PARTS(MEMORY_DECLARE)
#undef MEMORY_DECLARE
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#endif
