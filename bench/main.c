// main.c - `afterglow-bench`: its subcommands
// SPDX-License-Identifier: MIT
#include "compile/compile.h"
#include "effects.h"
#include "memory/memory.h"
#include "motion.h"
#include "profiler/profiler.h"
#include "reload/reload.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} subcommands[] = {{"compile", compile_main},
                   {"memory", memory_main},
                   {"reload", reload_main},
                   {"motion", motion_main},
                   {"profiler", profiler_main}};

int main(int argc, char **argv)
{
    for (int i = 0; argc > 1 && i < COUNT(subcommands); i++)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return subcommands[i].run(argc - 1, argv + 1);
    return effects_main(argc, argv);
}
