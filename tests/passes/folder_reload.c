// folder_reload.c - passes from folders that are edited: shaders, steps, settings, and errors
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass_folder.h"
#include "random.h"
#include "test_folder.h"

enum { FRAME_NS = 10000000, MIN_FRAMES = 40, MAX_FRAMES = 4000 };

// dst = factor * setting_k * src, by a copy of its own or not
static void write_text(char text[2048], const char *settings, const char *steps, const char *value)
{
    snprintf(text, 2048,
             "//! pass edited \"x\"\n" SLOTS "%s%s#include \"pass.glsl\"\n"
             "void main() { store(to, this_texel, %s); }\n",
             settings, steps, value);
}

#define K "//! setting k float 2 0..9 \"k\"\n"
#define ONE "//! step one from=src -> to=dst\n"
#define TWO                                                           \
    "//! texture t rgba32f size src\n//! step one from=src -> to=t\n" \
    "//! step two from=t -> to=dst\n"
#define BY_K "setting_k * load(from, this_texel)"

typedef struct editing {
    pass_folder p;
    trial t;
    double values[4 * 15];
} editing;

static void begin(fixture *f, editing *e)
{
    char text[2048];
    write_text(text, K, ONE, BY_K);
    pass_open(f, text, &e->p);
    for (int i = 0; i < 4 * 15; ++i)
        e->values[i] = i + 1;
    e->t = pass_image(&e->p, "an edit", "rgba32f", 5, 3, e->values);
    trial_run(&e->t);
    f->host.trace.patient = true;
}

static void end(editing *e)
{
    trial_free(&e->t);
    pass_close(&e->p);
}

// Frames until nothing is pending.
static ag_reload settle(editing *e)
{
    fixture *f = e->p.f;
    ag_reload reload;
    int frames = 0;
    fixture_ignore(f, true); // the driver reports what does not compile
    do {
        f->host.clock += FRAME_NS;
        CHECK_STATUS(f->ag->frame(f->device, 0), AG_OK);
        reload = (ag_reload){.struct_size = sizeof reload};
        CHECK_STATUS(f->ag->reload_status(f->device, &reload), AG_OK);
        CHECK(++frames < MAX_FRAMES);
    } while (frames < MIN_FRAMES || reload.pending);
    fixture_ignore(f, false);
    return reload;
}

// The factor of the picture; 0: it is another one. `status`: of prepare; AG_E_STATE: none is made,
// AG_PENDING: AG_OK or AG_FALLBACK.
static double factor(editing *e, ag_status status)
{
    fixture *f = e->p.f;
    trial *t = &e->t;
    fixture_ignore(f, true);
    texture_poison(f, &t->textures[DST]);
    ag_status prepared = status == AG_E_STATE ? status : f->ag->prepare(t->pass, &t->job);
    bool either = status == AG_PENDING && (prepared == AG_OK || prepared == AG_FALLBACK);
    CHECK_STATUS(either ? status : prepared, status);
    fixture_ignore(f, false);
    CHECK_STATUS(f->ag->execute(t->pass, &t->job, NULL), AG_OK);
    double *got = texture_read(f, &t->textures[DST], 0), found = got[0] / e->values[0];
    for (int i = 0; i < 4 * 15; ++i)
        found = got[i] == found * e->values[i] ? found : 0;
    free(got);
    return found;
}

static void edit(editing *e, const char *settings, const char *steps, const char *value)
{
    char text[2048];
    write_text(text, settings, steps, value);
    folder_put(&e->p.d, "pass.comp", text);
}

// A shader's edit needs no prepare; further steps and textures need one, and the job stays.
void test_edits(void **state)
{
    fixture *f = *state;
    editing e;
    begin(f, &e);
    CHECK(factor(&e, AG_OK) == 2);
    edit(&e, K, ONE, "3.0 * " BY_K);
    CHECK_EQ(settle(&e).generation, 1);
    bool good = check_case("a shader, without a prepare", factor(&e, AG_E_STATE) == 6);
    edit(&e, K, TWO, "3.0 * " BY_K);
    settle(&e);
    good = check_case("a step: the former pass goes on", factor(&e, AG_E_STATE) == 6) && good;
    good = check_case("a step, after a prepare", factor(&e, AG_OK) == 36) && good;
    edit(&e, "//! setting k float 5 0..9 in EV \"other\"\n", TWO, BY_K);
    settle(&e);
    good = check_case("another default: the job has its own value", factor(&e, AG_OK) == 4) && good;
    const ag_effect_info *info = NULL;
    CHECK_STATUS(f->ag->pass_load(f->device, e.p.d.path, &info), AG_OK);
    CHECK(info != e.p.info && info->settings[0].initial[0] == 5);
    CHECK_EQ(info->settings_tag, e.p.info->settings_tag);
    end(&e);
    CHECK(good);
}

// A further setting: jobs of the former interface go on until one of the new comes.
void test_interface(void **state)
{
    fixture *f = *state;
    editing e;
    begin(f, &e);
    edit(&e, K "//! setting more float 10 0..99 \"m\"\n", ONE, "setting_more * " BY_K);
    settle(&e);
    bool good = check_case("the host is told", host_log_has(&f->host, "settings of the pass have"));
    good = check_case("the former job goes on", factor(&e, AG_OK) == 2) && good;
    const ag_effect_info *info = NULL;
    CHECK_STATUS(f->ag->pass_load(f->device, e.p.d.path, &info), AG_OK);
    CHECK_EQ(info->setting_count, e.p.info->setting_count + 1);
    CHECK(info->settings_tag != e.p.info->settings_tag);
    CHECK_STATUS(f->ag->effect_defaults(info, e.p.settings, info->settings_size), AG_OK);
    const ag_plan *plan = NULL;
    int32_t size[3] = {0};
    CHECK_STATUS(f->ag->declare(e.t.pass, &e.t.job, &plan), AG_OK);
    CHECK_STATUS(f->ag->slot_size(e.t.pass, &e.t.job, DST, size), AG_OK);
    CHECK(plan->step_count == 1 && size[0] == 5);
    good = check_case("a job of the new one", factor(&e, AG_OK) == 20) && good;
    end(&e);
    CHECK(good);
}

// Errors in the shader and in the lines keep the last pass that worked, and are said once.
void test_broken(void **state)
{
    fixture *f = *state;
    editing e;
    begin(f, &e);
    edit(&e, K, ONE, "nothing * " BY_K);
    host_log_clear(&f->host);
    ag_reload reload = settle(&e);
    bool good = check_case("a shader that does not compile", factor(&e, AG_FALLBACK) == 2 &&
                                                                 reload.failed == 1 &&
                                                                 strstr(reload.message, "nothing"));
    edit(&e, K, "//! step one from=src => to=dst\n", BY_K);
    host_log_clear(&f->host);
    reload = settle(&e);
    good = check_case("a line with an error", factor(&e, AG_FALLBACK) == 2 && reload.failed == 1 &&
                                                  reload.line == 5 && reload.message &&
                                                  strstr(reload.message, "=>")) &&
           good;
    CHECK_EQ(f->host.message_count, 1);
    edit(&e, K, TWO, "nothing * " BY_K);
    settle(&e);
    good = check_case("other steps that do not compile",
                      factor(&e, AG_FALLBACK) == 2 && factor(&e, AG_FALLBACK) == 2) &&
           good;
    edit(&e, K, ONE, BY_K);
    reload = settle(&e);
    good = check_case("the first text again", factor(&e, AG_OK) == 2) && good;
    edit(&e, K, TWO, BY_K);
    settle(&e);
    good = check_case("and other steps that do", factor(&e, AG_OK) == 4) && good;
    edit(&e, K, ONE, "7.0 * " BY_K);
    settle(&e);
    good = check_case("and one step", factor(&e, AG_OK) == 14) && good;
    end(&e);
    CHECK(good);
}

// Edits at random, one or two before frames and a prepare: always the last text that worked.
void test_random_edits(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *settings, *steps, *value;
        double factor; // 0: it has an error
    } texts[] = {
        {K, ONE, BY_K, 2},
        {K, ONE, "3.0 * " BY_K, 6},
        {K, TWO, BY_K, 4},
        {K "//! setting more float 5 0..9 \"m\"\n", ONE, "setting_more * " BY_K, 10},
        {"//! setting k int 7 0..9 \"k\"\n", TWO, "float(setting_k) * load(from, this_texel)", 49},
        {K, ONE, "nothing * " BY_K, 0},
        {K, TWO, "nothing * " BY_K, 0},
        {K, "//! step one from=src => to=dst\n", BY_K, 0},
        {"//! setting k float 2 0..1 \"k\"\n", ONE, BY_K, 0},
    };
    enum { TEXTS = sizeof texts / sizeof *texts, EDITS = 60 };
    editing e;
    begin(f, &e);
    rng r = rng_start("random_edits", 8);
    double wanted = 2;
    bool good = true;
    for (int i = 0; i < EDITS && good; ++i) {
        int last = 0;
        for (int n = rng_int(&r, 1, 2); n > 0; --n) {
            last = rng_int(&r, 0, TEXTS - 1);
            edit(&e, texts[last].settings, texts[last].steps, texts[last].value);
        }
        settle(&e);
        const ag_effect_info *info = NULL;
        CHECK_STATUS(f->ag->pass_load(f->device, e.p.d.path, &info), AG_OK);
        // The host takes the new description if it is of a text without an error.
        if (texts[last].factor)
            CHECK_STATUS(f->ag->effect_defaults(info, e.p.settings, info->settings_size), AG_OK);
        wanted = texts[last].factor ? texts[last].factor : wanted;
        // Of an error in another interface's shaders the job knows nothing: AG_OK.
        double got = factor(&e, texts[last].factor ? AG_OK : AG_PENDING);
        good = got == wanted;
        if (!good)
            printf("  edit %d, text %d: factor %g, not %g\n", i, last, got, wanted);
    }
    end(&e);
    CHECK(check_case("60 edits", good));
}
