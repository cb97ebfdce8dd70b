// main.c - runs the examples of docs/integrate.md and docs/profiling.md
// SPDX-License-Identifier: MIT
//
// The examples are included as they are shown; what stands here is the engine around them.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "graph_node.c"
#include "raw_engine.c"
#include "spans_own.c"

#include <glad/gl.h>
#include <headless.h>
#include <stdio.h>
#include <time.h>

typedef struct engine {
    // The first member: ag_host.user points to the engine, and profiler_on_span takes that pointer
    // for one to its profiler.
    profiler profiler;
    headless *context;
    GladGLContext gl;
} engine;

static int failures;

static void expect(int condition, const char *what)
{
    printf("  %s  %s\n", condition ? "ok  " : "FAIL", what);
    failures += !condition;
}

static GLADapiproc load(void *user, const char *name)
{
    void *address = headless_proc(user, name);
    GLADapiproc function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

static void *gl_proc(void *user, const char *name)
{
    return headless_proc(((engine *)user)->context, name);
}

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    if (message->level == AG_LOG_ERROR)
        fprintf(stderr, "afterglow: %s\n", message->text);
}

static uint64_t now_ns(void *user)
{
    struct timespec now;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static GLuint make(engine *e, int width, int height)
{
    GLuint name = 0;
    e->gl.GenTextures(1, &name);
    e->gl.BindTexture(GL_TEXTURE_2D, name);
    e->gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, width, height);
    e->gl.BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

// Frames until glow_draw writes `wanted`; how many that took, or -1.
static int draw_until(glow *g, uint32_t wanted, uint64_t *frame)
{
    for (int i = 0; i < 10000; i++)
        if (glow_draw(g, ++*frame) == wanted)
            return i;
    return -1;
}

static void run_raw(engine *e, const ag_host *host)
{
    static glow g;
    uint64_t frame = 0;
    GLuint small[] = {make(e, 40, 30), make(e, 40, 30)},
           large[] = {make(e, 64, 48), make(e, 64, 48)};
    expect(glow_open(&g, ag_entry_v1, host), "raw engine: open");
    expect(glow_draw(&g, ++frame) == 0, "nothing to draw yet");
    glow_resize(&g, small[0], small[1]);
    expect(draw_until(&g, small[1], &frame) >= 0, "drawn");
    glow_resize(&g, large[0], large[1]);
    uint32_t drawn = glow_draw(&g, ++frame);
    expect(drawn == small[1] || drawn == large[1], "no frame is dropped by a resize");
    expect(draw_until(&g, large[1], &frame) >= 0, "drawn at the new size");
    e->gl.Finish();
    glow_draw(&g, ++frame);
    glow_close(&g, 0);
    e->gl.DeleteTextures(2, small);
    e->gl.DeleteTextures(2, large);
}

static void check_events(const profiler *p)
{
    uint64_t cpu = 0, gpu = 0;
    int sound = 1;
    for (uint64_t i = 0; i < p->count && i < EVENTS; i++) {
        const event *one = &p->events[i];
        cpu += one->track == TRACK_CPU;
        gpu += one->track == TRACK_GPU;
        sound = sound && one->begin <= one->end && one->name[0] && one->frame;
    }
    printf("  %d CPU events, %d GPU events\n", (int)cpu, (int)gpu);
    expect(sound && cpu > 0 && cpu == gpu, "the engine's profiler has both tracks");
}

static void run_graph(engine *e, const ag_host *host)
{
    const ag_api *ag = ag_entry_v1(AG_ABI_MINOR);
    ag_device *device = NULL;
    node n = {.ag = ag};
    ag_bloom_settings look;
    uint32_t owed = 0;
    GLuint textures[] = {make(e, 40, 30), make(e, 40, 30)}, buffer = 0;
    expect(ag->device_create(host, NULL, &device) == AG_OK &&
               ag->pass_create(device, "bloom", &n.pass) == AG_OK &&
               ag->defaults("bloom", &look, sizeof look) == AG_OK,
           "graph node: open");
    n.slots[0] = (ag_texture){.struct_size = sizeof n.slots[0],
                              .target = GL_TEXTURE_2D,
                              .format = GL_RGBA16F,
                              .width = 40,
                              .height = 30};
    n.slots[2] = n.slots[0];
    n.slots[1].struct_size = sizeof n.slots[1];
    n.job = (ag_job){.struct_size = sizeof n.job,
                     .flags = AG_JOB_TIME_STEPS,
                     .slots = n.slots,
                     .slot_count = 3,
                     .settings = &look,
                     .next_use = AG_USE_SAMPLE};
    expect(node_setup(&n) == 1 && n.scratch_bytes && n.bytes_read && n.bytes_written &&
               n.bytes_moved && n.barriers_before && n.barriers_after,
           "declared without a texture");
    expect(node_setup(&n) == 0, "and the second time nothing changed");
    n.slots[0].name = textures[0];
    n.slots[2].name = textures[1];
    uint64_t offset = n.scratch_alignment * 3;
    e->gl.GenBuffers(1, &buffer);
    e->gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    e->gl.BufferData(GL_COPY_WRITE_BUFFER, (GLsizeiptr)(offset + n.scratch_bytes), NULL,
                     GL_DYNAMIC_COPY);
    e->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    expect(node_prepare(&n, buffer, offset), "prepared on the graph's memory");
    expect(node_execute(&n, 1, &owed) && owed == n.barriers_after, "executed; barriers are owed");
    e->gl.Finish();
    ag->frame(device, 2);
    ag->device_destroy(device, 0);
    e->gl.DeleteTextures(2, textures);
    e->gl.DeleteBuffers(1, &buffer);
}

int main(void)
{
    static engine e;
    char error[512];
    e.context = headless_create(NULL, error, sizeof error);
    if (!e.context || !gladLoadGLContextUserPtr(&e.gl, load, e.context)) {
        fprintf(stderr, "no OpenGL 4.3: %s\n", error);
        return 77;
    }
    const ag_host host = {.struct_size = sizeof host,
                          .user = &e,
                          .gl_proc = gl_proc,
                          .log = log_message,
                          .now_ns = now_ns,
                          .span = profiler_on_span};
    run_raw(&e, &host);
    run_graph(&e, &host);
    check_events(&e.profiler);
    expect(e.gl.GetError() == GL_NO_ERROR, "no GL error");
    headless_destroy(e.context);
    return failures ? 1 : 0;
}
