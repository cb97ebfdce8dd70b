// frames.c - the frames of an engine while its shaders are edited
// SPDX-License-Identifier: MIT
#include "reload.h"
#include "shader/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AFTER = 200 };

typedef struct loop {
    engine engine;
    char folder[FOLDER_PATH];
} loop;

typedef struct edit_kind {
    const char *name, *file;
    const char *after; // the edit follows this text
    const char *text;  // contains a number, so that each edit is new to every cache
} edit_kind;

#define COMPOSITE "vec4 composite(factors f, vec4 c, vec3 filtered, vec4 convolution)\n{\n"
#define BUTTERFLY "void butterfly_twiddled(inout vec2 a, inout vec2 b, vec2 t)\n{\n"

// A live device has no band-limited kernels. Of its programs only the C2R row pass includes
// fft/composite.glsl; rows, columns and kernels, five programs of eight, include
// fft/dft.glsl.
static const edit_kind kinds[] = {
    {"nothing", NULL, NULL, NULL},
    {"one program (fft/composite.glsl)", "fft/composite.glsl", COMPOSITE,
     "    c.r *= 1.0 + %u.0 * 2e-7;\n"},
    {"most, with a new kernel (fft/dft.glsl)", "fft/dft.glsl", BUTTERFLY,
     "    a.x *= 1.0 + %u.0 * 2e-9;\n"},
    {"one that does not compile", "fft/composite.glsl", COMPOSITE, "    c.r *= wrong_%u;\n"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

// ---- programs ----------------------------------------------------------------------------------
//
// The GL loader observes what the plugin compiles: which programs contain the text that an edit
// changes, and how many programs are compiled.

static struct {
    PFNGLSHADERSOURCEPROC source;
    PFNGLCOMPILESHADERPROC compile;
    bool looks;       // false while frames are timed
    int programs;     // seen while `looks` is true
    int reach[KINDS]; // of these, programs that an edit changes
    int compiled;
} heard;

static bool has(const char *text, size_t length, const char *what)
{
    size_t wanted = strlen(what);
    for (size_t i = 0; i + wanted <= length; i++)
        if (text[i] == what[0] && strncmp(text + i, what, wanted) == 0)
            return true;
    return false;
}

static void GLAD_API_PTR on_source(GLuint shader, GLsizei count, const GLchar *const *texts,
                                   const GLint *lengths)
{
    for (int k = 0; heard.looks && k < KINDS; k++)
        for (GLsizei i = 0; kinds[k].after && i < count; i++) {
            size_t length = lengths && lengths[i] >= 0 ? (size_t)lengths[i] : strlen(texts[i]);
            heard.reach[k] += has(texts[i], length, kinds[k].after);
        }
    heard.programs += heard.looks;
    heard.source(shader, count, texts, lengths);
}

static void GLAD_API_PTR on_compile(GLuint shader)
{
    heard.compiled++;
    heard.compile(shader);
}

// ag_host.gl_proc: ISO C has no conversion of a function to void *, so the pointers are copied.
static void *overhearing_proc(void *user, const char *name)
{
    void *found = headless_proc(user, name);
    PFNGLSHADERSOURCEPROC source = on_source;
    PFNGLCOMPILESHADERPROC compile = on_compile;
    if (found && strcmp(name, "glShaderSource") == 0) {
        memcpy(&heard.source, &found, sizeof found);
        memcpy(&found, &source, sizeof found);
    } else if (found && strcmp(name, "glCompileShader") == 0) {
        memcpy(&heard.compile, &found, sizeof found);
        memcpy(&found, &compile, sizeof found);
    }
    return found;
}

// Fails early: an edit that reaches no program would otherwise be noticed after a long wait only.
static void check_reach(void)
{
    for (int k = 0; k < KINDS; k++) {
        if (!kinds[k].file)
            continue;
        must(heard.reach[k],
             "\"%s\" reaches none of the %d programs of this bloom: none contains, from %s,\n%s",
             kinds[k].name, heard.programs, kinds[k].file, kinds[k].after);
    }
}

// ---- the folder --------------------------------------------------------------------------------

static void edit(const char *folder, const edit_kind *kind, unsigned number)
{
    const ag_embedded_file *file = ag_embedded_shaders;
    while (file->path && strcmp(file->path, kind->file) != 0)
        ++file;
    const char *at = file->path ? strstr(file->text, kind->after) : NULL;
    must(at, "%s cannot be edited as this bench does it", kind->file);
    char *text = need_memory(file->length + 128);
    at += strlen(kind->after);
    int used = sprintf(text, "%.*s", (int)(at - file->text), file->text);
    used += snprintf(text + used, 100, kind->text, number);
    used += sprintf(text + used, "%s", at);
    folder_put(folder, kind->file, text, (size_t)used);
    free(text);
}

// ---- frames ------------------------------------------------------------------------------------

static void one_frame(loop *l)
{
    engine_frame(&l->engine, l->engine.pass, &l->engine.scene.sets[0].job, NULL, NULL);
}

static ag_reload state_of(const loop *l)
{
    ag_reload reload = {.struct_size = sizeof reload};
    l->engine.bench.api->reload_status(l->engine.bench.device, &reload);
    return reload;
}

// Runs frames until the edit runs, or is known to fail, and some more. Returns the milliseconds.
static double frames_of_edit(loop *l, const edit_kind *kind, unsigned number)
{
    ag_reload before = state_of(l);
    double begin = bench_now_us();
    if (!kind->file) {
        engine_frames_for(&l->engine, reload_quiet_us);
        return 0;
    }
    edit(l->folder, kind, number);
    for (bool done = false; !done;) {
        one_frame(l);
        ag_reload now = state_of(l);
        done =
            now.generation != before.generation || (now.failed && !now.pending && !before.failed);
        must(bench_now_us() - begin <= reload_patience_us, "%s: nothing happened within 20 s",
             kind->name);
    }
    double latency_ms = (bench_now_us() - begin) * 1e-3;
    for (int i = 0; i < AFTER; i++)
        one_frame(l);
    return latency_ms;
}

// Prints one line: the median frame, and the worst one of all edits of a kind.
static void measure_kind(loop *l, const reload_wishes *wanted, const edit_kind *kind)
{
    double latencies[RELOAD_REPEATS], beyond[RELOAD_REPEATS], worst = 0, worst_call = 0, middle = 0;
    int frames = 0, compiled = 0;
    for (int i = 0; i < wanted->edits; i++) {
        unsigned number = (unsigned)((uint64_t)bench_now_us() % 1000003);
        engine_frames_for(&l->engine,
                          reload_quiet_us); // raises the clocks, and the former edit is replaced
        if (kind->text && strstr(kind->text, "wrong") && state_of(l).failed) {
            edit(l->folder, &kinds[1], number); // repair the former edit first
            while (state_of(l).failed || state_of(l).pending)
                one_frame(l);
            engine_frames_for(&l->engine, reload_quiet_us);
        }
        l->engine.count = 0;
        heard.compiled = 0;
        latencies[i] = frames_of_edit(l, kind, number);
        frames += l->engine.count;
        compiled = heard.compiled > compiled ? heard.compiled : compiled;
        for (int k = 0; k < l->engine.count; k++)
            worst_call = l->engine.call_us[k] > worst_call ? l->engine.call_us[k] : worst_call;
        middle = bench_median(l->engine.frame_us, l->engine.count);
        double last = l->engine.count ? l->engine.frame_us[l->engine.count - 1] : 0; // sorted
        beyond[i] = last - middle;
        worst = last > worst ? last : worst;
    }
    double typical = bench_median(beyond, wanted->edits);
    printf("%-44s %8d %6d %8.0f %10.0f %10.0f %12.0f %12.0f %10.0f\n", kind->name, compiled, frames,
           bench_median(latencies, wanted->edits), middle, worst, typical,
           beyond[wanted->edits - 1], worst_call);
}

static void ignore_message(void *user, const ag_message *message)
{
    (void)user, (void)message; // errors are made on purpose
}

void reload_edits(void *user)
{
    const reload_wishes *wanted = user;
    const ag_host host = {.struct_size = sizeof host,
                          .gl_proc = overhearing_proc,
                          .log = ignore_message};
    loop l = {.folder = ""};
    folder_make(l.folder);
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file)
        folder_put(l.folder, file->path, file->text, file->length);
    heard.looks = true;
    engine_open(&l.engine, wanted, &host, l.folder);
    heard.looks = false;
    check_reach();
    report_print_names(&l.engine.bench.report.names);
    printf("bloom of %dx%d RGBA16F; %d edits of each kind, the driver's cache %s; frames and "
           "frame() in us; programs: compiled anew, of %d\n\n"
           "%-44s %8s %6s %8s %10s %10s %12s %12s %10s\n",
           wanted->size.width, wanted->size.height, wanted->edits,
           wanted->driver_cache ? "on" : "off", heard.programs, "edit", "programs", "frames",
           "until ms", "median", "worst", "+ typically", "+ at worst", "frame()");
    for (int i = 0; i < KINDS; i++)
        measure_kind(&l, wanted, &kinds[i]);
    engine_close(&l.engine);
    folder_drop(l.folder);
}
