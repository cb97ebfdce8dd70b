// fuzz_context.c - a context and a device for targets that need them
// SPDX-License-Identifier: MIT
#include "fuzz_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *proc(void *user, const char *name)
{
    return headless_proc(((fuzz_context *)user)->gl_context, name);
}

static GLADapiproc load(void *user, const char *name)
{
    void *address = headless_proc(user, name);
    GLADapiproc function;
    memcpy(&function, &address, sizeof function);
    return function;
}

static int32_t is_current(void *user)
{
    fuzz_context *context = user;
    return !context->not_current && context->gl_context && headless_is_current(context->gl_context);
}

static void *allocate(void *user, size_t bytes, size_t align)
{
    fuzz_context *context = user;
    FUZZ_CHECK(bytes > 0 && align > 0 && (align & (align - 1)) == 0);
    if (context->fail_after && --context->fail_after == 0)
        return NULL;
    size_t unit = align < sizeof(void *) ? sizeof(void *) : align;
    void *block = aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
    if (!block)
        return NULL;
    memset(block, 0xCD, bytes); // nobody may count on zeros
    context->blocks++;
    context->bytes += bytes;
    return block;
}

static void release(void *user, void *block, size_t bytes, size_t align)
{
    fuzz_context *context = user;
    FUZZ_CHECK(block && align && context->blocks > 0 && context->bytes >= bytes);
    context->blocks--;
    context->bytes -= bytes;
    free(block);
}

// What a message promises of its strings.
static void hear(void *user, const ag_message *message)
{
    (void)user;
    FUZZ_CHECK(message->text && *message->text && message->text[strlen(message->text) - 1] != '\n');
    FUZZ_CHECK(message->level >= AG_LOG_ERROR && message->level <= AG_LOG_INFO);
    FUZZ_CHECK((message->line == 0) == (message->column == 0));
}

static void GLAD_API_PTR on_debug(GLenum source, GLenum type, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *message, const void *user)
{
    (void)source, (void)id, (void)severity, (void)length;
    fuzz_context *context = (fuzz_context *)(uintptr_t)user; // GL hands the pointer back as const
    if (type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) {
        context->complained = true;
        fprintf(stderr, "GL: %s\n", message);
    }
}

void fuzz_context_begin(fuzz_context *context)
{
    char error[1024];
    *context = (fuzz_context){.ag = ag_entry_v1(AG_ABI_MINOR)};
    context->gl_context = headless_create(&(headless_options){.debug = true}, error, sizeof error);
    if (!context->gl_context ||
        !gladLoadGLContextUserPtr(&context->gl, load, context->gl_context)) {
        fprintf(stderr, "no OpenGL 4.3: %s\n", error);
        exit(1);
    }
    context->gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    context->gl.DebugMessageCallback(on_debug, context);
    context->host = (ag_host){.struct_size = sizeof context->host,
                              .user = context,
                              .gl_proc = proc,
                              .alloc = allocate,
                              .free = release,
                              .log = hear,
                              .is_current = is_current};
}

void fuzz_context_open(fuzz_context *context)
{
    fuzz_context_begin(context);
    FUZZ_CHECK(context->ag->device_create(&context->host, NULL, &context->device) == AG_OK);
}
