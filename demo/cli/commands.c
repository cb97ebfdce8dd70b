// cli/commands.c - finds the command that a command line names, and runs it
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "effect.h"
#include "report.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

const command *const command_table[] = {
    &command_list,   &command_info, &command_scene, &command_ocean,      &command_run,
    &command_kernel, &command_tune, &command_new,   &command_completion, NULL,
};

static void print_help(void)
{
    puts("usage: afterglow COMMAND ...\n\nOpenGL post-processing passes on image files.\n");
    for (int i = 0; command_table[i]; i++)
        printf("  %-10s %s\n", command_table[i]->name, command_table[i]->help);
    puts(
        "\n  --module FILE  take effects from this library instead of the one that is built in; as\n"
        "                 libafterglow_ladder.so.1, which is looked for beside the program, too");
    puts("\nafterglow help COMMAND explains a command; afterglow --version prints the version.\n"
         "Exit status: 0 success, 1 failure or a failed --compare, 2 wrong command line or file.");
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

// Every command takes --module FILE, so it is taken out before one reads the others.
static int take_module(int *argc, char **argv)
{
    int kept = 1, status = STATUS_OK;
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            memmove(argv + kept, argv + i, (size_t)(*argc - i) * sizeof *argv);
            kept += *argc - i;
            break;
        }
        if (strcmp(argv[i], "--module") != 0)
            argv[kept++] = argv[i];
        else if (++i == *argc)
            return fail(STATUS_USAGE, "--module needs a value: --module FILE");
        else
            status = effect_choose_module(argv[i]);
        if (status != STATUS_OK)
            return status;
    }
    *argc = kept;
    return STATUS_OK;
}

int command_dispatch(int argc, char **argv)
{
    int chosen = take_module(&argc, argv);
    if (chosen != STATUS_OK)
        return chosen;
    const char *name = argc > 1 ? argv[1] : "";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        const ag_api *api = effect_api();
        printf("afterglow %s\n", api ? api->version : "unknown");
        return api ? STATUS_OK : STATUS_FAILED;
    }
    if (strcmp(name, "help") == 0 && argc < 3) {
        print_help();
        return STATUS_OK;
    }
    bool helps = strcmp(name, "help") == 0;       // help COMMAND
    if (helps && strcmp(argv[2], "--man") == 0) { // for cmake/AgManual.cmake
        manual_print();
        return STATUS_OK;
    }
    name = helps ? argv[2] : name;
    char known[256], guess[64];
    words names = words_begin(known, sizeof known, " ");
    words_seek(&names, name, strlen(name));
    for (int i = 0; command_table[i]; i++) {
        if (strcmp(name, command_table[i]->name) == 0) {
            if (helps || asks_for_help(argc - 1, argv + 1)) {
                option_print_help(command_table[i]);
                return STATUS_OK;
            }
            files_begin();
            int status = command_table[i]->run(argc - 1, argv + 1);
            files_end();
            return status;
        }
        words_add(&names, command_table[i]->name);
    }
    words_add(&names, "help");
    return *name ? fail(STATUS_USAGE, "unknown command %s; expected one of: %s%s", name, known,
                        words_guess(&names, guess))
                 : fail(STATUS_USAGE, "expected a command, one of: %s; or --help", known);
}
