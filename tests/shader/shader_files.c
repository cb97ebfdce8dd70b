// shader_files.c - files that are no shaders: FIFOs, devices, folders, huge and binary files; no GL
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // alarm, mkfifo
#include "test_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "folder.h"
#include "host.h"
#include "shader/source.h"

typedef struct trial {
    test_host h;
    folder d;
    ag_source source;
    ag_status status;
} trial;

static void trial_open(trial *t)
{
    memset(t, 0, sizeof *t);
    host_init(&t->h, NULL);
    t->d = folder_create();
    alarm(60); // an endless wait ends the program
}

// Expands m.comp. True when that fails with a message that has `part`, about line `line` of `file`.
static bool refused(trial *t, const char *part, const char *file, uint32_t line)
{
    ag_source_root root = {&t->h.host, NULL, AG_ORIGIN_FOLDER, false};
    CHECK_STATUS(ag_watch_create(&t->h.host, t->d.path, &root.watch), AG_OK);
    host_log_clear(&t->h);
    t->status = ag_source_expand(&root, "m.comp", "#version 430 core\n", "", &t->source);
    const ag_problem *p = &t->source.problem;
    bool right = t->status == AG_E_SHADER && p->text.data && strstr(p->text.data, part) &&
                 strcmp(p->file, file) == 0 && p->line == line;
    if (!right)
        printf("  note  %s, %s:%u: %.300s\n", check_status_name(t->status), p->file, p->line,
               p->text.data ? p->text.data : "(nothing)");
    ag_watch_free(root.watch);
    ag_source_free(&t->source);
    return right;
}

static void trial_close(trial *t)
{
    alarm(0);
    folder_destroy(&t->d);
    CHECK(host_finish(&t->h));
}

static void path_of(const trial *t, const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", t->d.path, name);
}

// A socket that somebody could connect to.
static int make_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    CHECK(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    CHECK(listener >= 0);
    CHECK(bind(listener, (const struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(listener, 1) == 0);
    return listener;
}

// Nothing waits for a writer, and no endless file is read: as the shader, and as its include.
void test_special_files(void **state)
{
    static const char *const kinds[] = {"a FIFO", "a folder", "a device", "a socket"};
    (void)state;
    trial t;
    char path[256];
    trial_open(&t);
    for (int include = 0; include < 2; ++include) {
        const char *name = include ? "i.glsl" : "m.comp";
        if (include)
            folder_put(&t.d, "m.comp", "a\n#include \"i.glsl\"\n");
        path_of(&t, name, path);
        for (int kind = 0; kind < 4; ++kind) {
            int listener = kind == 3 ? make_socket(path) : -1;
            CHECK(kind == 0   ? mkfifo(path, 0600) == 0
                  : kind == 1 ? mkdir(path, 0700) == 0
                  : kind == 2 ? symlink("/dev/zero", path) == 0
                              : listener >= 0);
            CHECK(check_case(kinds[kind],
                             refused(&t, "not a regular file", "m.comp", include ? 2 : 0)));
            close(listener);
            CHECK(remove(path) == 0);
        }
    }
    trial_close(&t);
}

static void put_large(trial *t, const char *name, size_t bytes)
{
    char *text = malloc(bytes + 1);
    CHECK(text != NULL);
    for (size_t i = 0; i < bytes; ++i)
        text[i] = i % 64 == 63 ? '\n' : '/';
    folder_put_bytes(&t->d, name, text, bytes);
    free(text);
}

void test_large_files(void **state)
{
    enum { MIB = 1 << 20 };
    (void)state;
    trial t;
    char path[256];
    trial_open(&t);
    put_large(&t, "m.comp", 15 * MIB);
    CHECK(check_case("15 MiB: taken", !refused(&t, "", "", 0) && t.status == AG_OK));
    put_large(&t, "m.comp", 16 * MIB + 1);
    CHECK(check_case("a file of more than 16 MiB", refused(&t, "16 MiB", "m.comp", 0)));
    path_of(&t, "m.comp", path);
    CHECK(truncate(path, (off_t)1 << 33) == 0); // full of holes
    CHECK(check_case("a file of 8 GiB", refused(&t, "16 MiB", "m.comp", 0)));
    folder_put(&t.d, "m.comp", "#include \"i.glsl\"\n#include \"i.glsl\"\n");
    put_large(&t, "i.glsl", 9 * MIB);
    CHECK(check_case("more than 16 MiB together", refused(&t, "exceeds 16 MiB", "i.glsl", 114688)));
    char *lines = malloc(15 * MIB);
    CHECK(lines != NULL);
    memset(lines, '\n', 15 * MIB);
    folder_put_bytes(&t.d, "m.comp", lines, 15 * MIB);
    free(lines);
    CHECK(check_case("too many lines", refused(&t, "exceeds 16 MiB", "m.comp", 2 * MIB + 1)));

    // Nested includes of an empty file: 1000^6 lines if only the text were limited.
    char *text = malloc(1000 * 20);
    CHECK(text != NULL);
    for (int file = 0; file < 7; ++file) {
        char name[24];
        text[0] = 0;
        for (int i = 0; i < 1000 && file < 6; ++i)
            sprintf(text + 19 * (size_t)i, "#include \"%d.glsl\" \n", file + 1);
        snprintf(name, sizeof name, "%d.glsl", file);
        folder_put(&t.d, file ? name : "m.comp", text);
    }
    free(text);
    CHECK(check_case("includes without end", refused(&t, "more than 4096 includes", "5.glsl", 88)));

    // Out of memory: the first failed allocation ends the expansion.
    put_large(&t, "m.comp", 4 * MIB);
    host_alloc_reset(&t.h, 12);
    CHECK(!refused(&t, "", "", 0) && t.status == AG_E_MEMORY);
    CHECK_LIMIT("messages when memory runs out", t.h.message_count, 1);
    host_alloc_reset(&t.h, 0);
    trial_close(&t);
}

void test_strange_texts(void **state)
{
    static const struct {
        const char *name, *bytes;
        size_t length;
        const char *part;
        uint32_t line;
    } cases[] = {
        {"a NUL byte", "a\nb\nc\0d\n", 8, "m.comp:3:2: this is a NUL byte", 3},
        {"UTF-16", "\xFF\xFE#\0v\0", 6, "m.comp:1:4: this is a NUL byte", 1},
        {"out of the folder", "#include \"../x.glsl\"\n", 21, "leaves the folder", 1},
        {"out and in", "\n#include \"a/../../s/x.glsl\"\n", 29, "leaves the folder", 2},
        {"within the folder", "#include \"a/../x.glsl\"\n", 23, "cannot read", 1},
    };
    (void)state;
    trial t;
    trial_open(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        folder_put_bytes(&t.d, "m.comp", cases[i].bytes, cases[i].length);
        CHECK(check_case(cases[i].name, refused(&t, cases[i].part, "m.comp", cases[i].line)));
    }
    // The mark that some editors put first is no part of the text: a #pragma behind it is one.
    ag_source_root root = {&t.h.host, NULL, AG_ORIGIN_FOLDER, false};
    folder_put(&t.d, "m.comp",
               "\xEF\xBB\xBF#version 430\n#include \"g.glsl\"\n#include \"g.glsl\"\n");
    folder_put(&t.d, "g.glsl", "\xEF\xBB\xBF#pragma once\nint g;\n");
    CHECK_STATUS(ag_watch_create(&t.h.host, t.d.path, &root.watch), AG_OK);
    CHECK_STATUS(ag_source_expand(&root, "m.comp", "#version 430 core\n", "", &t.source), AG_OK);
    CHECK(check_case("a byte order mark",
                     strcmp(t.source.text.data, "#version 430 core\nint g;\n") == 0));
    ag_source_free(&t.source);
    ag_watch_free(root.watch);
    trial_close(&t);
}
