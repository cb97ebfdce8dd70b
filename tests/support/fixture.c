// fixture.c - a headless debug context, a test host and a device
// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // on_exit
#include "fixture.h"
#include "minimums.h"
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// glad expects a function pointer, headless returns an object pointer; POSIX lets both be equal.
static GLADapiproc load(void *user, const char *name)
{
    void *address = headless_proc(user, name);
    GLADapiproc function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

// glad loads functions by version. An older context may have those of 4.3, too, so it is told 4.3.
static const GLubyte *GLAD_API_PTR version_43(GLenum name)
{
    return (const GLubyte *)(name == GL_VERSION ? "4.3" : "");
}

static GLADapiproc load_as_43(void *user, const char *name)
{
    return strcmp(name, "glGetString") == 0 ? (GLADapiproc)version_43 : load(user, name);
}

// The tests also run with mesa_glthread=true: a thread of the driver then executes GL calls.
static bool wants_threaded_driver(void)
{
    const char *wish = getenv("mesa_glthread");
    return wish && strcmp(wish, "true") == 0;
}

static void GLAD_API_PTR on_debug(GLenum source, GLenum type, GLuint id, GLenum severity,
                                  GLsizei length, const GLchar *message, const void *user)
{
    (void)source;
    (void)length;
    fixture *f = (fixture *)(uintptr_t)user; // GL hands the pointer back as const
    ++f->gl_messages;
    bool bad = type == GL_DEBUG_TYPE_ERROR || type == GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR ||
               type == GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR || type == GL_DEBUG_TYPE_PORTABILITY ||
               severity == GL_DEBUG_SEVERITY_HIGH || severity == GL_DEBUG_SEVERITY_MEDIUM;
    bool performance = type == GL_DEBUG_TYPE_PERFORMANCE;
    bool own = performance && (f->gl_transfer || (f->gl_own_note && id == f->gl_own_note));
    // NVIDIA's driver 580 sometimes recompiles a program in its first dispatch, other programs in
    // each run, and sends a message. The plugin's bindings are the same in these cases, so the
    // message is printed but is no complaint.
    bool again = performance && id == 131218 && strstr(message, "Compute shader in program");
    if (again)
        printf("  note  %s\n", message);
    if (!bad || f->gl_ignore || own || again)
        return;
    ++f->gl_complaints;
    snprintf(f->gl_last, sizeof f->gl_last, "type 0x%x severity 0x%x id %u: %s", type, severity, id,
             message);
    fprintf(stderr, "GL: %s\n", f->gl_last);
}

// Of a library that stays loaded: sanitizers name its leaks only while it is.
static const ag_api *load_module(const char *name)
{
    char found[4096], why[1024];
    void *library;
    const ag_api *api =
        module_open(module_find(name, found, sizeof found), &library, why, sizeof why);
    if (!api) {
        fprintf(stderr, "FAIL: %s\n", why);
        abort();
    }
    return api;
}

fixture *fixture_open(const fixture_options *options)
{
    static const fixture_options none;
    const fixture_options *o = options ? options : &none;
    char error[256] = "";
    headless_options wanted = {.major = o->major,
                               .minor = o->minor,
                               .debug = !o->no_error,
                               .robust = o->robust,
                               .no_error = o->no_error,
                               .share = o->share};
    headless *context = headless_create(&wanted, error, sizeof error);
    if (!context) {
        fprintf(stderr, "no GL context: %s\n", error);
        return NULL;
    }
    fixture *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->context = context;
    bool old = o->major && o->major * 10 + o->minor < 43;
    if (!gladLoadGLContextUserPtr(&f->gl, old ? load_as_43 : load, context)) {
        fprintf(stderr, "no GL functions\n");
        headless_destroy(context);
        free(f);
        return NULL;
    }
    f->gl.GetString = (PFNGLGETSTRINGPROC)load(context, "glGetString");
    f->threaded = wants_threaded_driver();
    if (f->gl.DebugMessageCallback) {
        if (!f->threaded) // synchronous output would end Mesa's thread
            f->gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        f->gl.DebugMessageCallback(on_debug, f);
        f->gl.DebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
    }
    const char *renderer = (const char *)f->gl.GetString(GL_RENDERER);
    f->kept = strncmp(renderer, "zink", 4) == 0;
    if (!o->quiet)
        printf("  gl    %s, %s\n", renderer, (const char *)f->gl.GetString(GL_VERSION));
    host_init(&f->host, context);
    f->ag = o->module ? load_module(o->module) : ag_entry_v1(AG_ABI_MINOR);
    if (!o->no_device)
        fixture_device(f, o->desc);
    return f;
}

void fixture_device(fixture *f, const ag_device_desc *desc)
{
    ag_status status = f->ag->device_create(&f->host.host, desc, &f->device);
    if (status != AG_OK) {
        host_log_print(&f->host);
        check_fail(__FILE__, __LINE__, "device_create", "%s", check_status_name(status));
    }
}

void fixture_current(fixture *f)
{
    headless_make_current(f->context);
    gl_trace_use(&f->host.trace);
}

void fixture_ignore(fixture *f, bool ignore)
{
    if (f->threaded)
        f->gl.Finish(); // waits until the driver's thread has executed earlier calls
    f->gl_ignore = ignore;
}

void fixture_own(fixture *f, uint32_t note)
{
    if (f->threaded)
        f->gl.Finish();
    f->gl_own_note = note;
}

bool fixture_clean(fixture *f)
{
    bool clean = true;
    if (f->threaded)
        f->gl.Finish(); // after this the driver has sent all messages
    GLenum error = f->gl.GetError();
    if (error) {
        fprintf(stderr, "GL error 0x%x left behind\n", error);
        clean = false;
    }
    if (f->gl_complaints) {
        fprintf(stderr, "%u complaints of the driver, the last: %s\n", f->gl_complaints,
                f->gl_last);
        clean = false;
    }
    if (f->host.alloc_errors) {
        fprintf(stderr, "wrong calls of alloc or free\n");
        clean = false;
    }
    f->gl_complaints = 0;
    f->host.alloc_errors = 0;
    return clean;
}

static void leave_at_once(int status, void *unused)
{
    (void)unused;
    fflush(NULL);
    _exit(status);
}

// zink reads what it freed with a context (README.md, "zink"), so there the context
// lives until the process ends. That is then without Mesa's own clean-up, in which a context that
// is left crashed one of four programs.
static void destroy_context(fixture *f)
{
    static bool leaves;
    if (!f->kept) {
        headless_destroy(f->context);
        return;
    }
    if (!leaves)
        leaves = on_exit(leave_at_once, NULL) == 0;
    if (f->gl.DebugMessageCallback)
        f->gl.DebugMessageCallback(NULL, NULL); // the fixture is freed
    headless_make_current(NULL);
}

bool fixture_close(fixture *f)
{
    if (!f)
        return true;
    fixture_current(f);
    f->ag->device_destroy(f->device, 0);
    bool clean = fixture_clean(f);
    clean = host_finish(&f->host) && clean;
    destroy_context(f);
    free(f);
    return clean;
}

bool fixture_close_gone(fixture *f)
{
    fixture_current(f);
    bool clean = fixture_clean(f);
    destroy_context(f);
    f->host.context = NULL;
    f->host.host.is_current = NULL;
    f->host.not_current = true; // the device has a copy of the callback
    gl_trace_reset(&f->host.trace);
    f->ag->device_destroy(f->device, 1);
    if (f->host.trace.total) {
        fprintf(stderr, "%u GL calls without a context\n", (unsigned)f->host.trace.total);
        gl_trace_print(&f->host.trace);
        clean = false;
    }
    clean = host_finish(&f->host) && clean;
    free(f);
    return clean;
}

ag_pass *fixture_pass(fixture *f, const char *effect)
{
    ag_pass *pass = NULL;
    ag_status status = f->ag->pass_create(f->device, effect, &pass);
    if (status != AG_OK) {
        host_log_print(&f->host);
        check_fail(__FILE__, __LINE__, "pass_create", "%s: %s", effect, check_status_name(status));
    }
    return pass;
}

void fixture_run(fixture *f, ag_pass *pass, const ag_job *job)
{
    host_log_clear(&f->host);
    ag_status status = f->ag->prepare(pass, job);
    const char *call = "prepare";
    if (status == AG_OK) {
        status = f->ag->execute(pass, job, NULL);
        call = "execute";
    }
    if (status != AG_OK) {
        host_log_print(&f->host);
        check_fail(__FILE__, __LINE__, call, "%s", check_status_name(status));
    }
    f->gl.Finish();
}

GLuint fixture_program(fixture *f, const char *text)
{
    GLuint shader = f->gl.CreateShader(GL_COMPUTE_SHADER), program = f->gl.CreateProgram();
    GLint linked = 0;
    char log[1024] = "";
    f->gl.ShaderSource(shader, 1, &text, NULL);
    f->gl.CompileShader(shader);
    f->gl.AttachShader(program, shader);
    f->gl.LinkProgram(program);
    f->gl.DeleteShader(shader);
    f->gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    f->gl.GetProgramInfoLog(program, sizeof log, NULL, log);
    CHECK_F(linked, "%s", log);
    return program;
}

bool fixture_has_query_buffer(fixture *f)
{
    GLint count = 0, minor = 0;
    f->gl.GetIntegerv(GL_NUM_EXTENSIONS, &count);
    f->gl.GetIntegerv(GL_MINOR_VERSION, &minor);
    bool has = minor >= 4;
    for (GLint i = 0; i < count; ++i)
        has |= strcmp((const char *)f->gl.GetStringi(GL_EXTENSIONS, (GLuint)i),
                      "GL_ARB_query_buffer_object") == 0;
    return has && !minimums_wanted();
}

uint64_t fixture_scrubbed(fixture *f)
{
    ag_health health = {.struct_size = sizeof health};
    for (uint64_t i = 0; i < 8; ++i) {
        f->gl.Finish();
        CHECK_STATUS(f->ag->frame(f->device, i), AG_OK);
    }
    CHECK_STATUS(f->ag->health(f->device, &health), AG_OK);
    return health.scrubbed_texels;
}

static int open_group(void **state, const fixture_options *options)
{
    fixture *f = fixture_open(options);
    if (!f)
        exit(77); // ctest: skipped
    *state = f;
    return 0;
}

int fixture_setup(void **state)
{
    return open_group(state, NULL);
}

int fixture_setup_bare(void **state)
{
    return open_group(state, &(fixture_options){.no_device = true});
}

int fixture_setup_ladder(void **state)
{
    return open_group(state, &(fixture_options){.module = "libafterglow_ladder.so.1"});
}

int fixture_teardown(void **state)
{
    if (!fixture_close(*state)) {
        fprintf(stderr, "FAIL: the fixture did not close cleanly\n");
        exit(1); // cmocka does not count a failed group teardown
    }
    return 0;
}

int fixture_after_test(void **state)
{
    fixture *f = *state;
    fixture_current(f);
    return fixture_clean(f) ? 0 : -1;
}
