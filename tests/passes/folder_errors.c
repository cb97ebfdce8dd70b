// folder_errors.c - passes from folders that are refused: jobs, ids, files, names, strangers
// SPDX-License-Identifier: MIT
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "pass_folder.h"
#include "passes/words.h"
#include "shader/embedded.h"
#include "test_folder.h"

static bool refused(pass_folder *p, const char *name, int width, int height, int levels, int first,
                    ag_status status, const char *word)
{
    trial t = pass_trial(p, name);
    pass_set(p, "levels", 0, levels);
    pass_set(p, "first", 0, first);
    t.slots[SRC] = trial_image("r32f", 40, 30, NULL);
    t.slots[DST] = trial_image("r32f", width, height, NULL);
    bool good = trial_refused(&t, status, word);
    trial_free(&t);
    return good;
}

// What a step reads, and what the job has, must be written by steps that are not left out.
void test_left_out(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass leaves \"x\"\n" SLOTS "//! slot more write optional colour \"m\"\n"
              "//! slot last write optional colour \"l\"\n"
              "//! setting levels int 1 1..64 constant \"n\"\n"
              "//! setting first int 0 0..64 constant \"n\"\n"
              "//! texture t rgba32f size src levels 4\n"
              "//! step a from=src -> to=more t\n"
              "//! step b for i in 1..first from=src -> to=t[i]\n"
              "//! step c from=t[levels-1] -> to=dst\n"
              "//! step d for i in 1..first from=src -> to=last\n#include \"pass.glsl\"\n"
              "void main()\n{\n    store(to, this_texel, load(from, this_texel));\n"
              "#ifdef STEP_a\n    store(t, this_texel, load(from, this_texel));\n#endif\n}\n",
              &p);
    static const struct {
        const char *name, *word; // NULL: it works
        bool more, last;
        int levels, first;
    } cases[] = {
        {"all of level 0", NULL, true, false, 1, 0},
        {"the writer has an empty slot", "pass.comp:11) reads t[0]", false, false, 1, 0},
        {"a level", "pass.comp:11) reads t[2]", true, false, 3, 1},
        {"a level that a round writes", NULL, false, false, 3, 2},
        {"no round writes a slot", "writes the slot last", true, true, 1, 0},
        {"a round writes it", NULL, true, true, 1, 1},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        trial t = pass_trial(&p, cases[i].name);
        pass_set(&p, "levels", 0, cases[i].levels);
        pass_set(&p, "first", 0, cases[i].first);
        for (int slot = 0; slot < 4; ++slot)
            if (slot < 2 || (slot == 2 && cases[i].more) || (slot == 3 && cases[i].last))
                t.slots[slot] = trial_image("rgba32f", 16, 8, NULL);
        if (cases[i].word) {
            good = trial_refused(&t, AG_E_ARG, cases[i].word) && good;
        } else {
            trial_make(&t);
            CHECK_STATUS(f->ag->prepare(t.pass, &t.job), AG_OK);
            good = check_case(cases[i].name, true) && good;
        }
        trial_free(&t);
    }
    CHECK(good);
    pass_close(&p);
}

void test_refusals(void **state)
{
    fixture *f = *state;
    pass_folder p;
    pass_open(f,
              "//! pass refuses \"x\"\n" SLOTS "//! setting levels int 1 1..64 constant \"n\"\n"
              "//! setting first int 0 0..64 constant \"n\"\n"
              "//! texture t r32f size src levels 4\n"
              "//! step a from=src -> to=t[first]\n"
              "//! step b for i in 1..levels from=t[i-1] -> to=t[i]\n"
              "//! step c from=t[0] -> to=dst\n#include \"pass.glsl\"\n"
              "void main() { store(to, this_texel, load(from, this_texel)); }\n",
              &p);
    bool good = refused(&p, "a wrong size", 41, 30, 1, 0, AG_E_SIZE, "must be 40x30");
    good = refused(&p, "too many rounds", 40, 30, 5, 0, AG_E_ARG, "needs level 4 of t") && good;
    good = refused(&p, "no such level", 40, 30, 1, 4, AG_E_ARG, "pass.comp:7") && good;
    const ag_effect_info *info = NULL;
    folder d = folder_create();
    folder_put(&d, "pass.comp", "//! pass bloom \"x\"\n" SLOTS "//! step s src -> dst\n");
    CHECK_STATUS(f->ag->pass_load(f->device, d.path, &info), AG_E_ARG);
    good = check_case(
               "the id of an effect",
               host_log_has(&f->host,
                            "pass.comp:1:10: expected a name of its own; bloom is an effect")) &&
           good;
    folder_put(&d, "pass.comp", "//! pass refuses \"x\"\n" SLOTS "//! step s src -> dst\n");
    CHECK_STATUS(f->ag->pass_load(f->device, d.path, &info), AG_E_ARG);
    good = check_case("the id of another folder", host_log_has(&f->host, "refuses is that of")) &&
           good;
    folder_put(&d, "pass.comp", "//! pass x\n");
    CHECK_STATUS(f->ag->pass_load(f->device, d.path, &info), AG_E_ARG);
    const host_message *last = &f->host.messages[f->host.message_count - 1];
    good = check_case("the place of an error",
                      last->code == AG_E_ARG && !strcmp(last->file, "pass.comp") &&
                          last->line == 1 && last->column == 11 && strchr(last->text, '^')) &&
           good;
    folder_put(&d, "pass.comp", "//! pass x \"x\"\n" SLOTS "//! step s parts/s.comp src -> dst\n");
    CHECK_STATUS(f->ag->pass_load(f->device, d.path, &info), AG_E_ARG);
    good = check_case("a step's file that is not there",
                      host_log_has(&f->host, "pass.comp:4:12: expected a file")) &&
           good;
    CHECK_STATUS(f->ag->pass_load(f->device, "/nowhere", &info), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_load(f->device, NULL, &info), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_load(f->device, d.path, NULL), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_load(NULL, d.path, &info), AG_E_ARG);
    CHECK(info == NULL);
    const ag_effect_info *again = NULL;
    CHECK_STATUS(f->ag->pass_load(f->device, p.d.path, &again), AG_OK);
    CHECK(again == p.info);
    folder_destroy(&d);
    CHECK(good);
    pass_close(&p);
}

// Every allocation that fails leaves things as they were, and frees what was made.
void test_memory(void **state)
{
    fixture *f = *state;
    folder d = folder_create();
    folder_put(&d, "pass.comp",
               "//! pass fails \"x\"\n" SLOTS "//! setting n int 1 1..4 constant \"n\"\n"
               "//! texture t rgba16f size src/2 levels 4\n//! step s src -> dst t define A 1\n");
    bool done = false;
    int failures = 0;
    for (uint64_t fail = 1; !done; ++fail) {
        pass_folder p = {.f = f};
        fixture_device(f, NULL);
        size_t before = f->host.live_bytes;
        host_alloc_reset(&f->host, fail);
        ag_status status = f->ag->pass_load(f->device, d.path, &p.info);
        done = f->host.alloc_calls < fail;
        host_alloc_reset(&f->host, 0);
        CHECK_STATUS(status, done ? AG_OK : AG_E_MEMORY);
        CHECK(done || (f->host.live_bytes == before && !p.info));
        failures += !done;
        CHECK_STATUS(f->ag->pass_load(f->device, d.path, &p.info), AG_OK);
        pass_close(&p);
        CHECK_EQ(f->host.live_bytes, 0);
    }
    folder_destroy(&d);
    printf("  ok    pass_load: each of %d allocations fails\n", failures);
    CHECK(failures > 5);
}

// A shader may bind nothing else, and include nothing outside of the folder.
void test_strangers(void **state)
{
    fixture *f = *state;
    static const struct {
        const char *text, *what;
    } cases[] = {
        {"layout(location = 9) uniform float u_own;\n"
         "void main() { store(dst, this_texel, vec4(u_own)); }\n",
         "u_own is no slot"},
        // Names that are parts of what the step declares, or of a function of it.
        {"layout(location = 9) uniform float u_ds;\n"
         "void main() { store(dst, this_texel, vec4(u_ds)); }\n",
         "u_ds is no slot"},
        {"uniform float c;\nvoid main() { store(dst, this_texel, vec4(c)); }\n", "c is no slot"},
        {"#include \"../secret.glsl\"\nvoid main() { store(dst, this_texel, vec4(1)); }\n",
         "leaves the folder"},
        {"#include \"common/nothing.glsl\"\nvoid main() {}\n", "cannot read"},
        {"void main() { store(dst, this_texel, load(dst, this_texel)); }\n", "pass.comp:8"},
        {"void main() { store(dst, this_texel, vec4(gain)); }\n", "the setting is called setting_"},
        {"void main() { store(dst, this_texel, load(mask, this_texel)); }\n", "needs #if has_mask"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1024];
        snprintf(text, sizeof text,
                 "//! pass strange \"x\"\n" SLOTS "//! setting gain float 1 0..2 \"g\"\n"
                 "//! slot mask read optional r8 \"m\"\n//! step s src mask -> dst\n"
                 "#include \"pass.glsl\"\n%s",
                 cases[i].text);
        pass_folder p;
        pass_open(f, text, &p);
        trial t = pass_image(&p, cases[i].what, "r32f", 4, 4, NULL);
        fixture_ignore(f, true); // the driver reports what does not compile
        good = trial_refused(&t, AG_E_SHADER, cases[i].what) && good;
        fixture_ignore(f, false);
        trial_free(&t);
        pass_close(&p);
    }
    CHECK(good);
}

// Whatever pass.glsl calls something, a slot of that name is refused by its line, or compiles.
void test_names(void **state)
{
    fixture *f = *state;
    static const char *const files[] = {"pass/pass.glsl", "common/texel.glsl", "common/info.glsl"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    char tried[16384] = " ";
    int refused = 0, compiled = 0;
    bool good = true;
    fixture_device(f, NULL);
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file) {
        bool ours = false;
        for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
            ours = ours || !strcmp(file->path, files[i]);
        for (const char *at = ours ? file->text : ""; *at;) {
            size_t length = strspn(at, letters),
                   comment = strncmp(at, "//", 2) ? 0 : strcspn(at, "\n");
            if (comment) {
                at += comment;
                continue;
            }
            bool whole = length && (at == file->text || !isalnum((unsigned char)at[-1])) &&
                         !isupper((unsigned char)at[length]);
            char name[64], text[512];
            snprintf(name, sizeof name, " %.*s ", (int)(length < 60 ? length : 0), at);
            at += length ? length : 1;
            if (!whole || !ag_word_is_name(name + 1, length) || strstr(tried, name))
                continue;
            strncat(tried, name + 1, sizeof tried - strlen(tried) - 1);
            name[length + 1] = 0;
            snprintf(text, sizeof text,
                     "//! pass p%d \"x\"\n" SLOTS "//! step s %s=src -> dst\n"
                     "#include \"pass.glsl\"\nvoid main() { store(dst, this_texel, "
                     "bilinear(%s, vec2(this_texel))); }\n",
                     refused + compiled, name + 1, name + 1);
            pass_folder p = {.f = f, .d = folder_create()};
            folder_put(&p.d, "pass.comp", text);
            fixture_ignore(f, true);
            if (f->ag->pass_load(f->device, p.d.path, &p.info) == AG_OK) {
                trial t = pass_image(&p, name, "rgba8", 3, 3, NULL);
                trial_make(&t);
                ag_status status = f->ag->prepare(t.pass, &t.job);
                good = (status == AG_OK || check_case(name, false)) && good;
                trial_free(&t);
                ++compiled;
            } else {
                ++refused;
            }
            fixture_ignore(f, false);
            folder_destroy(&p.d);
        }
    }
    printf("        %d names: %d refused, %d compiled\n", refused + compiled, refused, compiled);
    CHECK(good && refused > 50 && compiled > 10);
    f->ag->device_destroy(f->device, 0);
    f->device = NULL;
}
