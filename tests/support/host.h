// host.h - an ag_host for tests: counts memory, records messages and spans, watches GL calls
// SPDX-License-Identifier: MIT
//
// One test_host serves one device on one thread.
#ifndef AG_TEST_HOST_H
#define AG_TEST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "afterglow/afterglow.h"
#include "gltrace.h"
#include "headless.h"

typedef struct host_block {
    void *data;
    size_t bytes, align;
} host_block;

typedef struct host_message {
    int32_t level;
    ag_status code;
    uint32_t line, column;
    char file[128];
    char text[2048];
} host_message;

enum { HOST_MESSAGES = 32, HOST_SPANS = 64 };

typedef struct test_host {
    ag_host host; // passed to device_create
    headless *context;

    // memory
    host_block *blocks; // live ones
    size_t block_count, block_capacity, live_bytes;
    uint64_t alloc_calls;  // calls of alloc since host_alloc_reset
    uint64_t alloc_fail;   // the k-th call from then on (1 = the next) returns NULL; 0: none does
    uint64_t alloc_errors; // frees with a wrong size, alignment or pointer; printed as they happen

    // messages: the last HOST_MESSAGES, oldest first
    host_message *messages;
    uint32_t message_count;
    uint64_t message_total; // since the start; host_log_clear leaves it

    // spans: the last HOST_SPANS
    ag_span spans[HOST_SPANS];
    uint64_t span_count;

    bool not_current; // is_current returns false
    uint64_t clock;   // the result of host.now_ns; each call adds 1000

    void *extra; // for the test's own callbacks

    gl_trace trace;
} test_host;

// Zeroes and fills `h` for a context (NULL: gl_proc finds nothing, is_current is NULL).
void host_init(test_host *h, headless *context);
// Frees the records. Returns true if no block is live and no free was wrong; else prints every
// leak.
bool host_finish(test_host *h);

void host_alloc_reset(test_host *h, uint64_t fail); // counts from 0; see alloc_fail
void host_log_clear(test_host *h);
const char *host_log_last(const test_host *h);           // "" when none
bool host_log_has(const test_host *h, const char *part); // in any message since the clear
// True when a message since the clear has level error, code `code` and `part` in its text.
bool host_log_error(const test_host *h, ag_status code, const char *part);
void host_log_print(const test_host *h);

#endif
