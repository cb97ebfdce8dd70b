// fuzz_stream.c - whole .y4m files through a pass: all frames of one that is taken come out
// SPDX-License-Identifier: MIT
//
// A larger picture than 64 x 64 is left out: a software renderer would take its time.
#define _GNU_SOURCE // memmem
#include "commands.h"
#include "file.h"
#include "fuzz.h"
#include "report.h"
#include "y4m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

// Frames of a stream, each a line and its samples; -1: one is cut short, or is none.
static int count_frames(const uint8_t *at, const uint8_t *end, size_t bytes)
{
    int count = 0;
    for (; at < end; count++) {
        const uint8_t *line = memchr(at, '\n', (size_t)(end - at));
        size_t length = line ? (size_t)(line - at) : 0;
        if (length < 5 || memcmp(at, "FRAME", 5) != 0 || (length > 5 && at[5] != ' ') ||
            (size_t)(end - line - 1) < bytes)
            return -1;
        at = line + 1 + bytes;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char *words[] = {"afterglow", "run",     "box_blur", "in.y4m",
                            "-o",        "out.y4m", "--set",    "radius=1"};
    char line[Y4M_LINE] = "";
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    y4m_header header = {0};
    bool good = end && length < sizeof line && !memchr(data, 0, length);
    if (good) {
        memcpy(line, data, length);
        good = y4m_parse("in.y4m", line, -1, &header) == STATUS_OK;
    }
    if (good && (header.format.width > 64 || header.format.height > 64))
        return 0;
    FILE *file = fopen("in.y4m", "wb");
    FUZZ_CHECK(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    unlink("out.y4m");
    int status = command_dispatch(sizeof words / sizeof *words, words);
    int frames = good ? count_frames(end + 1, data + size, video_frame_bytes(&header.format)) : -1;
    FUZZ_CHECK(status == STATUS_OK || status == STATUS_FAILED || status == STATUS_USAGE);
    FUZZ_CHECK((status == STATUS_OK) == (frames > 0));
    FUZZ_CHECK((status == STATUS_OK) == (access("out.y4m", F_OK) == 0));
    if (status != STATUS_OK)
        return 0;
    unsigned char *out = NULL;
    size_t out_size = 0;
    FUZZ_CHECK(file_read("out.y4m", &out, &out_size) == STATUS_OK);
    end = memchr(out, '\n', out_size);
    FUZZ_CHECK(end &&
               count_frames(end + 1, out + out_size, video_frame_bytes(&header.format)) == frames);
    free(out);
    return 0;
}
