// gltrace.h - a GL loader that counts every call, hides functions and replaces some
// SPDX-License-Identifier: MIT
//
// Every function of glad's table has a wrapper in gltrace_wrap.c, which GlTrace.cmake generates
// from glad's header. A wrapper counts its call in the thread's current trace, then calls the real
// function.
#ifndef AG_TEST_GLTRACE_H
#define AG_TEST_GLTRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GL_TRACE_MAX = 700, GL_TRACE_LIMITS = 8, GL_TRACE_ASKED = 512 };

typedef void (*gl_any)(void);

typedef struct gl_trace_limit { // what glGetInteger*v and glGetQueryiv answer for `name`
    uint32_t name;
    int32_t value;
} gl_trace_limit;

typedef struct gl_trace {
    // set by the test
    const char *hide;      // this function is reported missing
    uint32_t reset_status; // non-zero: what every form of glGetGraphicsResetStatus answers
    gl_trace_limit limits[GL_TRACE_LIMITS];
    uint32_t limit_count;
    const char *hide_extension;  // glGetStringi returns "" in place of this name
    const char *hide_extensions; // and in place of all names with this part
    int32_t major, minor;        // non-zero: the version that the context reports, 3.2 .. 4.3
    void (*on_call)(void *user, const char *name); // NULL: none; before each call
    void *on_call_user;
    // NULL: none; before each glMemoryBarrier and glShaderSource, with on_call_user
    void (*on_barrier)(void *user, uint32_t bits);
    void (*on_source)(void *user, const char *text, size_t length); // once for each string
    // NULL: none. True: GL_COMPLETION_STATUS of this program is to be false, with on_call_user
    bool (*is_compiling)(void *user, uint32_t program);
    void (*on_link)(void *user, uint32_t program); // NULL: none; before each glLinkProgram
    // NULL: none; before and after (`done`) each glMaxShaderCompilerThreadsKHR, with on_call_user
    void (*on_threads)(void *user, bool done);
    // Scripted timestamps, all with on_call_user; NULL: none. A glQueryCounter was placed; its
    // result (false: not available yet); the present time of the GPU's clock.
    void (*on_stamp)(void *user, uint32_t query);
    bool (*stamp)(void *user, uint32_t query, uint64_t *value);
    uint64_t (*gpu_clock)(void *user);
    // Programs are neither compiled nor run, to get only the texts: each links at once and has no
    // active resources, and buffers are read back as this word.
    bool dry;
    uint32_t dry_word;
    bool patient; // false: GL_COMPLETION_STATUS is true at once, after a wait for the driver

    // recorded
    uint32_t impatient; // queries for which a driver would wait: of a program that is_compiling, or
                        // of a timestamp that is not available
    char asked[GL_TRACE_ASKED][48]; // names asked through gl_trace_proc, each once
    uint32_t asked_count;
    const char *last;        // GL call
    uint32_t query_bindings; // of the calls of glGetIntegerv: of GL_QUERY_BUFFER_BINDING
    uint64_t total;          // GL calls since gl_trace_reset
    uint32_t calls[GL_TRACE_MAX];
    gl_any real[GL_TRACE_MAX];
} gl_trace;

// Makes `trace` the trace in which wrappers on this thread count.
void gl_trace_use(gl_trace *trace);
gl_trace *gl_trace_current(void);

// The wrapper of `name` around `real`; NULL if real is NULL or the name is hidden; `real` itself if
// glad does not know the name.
void *gl_trace_proc(gl_trace *trace, const char *name, void *real);

bool gl_trace_has_asked(const gl_trace *trace, const char *name); // through gl_trace_proc
void gl_trace_reset(gl_trace *trace);                             // counts to 0
uint32_t gl_trace_calls(const gl_trace *trace, const char *name); // calls of one function
// Calls of functions whose name starts with `prefix` ("glGet").
uint32_t gl_trace_calls_with(const gl_trace *trace, const char *prefix);
void gl_trace_print(const gl_trace *trace); // every function called, with its count

// Generated.
typedef struct gl_trace_row {
    const char *name;
    gl_any wrapper;
} gl_trace_row;
extern const gl_trace_row gl_trace_rows[];
extern const uint32_t gl_trace_row_count;

#endif
