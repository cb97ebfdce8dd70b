// reload_passes.c - reload and passes: several passes, resources that prepare made
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <afterglow/mipchain.h>

#include "reloading.h"
#include "test_reload.h"
#include <afterglow/bloom.h>

// ---- several passes ----------------------------------------------------------------------------

typedef struct second_pass { // another format: other programs from the same files
    ag_pass *pass;
    test_job j;
    double *plain;
} second_pass;

static void open_second(reloading *r, second_pass *s)
{
    s->pass = fixture_pass(r->f, "convolve");
    job_create(r->f, "convolve", 12, 5, &s->j);
    job_set(&s->j, "method", 0, 1);
    uint32_t dst = job_slot(&s->j, "dst");
    texture_destroy(r->f, &s->j.textures[dst]);
    s->j.textures[dst] = texture_create(r->f, "rgba16f", 12, 5, NULL);
    s->j.slots[dst] = texture_view(&s->j.textures[dst]);
    ag_status status = r->f->ag->prepare(s->pass, &s->j.job);
    CHECK(status == AG_OK || status == AG_FALLBACK);
    s->plain = reloading_picture(r, s->pass, &s->j);
}

static void close_second(reloading *r, second_pass *s)
{
    r->f->ag->pass_destroy(s->pass);
    job_destroy(r->f, &s->j);
    free(s->plain);
}

void test_shared_include(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 1); // little by little
    second_pass s;
    open_second(r, &s);
    CHECK_EQ(reloading_factor_of(r, s.pass, &s.j, s.plain), 1);
    for (int edit = 2; edit <= 4; edit *= 2) {
        char to[96];
        snprintf(to, sizeof to, "c = firewall(c * %d.0, size, bad_from(TOO_LARGE, u_src_mode.z));",
                 edit);
        reloading_edit(&r->d, LOAD, "c = firewall(c, size, bad_from(TOO_LARGE, u_src_mode.z));",
                       to);
        uint32_t generation = reloading_status(r).generation;
        int frames = 0;
        double *a, *b;
        do {
            reloading_frame(r);
            a = reloading_picture(r, r->pass, &r->j);
            b = reloading_picture(r, s.pass, &s.j);
            bool old = a[3] == r->plain[3] * edit / 2, new = a[3] == r->plain[3] * edit;
            CHECK_F(old || new, "alpha %g from %g", a[3], r->plain[3]);
            CHECK_EQ(b[3] == s.plain[3] * edit, new); // both passes in one frame
            CHECK_EQ(reloading_status(r).generation, generation + new);
            free(a);
            free(b);
            if (edit == 2 && !new)
                CHECK(old || r->plain[3] == 0);
        } while (++frames < 300 && reloading_status(r).generation == generation);
        CHECK(frames < 300);
    }
    printf("  ok    two passes, one include: swapped in one frame\n");
    close_second(r, &s);
    reloading_close(r);
}

// An error in one pass does not delay another.
void test_one_pass_broken(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    second_pass s;
    open_second(r, &s);
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, DIRECT, "u_gain * total",
                   "u_gain * total +\n#if STORE == AG_STORE_16F\n wrong\n#else\n total\n#endif\n");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 1);
    CHECK_EQ(reloading_status(r).generation, 1);
    CHECK_EQ(reloading_factor(r), 2);
    CHECK_EQ(reloading_factor_of(r, s.pass, &s.j, s.plain), 1);
    CHECK(host_log_error(&r->f->host, AG_E_SHADER, "wrong"));
    uint64_t before = r->f->host.message_total;
    reloading_edit(&r->d, SUMS, "scale.high;", "scale.high * 2.0;"); // both, and one still fails
    reloading_settle(r);
    CHECK_EQ(reloading_factor(r), 4);
    CHECK_EQ(reloading_factor_of(r, s.pass, &s.j, s.plain), 1);
    CHECK_EQ(r->f->host.message_total, before + 1); // the remark, not the old error
    // The other breaks too, in words of its own: they are not lost behind the old ones.
    reloading_edit(
        &r->d, DIRECT, "u_gain * total",
        "u_gain * total +\n#if STORE == AG_STORE_16F\n wrong\n#else\n also_bad\n#endif\n");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 2);
    CHECK_EQ(r->f->host.message_total, before + 2);
    CHECK_HAS(host_log_last(&r->f->host), "also_bad");
    CHECK_EQ(reloading_factor(r), 4);
    reloading_brighten(&r->d, 4); // powers of two: the second pass rounds to 16 bits
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 0);
    CHECK_EQ(reloading_factor(r), 8);
    CHECK_EQ(reloading_factor_of(r, s.pass, &s.j, s.plain), 8);
    CHECK(check_case("a pass that works goes on while another does not", true));
    close_second(r, &s);
    reloading_close(r);
}

// A pass that is prepared while the folder is broken gets the programs that worked last, not the
// embedded ones.
void test_prepare_while_broken(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    second_pass s;
    reloading_brighten(&r->d, 4); // a power of two: the second pass rounds to 16 bits
    reloading_settle(r);
    reloading_edit(&r->d, DIRECT, "u_gain * total", "u_gain * wrong");
    reloading_settle(r);
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_FALLBACK);
    uint64_t before = r->f->host.message_total;
    fixture_ignore(r->f, true);
    open_second(r, &s);
    fixture_ignore(r->f, false);
    CHECK_EQ(reloading_status(r).failed, 2);
    CHECK_STATUS(r->f->ag->prepare(s.pass, &s.j.job), AG_FALLBACK);
    CHECK_EQ(r->f->host.message_total, before); // the host knows
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 2);
    reloading_edit(&r->d, DIRECT, "u_gain * total", "u_gain * total");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 0);
    CHECK_STATUS(r->f->ag->prepare(s.pass, &s.j.job), AG_OK);
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_OK);
    CHECK_EQ(reloading_factor(r), 1);
    // What it showed before was four times what it shows now.
    for (size_t i = 0; i < texture_value_count(job_output(&s.j), 0); ++i)
        if (i % 4 != 3)
            s.plain[i] /= 4;
    CHECK_EQ(reloading_factor_of(r, s.pass, &s.j, s.plain), 1);
    CHECK(check_case("prepared while broken: the last good shaders, AG_FALLBACK", true));
    close_second(r, &s);
    reloading_close(r);
}

static void new_device(reloading *r)
{
    r->f->ag->device_destroy(r->f->device, 0);
    fixture_device(r->f, &r->desc);
    r->pass = fixture_pass(r->f, "convolve");
}

// A folder that was edited before the first prepare.
void test_first_prepare(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    reloading_brighten(&r->d, 3);
    new_device(r);
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_OK);
    CHECK(check_case("an edited folder", reloading_factor(r) == 3));
    reloading_edit(&r->d, DIRECT, "local_size_x = 16, local_size_y = 16", "local_size_x = 16");
    new_device(r);
    host_log_clear(&r->f->host);
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_FALLBACK);
    CHECK(host_log_error(&r->f->host, AG_E_SHADER, "the local size is 16 x 1 x 1"));
    CHECK_EQ(r->f->host.message_count, 1);
    CHECK(check_case("one whose interface does not fit: the embedded shaders",
                     reloading_factor(r) == 1));
    reloading_brighten(&r->d, 2);
    reloading_settle(r);
    CHECK(check_case("mended", reloading_factor(r) == 2));
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_OK);
    reloading_close(r);
}

// ---- what an expansion uses --------------------------------------------------------------------

// Runs frames after an edit; the number of programs that were compiled.
static uint32_t compiled(reloading *r)
{
    gl_trace_reset(&r->f->host.trace);
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).failed, 0);
    return gl_trace_calls(&r->f->host.trace, "glCompileShader");
}

// A file is read and watched while an #if needs it.
void test_include_in_condition(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    char *text = reloading_text(DIRECT, "u_gain * total", "TIMES * u_gain * total");
    char *at = strstr(text, "#include \"common/sync.glsl\"");
    CHECK(at != NULL);
    char *edited = malloc(strlen(text) + 200);
    CHECK(edited != NULL);
    sprintf(edited,
            "%.*s#include \"new/choice.glsl\"\n#if BRIGHT\n#include \"new/bright.glsl\"\n#else\n"
            "#define TIMES 1.0\n#endif\n%s",
            (int)(at - text), text, at);
    uint32_t before = reloading_status(r).watched;
    folder_put(&r->d, "new/choice.glsl", "#define BRIGHT 0\n");
    folder_put(&r->d, DIRECT, edited);
    CHECK_EQ(compiled(r), 1);
    CHECK(check_case("an #if that does not hold", reloading_factor(r) == 1));
    CHECK_EQ(reloading_status(r).watched, before + 1); // not new/bright.glsl, which does not exist
    folder_put(&r->d, "new/bright.glsl", "#define TIMES 2.0\n");
    CHECK_EQ(compiled(r), 0);
    CHECK_EQ(reloading_status(r).generation, 1);

    folder_put(&r->d, "new/choice.glsl", "#define BRIGHT 1\n");
    CHECK_EQ(compiled(r), 1);
    CHECK(check_case("it holds: the file is read", reloading_factor(r) == 2));
    CHECK_EQ(reloading_status(r).watched, before + 2);
    folder_put(&r->d, "new/bright.glsl", "#define TIMES 3.0\n");
    CHECK_EQ(compiled(r), 1);
    CHECK(check_case("and watched", reloading_factor(r) == 3));
    CHECK_EQ(reloading_status(r).generation, 3);

    folder_put(&r->d, "new/choice.glsl", "#define BRIGHT 0\n");
    CHECK_EQ(compiled(r), 1);
    CHECK_EQ(reloading_factor(r), 1);
    folder_put(&r->d, "new/bright.glsl", "wrong\n");
    CHECK_EQ(compiled(r), 0);
    CHECK(check_case("it does not hold any more", reloading_factor(r) == 1));
    CHECK_EQ(reloading_status(r).generation, 4);
    free(text);
    free(edited);
    reloading_close(r);
}

// Two passes of three programs: only those whose text changed compile.
void test_same_expansion(void **state)
{
    static const struct {
        const char *name, *file, *from, *to;
        uint32_t compiled;
    } edits[] = {
        {"a line of comment", LOAD, "vec4 load_texel(", "// why\nvec4 load_texel(", 0},
        {"blank lines", LOAD, "vec4 load_texel(", "\n \t\n\nvec4 load_texel(", 0},
        {"a comment behind code", LOAD, "largest = max(largest, size);",
         "largest = max(largest, size); // why", 0},
        {"a comment of several lines", LOAD, "largest = max(largest, size);",
         "largest = max(largest, size); /* why\n  and how */", 0},
        {"a function that no program has", LOAD, "vec4 load_texel(",
         "#if 0\nvoid another()\n{\n}\n#endif\nvec4 load_texel(", 0},
        {"its next edit", LOAD, "vec4 load_texel(",
         "#if 0\nvoid another()\n{\n    wrong;\n}\n#endif\nvec4 load_texel(", 0},
        {"a function that one program has", DIRECT, "void main()",
         "#if STORE == AG_STORE_16F\nvoid another()\n{\n}\n#endif\nvoid main()", 1},
        {"the same in the other, too", DIRECT, "void main()", "void another()\n{\n}\nvoid main()",
         1},
        {"a function of two", DIRECT, "void main()", "void a_third()\n{\n}\nvoid main()", 2},
        {"back", DIRECT, "void main()", "void main()", 0},
        {"a function of all", LOAD, "vec4 load_texel(", "void another()\n{\n}\nvec4 load_texel(",
         3},
    };
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    second_pass s;
    open_second(r, &s);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; ++i) {
        reloading_edit(&r->d, edits[i].file, edits[i].from, edits[i].to);
        uint32_t count = compiled(r);
        CHECK_F(count == edits[i].compiled, "%s: %u programs compiled", edits[i].name, count);
        printf("  ok    %s: %u programs compiled\n", edits[i].name, count);
        CHECK_EQ(reloading_factor(r), 1);
    }
    close_second(r, &s);
    reloading_close(r);
}

// ---- what prepare made -------------------------------------------------------------------------

// kernel_sum.comp runs in prepare only; an edit of it is used without another prepare.
void test_remake(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    reloading_edit(&r->d, SUMS, "scale.high;", "scale.high * 2.0;");
    gl_trace_reset(&r->f->host.trace);
    reloading_settle(r);
    CHECK(check_case("made again in frame()", reloading_factor(r) == 2));
    // With normalize, prepare waits for the sums; reload does not.
    job_set(&r->j, "normalize", 0, 1);
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_OK);
    free(r->plain);
    r->plain = reloading_picture(r, r->pass, &r->j);
    reloading_edit(&r->d, SUMS, "scale.high;", "scale.high * 4.0;");
    int more = 0; // readbacks beyond the one of the counter, which has arrived when it is fetched
    for (int i = 0; i < 40; ++i) {
        gl_trace_reset(&r->f->host.trace);
        reloading_frame(r);
        more += gl_trace_calls(&r->f->host.trace, "glGetBufferSubData") > 1;
    }
    CHECK_EQ(more, 0);
    CHECK(check_case("with normalize", reloading_factor(r) == 2));

    // The kernel's texture was deleted without forget: programs that need no new kernel are
    // swapped, the others wait for the next prepare.
    uint32_t kernel = job_slot(&r->j, "kernel");
    r->f->gl.DeleteTextures(1, &r->j.textures[kernel].name);
    reloading_edit(&r->d, SUMS, "scale.high;", "scale.high * 8.0;");
    reloading_settle(r);
    CHECK_EQ(reloading_status(r).generation, 3);
    CHECK(fixture_clean(r->f));
    static const double taps[15] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    r->j.textures[kernel] = texture_create(r->f, "r32f", 5, 3, taps);
    r->j.slots[kernel] = texture_view(&r->j.textures[kernel]);
    r->j.slots[kernel].version = 99;
    CHECK_STATUS(r->f->ag->prepare(r->pass, &r->j.job), AG_OK);
    free(r->plain);
    r->plain = reloading_picture(r, r->pass, &r->j);
    reloading_edit(&r->d, SUMS, "scale.high;", "scale.high * 16.0;");
    reloading_settle(r);
    CHECK(check_case("after its texture was gone for a while", reloading_factor(r) == 2));
    reloading_close(r);
}

// Bloom draws its kernel itself: an edit of the kernel's shader is seen in the next frames.
// A folder's shader may draw another kernel than the formula. Here the Gaussian, which is normally
// even and a product of two lines, becomes one texel far from the centre, so the picture is moved.
void test_bloom_of_any_kernel(void **state)
{
    (void)state;
    enum { W = 20, H = 24, CENTRE = 12 }; // the kernel has 25 x 25 texels, sigma is 2
    reloading *r = reloading_open(NULL, 0);
    ag_pass *bloom = fixture_pass(r->f, "bloom");
    test_job j;
    job_create(r->f, "bloom", W, H, &j);
    job_set(&j, "intensity", 0, 1);
    job_set(&j, "size", 0, 1);
    const ag_plan *plan = NULL;
    CHECK_STATUS(r->f->ag->declare(bloom, &j.job, &plan), AG_OK);
    CHECK_HAS(plan->text, "kernel spectrum complex");
    fixture_run(r->f, bloom, &j.job);
    reloading_edit(&r->d, "bloom/kernel.comp", "void main()\n{",
                   "void main()\n{\n    imageStore(i_dst, ivec2(gl_GlobalInvocationID.xy), "
                   "vec4(gl_GlobalInvocationID.xy == uvec2(0u, 12u) ? 1.0 : 0.0)); return;");
    reloading_settle(r);
    double *got = reloading_picture(r, bloom, &j), *src = texture_read(r->f, &j.textures[0], 0);
    double off = 0;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            for (int i = 0; i < 3; ++i) {
                double want = x + CENTRE < W ? src[4 * (y * W + x + CENTRE) + i] : 0;
                double e = fabs(got[4 * (y * W + x) + i] - want);
                off = !(e <= off) ? e : off;
            }
    CHECK_LIMIT("one texel off the centre moves the picture", off, 1e-5);
    CHECK_EQ(reloading_status(r).failed, 0);
    free(got);
    free(src);
    job_destroy(r->f, &j);
    reloading_close(r);
}

// Every effect takes an edit of all its programs, because it states all that they bind. The edit
// leaves the picture unchanged.
void test_every_effect(void **state)
{
    (void)state;
    enum { MOST = 32 };
    reloading *r = reloading_open(NULL, 0);
    uint32_t count = 0, jobs = 0;
    const ag_effect_info *const *effects = r->f->ag->effects(&count);
    static test_job j[MOST];
    ag_pass *passes[MOST];
    double *before[MOST];
    sweep *share = sweep_start("every effect", 8);
    for (uint32_t e = 0; e < count; ++e)
        for (uint32_t variant = 0; variant < JOB_VARIANTS && jobs < MOST; ++variant) {
            if (!sweep_takes(share))
                continue;
            job_create(r->f, effects[e]->id, JOB_WIDTH, JOB_HEIGHT, &j[jobs]);
            if (!job_variant(&j[jobs], variant)) {
                job_destroy(r->f, &j[jobs]);
                continue;
            }
            passes[jobs] = fixture_pass(r->f, effects[e]->id);
            job_tune(r->f->device, &j[jobs]);
            fixture_run(r->f, passes[jobs], &j[jobs].job);
            before[jobs] = reloading_picture(r, passes[jobs], &j[jobs]);
            ++jobs;
        }
    job_tune(r->f->device, &r->j); // as the device chooses
    // Of a chain in packed words, which a texture unit reads as integers.
    texture t = texture_create_array(r->f, "rgba16f", 24, 16, 0, 3, NULL);
    ag_texture slot = texture_view(&t);
    ag_mipchain_settings s;
    CHECK_STATUS(r->f->ag->defaults("mipchain", &s, sizeof s), AG_OK);
    s.levels = 2;
    ag_job job = {.struct_size = sizeof job, .slots = &slot, .slot_count = 1, .settings = &s};
    ag_pass *chain = fixture_pass(r->f, "mipchain");
    fixture_run(r->f, chain, &job);

    reloading_edit(&r->d, "mip/interface.h", "#define AG_REDUCE_MEAN",
                   "#define AG_EDITED 1\n#define AG_REDUCE_MEAN");
    reloading_settle(r);
    if (reloading_status(r).failed)
        host_log_print(&r->f->host);
    CHECK_EQ(reloading_status(r).failed, 0);
    CHECK_EQ(reloading_status(r).generation, 1);
    job_tune(r->f->device, &r->j);
    CHECK_STATUS(r->f->ag->execute(chain, &job, NULL), AG_OK);
    for (uint32_t i = 0; i < jobs; ++i) {
        double *after = reloading_picture(r, passes[i], &j[i]);
        size_t bytes = texture_value_count(job_output(&j[i]), 0) * sizeof *after;
        check_case(j[i].info->id, memcmp(before[i], after, bytes) == 0);
        CHECK(memcmp(before[i], after, bytes) == 0);
        free(after);
        free(before[i]);
        r->f->ag->pass_destroy(passes[i]);
        job_destroy(r->f, &j[i]);
    }
    r->f->ag->pass_destroy(chain);
    texture_destroy(r->f, &t);
    reloading_close(r);
}

// ---- life --------------------------------------------------------------------------------------

// Passes end, textures are forgotten, other plans come, in every frame of a reload.
void test_ends_in_the_middle(void **state)
{
    (void)state;
    for (int act = 0; act < 3; ++act)
        for (int when = 17; when < 29; when += 3) {
            reloading *r = reloading_open(NULL, 1);
            second_pass s;
            open_second(r, &s);
            reloading_edit(&r->d, LOAD, "vec4 load_texel(", "#define CHANGED\nvec4 load_texel(");
            for (int i = 0; i < when; ++i)
                reloading_frame(r);
            if (act == 0) {
                r->f->ag->pass_destroy(r->pass);
                r->pass = fixture_pass(r->f, "convolve");
                fixture_run(r->f, r->pass, &r->j.job);
            } else if (act == 1) {
                r->f->ag->forget(r->f->device, r->j.slots[job_slot(&r->j, "kernel")].name);
                fixture_run(r->f, r->pass, &r->j.job);
            } else {
                job_set(&r->j, "border", 0, 1);
                fixture_run(r->f, r->pass, &r->j.job);
                job_set(&r->j, "border", 0, 0);
                fixture_run(r->f, r->pass, &r->j.job);
            }
            CHECK_EQ(reloading_factor(r), 1);
            reloading_settle(r);
            CHECK_EQ(reloading_factor(r), 1);
            CHECK_EQ(reloading_factor_of(r, s.pass, &s.j, s.plain), 1);
            CHECK_EQ(reloading_status(r).failed, 0);
            close_second(r, &s);
            reloading_close(r);
        }
    printf("  ok    a pass ends, is forgotten, changes its plan in the middle of a reload\n");
}

// Memory runs out at the k-th allocation of a reload: the old programs stay in use, and the next
// edit works.
void test_out_of_memory(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    int k = 1, factor = 1;
    for (bool failed = true; failed; ++k) {
        CHECK(k < 400);
        int wanted = 2 + k % 2;
        reloading_brighten(&r->d, wanted);
        host_alloc_reset(&r->f->host, (uint64_t)k);
        reloading_settle(r);
        failed = r->f->host.alloc_calls >= (uint64_t)k;
        host_alloc_reset(&r->f->host, 0);
        factor = reloading_factor(r);
        CHECK_F(factor > 0, "allocation %d", k);
        CHECK_F(failed || factor == wanted, "allocation %d: %d", k, factor);
        reloading_brighten(&r->d, 1);
        reloading_settle(r);
        CHECK_EQ(reloading_factor(r), 1);
        CHECK_EQ(reloading_status(r).failed, 0);
    }
    printf("  ok    each of %d allocations failed once\n", k - 2);
    CHECK(k > 10);
    reloading_close(r);
}
