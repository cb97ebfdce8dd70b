// main.c - `afterglow-bench`: its subcommands
// SPDX-License-Identifier: MIT
#include "process.h"
#include "subcommands.h"

#include <string.h>

static const struct {
    const char *name;
    void (*run)(int argc, char **argv);
} subcommands[] = {{"compile", compile_main}, {"memory", memory_main},     {"reload", reload_main},
                   {"motion", motion_main},   {"profiler", profiler_main}, {"auto", choices_main}};

enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

int main(int argc, char **argv)
{
    int i = 0;
    while (argc > 1 && i < SUBCOMMANDS && strcmp(argv[1], subcommands[i].name) != 0)
        i++;
    if (argc > 1 && i < SUBCOMMANDS)
        subcommands[i].run(argc - 1, argv + 1);
    else
        effects_main(argc, argv);
    return STATUS_OK;
}
