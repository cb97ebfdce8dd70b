// gltrace.c - counts, hides and replaces GL functions
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // nanosleep
#include "gltrace_wrap.h"

#include "minimums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <glad/gl.h>

// GL functions have no user pointer, so the tests need this variable.
static _Thread_local gl_trace *current_trace;

void gl_trace_use(gl_trace *trace)
{
    current_trace = trace;
}

gl_trace *gl_trace_current(void)
{
    return current_trace;
}

gl_any gl_trace_enter(uint32_t index)
{
    gl_trace *t = current_trace;
    if (!t || !t->real[index]) {
        fprintf(stderr, "gl_trace: %s called on a thread or trace that never asked for it\n",
                gl_trace_rows[index].name);
        abort();
    }
    t->last = gl_trace_rows[index].name;
    ++t->total;
    ++t->calls[index];
    if (t->on_call)
        t->on_call(t->on_call_user, gl_trace_rows[index].name);
    return t->real[index];
}

static uint32_t row_of(const char *name)
{
    uint32_t i = 0;
    while (i < gl_trace_row_count && strcmp(gl_trace_rows[i].name, name) != 0)
        ++i;
    return i;
}

// ---- functions whose answers a test may change

static bool limit_of(GLenum name, GLint *value)
{
    const gl_trace *t = current_trace;
    for (uint32_t i = 0; i < t->limit_count; ++i) {
        if (t->limits[i].name == name) {
            *value = t->limits[i].value;
            return true;
        }
    }
    if (t->major && (name == GL_MAJOR_VERSION || name == GL_MINOR_VERSION)) {
        *value = name == GL_MAJOR_VERSION ? t->major : t->minor;
        return true;
    }
    int64_t least = 0;
    bool other =
        t->major && name == GL_NUM_EXTENSIONS; // a test simulates a context of another version
    bool known = !other && minimums_of(name, &least);
    if (known)
        *value = (GLint)least;
    return known;
}

static void GLAD_API_PTR get_integerv(GLenum name, GLint *data)
{
    gl_any real = gl_trace_enter(row_of("glGetIntegerv"));
    current_trace->query_bindings += name == GL_QUERY_BUFFER_BINDING;
    if (!limit_of(name, data))
        ((PFNGLGETINTEGERVPROC)real)(name, data);
}

static void GLAD_API_PTR get_integer64v(GLenum name, GLint64 *data)
{
    gl_any real = gl_trace_enter(row_of("glGetInteger64v"));
    GLint value = 0;
    const gl_trace *t = current_trace;
    if (name == GL_TIMESTAMP && t->gpu_clock)
        *data = (GLint64)t->gpu_clock(t->on_call_user);
    else if (limit_of(name, &value))
        *data = value;
    else
        ((PFNGLGETINTEGER64VPROC)real)(name, data);
}

static void GLAD_API_PTR get_integeri_v(GLenum name, GLuint index, GLint *data)
{
    gl_any real = gl_trace_enter(row_of("glGetIntegeri_v"));
    if (!limit_of(name, data))
        ((PFNGLGETINTEGERI_VPROC)real)(name, index, data);
}

static void GLAD_API_PTR get_queryiv(GLenum target, GLenum name, GLint *data)
{
    gl_any real = gl_trace_enter(row_of("glGetQueryiv"));
    if (!limit_of(name, data))
        ((PFNGLGETQUERYIVPROC)real)(target, name, data);
}

static const GLubyte *GLAD_API_PTR get_string(GLenum name)
{
    gl_any real = gl_trace_enter(row_of("glGetString"));
    const gl_trace *t = current_trace;
    if (name == GL_VERSION && !t->major && minimums_wanted())
        return (const GLubyte *)"4.3 (minimums)";
    if (name == GL_VERSION && t->major) {
        static const char *const versions[] = {"3.2 (test)", "3.3 (test)", "4.0 (test)",
                                               "4.1 (test)", "4.2 (test)", "4.3 (test)"};
        int index = t->major == 3 ? t->minor - 2 : t->minor + 2;
        if (index >= 0 && index < 6)
            return (const GLubyte *)versions[index];
    }
    return ((PFNGLGETSTRINGPROC)real)(name);
}

static const GLubyte *GLAD_API_PTR get_stringi(GLenum name, GLuint index)
{
    gl_any real = gl_trace_enter(row_of("glGetStringi"));
    const GLubyte *text = ((PFNGLGETSTRINGIPROC)real)(name, index);
    const char *hidden = current_trace->hide_extension, *part = current_trace->hide_extensions;
    if (text && !current_trace->major && minimums_wanted())
        return (const GLubyte *)"";
    if (text && part && strstr((const char *)text, part))
        return (const GLubyte *)"";
    return text && hidden && strcmp((const char *)text, hidden) == 0 ? (const GLubyte *)"" : text;
}

static void GLAD_API_PTR get_programiv(GLuint program, GLenum name, GLint *data)
{
    gl_any real = gl_trace_enter(row_of("glGetProgramiv"));
    gl_trace *t = current_trace;
    if (t->dry) {
        if (name == GL_LINK_STATUS || name == GL_COMPLETION_STATUS_KHR)
            *data = GL_TRUE;
        return;
    }
    if (t->is_compiling && t->is_compiling(t->on_call_user, program)) {
        if (name == GL_COMPLETION_STATUS_KHR) {
            *data = GL_FALSE;
            return;
        }
        ++t->impatient;
    }
    bool waits = name == GL_COMPLETION_STATUS_KHR && t->patient; // so that a test can count frames
    if (waits)
        ((PFNGLGETPROGRAMIVPROC)real)(program, GL_LINK_STATUS, data);
    ((PFNGLGETPROGRAMIVPROC)real)(program, name, data);
    // zink continues to work on linked programs and reports it; half a minute is enough for any.
    for (int ms = 0; waits && !*data && ms < 30000; ++ms) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        ((PFNGLGETPROGRAMIVPROC)real)(program, name, data);
    }
}

static void GLAD_API_PTR link_program(GLuint program)
{
    gl_any real = gl_trace_enter(row_of("glLinkProgram"));
    const gl_trace *t = current_trace;
    if (t->on_link)
        t->on_link(t->on_call_user, program);
    if (!t->dry)
        ((PFNGLLINKPROGRAMPROC)real)(program);
}

static void GLAD_API_PTR compile_shader(GLuint shader)
{
    gl_any real = gl_trace_enter(row_of("glCompileShader"));
    if (!current_trace->dry)
        ((PFNGLCOMPILESHADERPROC)real)(shader);
}

static void GLAD_API_PTR dispatch_compute(GLuint x, GLuint y, GLuint z)
{
    gl_any real = gl_trace_enter(row_of("glDispatchCompute"));
    const GLuint groups[3] = {x, y, z};
    for (int i = 0; i < 3; ++i)
        minimums_hold("glDispatchCompute", GL_MAX_COMPUTE_WORK_GROUP_COUNT, groups[i]);
    if (!current_trace->dry)
        ((PFNGLDISPATCHCOMPUTEPROC)real)(x, y, z);
}

static void GLAD_API_PTR dispatch_compute_indirect(GLintptr groups)
{
    gl_any real = gl_trace_enter(row_of("glDispatchComputeIndirect"));
    if (!current_trace->dry)
        ((PFNGLDISPATCHCOMPUTEINDIRECTPROC)real)(groups);
}

static void GLAD_API_PTR bind_image_texture(GLuint unit, GLuint texture, GLint level,
                                            GLboolean layered, GLint layer, GLenum access,
                                            GLenum format)
{
    gl_any real = gl_trace_enter(row_of("glBindImageTexture"));
    minimums_hold("glBindImageTexture", GL_MAX_IMAGE_UNITS, (int64_t)unit + 1);
    ((PFNGLBINDIMAGETEXTUREPROC)real)(unit, texture, level, layered, layer, access, format);
}

static void GLAD_API_PTR bind_buffer_base(GLenum target, GLuint index, GLuint buffer)
{
    gl_any real = gl_trace_enter(row_of("glBindBufferBase"));
    gl_any size = current_trace->real[row_of("glGetBufferParameteri64v")];
    ((PFNGLBINDBUFFERBASEPROC)real)(target, index, buffer);
    if (target != GL_SHADER_STORAGE_BUFFER || !minimums_wanted())
        return;
    minimums_hold("glBindBufferBase", GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, (int64_t)index + 1);
    GLint64 bytes = 0;
    if (buffer && size)
        ((PFNGLGETBUFFERPARAMETERI64VPROC)size)(target, GL_BUFFER_SIZE, &bytes);
    minimums_hold("glBindBufferBase", GL_MAX_SHADER_STORAGE_BLOCK_SIZE, bytes);
}

static void GLAD_API_PTR bind_buffer_range(GLenum target, GLuint index, GLuint buffer,
                                           GLintptr offset, GLsizeiptr size)
{
    gl_any real = gl_trace_enter(row_of("glBindBufferRange"));
    if (target == GL_SHADER_STORAGE_BUFFER) {
        const char *name = "glBindBufferRange";
        minimums_hold(name, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, (int64_t)index + 1);
        minimums_hold(name, GL_MAX_SHADER_STORAGE_BLOCK_SIZE, size);
        minimums_hold_offset(name, GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, offset);
    }
    ((PFNGLBINDBUFFERRANGEPROC)real)(target, index, buffer, offset, size);
}

static void GLAD_API_PTR get_buffer_sub_data(GLenum target, GLintptr offset, GLsizeiptr size,
                                             void *data)
{
    gl_any real = gl_trace_enter(row_of("glGetBufferSubData"));
    const gl_trace *t = current_trace;
    ((PFNGLGETBUFFERSUBDATAPROC)real)(target, offset, size, data);
    for (GLsizeiptr i = 0; t->dry && i + (GLsizeiptr)sizeof t->dry_word <= size; i += 4)
        memcpy((char *)data + i, &t->dry_word, sizeof t->dry_word);
}

static void GLAD_API_PTR get_program_interfaceiv(GLuint program, GLenum interface, GLenum name,
                                                 GLint *data)
{
    gl_any real = gl_trace_enter(row_of("glGetProgramInterfaceiv"));
    if (current_trace->dry)
        *data = 0;
    else
        ((PFNGLGETPROGRAMINTERFACEIVPROC)real)(program, interface, name, data);
}

static void GLAD_API_PTR use_program(GLuint program)
{
    gl_any real = gl_trace_enter(row_of("glUseProgram"));
    gl_trace *t = current_trace;
    t->impatient += program && t->is_compiling && t->is_compiling(t->on_call_user, program);
    if (!t->dry)
        ((PFNGLUSEPROGRAMPROC)real)(program);
}

static void GLAD_API_PTR max_threads(GLuint count)
{
    gl_any real = gl_trace_enter(row_of("glMaxShaderCompilerThreadsKHR"));
    const gl_trace *t = current_trace;
    if (t->on_threads)
        t->on_threads(t->on_call_user, false);
    ((PFNGLMAXSHADERCOMPILERTHREADSKHRPROC)real)(count);
    if (t->on_threads)
        t->on_threads(t->on_call_user, true);
}

static void GLAD_API_PTR delete_program(GLuint program)
{
    gl_any real = gl_trace_enter(row_of("glDeleteProgram"));
    gl_trace *t = current_trace;
    t->impatient += program && t->is_compiling && t->is_compiling(t->on_call_user, program);
    ((PFNGLDELETEPROGRAMPROC)real)(program);
}

static GLenum GLAD_API_PTR reset_status(void)
{
    gl_any real = gl_trace_enter(row_of("glGetGraphicsResetStatus"));
    const gl_trace *t = current_trace;
    return t->reset_status ? t->reset_status : ((PFNGLGETGRAPHICSRESETSTATUSPROC)real)();
}

static GLenum GLAD_API_PTR reset_status_arb(void)
{
    gl_any real = gl_trace_enter(row_of("glGetGraphicsResetStatusARB"));
    const gl_trace *t = current_trace;
    return t->reset_status ? t->reset_status : ((PFNGLGETGRAPHICSRESETSTATUSPROC)real)();
}

static void GLAD_API_PTR memory_barrier(GLbitfield bits)
{
    gl_any real = gl_trace_enter(row_of("glMemoryBarrier"));
    const gl_trace *t = current_trace;
    if (t->on_barrier)
        t->on_barrier(t->on_call_user, bits);
    ((PFNGLMEMORYBARRIERPROC)real)(bits);
}

static void GLAD_API_PTR shader_source(GLuint shader, GLsizei count, const GLchar *const *strings,
                                       const GLint *lengths)
{
    gl_any real = gl_trace_enter(row_of("glShaderSource"));
    const gl_trace *t = current_trace;
    for (GLsizei i = 0; t->on_source && i < count; ++i)
        t->on_source(t->on_call_user, strings[i],
                     lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i]));
    ((PFNGLSHADERSOURCEPROC)real)(shader, count, strings, lengths);
}

static void GLAD_API_PTR query_counter(GLuint query, GLenum target)
{
    gl_any real = gl_trace_enter(row_of("glQueryCounter"));
    const gl_trace *t = current_trace;
    if (t->on_stamp)
        t->on_stamp(t->on_call_user, query);
    ((PFNGLQUERYCOUNTERPROC)real)(query, target);
}

// Answers with the scripted result. True if the real call must be made.
static bool ask_stamp(GLuint query, GLenum name, uint64_t *value, bool *there)
{
    gl_trace *t = current_trace;
    if (!t->stamp)
        return true;
    *there = t->stamp(t->on_call_user, query, value);
    t->impatient += !*there && name == GL_QUERY_RESULT;
    return false;
}

static void GLAD_API_PTR get_query_object_ui64v(GLuint query, GLenum name, GLuint64 *data)
{
    gl_any real = gl_trace_enter(row_of("glGetQueryObjectui64v"));
    uint64_t value = 0;
    bool there = false;
    if (ask_stamp(query, name, &value, &there))
        ((PFNGLGETQUERYOBJECTUI64VPROC)real)(query, name, data);
    else if (there)
        *data = value;
}

static void GLAD_API_PTR get_query_objectuiv(GLuint query, GLenum name, GLuint *data)
{
    gl_any real = gl_trace_enter(row_of("glGetQueryObjectuiv"));
    uint64_t value = 0;
    bool there = false;
    if (ask_stamp(query, name, &value, &there))
        ((PFNGLGETQUERYOBJECTUIVPROC)real)(query, name, data);
    else
        *data = name == GL_QUERY_RESULT_AVAILABLE ? there : (GLuint)value;
}

static gl_any special(const char *name)
{
    static const gl_trace_row rows[] = {
        {"glGetIntegerv", (gl_any)get_integerv},
        {"glGetInteger64v", (gl_any)get_integer64v},
        {"glGetIntegeri_v", (gl_any)get_integeri_v},
        {"glGetQueryiv", (gl_any)get_queryiv},
        {"glMemoryBarrier", (gl_any)memory_barrier},
        {"glQueryCounter", (gl_any)query_counter},
        {"glGetQueryObjectuiv", (gl_any)get_query_objectuiv},
        {"glGetQueryObjectui64v", (gl_any)get_query_object_ui64v},
        {"glShaderSource", (gl_any)shader_source},
        {"glBindImageTexture", (gl_any)bind_image_texture},
        {"glBindBufferBase", (gl_any)bind_buffer_base},
        {"glBindBufferRange", (gl_any)bind_buffer_range},
        {"glGetProgramiv", (gl_any)get_programiv},
        {"glLinkProgram", (gl_any)link_program},
        {"glCompileShader", (gl_any)compile_shader},
        {"glDispatchCompute", (gl_any)dispatch_compute},
        {"glDispatchComputeIndirect", (gl_any)dispatch_compute_indirect},
        {"glGetBufferSubData", (gl_any)get_buffer_sub_data},
        {"glGetProgramInterfaceiv", (gl_any)get_program_interfaceiv},
        {"glUseProgram", (gl_any)use_program},
        {"glDeleteProgram", (gl_any)delete_program},
        {"glMaxShaderCompilerThreadsKHR", (gl_any)max_threads},
        {"glGetString", (gl_any)get_string},
        {"glGetStringi", (gl_any)get_stringi},
        {"glGetGraphicsResetStatus", (gl_any)reset_status},
        {"glGetGraphicsResetStatusARB", (gl_any)reset_status_arb},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].wrapper;
    }
    return NULL;
}

// ---- the loader

bool gl_trace_has_asked(const gl_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < trace->asked_count; ++i) {
        if (strcmp(trace->asked[i], name) == 0)
            return true;
    }
    return false;
}

static void remember(gl_trace *trace, const char *name)
{
    if (gl_trace_has_asked(trace, name))
        return;
    if (trace->asked_count == GL_TRACE_ASKED || strlen(name) >= sizeof trace->asked[0]) {
        fprintf(stderr, "gl_trace: too many or too long names asked for: %s\n", name);
        abort();
    }
    strcpy(trace->asked[trace->asked_count++], name);
}

void *gl_trace_proc(gl_trace *trace, const char *name, void *real)
{
    remember(trace, name);
    if (!real || (trace->hide && strcmp(trace->hide, name) == 0))
        return NULL;
    uint32_t row = row_of(name);
    if (row == gl_trace_row_count)
        return real;
    memcpy(&trace->real[row], &real, sizeof real);
    gl_any wrapper = special(name);
    if (!wrapper)
        wrapper = gl_trace_rows[row].wrapper;
    void *out = NULL;
    memcpy(&out, &wrapper, sizeof out);
    return out;
}

// ---- what was recorded

void gl_trace_reset(gl_trace *trace)
{
    trace->total = 0;
    trace->query_bindings = 0;
    memset(trace->calls, 0, sizeof trace->calls);
}

uint32_t gl_trace_calls(const gl_trace *trace, const char *name)
{
    uint32_t row = row_of(name);
    return row < gl_trace_row_count ? trace->calls[row] : 0;
}

uint32_t gl_trace_calls_with(const gl_trace *trace, const char *prefix)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < gl_trace_row_count; ++i) {
        if (strncmp(gl_trace_rows[i].name, prefix, strlen(prefix)) == 0)
            sum += trace->calls[i];
    }
    return sum;
}

void gl_trace_print(const gl_trace *trace)
{
    for (uint32_t i = 0; i < gl_trace_row_count; ++i) {
        if (trace->calls[i])
            printf("    %-36s %u\n", gl_trace_rows[i].name, trace->calls[i]);
    }
}
