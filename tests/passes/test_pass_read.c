// test_pass_read.c - the lines of a pass: what they say, and where an error is
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check.h"
#include "passes/description.h"

static const ag_host host = {.struct_size = sizeof host};

typedef struct reading {
    ag_description *d;
    ag_problem problem;
    ag_status status;
} reading;

static reading read_text(const char *text)
{
    reading r = {.d = calloc(1, sizeof *r.d)};
    CHECK(r.d != NULL);
    r.d->string_room = 2 * strlen(text) + 64;
    r.d->strings = calloc(1, r.d->string_room);
    CHECK(r.d->strings != NULL);
    r.status = ag_description_read(&host, text, strlen(text), r.d, &r.problem);
    return r;
}

static void release(reading *r)
{
    ag_problem_free(&r->problem);
    free(r->d->strings);
    free(r->d);
}

#define HEAD                           \
    "//! pass p \"a pass\"\n"          \
    "//! slot src read colour \"s\"\n" \
    "//! slot dst write colour \"d\"\n"

// ---- what is read ------------------------------------------------------------------------------

static void test_whole(void **state)
{
    (void)state;
    reading r =
        read_text("// a comment\n"
                  "\n"
                  "//! pass     glow_2 \"a glow\"\r\n"
                  "//! slot     src read colour \"in\"\n"
                  "//! slot     part write optional rgba16f r32f size src*3/2 \"out\"\n"
                  "  //! slot   memory state rgba32f size 4x3 \"kept\"\n"
                  "//! slot     depth read depth \"z\"\n"
                  "//! setting  radius float 1.5 -0.25..2 in texels \"r\"\n"
                  "//! setting  tint float3 1 0.5 0 0..1 \"t\"\n"
                  "//! setting  count int 3 1..8 constant \"c\"\n"
                  "//! setting  on bool on \"b\"\n"
                  "//! setting  curve choice aces agx constant \"k\"\n"
                  "//! texture  chain rgba16f size src/2 levels 5\n"
                  "//! texture  past r32f size 16x8 keep\n"
                  "//! step     a src depth -> part group 16x4 tile 32x8 define MODE -2\n"
                  "//! step     b other.comp for i in down count-1..0 from=chain[i+1] memory "
                  "-> to=chain[i] memory once\n"
                  "#include \"pass.glsl\"\n"
                  "//! step later is no line of the pass\n");
    CHECK_F(r.status == AG_OK, "%s", r.problem.text.data ? r.problem.text.data : "");
    const ag_effect_info *info = &r.d->effect.info;
    CHECK(!strcmp(info->id, "glow_2") && !strcmp(info->help, "a glow"));
    CHECK_EQ(info->slot_count, 4);
    CHECK_EQ(info->slots[1].access, AG_WRITE | AG_OPTIONAL);
    CHECK_EQ(info->slots[1].format_count, 2);
    CHECK_EQ(info->slots[2].access, AG_READ | AG_WRITE | AG_STATE);
    CHECK_EQ(info->setting_count, 6); // with scrub
    CHECK(!strcmp(info->settings[5].name, "scrub"));
    CHECK(info->settings[0].min == -0.25 && info->settings[0].initial[0] == 1.5);
    CHECK(!strcmp(info->settings[0].unit, "texels"));
    CHECK_EQ(info->settings[1].count, 3);
    CHECK_EQ(info->settings[1].prepare, AG_PREPARE_NOTHING);
    CHECK_EQ(info->settings[2].prepare, AG_PREPARE_PLAN);
    CHECK(!strcmp(info->settings[4].names[1], "agx"));
    CHECK_EQ(info->settings_size, 8 + 4 * (1 + 3 + 1 + 1 + 1 + 1));
    CHECK_EQ(info->image_units, 3);
    CHECK_EQ(info->texture_units, 2);
    CHECK_EQ(r.d->texture_count, 2);
    CHECK(r.d->textures[1].keep && !r.d->textures[0].keep);
    CHECK(!strcmp(r.d->textures[0].names[0], "chain") &&
          !strcmp(r.d->textures[0].names[4], "chain_4"));
    CHECK_EQ(r.d->step_count, 2);
    const ag_pass_step *a = &r.d->steps[0], *b = &r.d->steps[1];
    CHECK(a->group[0] == 16 && a->tile[1] == 8 && a->over == 2 && a->defines[0].value == -2);
    CHECK(!strcmp(a->file, "pass.comp") && !strcmp(b->file, "other.comp"));
    CHECK(b->repeats && b->downwards && b->over == -1 && b->use_count == 3);
    CHECK(b->first.setting && b->first.number == -1 && b->last.number == 0);
    CHECK_EQ(b->uses[1].access, AG_READ | AG_WRITE);
    CHECK(b->uses[0].level.round && b->uses[0].level.number == 1);
    // A tint of three floats does not cross a vec4.
    CHECK_EQ(r.d->float_count, 4);
    CHECK_EQ(r.d->places[1], 1);
    release(&r);
}

// Of the interface, and not of what does not concern a job.
static void test_tags(void **state)
{
    (void)state;
    const char *first = HEAD "//! setting a float 0 0..1 \"x\"\n//! step s src -> dst\n";
    const struct {
        const char *text;
        bool same;
    } others[] = {
        {HEAD "//! setting a float 0.5 0..2 \"y\"\n//! step t src -> dst group 4x4\n", true},
        {HEAD "//! setting b float 0 0..1 \"x\"\n//! step s src -> dst\n", false},
        {HEAD "//! setting a int 0 0..1 \"x\"\n//! step s src -> dst\n", false},
        {HEAD "//! slot m read optional r8 \"m\"\n//! setting a float 0 0..1 \"x\"\n"
              "//! step s src -> dst\n",
         false},
    };
    reading a = read_text(first);
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        reading b = read_text(others[i].text);
        CHECK_F(b.status == AG_OK, "%s", b.problem.text.data ? b.problem.text.data : "");
        bool same = a.d->effect.info.settings_tag == b.d->effect.info.settings_tag;
        CHECK_EQ(same, others[i].same);
        CHECK(!ag_hash128_equal(a.d->text, b.d->text));
        release(&b);
    }
    release(&a);
}

// Editors of Windows put a mark before UTF-8, and \r at the ends of lines.
static void test_marked(void **state)
{
    (void)state;
    reading r = read_text("\xEF\xBB\xBF" HEAD "//! step s src -> dst\r\n");
    CHECK_F(r.status == AG_OK, "%s", r.problem.text.data ? r.problem.text.data : "");
    CHECK_EQ(r.d->step_count, 1);
    release(&r);
}

// ---- errors ------------------------------------------------------------------------------------

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *what;
    } cases[] = {
        {"void main() {}\n", 1, 1, "expected the lines of a pass"},
        {"//! slot src read colour \"s\"\n", 1, 5, "expected pass NAME"},
        {"//! pass Big \"x\"\n", 1, 10, "the name of the pass"},
        {HEAD "//! slot sample read r8 \"x\"\n", 4, 10, "a word of GLSL"},
        {"//! pass p\n", 1, 11, "a line of help in quotes, and the line ends here"},
        {"//! pass p \"x\n", 1, 12, "no second quote"},
        {"//! pass p \"x\" y\n", 1, 16, "the end of the line"},
        {HEAD, 3, 30, "expected a step"},
        {HEAD "//! pass q \"x\"\n", 4, 5, "second `pass`"},
        {HEAD "//! slot a both colour \"x\"\n", 4, 12, "read, write or state"},
        {HEAD "//! slot a read rgb8 \"x\"\n", 4, 17, "expected a format"},
        {HEAD "//! slot a read r8 r8 \"x\"\n", 4, 20, "twice"},
        {HEAD "//! slot src read r8 \"x\"\n", 4, 10, "two slots"},
        {HEAD "//! slot a write depth \"x\"\n", 4, 18, "only be read"},
        {HEAD "//! slot a state rgba16f \"x\"\n", 4, 18, "state has the format"},
        {HEAD "//! slot a write r8 size b \"x\"\n", 4, 26, "expected a size"},
        {HEAD "//! slot a write r8 size src/0 \"x\"\n", 4, 30, "a divisor"},
        {HEAD "//! slot a write r8 size 99999x1 \"x\"\n", 4, 26, "a width"},
        {HEAD "//! setting a real 0 0..1 \"x\"\n", 4, 15, "float, float3, int, bool or choice"},
        {HEAD "//! setting a float 0 1 \"x\"\n", 4, 23, "expected a range"},
        {HEAD "//! setting a float 2 0..1 \"x\"\n", 4, 23, "not in the range"},
        {HEAD "//! setting a float 1e3 0..1 \"x\"\n", 4, 21, "a number, the default"},
        {HEAD "//! setting a float 0 0..1 constant \"x\"\n", 4, 28, "only int, bool and choice"},
        {HEAD "//! setting a int 0.5 0..1 \"x\"\n", 4, 19, "a whole number, the default"},
        {HEAD "//! setting a choice one \"x\"\n", 4, 26, "two choices"},
        {HEAD "//! setting scrub bool on \"x\"\n", 4, 13, "take another name"},
        {HEAD "//! texture t r8 size src\n", 4, 15, "a format of a texture"},
        {HEAD "//! texture t r32f size src levels 13\n", 4, 36,
         "levels, a whole number from 1 to 12"},
        {HEAD "//! step s src dst\n", 4, 16, "the slot dst is only written"},
        {HEAD "//! step s src\n", 4, 15, "what the step reads, then ->"},
        {HEAD "//! step s src ->\n", 4, 18, "what the step writes"},
        {HEAD "//! step s src -> src\n", 4, 19, "the slot src is only read"},
        {HEAD "//! step s src -> nothing\n", 4, 19, "a slot or a texture above"},
        {HEAD "//! step s ../x.comp src -> dst\n", 4, 12, "a file of the pass's folder"},
        {HEAD "//! step s /etc/x.comp src -> dst\n", 4, 12, "a file of the pass's folder"},
        {HEAD "//! step s src -> dst group 64x64\n", 4, 29, "at most 1024 threads"},
        {HEAD "//! step s src -> dst group 8\n", 4, 29, "threads of a group, WxH"},
        {HEAD "//! step s src -> dst fast\n", 4, 23, "or group, tile, over, once or define"},
        {HEAD "//! step s src -> dst[1]\n", 4, 22, "a level of a texture"},
        {HEAD "//! texture t r32f size src levels 2\n//! step s for i in 0..n t[i] -> dst\n", 5, 24,
         "an int setting above"},
        {HEAD "//! setting n int 1 0..4 \"n\"\n//! texture t r32f size src levels 2\n"
              "//! step s t[n] -> dst\n",
         6, 14, "must be `constant`"},
        {HEAD "//! texture t r32f size src\n//! step s t -> t dst t\n", 5, 23,
         "already in this step"},
        {HEAD "//! texture t r32f size src\n//! step s t -> dst\n", 5, 12,
         "no step up to this one writes the texture t"},
        {HEAD "//! texture t r32f size src\n//! step s src -> t\n", 3, 10,
         "expected a step that writes the slot dst"},
        {HEAD "//! slot this_texel read r8 \"x\"\n", 4, 10, "a word of GLSL or of pass.glsl"},
        {HEAD "//! texture u_src r32f size src\n", 4, 13, "a word of GLSL or of pass.glsl"},
        {HEAD "//! slot gl_x read r8 \"x\"\n", 4, 10, "a word of GLSL or of pass.glsl"},
        {HEAD "//! slot a__b read r8 \"x\"\n", 4, 10, "the name of a slot"},
        {HEAD "//! step s bvec4=src -> dst\n", 4, 12, "no word of GLSL"},
        {HEAD "//! setting curve choice aces agx \"x\"\n//! texture curve_aces r32f size src\n", 5,
         13, "the choice aces of the setting curve"},
        {HEAD "//! setting curve choice aces agx \"x\"\n//! step s curve_agx=src -> dst\n", 5, 12,
         "the choice agx of the setting curve"},
        {HEAD "//! texture curve_agx r32f size src\n//! setting curve choice aces agx \"x\"\n", 5,
         31, "called curve_agx in the shader"},
        {HEAD "//! setting frame choice one number \"x\"\n", 4, 30, "called frame_number"},
        {HEAD "//! setting a choice b_c d \"x\"\n//! setting a_b choice d c \"x\"\n", 5, 26,
         "a_b_c is the number of the choice b_c"},
        {HEAD "//! step s src -> dst define GROUP_X 1\n", 4, 30, "a constant of pass.glsl"},
        {HEAD "//! step s src -> dst define GL_X 1\n", 4, 30, "a constant of pass.glsl"},
        {HEAD "//! step s src -> dst define A 1 define A 2\n", 4, 41, "here twice"},
        {HEAD "//! texture t r32f size src keep\n//! step s t -> dst\n", 4, 13,
         "expected a step that writes the texture t"},
        {HEAD "//! walk\n", 4, 5, "pass, slot, setting, texture or step"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        reading r = read_text(cases[i].text);
        const char *text = r.problem.text.data ? r.problem.text.data : "";
        bool found = r.status == AG_E_ARG && strstr(text, cases[i].what) &&
                     (r.problem.line == cases[i].line) && r.problem.column == cases[i].column;
        if (!found)
            printf("status %d, wanted %u:%u %s, got\n%s\n", r.status, cases[i].line,
                   cases[i].column, cases[i].what, text);
        good = check_case(cases[i].what, found) && good;
        release(&r);
    }
    CHECK(good);
}

// Each count at its limit is read, and one more is refused.
static void check_count(const char *name, const char *before, const char *row, const char *after,
                        int most)
{
    for (int more = 0; more <= 1; ++more) {
        char text[8192];
        int n = snprintf(text, sizeof text, "%s", before);
        for (int i = 0; i < most + more; ++i)
            n += snprintf(text + n, sizeof text - (size_t)n, row, i);
        snprintf(text + n, sizeof text - (size_t)n, "%s", after);
        reading r = read_text(text);
        CHECK_F((r.status == AG_OK) == !more, "%s, %d: %s", name, most + more,
                r.problem.text.data ? r.problem.text.data : "no error");
        release(&r);
    }
    printf("  ok    %d %s\n", most, name);
}

static void test_limits(void **state)
{
    (void)state;
    const char *end = "//! step s src -> dst\n";
    check_count("slots", HEAD, "//! slot a%d read r8 \"x\"\n", end, AG_MAX_SLOTS - 2);
    check_count("settings", HEAD, "//! setting a%d float 0 0..1 \"x\"\n", end,
                AG_PASS_SETTINGS - 1);
    check_count("whole numbers", HEAD, "//! setting a%d int 0 0..1 \"x\"\n", end, AG_PASS_INTS);
    check_count("textures", HEAD, "//! texture t%d r32f size src\n", end, AG_PASS_TEXTURES);
    check_count("levels", HEAD "//! texture b r32f size src levels 12\n",
                "//! texture t%d r32f size src levels 6\n", end, 2);
    check_count("steps", HEAD, "//! step s%d src -> dst\n", "", AG_PASS_STEPS);
    check_count("constants", HEAD "//! step s src -> dst", " define A%d 1", "\n", AG_PASS_DEFINES);
    check_count("textures of a step",
                HEAD "//! texture t r32f size src levels 8\n//! step s src -> dst",
                " t%1$d=t[%1$d]", "\n", AG_PASS_BUFFERS);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_whole), UNIT_TEST(test_tags), UNIT_TEST(test_marked),
                                UNIT_TEST(test_errors), UNIT_TEST(test_limits)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
