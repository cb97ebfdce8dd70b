// test_ladder_shaders.c - the second module's shaders: what each says of itself, and all variants
// SPDX-License-Identifier: MIT
//
// test_ladder_shaders --dump DIR      writes every variant of every shader, and their dispatches
//
// The module's objects are linked into this program, so that it sees what is embedded and recorded.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dispatches.h"
#include "shader/embedded.h"
#include "shader/shader_dump.h"
#include "test_ladder_shaders.h"

enum { MOST_LINES = 150, MOST_FILES = 512 };

static bool is_method(const ag_embedded_file *file) // and not an include
{
    return strncmp(file->path, "ladder/", 7) == 0 && strstr(file->path, ".comp");
}

// A gallery for readers: one short file each, whose head names its document.
static void test_heads(void **state)
{
    int wrong = 0, count = 0;
    (void)state;
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file) {
        if (!is_method(file))
            continue;
        char name[128];
        snprintf(name, sizeof name, "// %s - ", file->path);
        const char *end = strstr(file->text, "#version"),
                   *source = strstr(file->text, "//   source ");
        int lines = 0;
        for (const char *c = file->text; *c; ++c)
            lines += *c == '\n';
        bool good = strncmp(file->text, name, strlen(name)) == 0 && source && source < end &&
                    lines <= MOST_LINES;
        if (!good)
            printf("  WRONG %s: %d lines, %s\n", file->path, lines,
                   source && source < end ? "its document is named" : "no document");
        wrong += !good;
        ++count;
    }
    printf("  %-5s %d shaders, of %d lines at most\n", wrong ? "WRONG" : "ok", count, MOST_LINES);
    CHECK(count > 0);
    CHECK_EQ(wrong, 0);
}

// ---- dump --------------------------------------------------------------------------------------

// Every shader has to be among them.
static void on_text(void *user, const char *text)
{
    bool *found = user;
    int i = 0;
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file, ++i) {
        char name[128];
        snprintf(name, sizeof name, "// %s - ", file->path);
        CHECK(i < MOST_FILES);
        found[i] = found[i] || strstr(text, name);
    }
}

static int dump(const char *directory)
{
    static bool found[MOST_FILES];
    fixture *f = fixture_open(NULL);
    if (!f)
        return 77;
    dispatches_begin(&f->host.trace, directory, on_text, found);
    f->host.trace.dry = true;
    dump_scans(f);
    dump_register_columns(f);
    dump_ladder_transforms(f);
    dump_described(f);
    dispatches_end(&f->host.trace);
    f->host.trace.dry = false;
    bool good = true;
    int i = 0;
    for (const ag_embedded_file *file = ag_embedded_shaders; file->path; ++file, ++i)
        if (is_method(file) && !found[i]) {
            printf("  FAIL  no variant of %s\n", file->path);
            good = false;
        }
    printf("  note  %u variants\n", dispatches_texts());
    return fixture_close(f) && good ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--dump") == 0)
        return dump(argv[2]);
    const check_test tests[] = {UNIT_TEST(test_heads)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
