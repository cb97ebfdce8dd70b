// frames.c - the frames of an engine while its shaders are edited
// SPDX-License-Identifier: MIT
//
// A frame is one bloom and one call of frame(). Two frames are in flight, and frames follow each
// other without a pause: an engine that waits for a display would hide delays. A frame's time is
// from its beginning to the beginning of the next frame.
#define _POSIX_C_SOURCE 200809L
#include "bench_reload.h"
#include "shader/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { IN_FLIGHT = 2, MAX_FRAMES = 400000, AFTER = 200 };
static const uint64_t patience_ns = 20000000000u, quiet_ns = 400000000u;

typedef struct loop {
    bench_host host;
    const ag_api *api;
    ag_device *device;
    ag_pass *pass;
    bloom_scene scene;
    GLsync fences[IN_FLIGHT];
    uint64_t number;
    char folder[64];
    double *frame_us, *call_us; // of the interval being measured
    int count;
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
    void *found = headless_proc(((bench_host *)user)->gpu.context, name);
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
static int check_reach(void)
{
    for (int k = 0; k < KINDS; k++)
        if (kinds[k].file && !heard.reach[k])
            return fail(
                STATUS_FAILED,
                "\"%s\" reaches none of the %d programs of this bloom: none contains, from %s,\n%s",
                kinds[k].name, heard.programs, kinds[k].file, kinds[k].after);
    return STATUS_OK;
}

// ---- the folder --------------------------------------------------------------------------------

static bool put(const char *folder, const char *name, const char *text, size_t length)
{
    char path[256];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text, 1, length, file) == length;
    return file && fclose(file) == 0 && good;
}

static bool make_folder(char folder[64])
{
    snprintf(folder, 64, "/tmp/afterglow-bench-XXXXXX");
    bool good = mkdtemp(folder) != NULL;
    for (const ag_embedded_file *file = ag_embedded_shaders; good && file->path; ++file)
        good = put(folder, file->path, file->text, file->length);
    return good;
}

static void drop_folder(const char *folder)
{
    char path[256];
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file) {
        snprintf(path, sizeof path, "%s/%s", folder, file->path);
        remove(path);
    }
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(file->path, "/"), file->path);
        rmdir(path);
    }
    rmdir(folder);
}

static bool edit(const char *folder, const edit_kind *kind, unsigned number)
{
    const ag_embedded_file *file = ag_embedded_shaders;
    while (file->path && strcmp(file->path, kind->file) != 0)
        ++file;
    const char *at = file->path ? strstr(file->text, kind->after) : NULL;
    char *text = at ? malloc(file->length + 128) : NULL;
    if (!text)
        return false;
    at += strlen(kind->after);
    int used = sprintf(text, "%.*s", (int)(at - file->text), file->text);
    used += snprintf(text + used, 100, kind->text, number);
    used += sprintf(text + used, "%s", at);
    bool good = put(folder, kind->file, text, (size_t)used);
    free(text);
    return good;
}

// ---- frames ------------------------------------------------------------------------------------

static int one_frame(loop *l)
{
    const GladGLContext *gl = &l->host.gpu.gl;
    uint64_t begin = now_ns();
    GLsync *fence = &l->fences[l->number++ % IN_FLIGHT];
    if (*fence) {
        gl->ClientWaitSync(*fence, GL_SYNC_FLUSH_COMMANDS_BIT, 10000000000u);
        gl->DeleteSync(*fence);
    }
    if (l->api->execute(l->pass, &l->scene.job, NULL) < 0)
        return fail(STATUS_FAILED, "execute failed");
    uint64_t before = now_ns();
    if (l->api->frame(l->device, l->number) < 0)
        return fail(STATUS_FAILED, "frame failed");
    uint64_t after = now_ns();
    *fence = gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl->Flush();
    if (l->count < MAX_FRAMES) {
        l->call_us[l->count] = (double)(after - before) / 1e3;
        l->frame_us[l->count++] = (double)(now_ns() - begin) / 1e3;
    }
    return STATUS_OK;
}

static ag_reload state_of(const loop *l)
{
    ag_reload reload = {.struct_size = sizeof reload};
    l->api->reload_status(l->device, &reload);
    return reload;
}

static int frames_for(loop *l, uint64_t ns)
{
    int status = STATUS_OK;
    for (uint64_t begin = now_ns(); status == STATUS_OK && now_ns() - begin < ns;)
        status = one_frame(l);
    return status;
}

// Runs frames until the edit runs, or is known to fail, and some more.
static int frames_of_edit(loop *l, const edit_kind *kind, unsigned number, double *latency_ms)
{
    ag_reload before = state_of(l);
    uint64_t begin = now_ns();
    if (!kind->file)
        return frames_for(l, quiet_ns);
    if (!edit(l->folder, kind, number))
        return fail(STATUS_FAILED, "%s cannot be edited as this bench does it", kind->file);
    int status = STATUS_OK;
    for (bool done = false; !done && status == STATUS_OK;) {
        status = one_frame(l);
        ag_reload now = state_of(l);
        done =
            now.generation != before.generation || (now.failed && !now.pending && !before.failed);
        if (now_ns() - begin > patience_ns)
            return fail(STATUS_FAILED, "%s: nothing happened within 20 s", kind->name);
    }
    *latency_ms = (double)(now_ns() - begin) / 1e6;
    for (int i = 0; i < AFTER && status == STATUS_OK; i++)
        status = one_frame(l);
    return status;
}

// Prints one line: the median frame, and the worst one of all edits of a kind.
static int measure_kind(loop *l, const bench_options *options, const edit_kind *kind)
{
    double latencies[1000], beyond[1000], worst = 0, worst_call = 0, middle = 0;
    int frames = 0, compiled = 0, status = STATUS_OK;
    for (int i = 0; i < options->edits && status == STATUS_OK; i++) {
        unsigned number = (unsigned)(now_ns() / 1000 % 1000003);
        status = frames_for(l, quiet_ns); // raises the clocks, and the former edit is replaced
        if (kind->text && strstr(kind->text, "wrong") && state_of(l).failed) {
            edit(l->folder, &kinds[1], number); // repair the former edit first
            while (status == STATUS_OK && (state_of(l).failed || state_of(l).pending))
                status = one_frame(l);
            status = status == STATUS_OK ? frames_for(l, quiet_ns) : status;
        }
        l->count = 0;
        latencies[i] = 0;
        heard.compiled = 0;
        if (status == STATUS_OK)
            status = frames_of_edit(l, kind, number, &latencies[i]);
        frames += l->count;
        compiled = heard.compiled > compiled ? heard.compiled : compiled;
        for (int k = 0; k < l->count; k++)
            worst_call = l->call_us[k] > worst_call ? l->call_us[k] : worst_call;
        middle = median(l->frame_us, l->count);
        double last = l->count ? l->frame_us[l->count - 1] : 0; // sorted
        beyond[i] = last - middle;
        worst = last > worst ? last : worst;
    }
    if (status != STATUS_OK)
        return status;
    double typical = median(beyond, options->edits);
    printf("%-44s %8d %6d %8.0f %10.0f %10.0f %12.0f %12.0f %10.0f\n", kind->name, compiled, frames,
           median(latencies, options->edits), middle, worst, typical, beyond[options->edits - 1],
           worst_call);
    return STATUS_OK;
}

static int open_loop(loop *l, const bench_options *options)
{
    int status = gpu_open(&l->host.gpu, options->device);
    if (status != STATUS_OK)
        return status;
    l->frame_us = malloc(MAX_FRAMES * sizeof *l->frame_us);
    l->call_us = malloc(MAX_FRAMES * sizeof *l->call_us);
    if (!l->frame_us || !l->call_us)
        return fail_memory();
    if (!make_folder(l->folder))
        return fail(STATUS_FAILED, "no temporary folder can be made");
    l->host.quiet = true; // errors are made on purpose
    l->api = ag_entry_v1(AG_ABI_MINOR);
    ag_host host = host_of(&l->host);
    host.gl_proc = overhearing_proc;
    heard.looks = true;
    ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = l->folder};
    scene_create(&l->host.gpu, options, &l->scene);
    if (l->api->device_create(&host, &desc, &l->device) < 0 ||
        l->api->pass_create(l->device, "bloom", &l->pass) < 0 ||
        l->api->prepare(l->pass, &l->scene.job) != AG_OK)
        return fail(STATUS_FAILED, "bloom cannot be prepared");
    heard.looks = false;
    return check_reach();
}

int measure_frames(const bench_options *options)
{
    loop l = {.folder = ""};
    int status = open_loop(&l, options);
    if (status == STATUS_OK) {
        const GladGLContext *gl = &l.host.gpu.gl;
        printf(
            "%s, %s\nbloom of %dx%d RGBA16F; %d edits of each kind, the driver's cache %s; frames "
            "and frame() in us; programs: compiled anew, of %d\n\n"
            "%-44s %8s %6s %8s %10s %10s %12s %12s %10s\n",
            gl->GetString(GL_RENDERER), gl->GetString(GL_VERSION), options->width, options->height,
            options->edits, options->driver_cache ? "on" : "off", heard.programs, "edit",
            "programs", "frames", "until ms", "median", "worst", "+ typically", "+ at worst",
            "frame()");
    }
    for (int i = 0; i < KINDS && status == STATUS_OK; i++)
        status = measure_kind(&l, options, &kinds[i]);
    if (l.api)
        l.api->device_destroy(l.device, 0);
    for (int i = 0; i < IN_FLIGHT; i++)
        if (l.fences[i])
            l.host.gpu.gl.DeleteSync(l.fences[i]);
    scene_destroy(&l.scene);
    if (l.folder[0])
        drop_folder(l.folder);
    free(l.frame_us);
    free(l.call_us);
    gpu_close(&l.host.gpu);
    return status;
}
