// fuzz_command.c - whole command lines, a word a line, in a folder with small files of every type
// SPDX-License-Identifier: MIT
//
// Words cannot leave that folder (a slash becomes '_'), and every command ends soon: --watch is
// left out, sizes have two digits and frames one, or so many digits that they must be refused. A
// scene without a size gets a small one: the usual size takes a software renderer minutes here.
#include "commands.h"
#include "copy.h"
#include "fuzz.h"
#include "report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKED = 24 };

// Replaces the command line's own function, which takes seconds.
int copy_measure(gpu *device, copy_speed *out)
{
    (void)device;
    *out = (copy_speed){
        .texture_size = 512, .gb_s = 10, .buffer_gb_s = 10, .launch_us = {1, 2, 4, 8, 16}};
    return STATUS_OK;
}

// 12 x 9 texels and 3 x 3 ones, of each type that the command line itself writes. A command line
// may be reordered by who reads it, so the pointers are not constant.
static const char *makers[][8] = {
    {"afterglow", "scene", "-o", "a.npy", "--size", "12x9"},
    {"afterglow", "scene", "-o", "a.hdr", "--size", "12x9"},
    {"afterglow", "scene", "-o", "a.png", "--size", "12x9"},
    {"afterglow", "scene", "-o", "a.jpg", "--size", "12x9"},
    {"afterglow", "scene", "-o", "k.npy", "--size", "3x3"},
};

// What `makers` have made.
static bool is_given(const char *name)
{
    return strlen(name) == 5 && strchr("ak", name[0]);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        FUZZ_CHECK(command_dispatch(6, (char **)(uintptr_t)makers[i]) == STATUS_OK);
    return 0;
}

// Cuts runs of digits to `most`, unless a run is too long for a number.
static void shorten(char *word, size_t most)
{
    char *to = word;
    for (char *at = word; *at;) {
        size_t digits = strspn(at, "0123456789");
        size_t kept = digits > most && (digits < 12 || *at == '0') ? most : digits;
        if (!digits)
            kept = digits = 1;
        memmove(to, at, kept);
        to += kept;
        at += digits;
    }
    *to = '\0';
}

static bool is_option(const char *word, const char *name)
{
    return strncmp(word, name, strlen(name)) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1), *words[PACKED + 4] = {"afterglow"};
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    int count = 1;
    bool sized = false;
    for (char *at = text; at && count <= PACKED;) {
        char *end = strchr(at, '\n');
        if (end)
            *end = '\0';
        for (char *c = at; *c; c++)
            *c = *c == '/' ? '_' : *c;
        const char *before = words[count - 1];
        sized |= is_option(at, "--size");
        if (is_option(at, "--size") || is_option(before, "--size"))
            shorten(at, 2);
        if (is_option(at, "--frames") || is_option(before, "--frames"))
            shorten(at, 1);
        if (!is_option(at, "--watch") && strcmp(at, "..") != 0)
            words[count++] = at;
        at = end ? end + 1 : NULL;
    }
    if (count > 1 && is_option(words[1], "scene") && !sized) {
        memmove(words + 4, words + 2, (size_t)(count - 2) * sizeof *words);
        words[2] = "--size";
        words[3] = "12x9";
        count += 2;
    }
    int status = command_dispatch(count, words);
    FUZZ_CHECK(status == STATUS_OK || status == STATUS_FAILED || status == STATUS_USAGE);
    free(text);
    fuzz_empty_folder(is_given);
    return 0;
}
