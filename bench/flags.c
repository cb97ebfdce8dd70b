// flags.c - a subcommand's options as a table: read into its struct, printed by --help
// SPDX-License-Identifier: MIT
#include "flags.h"

#include "bench.h"
#include "cli/options.h"
#include "cli/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const subcommand *of)
{
    printf("usage: %s %s\n\n%s\n", of->name, of->usage, of->help);
    for (const flag *f = of->flags; f->name; f++) {
        char name[32];
        snprintf(name, sizeof name, "%s %s", f->name, f->value ? f->value : "");
        printf("  %-18s %s\n", name, f->help);
    }
    if (of->list)
        of->list();
}

static void take(const flag *f, const char *value, void *wishes)
{
    void *at = (char *)wishes + f->at;
    bool good = true;
    switch (f->kind) {
    case FLAG_SET: *(bool *)at = true; break;
    case FLAG_TEXT: *(const char **)at = value; break;
    case FLAG_INT: good = parse_int(value, f->least, f->most, at); break;
    case FLAG_SIZE: {
        bench_size *size = at;
        good = parse_size(value, &size->width, &size->height, NULL);
        break;
    }
    case FLAG_WORDS: {
        const char **list = at;
        int count = 0;
        while (count < FLAGS_WORDS && list[count])
            count++;
        good = count < FLAGS_WORDS;
        if (good)
            list[count] = value;
        break;
    }
    }
    if (good)
        return;
    if (f->kind == FLAG_INT)
        stop(STATUS_USAGE, "%s %s: expected %d..%d", f->name, value, f->least, f->most);
    stop(STATUS_USAGE, "%s %s: expected %s", f->name, value,
         f->kind == FLAG_SIZE ? "WxH" : "fewer of them");
}

void flags_read(const subcommand *of, int argc, char **argv, void *wishes)
{
    option options[FLAGS_MAX];
    command description = {.name = of->name, .options = options};
    for (const flag *f = of->flags; f->name; f++)
        options[description.option_count++] = (option){f->name, f->value, f->help};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(of);
            exit(STATUS_OK);
        }
    option_reader reader = option_begin(&description, argc, argv);
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        if (which >= 0)
            take(&of->flags[which], reader.value, wishes);
        else if (which != OPTION_INPUT)
            exit(STATUS_USAGE); // it is printed
        else if (of->input)
            of->input(wishes, reader.value);
        else
            stop(STATUS_USAGE, "%s takes options only, got %s", of->name, reader.value);
    }
}

void flags_name(const char **out, const char *what, const char *name, const char *(*name_of)(int))
{
    char known[512];
    words names = words_begin(known, sizeof known, " ");
    const char *last = "", *at;
    if (*out)
        stop(STATUS_USAGE, "one %s at most, got %s too", what, name);
    *out = name;
    for (int i = 0; (at = name_of(i)) && strcmp(at, name) != 0; i++)
        if (strcmp(at, last) != 0)
            words_add(&names, last = at);
    if (!at)
        stop(STATUS_USAGE, "%s is no %s here; expected one of: %s", name, what, known);
}
