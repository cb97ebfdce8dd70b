// overhear.c - a GL loader that observes how the plugin makes and runs its programs
// SPDX-License-Identifier: MIT
#include "overhear.h"

#include "bench.h"
#include "pretend.h"

#include <glad/gl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static overheard *heard;

static double ms_since(double begin_us)
{
    return (bench_now_us() - begin_us) * 1e-3;
}

// ---- real functions ----------------------------------------------------------------------------

typedef void (*gl_any)(void);

static void *lookup(const char *name)
{
    void *pretended = heard->pretends ? pretend_proc(name) : NULL;
    return pretended ? pretended : heard->proc(heard->user, name);
}

static gl_any real(const char *name)
{
    void *address = lookup(name);
    gl_any function;
    memcpy(&function, &address, sizeof function);
    return function;
}

static heard_program *by_shader(GLuint shader)
{
    for (int i = heard->count; i-- > 0;)
        if (heard->programs[i].shader == shader && !heard->programs[i].program)
            return &heard->programs[i];
    return NULL;
}

static heard_program *by_program(GLuint program)
{
    for (int i = heard->count; i-- > 0 && program;)
        if (heard->programs[i].program == program)
            return &heard->programs[i];
    return NULL;
}

// ---- texts -------------------------------------------------------------------------------------

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

// What the plugin puts behind #version: of each line "#define NAME VALUE" the words, as NAME=VALUE.
static void note_defines(heard_program *out, const char *text)
{
    const char *version = strstr(text, "#version");
    size_t used = 0;
    for (const char *line = version ? next_line(version) : ""; *line == '#';
         line = next_line(line)) {
        char name[64], value[256];
        if (sscanf(line, "#define %63s %255[^\n]", name, value) != 2)
            continue;
        int more = snprintf(out->defines + used, sizeof out->defines - used, "%s%s=%s",
                            used ? " " : "", name, value);
        used += (size_t)more;
        if (used >= sizeof out->defines)
            return; // cut off: the hash still identifies the program
    }
}

static void note_text(heard_program *out, const char *text)
{
    out->hash = 14695981039346656037u; // FNV-1a
    for (const char *at = text; *at; at++) {
        out->hash = (out->hash ^ (unsigned char)*at) * 1099511628211u;
        out->text_lines += *at == '\n';
    }
    out->text_bytes = strlen(text);
    note_defines(out, text);
}

static void write_text(const heard_program *program, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%016llx.comp", heard->texts, (unsigned long long)program->hash);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text, 1, program->text_bytes, file) == program->text_bytes;
    must(file && fclose(file) == 0 && good, "--texts %s: the texts cannot be written",
         heard->texts);
}

static char *join(GLsizei count, const GLchar *const *strings, const GLint *lengths)
{
    size_t bytes = 0;
    char *out = need_memory(1);
    for (GLsizei i = 0; i < count; i++) {
        size_t length = lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(strings[i]);
        out = realloc(out, bytes + length + 1);
        must(out, "out of memory");
        memcpy(out + bytes, strings[i], length);
        out[bytes += length] = '\0';
    }
    return out;
}

// ---- functions for the plugin ------------------------------------------------------------------

static void GLAD_API_PTR shader_source(GLuint shader, GLsizei count, const GLchar *const *strings,
                                       const GLint *lengths)
{
    must(heard->count < HEARD_PROGRAMS, "a plan has too many programs for the bench");
    char *text = join(count, strings, lengths);
    heard_program *added = &heard->programs[heard->count++];
    *added = (heard_program){
        .shader = shader, .assembly_lines = -1, .first_ms = (double)NAN, .again_ms = (double)NAN};
    note_text(added, text);
    if (heard->texts)
        write_text(added, text);
    free(text);
    ((PFNGLSHADERSOURCEPROC)real("glShaderSource"))(shader, count, strings, lengths);
}

static void GLAD_API_PTR compile_shader(GLuint shader)
{
    PFNGLCOMPILESHADERPROC compile = (PFNGLCOMPILESHADERPROC)real("glCompileShader");
    PFNGLGETSHADERIVPROC ask = (PFNGLGETSHADERIVPROC)real("glGetShaderiv");
    heard_program *of = by_shader(shader);
    GLint compiled;
    double begin = bench_now_us();
    compile(shader);
    ask(shader, GL_COMPILE_STATUS, &compiled);
    double ms = ms_since(begin);
    heard->compile_ms += ms;
    if (of)
        of->compile_ms = ms;
}

static void GLAD_API_PTR attach_shader(GLuint program, GLuint shader)
{
    heard_program *of = by_shader(shader);
    if (of)
        of->program = program;
    ((PFNGLATTACHSHADERPROC)real("glAttachShader"))(program, shader);
}

static void GLAD_API_PTR link_program(GLuint program)
{
    PFNGLLINKPROGRAMPROC link = (PFNGLLINKPROGRAMPROC)real("glLinkProgram");
    PFNGLGETPROGRAMIVPROC ask = (PFNGLGETPROGRAMIVPROC)real("glGetProgramiv");
    heard_program *of = by_program(program);
    int in_use = heard->current;
    GLint linked;
    heard->current = of ? (int)(of - heard->programs) : -1;
    double begin = bench_now_us();
    link(program);
    ask(program, GL_LINK_STATUS, &linked);
    double ms = ms_since(begin);
    heard->link_ms += ms;
    heard->current = in_use;
    if (of)
        of->link_ms = ms;
}

// The file of a program: the plugin labels the program with it (AG_DEVICE_LABELS).
static void GLAD_API_PTR object_label(GLenum kind, GLuint name, GLsizei length, const GLchar *label)
{
    heard_program *of = kind == GL_PROGRAM ? by_program(name) : NULL;
    if (of && label)
        snprintf(of->path, sizeof of->path, "%.*s", length < 0 ? (int)sizeof of->path : (int)length,
                 label);
    ((PFNGLOBJECTLABELPROC)real("glObjectLabel"))(kind, name, length, label);
}

static void GLAD_API_PTR use_program(GLuint program)
{
    heard_program *of = by_program(program);
    heard->current = of ? (int)(of - heard->programs) : -1;
    ((PFNGLUSEPROGRAMPROC)real("glUseProgram"))(program);
}

static void GLAD_API_PTR dispatch_compute(GLuint x, GLuint y, GLuint z)
{
    PFNGLDISPATCHCOMPUTEPROC dispatch = (PFNGLDISPATCHCOMPUTEPROC)real("glDispatchCompute");
    PFNGLFINISHPROC finish = (PFNGLFINISHPROC)real("glFinish");
    if (heard->executing && heard->current >= 0)
        heard->programs[heard->current].executed = true;
    if (!heard->apart || heard->current < 0 || heard->dispatch_count == HEARD_DISPATCHES) {
        dispatch(x, y, z);
        return;
    }
    finish();
    double begin = bench_now_us();
    dispatch(x, y, z);
    finish();
    heard->dispatches[heard->dispatch_count++] =
        (heard_dispatch){heard->current, {x, y, z}, ms_since(begin)};
}

static void GLAD_API_PTR take_message(GLenum from, GLenum type, GLuint id, GLenum severity,
                                      GLsizei length, const GLchar *text, const void *user)
{
    (void)id, (void)severity, (void)length, (void)user;
    if (from == GL_DEBUG_SOURCE_APPLICATION || from == GL_DEBUG_SOURCE_THIRD_PARTY)
        return; // the plugin's own groups
    bool reports = from == GL_DEBUG_SOURCE_SHADER_COMPILER || type == GL_DEBUG_TYPE_PERFORMANCE;
    if (!reports || type == GL_DEBUG_TYPE_ERROR) {
        if (heard && heard->complaints++ < 8)
            fprintf(stderr, "GL: %s\n", text);
        return;
    }
    if (!heard || heard->current < 0) // of the driver's own programs
        return;
    char *says = heard->programs[heard->current].says;
    size_t used = strlen(says);
    snprintf(says + used, HEARD_SAYS - used, "%s%s", used ? "\n" : "", text);
}

void overhear_messages(void)
{
    ((PFNGLENABLEPROC)real("glEnable"))(GL_DEBUG_OUTPUT);
    ((PFNGLENABLEPROC)real("glEnable"))(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    ((PFNGLDEBUGMESSAGECALLBACKPROC)real("glDebugMessageCallback"))(take_message, NULL);
}

void *overhear_proc(const char *name)
{
    static const struct {
        const char *name;
        gl_any function;
    } rows[] = {
        {"glShaderSource", (gl_any)shader_source},      {"glCompileShader", (gl_any)compile_shader},
        {"glAttachShader", (gl_any)attach_shader},      {"glLinkProgram", (gl_any)link_program},
        {"glObjectLabel", (gl_any)object_label},        {"glUseProgram", (gl_any)use_program},
        {"glDispatchCompute", (gl_any)dispatch_compute}};
    void *out = lookup(name);
    for (size_t i = 0; out && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            memcpy(&out, &rows[i].function, sizeof out);
    return out;
}

void overhear_begin(overheard *target)
{
    target->current = -1;
    heard = target;
}

void overhear_end(overheard *target)
{
    double later[HEARD_DISPATCHES];
    for (int p = 0; p < target->count; p++) {
        heard_program *program = &target->programs[p];
        const heard_dispatch *first = NULL;
        int count = 0;
        for (int i = 0; i < target->dispatch_count; i++) {
            const heard_dispatch *at = &target->dispatches[i];
            if (at->program != p)
                continue;
            if (!first)
                first = at;
            else if (memcmp(at->groups, first->groups, sizeof at->groups) == 0)
                later[count++] = at->ms;
        }
        program->first_ms = first ? first->ms : (double)NAN;
        program->again_ms = bench_median(later, count);
    }
    heard = NULL;
}
