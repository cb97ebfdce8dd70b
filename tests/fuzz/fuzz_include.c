// fuzz_include.c - shaders and their includes: a folder of up to four files; a.comp is expanded, as
// one of the module and as one of a pass
// SPDX-License-Identifier: MIT
//
// The input is the files' texts, each ended by the byte 0xFF: a.comp, b.glsl, c.glsl, d/e.glsl.
#define _POSIX_C_SOURCE 200809L // mkdir
#include "fuzz.h"
#include "shader/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[] = {"a.comp", "b.glsl", "c.glsl", "d/e.glsl"};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    FUZZ_CHECK(mkdir("d", 0700) == 0);
    return 0;
}

static void write_files(const uint8_t *data, size_t size)
{
    for (int i = 0; i < 4; i++) {
        const uint8_t *end = size ? memchr(data, 0xFF, size) : NULL;
        size_t length = end ? (size_t)(end - data) : size;
        unlink(names[i]);
        FILE *file = length || i == 0 ? fopen(names[i], "wb") : NULL;
        if (file && (fwrite(data, 1, length, file) != length || fclose(file) != 0))
            abort();
        size_t used = end ? length + 1 : length;
        data += used;
        size -= used;
    }
}

static void check_lines(const ag_source *source)
{
    size_t rows = source->lines.length / sizeof(ag_source_line), ends = 0;
    for (size_t i = 0; i < source->text.length; i++)
        ends += source->text.data[i] == '\n';
    FUZZ_CHECK(rows == ends && strlen(source->text.data) == source->text.length);
    for (size_t i = 0; i < rows; i++) {
        ag_source_line line;
        memcpy(&line, source->lines.data + i * sizeof line, sizeof line);
        FUZZ_CHECK(line.file < source->file_count || line.file == AG_SOURCE_MAX_FILES);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ag_host host = {.struct_size = sizeof host};
    write_files(data, size);
    ag_source_root root = {&host, NULL, AG_ORIGIN_FOLDER, false};
    if (ag_watch_create(&host, ".", &root.watch) != AG_OK)
        abort();
    for (int i = 0; i < 2; i++) {
        root.of_pass = i == 1;
        ag_source source = {0};
        ag_status status =
            ag_source_expand(&root, names[0], "#version 430 core\n", "#define D 1\n", &source);
        FUZZ_CHECK(status == AG_OK || status == AG_E_SHADER);
        FUZZ_CHECK((status == AG_OK) == (source.problem.text.length == 0));
        FUZZ_CHECK(source.text.length <= AG_SOURCE_MAX_BYTES);
        if (status == AG_OK && source.text.length)
            check_lines(&source);
        ag_source_free(&source);
    }
    ag_watch_free(root.watch);
    return 0;
}
