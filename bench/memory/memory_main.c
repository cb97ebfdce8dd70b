// memory_main.c - `afterglow-bench memory`: the documents' rules of GPU memory, measured here
// SPDX-License-Identifier: MIT
#include "cli/report.h"
#include "flags.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_ROW(name) {#name, memory_##name},
static const struct {
    const char *name;
    int (*run)(memory_bench *self);
} parts[] = {MEMORY_PARTS(MEMORY_ROW)};
enum { PARTS = sizeof parts / sizeof *parts };

typedef struct memory_wishes {
    const char *json, *only;
    bool quick;
    int device;
} memory_wishes;

static const flag flags[] = {
    FLAG_JSON(memory_wishes),
    {"--quick", NULL, "what the rules need, in some 10 s; else under a minute", FLAG_SET,
     offsetof(memory_wishes, quick), 0, 0},
    {"--only", "PART", "one part; rules that need others stay without a verdict", FLAG_TEXT,
     offsetof(memory_wishes, only), 0, 0},
    FLAG_DEVICE(memory_wishes),
    {.name = NULL}};

static void list_parts(void)
{
    printf("\nParts:");
    for (int i = 0; i < PARTS; i++)
        printf(" %s", parts[i].name);
    puts("");
}

static const subcommand description = {
    .name = "afterglow-bench memory",
    .usage = "[options]",
    .help =
        "What the documents say of a GPU's memory, each rule beside what it claims, what this\n"
        "GPU does, and a verdict. docs/memory.md has the rules, how they are judged and how to\n"
        "read them.\n",
    .flags = flags,
    .list = list_parts};

static bool is_part(const char *name)
{
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return true;
    return false;
}

int memory_main(int argc, char **argv)
{
    memory_wishes wanted = {0};
    int done, status = flags_read(&description, argc, argv, &wanted, &done);
    if (status == STATUS_OK && wanted.only && !is_part(wanted.only))
        status = fail(STATUS_USAGE, "--only %s: no such part; --help lists them", wanted.only);
    if (status != STATUS_OK || done)
        return status;
    memory_bench *self = calloc(1, sizeof *self);
    if (!self)
        return fail_memory();
    self->quick = wanted.quick;
    status = memory_open(self, wanted.device);
    for (int i = 0; i < PARTS && status == STATUS_OK; i++) {
        if (wanted.only && strcmp(wanted.only, parts[i].name) != 0)
            continue;
        progress(parts[i].name, i, PARTS);
        status = parts[i].run(self);
    }
    progress_clear();
    if (status == STATUS_OK)
        memory_print(self);
    if (status == STATUS_OK)
        status = memory_save(self, wanted.json);
    memory_close(self);
    free(self);
    return status;
}
