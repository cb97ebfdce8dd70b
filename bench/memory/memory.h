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
    uint64_t out_bytes;
    memory_result results[MEMORY_MAX_RESULTS];
    int count;
} memory_bench;

// ---- programs and buffers: memory.c ------------------------------------------------------------

// A kernel of shaders/, common.glsl before it; `defines` as lines, THREADS among them. 0: printed
// why.
GLuint memory_program(const memory_bench *self, const char *path, const char *defines, ...)
    __attribute__((format(printf, 3, 4)));

// 0: printed why. `data` NULL: undefined.
GLuint memory_buffer(const memory_bench *self, uint64_t bytes, const void *data);

uint32_t memory_value(uint32_t i); // word i of the source, as common.glsl's value()

int memory_open(memory_bench *self, int device); // STATUS_*
void memory_close(memory_bench *self);

// ---- works: work.c -----------------------------------------------------------------------------

typedef struct memory_work {
    GLuint program;
    uint64_t groups;   // laid out along x and y; or
    GLuint columns;    // so many along x, `groups` / `columns` along y; 0: as they come
    GLuint p[4], q[4]; // u_p, u_q
    GLuint buffers
        [MEMORY_BUFFERS];  // bindings 1 and following; 0: none. Binding 0 is the bench's `out`
    GLuint image, texture; // image unit 0, texture unit 0; 0: none
    GLenum format;         // of the image
    GLuint uniforms;       // uniform buffer 0; 0: none
    bool writes_image;
    int dispatches; // 0: one
    bool unordered; // no barrier between several
} memory_work;

// Records it once with u_store as given, and a barrier at its end.
void memory_record(const memory_bench *self, const memory_work *work, GLuint store);

// What thread `id` gives, computed by the CPU.
typedef uint32_t (*memory_expected)(const void *user, uint32_t id);

// Poisons the results, runs the work once, and compares those of `threads` threads: all, or if
// there are many some ten thousand from the first to the last. STATUS_*, having printed the first
// that is wrong.
int memory_check(memory_bench *self, const memory_work *work, uint32_t threads,
                 memory_expected expected, const void *user, long long *checked);
// The same for words of another buffer from byte `offset` on, after the work ran: neither poisons
// nor runs.
int memory_check_words(const memory_bench *self, GLuint buffer, uint64_t words,
                       memory_expected expected, const void *user, long long *checked);
enum { MEMORY_POISON = 0x7fc0dead };
void memory_poison(const memory_bench *self, GLuint buffer, GLuint poison); // every word

// Times the work, after 120 ms of it, or 500 where the GPU has been idle for so long that its clock
// may have fallen. Where a GPU's p95 is beyond 1.3 of the least, again, up to three times.
int memory_time(memory_bench *self, const memory_work *work, gpu_times *out);

// ---- results: report.c -------------------------------------------------------------------------

// The head of a figure; `name` as printf has it.
memory_result memory_head(const char *group, const char *series, double x, const char *unit,
                          const char *name, ...) __attribute__((format(printf, 5, 6)));

typedef struct memory_right { // what a work should give, by the CPU
    memory_expected expected; // NULL: values of the source
    const void *user;
    uint32_t threads; // whose results in `out` are checked; or
    GLuint target;    // a buffer, poisoned before, of which
    uint64_t words;   // so many are checked; target 0: of `out`, which is zero before
} memory_right;

// Checks the work (`right` NULL: it is checked already), times it, and adds the figure: `amount`
// in a run, by the nanosecond: GB/s of bytes. A program of 0 fails. STATUS_*.
int memory_measure(memory_bench *self, memory_result head, const memory_work *work,
                   const memory_right *right, double amount);
// The same for a figure that is no rate of the GPU's time: value is in `head`.
int memory_add_value(memory_bench *self, const memory_result *head);
// "global stride 8"; NULL: not measured.
const memory_result *memory_find(const memory_bench *self, const char *key);

void memory_print(const memory_bench *self);
int memory_save(const memory_bench *self, const char *path); // STATUS_*; NULL: does nothing

// ---- the parts, in the order in which they run -------------------------------------------------

#define MEMORY_PARTS(X) \
    X(global)           \
    X(records) X(constants) X(images) X(shared) X(groups) X(atomics) X(transfers) X(overlap)
#define MEMORY_DECLARE(name) int memory_##name(memory_bench *self);
MEMORY_PARTS(MEMORY_DECLARE)
#undef MEMORY_DECLARE

int memory_main(int argc, char **argv); // `afterglow-bench memory`

#endif
