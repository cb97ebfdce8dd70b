// test_reload.c - live reload: all ways to save a file, and the messages about errors
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reloading.h"
#include "test_reload.h"

static bool expect(reloading *r, const char *name, uint32_t generation, uint32_t failed, int factor)
{
    ag_reload status = reloading_status(r);
    int got = reloading_factor(r);
    bool right = status.generation == generation && status.failed == failed && got == factor &&
                 !status.pending && !status.message == !failed;
    if (!right)
        printf("        generation %u (expected %u), failed %u (%u), factor %d (%d), pending %u\n",
               status.generation, generation, status.failed, failed, got, factor, status.pending);
    return check_case(name, right);
}

static void test_saves(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    CHECK(expect(r, "as first prepared", 0, 0, 1));
    CHECK(reloading_status(r).watched >= 8);
    reloading_settle(r);
    CHECK(expect(r, "nothing happens by itself", 0, 0, 1));

    reloading_brighten(&r->d, 2);
    reloading_settle(r);
    CHECK(expect(r, "in-place write", 1, 0, 2));
    char *text = reloading_text(DIRECT, "u_gain * total", "3.0 * u_gain * total");
    folder_replace(&r->d, DIRECT, text);
    reloading_settle(r);
    CHECK(expect(r, "rename save", 2, 0, 3));
    CHECK_EQ(r->f->host.message_count, 2); // one remark for each generation
    for (uint32_t i = 0; i < r->f->host.message_count; ++i)
        CHECK_EQ(r->f->host.messages[i].level, AG_LOG_INFO);

    host_log_clear(&r->f->host);
    folder_drop(&r->d, DIRECT);
    reloading_settle(r);
    CHECK(expect(r, "deleted", 2, 1, 3));
    CHECK_EQ(r->f->host.message_count, 1);
    CHECK(host_log_error(&r->f->host, AG_E_SHADER, DIRECT));
    folder_put(&r->d, DIRECT, text);
    reloading_settle(r);
    CHECK(expect(r, "deleted, and restored as it was", 2, 0, 3));
    reloading_edit(&r->d, DIRECT, "u_gain * total", "u_gain * total");
    reloading_settle(r);
    CHECK(expect(r, "back to the beginning", 3, 0, 1));
    free(text);
    reloading_close(r);
}

// The one message of an edit that does not work.
static const host_message *only_error(reloading *r)
{
    const host_message *error = NULL;
    for (uint32_t i = 0; i < r->f->host.message_count; ++i)
        if (r->f->host.messages[i].level == AG_LOG_ERROR) {
            CHECK_F(!error, "two messages: %s and %s", error->text, r->f->host.messages[i].text);
            error = &r->f->host.messages[i];
        }
    CHECK(error != NULL);
    CHECK_EQ(error->code, AG_E_SHADER);
    ag_reload status = reloading_status(r);
    CHECK(status.message && strcmp(status.message, error->text) == 0);
    CHECK(status.line == error->line && status.column == error->column);
    CHECK(strcmp(status.file ? status.file : "", error->file) == 0);
    return error;
}

static void test_error_then_fix(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    reloading_brighten(&r->d, 2);
    reloading_settle(r);
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, LOAD, "largest = max(largest, size);", "largest = wrong_name(size);");
    reloading_settle(r);
    const host_message *m = only_error(r);
    printf("%s\n", m->text);
    uint32_t line = reloading_line(LOAD, "largest = max(largest, size);");
    char place[128];
    snprintf(place, sizeof place, "common/source.glsl:%u:", line);
    CHECK(strcmp(m->file, LOAD) == 0 && m->line == line && m->column > 0);
    CHECK_HAS(m->text, place);
    CHECK_HAS(m->text, "    largest = wrong_name(size);\n");
    CHECK_HAS(m->text, "^\n");
    CHECK_HAS(m->text, "the driver's log:\n");
    CHECK(expect(r, "an error: the last good programs go on", 1, 1, 2));
    for (int i = 0; i < 5; ++i)
        reloading_settle(r);
    CHECK_EQ(r->f->host.message_count, 1); // said once
    folder_touch(&r->d, LOAD);
    reloading_settle(r);
    CHECK_EQ(r->f->host.message_count, 1);
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, LOAD, "largest = max(largest, size);",
                   "largest = max(largest, size) + still_wrong;");
    reloading_settle(r);
    CHECK_HAS(only_error(r)->text, "still_wrong");
    CHECK(expect(r, "another error", 1, 1, 2));
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, LOAD, "largest = max(largest, size);", "largest = max(size, largest);");
    reloading_settle(r);
    CHECK(expect(r, "fixed", 2, 0, 2));
    CHECK(!host_log_has(&r->f->host, "wrong"));
    // Broken, and back to what runs: nothing to compile.
    reloading_edit(&r->d, LOAD, "largest = max(largest, size);", "largest = ;");
    reloading_settle(r);
    CHECK(expect(r, "a syntax error", 2, 1, 2));
    reloading_edit(&r->d, LOAD, "largest = max(largest, size);", "largest = max(size, largest);");
    gl_trace_reset(&r->f->host.trace);
    reloading_settle(r);
    CHECK_EQ(gl_trace_calls(&r->f->host.trace, "glCompileShader"), 0);
    CHECK(expect(r, "taken back", 2, 0, 2));
    reloading_close(r);
}

// The number of the line of a file that holds a text.
static unsigned line_of(const folder *d, const char *name, const char *text)
{
    char path[512], line[512];
    snprintf(path, sizeof path, "%s/%s", d->path, name);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    unsigned number = 1;
    while (fgets(line, sizeof line, file) && !strstr(line, text))
        ++number;
    CHECK(!feof(file));
    fclose(file);
    return number;
}

static void test_includes(void **state)
{
    (void)state;
    reloading *r = reloading_open(NULL, 0);
    host_log_clear(&r->f->host);
    reloading_edit(&r->d, DIRECT, "#include \"common/sync.glsl\"",
                   "#include \"common/sync.glsl\"\n#include \"new/later.glsl\"");
    reloading_settle(r);
    const host_message *m = only_error(r);
    printf("%s\n", m->text);
    char place[128];
    unsigned line = 1 + line_of(&r->d, DIRECT, "#include \"common/sync.glsl\"");
    snprintf(place, sizeof place, "fft/direct.comp:%u:11: cannot read \"new/later.glsl\"", line);
    CHECK_HAS(m->text, place);
    CHECK_HAS(m->text, "    #include \"new/later.glsl\"\n              ^");
    CHECK(expect(r, "a missing include", 0, 1, 1));
    folder_put(&r->d, "new/later.glsl", "#define NOTHING_MUCH\n#include \"common/sync.glsl\"\n");
    reloading_settle(r);
    CHECK(expect(r, "created later", 1, 0, 1));

    host_log_clear(&r->f->host);
    folder_put(&r->d, "new/later.glsl", "\n#include \"new/circle.glsl\"\n");
    folder_put(&r->d, "new/circle.glsl", "#include \"new/later.glsl\"\n");
    reloading_settle(r);
    m = only_error(r);
    printf("%s\n", m->text);
    CHECK_HAS(m->text, "new/circle.glsl:1:11: this file includes itself in a circle");
    snprintf(place, sizeof place,
             "included from new/later.glsl:2\n  included from fft/direct.comp:%u", line);
    CHECK_HAS(m->text, place);
    CHECK(expect(r, "a circle", 1, 1, 1));
    folder_put(&r->d, "new/circle.glsl", "#define BRIGHT 7.0\n");
    reloading_edit(&r->d, DIRECT, "u_gain * total", "7.0 * u_gain * total");
    reloading_settle(r);
    CHECK(expect(r, "no circle, and no include", 2, 0, 7));
    // What failed to expand is watched as well: new/circle.glsl is not included any more.
    CHECK_EQ(r->f->host.message_count, 2);
    reloading_close(r);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_saves),
        UNIT_TEST(test_error_then_fix),
        UNIT_TEST(test_includes),
        UNIT_TEST(test_edit_during_compile),
        UNIT_TEST(test_one_program_a_frame),
        UNIT_TEST(test_slow_frames),
        UNIT_TEST(test_slow_frames_threads),
        UNIT_TEST(test_saved_before_slow_frame),
        UNIT_TEST(test_never_half_swapped),
        UNIT_TEST(test_threads_asked_once),
        UNIT_TEST(test_execute_stays_free),
        UNIT_TEST(test_interface_refused),
        UNIT_TEST(test_interface_kept),
        UNIT_TEST(test_shared_include),
        UNIT_TEST(test_one_pass_broken),
        UNIT_TEST(test_prepare_while_broken),
        UNIT_TEST(test_first_prepare),
        UNIT_TEST(test_include_in_condition),
        UNIT_TEST(test_same_expansion),
        UNIT_TEST(test_remake),
        UNIT_TEST(test_bloom_of_any_kernel),
        UNIT_SWEEP(test_every_effect),
        UNIT_TEST(test_ends_in_the_middle),
        UNIT_TEST(test_out_of_memory),
        UNIT_TEST(test_random_edits),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
