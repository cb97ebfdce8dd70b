// build.c - the compile of one shader text: running, then a GL program or an error
// SPDX-License-Identifier: MIT
#include "shader/build.h"
#include "base/log.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

enum { COMPILER_THREADS = 8, LOG_BYTES = 16384, SHARE_NS = 2000000 };

// ---- threads of the driver ---------------------------------------------------------------------

// The call is made once and never undone. NVIDIA's driver compiles on the calling thread until it
// is asked for threads, and asking for fewer again waits 200 ms for them to end (docs/reload.md). A
// number that the host has set is kept. The lock is for other devices on other threads.
void ag_builds_use_threads(ag_compiler *compiler)
{
    const ag_gl *gl = &compiler->gpu->gl;
    if (!gl->MaxShaderCompilerThreads || compiler->threads_asked)
        return;
    compiler->threads_asked = true;
    GLint wanted = 0;
    ag_lock();
    gl->GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &wanted);
    if (wanted == -1) // the initial value: the driver decides
        gl->MaxShaderCompilerThreads(COMPILER_THREADS);
    ag_unlock();
}

// ---- a share of a frame ------------------------------------------------------------------------

// Where the driver does not report completion, a prepare waits.
void ag_builds_spread(ag_compiler *compiler, bool spreads)
{
    compiler->spreads = spreads && compiler->gpu->gl.has_completion;
    compiler->spent_ns = 0;
}

bool ag_builds_have_time(const ag_compiler *compiler)
{
    return !compiler->spreads || compiler->spent_ns < SHARE_NS;
}

static void spend(ag_compiler *compiler, uint64_t since)
{
    uint64_t now = ag_now(&compiler->gpu->host);
    compiler->spent_ns += now > since ? now - since : 0; // the host's clock may be set back
}

// ---- one build ---------------------------------------------------------------------------------

// Compiles and links without a query in between, because the query would wait.
static void submit(ag_compiler *compiler, ag_build *build, bool by_cache)
{
    const ag_gl *gl = &compiler->gpu->gl;
    const GLchar *text = build->source.text.data ? build->source.text.data : "";
    GLint length = (GLint)build->source.text.length;
    build->shader = gl->CreateShader(GL_COMPUTE_SHADER);
    gl->ShaderSource(build->shader, 1, &text, &length);
    gl->CompileShader(build->shader);
    gl->AttachShader(build->name, build->shader);
    if (by_cache && compiler->cache.available)
        gl->ProgramParameteri(build->name, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    gl->LinkProgram(build->name);
    build->to_cache = by_cache && compiler->cache.available;
}

static void drop_shader(ag_compiler *compiler, ag_build *build)
{
    if (!build->shader)
        return;
    compiler->gpu->gl.DetachShader(build->name, build->shader);
    compiler->gpu->gl.DeleteShader(build->shader);
    build->shader = 0;
}

static void make_ready(ag_compiler *compiler, ag_build *build)
{
    ag_interface_read(&compiler->gpu->gl, build->name, &build->interface);
    ag_interface_move(&compiler->gpu->gl, build->name, &build->interface);
    ag_gpu_label(compiler->gpu, GL_PROGRAM, build->name, build->source.files[0]);
    build->state = AG_BUILD_READY;
}

static void fail(ag_compiler *compiler, ag_build *build)
{
    const ag_gl *gl = &compiler->gpu->gl;
    const ag_host *host = &compiler->gpu->host;
    GLint compiled = GL_FALSE;
    char *log = ag_alloc(host, LOG_BYTES);
    if (log) {
        gl->GetShaderiv(build->shader, GL_COMPILE_STATUS, &compiled);
        if (compiled)
            gl->GetProgramInfoLog(build->name, LOG_BYTES, NULL, log);
        else
            gl->GetShaderInfoLog(build->shader, LOG_BYTES, NULL, log);
    }
    ag_problem *p = &build->problem;
    ag_message place = {.struct_size = sizeof place};
    p->text.host = host;
    ag_text_print(&p->text, "%s does not %s\n", build->source.files[0],
                  compiled ? "link" : "compile");
    ag_source_explain(&build->source, log && log[0] ? log : "(the driver gave no reason)", &p->text,
                      &place);
    snprintf(p->file, sizeof p->file, "%s", place.file ? place.file : build->source.files[0]);
    p->line = place.line;
    p->column = place.column;
    ag_free(host, log, LOG_BYTES);
    build->state = AG_BUILD_FAILED;
}

static void finish(ag_compiler *compiler, ag_build *build)
{
    GLint linked = GL_FALSE;
    compiler->gpu->gl.GetProgramiv(build->name, GL_LINK_STATUS, &linked);
    if (linked) {
        if (build->to_cache) // before the host's bases are added to the bindings
            ag_cache_store(&compiler->cache, compiler->gpu, build->hash, build->name);
        make_ready(compiler, build);
    } else {
        fail(compiler, build);
    }
    drop_shader(compiler, build);
}

void ag_build_poll(ag_compiler *compiler, ag_build *build, bool wait)
{
    const ag_gl *gl = &compiler->gpu->gl;
    GLint complete = GL_TRUE;
    if (build->state != AG_BUILD_COMPILING || !(wait || ag_builds_have_time(compiler)))
        return;
    if (!wait && gl->has_completion)
        gl->GetProgramiv(build->name, GL_COMPLETION_STATUS_KHR, &complete);
    if (!complete)
        return;
    uint64_t begin = ag_now(&compiler->gpu->host);
    finish(compiler, build);
    spend(compiler, begin);
}

// The text of a new build, or of one that waits.
static void begin(ag_compiler *compiler, ag_build *build, bool by_cache)
{
    if (!ag_builds_have_time(compiler))
        return;
    uint64_t start = ag_now(&compiler->gpu->host);
    build->state = AG_BUILD_COMPILING;
    if (by_cache && ag_cache_load(&compiler->cache, compiler->gpu, build->hash, build->name)) {
        make_ready(compiler, build);
        ++compiler->programs_from_cache;
    } else {
        submit(compiler, build, by_cache);
    }
    spend(compiler, start);
}

ag_status ag_build_start(ag_compiler *compiler, ag_source *source, bool by_cache, ag_build **out)
{
    ag_hash128 hash =
        ag_hash128_of(source->text.data ? source->text.data : "", source->text.length);
    ag_build *build = compiler->builds;
    while (build && !ag_hash128_equal(build->hash, hash))
        build = build->next;
    if (build) {
        ag_source_free(source);
    } else {
        build = ag_alloc(&compiler->gpu->host, sizeof *build);
        if (!build) {
            ag_source_free(source);
            return AG_E_MEMORY;
        }
        *build = (ag_build){.next = compiler->builds,
                            .hash = hash,
                            .source = *source,
                            .name = compiler->gpu->gl.CreateProgram()};
        *source = (ag_source){0};
        compiler->builds = build;
        ++compiler->program_count;
    }
    if (build->state == AG_BUILD_WAITING)
        begin(compiler, build, by_cache);
    ++build->users;
    *out = build;
    return AG_OK;
}

void ag_build_release(ag_build *build)
{
    if (build)
        --build->users;
}

// ---- all builds --------------------------------------------------------------------------------

static void delete (ag_compiler *compiler, ag_build *build, bool with_gl)
{
    if (with_gl) {
        drop_shader(compiler, build);
        compiler->gpu->gl.DeleteProgram(build->name);
    }
    ag_source_free(&build->source);
    ag_problem_free(&build->problem);
    ag_free(&compiler->gpu->host, build, sizeof *build);
    --compiler->program_count;
}

void ag_builds_sweep(ag_compiler *compiler, bool ready)
{
    for (ag_build **link = &compiler->builds; *link;) {
        ag_build *build = *link;
        bool useless = build->state == AG_BUILD_FAILED || build->state == AG_BUILD_WAITING ||
                       (build->state == AG_BUILD_READY && ready);
        if (build->users || !useless) {
            link = &build->next;
            continue;
        }
        *link = build->next;
        delete (compiler, build, true);
    }
}

void ag_builds_free(ag_compiler *compiler, bool with_gl)
{
    while (compiler->builds) {
        ag_build *build = compiler->builds;
        compiler->builds = build->next;
        delete (compiler, build, with_gl);
    }
}
