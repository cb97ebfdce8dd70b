// memory_main.c - `afterglow-bench memory`: the documents' rules of GPU memory, measured here
// SPDX-License-Identifier: MIT
#include "cli/options.h"
#include "cli/report.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_JSON, OPT_QUICK, OPT_ONLY, OPT_DEVICE, OPT_COUNT };

static const option options[OPT_COUNT] = {
    [OPT_JSON] = {"--json", "FILE", "write the figures and verdicts there, too"},
    [OPT_QUICK] = {"--quick", NULL, "what the rules need, in some 10 s; else under a minute"},
    [OPT_ONLY] = {"--only", "PART", "one part; rules that need others stay without a verdict"},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const command description = {.name = "afterglow-bench memory",
                                    .options = options,
                                    .option_count = OPT_COUNT};

#define MEMORY_ROW(name) {#name, memory_##name},
static const struct {
    const char *name;
    int (*run)(memory_bench *self);
} parts[] = {MEMORY_PARTS(MEMORY_ROW)};
enum { PARTS = sizeof parts / sizeof *parts };

typedef struct memory_options {
    const char *json, *only;
    bool quick;
    int device;
} memory_options;

void memory_help(void)
{
    puts(
        "usage: afterglow-bench memory [options]\n\n"
        "What the documents say of a GPU's memory, each rule beside what it claims, what this GPU does,\n"
        "and a verdict. docs/memory.md has the rules, how they are judged and how to read them.\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s %s", options[i].name,
                 options[i].value ? options[i].value : "");
        printf("  %-16s %s\n", name, options[i].help);
    }
    printf("\nParts:");
    for (int i = 0; i < PARTS; i++)
        printf(" %s", parts[i].name);
    puts("");
}

static bool is_part(const char *name)
{
    for (int i = 0; i < PARTS; i++)
        if (strcmp(parts[i].name, name) == 0)
            return true;
    return false;
}

static int parse(int argc, char **argv, memory_options *out)
{
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        switch (which) {
        case OPT_JSON: out->json = reader.value; break;
        case OPT_QUICK: out->quick = true; break;
        case OPT_ONLY:
            if (!is_part(reader.value))
                return fail(STATUS_USAGE, "--only %s: no such part; --help lists them",
                            reader.value);
            out->only = reader.value;
            break;
        case OPT_DEVICE:
            if (!parse_int(reader.value, 0, 1000, &out->device))
                return fail(STATUS_USAGE, "--device %s: expected an index", reader.value);
            break;
        case OPTION_INPUT:
            return fail(STATUS_USAGE, "memory takes no effect, got %s", reader.value);
        default: return STATUS_USAGE;
        }
    }
    return STATUS_OK;
}

int memory_main(int argc, char **argv)
{
    memory_options wanted = {0};
    int status = parse(argc, argv, &wanted);
    if (status != STATUS_OK)
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
