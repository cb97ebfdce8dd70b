// host.c - an ag_host that counts memory and records messages and spans
// SPDX-License-Identifier: MIT
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void *host_proc(void *user, const char *name)
{
    test_host *h = user;
    void *real = h->context ? headless_proc(h->context, name) : NULL;
    return gl_trace_proc(&h->trace, name, real);
}

static void *host_alloc(void *user, size_t bytes, size_t align)
{
    test_host *h = user;
    ++h->alloc_calls;
    if (h->alloc_fail && h->alloc_calls == h->alloc_fail)
        return NULL;
    if (bytes == 0 || align == 0 || (align & (align - 1)) != 0) {
        fprintf(stderr, "host: alloc of %zu bytes aligned to %zu\n", bytes, align);
        ++h->alloc_errors;
        return NULL;
    }
    size_t unit = align < sizeof(void *) ? sizeof(void *) : align;
    void *data = aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (!data)
        abort();
    memset(data, 0xcd, bytes); // nothing may rely on zeros
    if (h->block_count == h->block_capacity) {
        h->block_capacity = h->block_capacity ? 2 * h->block_capacity : 64;
        h->blocks = realloc(h->blocks, h->block_capacity * sizeof *h->blocks);
        if (!h->blocks)
            abort();
    }
    h->blocks[h->block_count++] = (host_block){data, bytes, align};
    h->live_bytes += bytes;
    return data;
}

static void host_free(void *user, void *block, size_t bytes, size_t align)
{
    test_host *h = user;
    for (size_t i = 0; i < h->block_count; ++i) {
        host_block *b = &h->blocks[i];
        if (b->data != block)
            continue;
        if (b->bytes != bytes || b->align != align) {
            fprintf(stderr, "host: free of %zu bytes aligned to %zu, which were %zu and %zu\n",
                    bytes, align, b->bytes, b->align);
            ++h->alloc_errors;
        }
        h->live_bytes -= b->bytes;
        memset(block, 0xdd, b->bytes);
        *b = h->blocks[--h->block_count];
        free(block);
        return;
    }
    fprintf(stderr, "host: free of a pointer that alloc never gave (%zu bytes)\n", bytes);
    ++h->alloc_errors;
}

static void host_log(void *user, const ag_message *message)
{
    test_host *h = user;
    if (message->struct_size != sizeof *message || !message->text) {
        fprintf(stderr, "host: a message without size or text\n");
        abort();
    }
    if (h->message_count == HOST_MESSAGES) {
        memmove(h->messages, h->messages + 1, (HOST_MESSAGES - 1) * sizeof *h->messages);
        --h->message_count;
    }
    host_message *m = &h->messages[h->message_count++];
    ++h->message_total;
    *m = (host_message){message->level, message->code, message->line, message->column, "", ""};
    snprintf(m->file, sizeof m->file, "%s", message->file ? message->file : "");
    snprintf(m->text, sizeof m->text, "%s", message->text);
}

static int32_t host_is_current(void *user)
{
    test_host *h = user;
    return !h->not_current && headless_is_current(h->context);
}

static uint64_t host_now(void *user)
{
    test_host *h = user;
    return h->clock += 1000;
}

static void host_span(void *user, const ag_span *span)
{
    test_host *h = user;
    if (h->span_count >= HOST_SPANS)
        memmove(h->spans, h->spans + 1, (HOST_SPANS - 1) * sizeof *h->spans);
    h->spans[h->span_count < HOST_SPANS ? h->span_count : HOST_SPANS - 1] = *span;
    ++h->span_count;
}

void host_init(test_host *h, headless *context)
{
    memset(h, 0, sizeof *h);
    h->context = context;
    h->messages = calloc(HOST_MESSAGES, sizeof *h->messages);
    if (!h->messages)
        abort();
    h->host = (ag_host){
        .struct_size = sizeof h->host,
        .user = h,
        .gl_proc = host_proc,
        .alloc = host_alloc,
        .free = host_free,
        .log = host_log,
        .now_ns = host_now,
        .is_current = context ? host_is_current : NULL,
        .span = host_span,
    };
    gl_trace_use(&h->trace);
}

bool host_finish(test_host *h)
{
    bool clean = h->alloc_errors == 0 && h->block_count == 0;
    for (size_t i = 0; i < h->block_count; ++i) {
        fprintf(stderr, "host: leaked %zu bytes aligned to %zu\n", h->blocks[i].bytes,
                h->blocks[i].align);
        free(h->blocks[i].data);
    }
    if (h->alloc_errors)
        fprintf(stderr, "host: %llu wrong calls of alloc or free\n",
                (unsigned long long)h->alloc_errors);
    free(h->blocks);
    free(h->messages);
    h->blocks = NULL;
    h->messages = NULL;
    h->block_count = h->block_capacity = 0;
    if (gl_trace_current() == &h->trace)
        gl_trace_use(NULL);
    return clean;
}

void host_alloc_reset(test_host *h, uint64_t fail)
{
    h->alloc_calls = 0;
    h->alloc_fail = fail;
}

void host_log_clear(test_host *h)
{
    h->message_count = 0;
}

const char *host_log_last(const test_host *h)
{
    return h->message_count ? h->messages[h->message_count - 1].text : "";
}

bool host_log_has(const test_host *h, const char *part)
{
    for (uint32_t i = 0; i < h->message_count; ++i) {
        if (strstr(h->messages[i].text, part))
            return true;
    }
    return false;
}

bool host_log_error(const test_host *h, ag_status code, const char *part)
{
    for (uint32_t i = 0; i < h->message_count; ++i) {
        const host_message *m = &h->messages[i];
        if (m->level == AG_LOG_ERROR && m->code == code && strstr(m->text, part))
            return true;
    }
    return false;
}

void host_log_print(const test_host *h)
{
    for (uint32_t i = 0; i < h->message_count; ++i)
        printf("    log %d %s: %s\n", (int)h->messages[i].level,
               check_status_name(h->messages[i].code), h->messages[i].text);
}
