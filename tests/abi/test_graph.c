// test_graph.c - frames that demo/graph.c schedules from `declare`: sharing memory changes no bit
// SPDX-License-Identifier: MIT
//
// Random graphs of all kinds of passes. The reference is a frame without shared memory and with
// every barrier. A frame with shared memory, which is filled with garbage before, must equal it to
// the bit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/bloom.h>
#include <afterglow/convolve.h>
#include <afterglow/spectrum.h>

#include "fixture.h"
#include "folder.h"
#include "graph.h"
#include "jobs.h"
#include "random.h"
#include "texture.h"

enum { W = 40, H = 28, PASSES = 9, SEEDS = 6 };
enum { SOURCE, KERNEL, FIRST_MADE };

typedef struct barrier_log {
    uint32_t bits[64];
    uint32_t count;
} barrier_log;

static barrier_log placed; // by the graph: its GL calls carry no user pointer
static PFNGLMEMORYBARRIERPROC real_barrier;

static void GLAD_API_PTR log_barrier(GLbitfield bits)
{
    CHECK(placed.count < 64);
    placed.bits[placed.count++] = bits;
    real_barrier(bits);
}

typedef struct scene { // do not move
    fixture *f;
    GladGLContext gl; // the graph's: barriers are logged
    graph g;
    texture source, kernel;
    ag_convolve_settings convolve[2]; // direct, fft
    ag_bloom_settings bloom;
    ag_spectrum_settings spectrum;
    GLuint halve; // a program of the host's
} scene;

// A pass of the host: samples its input, halves it, and stores it through an image unit.
static const char halve[] = "#version 430 core\n"
                            "layout(local_size_x = 8, local_size_y = 8) in;\n"
                            "layout(binding = 0) uniform sampler2D t_src;\n"
                            "layout(binding = 0, rgba16f) writeonly uniform image2D i_dst;\n"
                            "void main() {\n"
                            "    ivec2 p = ivec2(gl_GlobalInvocationID.xy);\n"
                            "    imageStore(i_dst, p, texelFetch(t_src, p, 0) * 0.5);\n"
                            "}\n";

static uint32_t record_halve(void *user, const graph *g, const graph_pass *p)
{
    const scene *s = user;
    const GladGLContext *gl = &s->f->gl;
    gl->UseProgram(s->halve);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, g->textures[p->slots[0]].name);
    gl->BindImageTexture(0, g->textures[p->slots[1]].name, 0, GL_FALSE, 0, GL_WRITE_ONLY,
                         GL_RGBA16F);
    gl->DispatchCompute((W + 7) / 8, (H + 7) / 8, 1);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->UseProgram(0);
    return GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
           GL_TEXTURE_FETCH_BARRIER_BIT;
}

static void scene_open(scene *s, fixture *f, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->f = f;
    s->gl = f->gl;
    real_barrier = f->gl.MemoryBarrier;
    s->gl.MemoryBarrier = log_barrier;
    CHECK(graph_open(&s->g, &s->gl, folder_find(AG_MODULE), &f->host.host, NULL));
    // The module is another copy than the one that the test links.
    CHECK(s->g.ag != f->ag);
    rng r = {seed};
    double texels[W * H * 4], taps[15];
    rng_fill_uniform(&r, texels, W * H * 4, 0, 4);
    rng_fill_uniform(&r, taps, 15, 0.01, 0.1);
    s->source = texture_create(f, "rgba16f", W, H, texels);
    s->kernel = texture_create(f, "r32f", 5, 3, taps);
    s->halve = fixture_program(f, halve);
    const ag_api *ag = s->g.ag;
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(ag->defaults("convolve", &s->convolve[i], sizeof s->convolve[i]), AG_OK);
        s->convolve[i].method = i ? AG_CONVOLVE_FFT : AG_CONVOLVE_DIRECT;
    }
    CHECK_STATUS(ag->defaults("bloom", &s->bloom, sizeof s->bloom), AG_OK);
    s->bloom.shape = AG_BLOOM_GAUSSIAN; // few programs
    CHECK_STATUS(ag->defaults("spectrum", &s->spectrum, sizeof s->spectrum), AG_OK);
    s->g.textures[SOURCE] = (graph_texture){.label = "source",
                                            .format = GL_RGBA16F,
                                            .width = W,
                                            .height = H,
                                            .scales = true,
                                            .imported = s->source.name};
    s->g.textures[KERNEL] = (graph_texture){
        .label = "kernel", .format = GL_R32F, .width = 5, .height = 3, .imported = s->kernel.name};
    s->g.texture_count = FIRST_MADE;
}

static void scene_close(scene *s)
{
    graph_close(&s->g);
    s->f->gl.DeleteProgram(s->halve);
    texture_destroy(s->f, &s->source);
    texture_destroy(s->f, &s->kernel);
}

static int add_texture(scene *s)
{
    s->g.textures[s->g.texture_count] = (graph_texture){
        .label = "made", .format = GL_RGBA16F, .width = W, .height = H, .scales = true};
    return s->g.texture_count++;
}

// kind 0, 1: convolve; 2: bloom; 3: spectrum; 4: the host's. Returns the texture it writes.
static int add_pass(scene *s, int kind, int from)
{
    int to = add_texture(s);
    graph_pass p = {.slots = {from, KERNEL, to, GRAPH_NONE}, .slot_count = 4, .outputs = 4};
    switch (kind) {
    case 0:
    case 1:
        p.effect = "convolve";
        p.settings = &s->convolve[kind];
        break;
    case 2:
        p.effect = "bloom";
        p.slots[1] = GRAPH_NONE;
        p.settings = &s->bloom;
        break;
    case 4:
        p.record = record_halve;
        p.user = s;
        p.slots[1] = to;
        p.slots[2] = GRAPH_NONE;
        p.outputs = 2;
        break;
    default:
        p.effect = "spectrum";
        p.slots[1] = to;
        p.slots[2] = GRAPH_NONE;
        p.outputs = 2;
        p.settings = &s->spectrum;
    }
    p.label = p.effect ? p.effect : "halve";
    s->g.passes[s->g.pass_count++] = p;
    return to;
}

// A chain with branches; the last two results are wanted, so that some branches are dead.
static void fill_random(scene *s, rng *r)
{
    for (int i = 0; i < PASSES; ++i) {
        int made = s->g.texture_count - FIRST_MADE;
        int back = made > 3 ? 3 : made;
        int from =
            rng_int(r, 0, 3) && back ? s->g.texture_count - 1 - rng_int(r, 0, back - 1) : SOURCE;
        add_pass(s, rng_int(r, 0, 4), from);
    }
    s->g.textures[s->g.texture_count - 1].wanted = AG_USE_COPY;
    s->g.textures[s->g.texture_count - 2].wanted = AG_USE_COPY | AG_USE_SAMPLE;
    // The host may list them in any order.
    for (int i = s->g.pass_count - 1; i > 0; --i) {
        int k = rng_int(r, 0, i);
        graph_pass moved = s->g.passes[i];
        s->g.passes[i] = s->g.passes[k];
        s->g.passes[k] = moved;
    }
}

// Fills everything that the graph created with garbage, NaN included.
static void poison(scene *s, rng *r)
{
    const GladGLContext *gl = &s->f->gl;
    size_t bytes = s->g.scratch_bytes > W * H * 8 ? s->g.scratch_bytes : W * H * 8;
    uint32_t *words = malloc(bytes + 8);
    CHECK(words != NULL);
    for (size_t i = 0; i < bytes / 4; ++i)
        words[i] = i % 3 ? (uint32_t)rng_int(r, 0, 0x7fffffff) : 0xffffffffu;
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, s->g.scratch);
    gl->BufferSubData(GL_COPY_WRITE_BUFFER, 0, (GLsizeiptr)s->g.scratch_bytes, words);
    gl->BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    for (int i = 0; i < s->g.made_count; ++i) {
        gl->BindTexture(GL_TEXTURE_2D, s->g.made[i]);
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, W, H, GL_RGBA, GL_HALF_FLOAT, words);
        gl->BindTexture(GL_TEXTURE_2D, 0);
    }
    free(words);
}

typedef struct picture {
    uint16_t halves[2][W * H * 4]; // of the two wanted textures
} picture;

static void read_wanted(scene *s, picture *out)
{
    const GladGLContext *gl = &s->f->gl;
    int count = 0;
    s->f->gl_transfer = true;
    for (int i = 0; i < s->g.texture_count; ++i) {
        if (!s->g.textures[i].wanted)
            continue;
        gl->BindTexture(GL_TEXTURE_2D, s->g.textures[i].name);
        gl->GetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_HALF_FLOAT, out->halves[count++]);
        gl->BindTexture(GL_TEXTURE_2D, 0);
    }
    s->f->gl_transfer = false;
    CHECK_EQ(count, 2);
}

static void run_frame(scene *s, picture *out)
{
    placed.count = 0;
    if (!graph_execute(&s->g, 1)) {
        host_log_print(&s->f->host);
        CHECK(false);
    }
    read_wanted(s, out);
}

static void check_barriers(const scene *s)
{
    const graph *g = &s->g;
    CHECK_EQ(placed.count, g->level_count + 1); // one before each level, one after the frame
    CHECK_EQ(g->barriers, placed.count);
    int kept = 0;
    for (int i = 0; i < g->pass_count; ++i)
        kept += g->passes[i].level != GRAPH_NONE;
    CHECK_EQ(g->barriers_apart, 2 * kept);
    for (int i = 0; i < g->pass_count; ++i) {
        const graph_pass *p = &g->passes[i];
        if (p->level == GRAPH_NONE)
            continue;
        uint32_t before = placed.bits[p->level]; // what this pass reads was stored by shaders
        CHECK(!p->effect || before & GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
        int writer = p->effect ? GRAPH_NONE : g->textures[p->slots[0]].writer;
        bool fetched = false;
        for (int k = writer < 0 ? p->level : g->passes[writer].level + 1; k <= p->level; ++k)
            fetched |= (placed.bits[k] & GL_TEXTURE_FETCH_BARRIER_BIT) != 0;
        CHECK(p->effect || writer < 0 || fetched);
    }
    uint32_t end = placed.bits[placed.count - 1], all = 0;
    for (uint32_t i = 0; i < placed.count; ++i)
        all |= placed.bits[i];
    // The host's use of the results, which may have been written some levels before the end.
    CHECK((all & GL_TEXTURE_UPDATE_BARRIER_BIT) && (all & GL_TEXTURE_FETCH_BARRIER_BIT));
    CHECK(end & GL_TEXTURE_UPDATE_BARRIER_BIT);
}

static void test_sharing(void **state)
{
    fixture *f = *state;
    bool saved_scratch = false, saved_textures = false, dropped = false, halves = false;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        rng r = {seed * 7919};
        static picture apart, shared;
        scene s;
        scene_open(&s, f, seed);
        fill_random(&s, &r);
        CHECK(graph_compile(&s.g, false));
        CHECK_EQ(s.g.scratch_bytes >= s.g.scratch_apart, 1);
        CHECK_EQ(s.g.texture_bytes, s.g.texture_apart);
        poison(&s, &r);
        run_frame(&s, &apart);
        CHECK(graph_compile(&s.g, true));
        for (int frame = 0; frame < 2; ++frame) {
            poison(&s, &r);
            run_frame(&s, &shared);
            check_barriers(&s);
            char name[96];
            snprintf(name, sizeof name, "seed %d, frame %d: shared equals apart", (int)seed, frame);
            CHECK(check_case(name, !memcmp(&shared, &apart, sizeof shared)));
        }
        graph_print(&s.g);
        CHECK(s.g.scratch_bytes <= s.g.scratch_apart && s.g.texture_bytes <= s.g.texture_apart);
        saved_scratch |= s.g.scratch_bytes < s.g.scratch_apart;
        saved_textures |= s.g.texture_bytes < s.g.texture_apart;
        for (int i = 0; i < s.g.pass_count; ++i) {
            dropped |= s.g.passes[i].level == GRAPH_NONE;
            halves |= s.g.passes[i].level > 0 && !s.g.passes[i].effect;
        }
        scene_close(&s);
    }
    CHECK(saved_scratch && saved_textures && dropped && halves); // else the graphs show nothing
}

// Scratch of another pass of the same level must not be shared: the GPU may run both at once.
static void test_levels(void **state)
{
    scene s;
    scene_open(&s, *state, 5);
    int a = add_pass(&s, 1, SOURCE), b = add_pass(&s, 2, SOURCE), c = add_pass(&s, 1, a);
    s.g.textures[b].wanted = s.g.textures[c].wanted = AG_USE_COPY;
    CHECK(graph_compile(&s.g, true));
    const graph_pass *p = s.g.passes;
    CHECK(p[0].level == 0 && p[1].level == 0 && p[2].level == 1);
    CHECK(p[0].scratch_bytes && p[1].scratch_bytes && p[2].scratch_bytes);
    CHECK(p[0].scratch + p[0].scratch_bytes <= p[1].scratch);
    CHECK_EQ(p[2].scratch, 0);
    CHECK(s.g.textures[a].name != s.g.textures[b].name); // both alive in level 0
    // c begins when a is still read, b is wanted after the frame
    CHECK(s.g.textures[c].name != s.g.textures[a].name);
    CHECK(s.g.textures[c].name != s.g.textures[b].name);
    scene_close(&s);
}

// The scratch of a size serves every smaller one. Not so where a line has to be as long as the
// image: convolve with wrap, and spectrum (docs/integrate.md).
static void test_scratch_of_smaller_sizes(void **state)
{
    enum { PAIRS = 250 };
    fixture *f = *state;
    static const int borders[] = {AG_BORDER_ZERO, AG_BORDER_CLAMP, AG_BORDER_MIRROR};
    rng r = {77};
    for (int kind = 0; kind < 4; ++kind) {
        test_job j;
        const char *effect = kind < 3 ? "convolve" : "bloom";
        job_create(f, effect, 8, 8, &j);
        if (kind < 3) {
            job_set(&j, "method", 0, AG_CONVOLVE_FFT);
            job_set(&j, "border", 0, borders[kind]);
        }
        ag_pass *pass = fixture_pass(f, effect);
        uint32_t dst = kind < 3 ? job_slot(&j, "dst") : 2;
        int larger = 0;
        for (int i = 0; i < PAIRS; ++i) {
            uint64_t bytes[2];
            int w = rng_int(&r, 1, 2000), h = rng_int(&r, 1, 1200);
            if (i % 5 ==
                0) // about as wide as half of bloom's kernel, which is 0.3 times the height
                w = (int)(0.15 * h) + rng_int(&r, 0, 3);
            w = w ? w : 1;
            for (int k = 0; k < 2; ++k) {
                const ag_plan *plan = NULL;
                j.slots[0].width = j.slots[dst].width = w;
                j.slots[0].height = j.slots[dst].height = h;
                CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
                bytes[k] = plan->scratch_bytes;
                w = rng_int(&r, 0, 3) ? rng_int(&r, w - w / 8, w) : w;
                h = rng_int(&r, 0, 3) ? rng_int(&r, h - h / 8, h) : h;
                w = w ? w : 1;
                h = h ? h : 1;
            }
            CHECK_F(bytes[1] <= bytes[0], "%s: a smaller size than %dx%d needs %llu, not %llu",
                    effect, w, h, (unsigned long long)bytes[1], (unsigned long long)bytes[0]);
            larger += bytes[1] < bytes[0];
        }
        printf("  ok    %s %d: %d of %d smaller sizes need less, none more\n", effect, kind, larger,
               PAIRS);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_sharing),
        FIXTURE_TEST(test_levels),
        FIXTURE_TEST(test_scratch_of_smaller_sizes),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
