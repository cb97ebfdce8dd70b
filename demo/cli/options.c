// cli/options.c - reads command lines from a table of options
// SPDX-License-Identifier: MIT
#include "options.h"

#include "report.h"
#include "words.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

option_reader option_begin(const command *owner, int argc, char **argv)
{
    return (option_reader){.command = owner, .argv = argv, .argc = argc, .at = 1, .more = -1};
}

static int unknown_option(const command *owner, const char *name)
{
    char known[512], guess[64];
    words names = words_begin(known, sizeof known, " ");
    words_seek(&names, name, strcspn(name, "="));
    for (int i = 0; i < owner->option_count; i++)
        words_add(&names, owner->options[i].name);
    if (!owner->option_count || strcmp(owner->options[owner->option_count - 1].name, "--help") != 0)
        words_add(&names, "--help"); // the viewer has it in its table
    fail(STATUS_USAGE, "unknown option %s; %s takes: %s%s", name, owner->name, known,
         words_guess(&names, guess));
    return OPTION_ERROR;
}

static bool takes_several(const option *entry)
{
    size_t length = entry->value ? strlen(entry->value) : 0;
    return length > 3 && strcmp(entry->value + length - 3, "...") == 0;
}

bool option_is_setting(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz_.0123456789");
    return length && text[length] == '=' && access(text, F_OK) != 0;
}

static int add_file(const command *owner, int which, const char *value)
{
    const option *entry = &owner->options[which];
    file_use use = owner->files ? owner->files[which] : FILE_NONE;
    return use ? files_add_option(use, entry->name, entry->value, value) : STATUS_OK;
}

int option_next(option_reader *reader)
{
    if (reader->at >= reader->argc)
        return OPTION_END;
    const char *text = reader->argv[reader->at++];
    if (reader->only_inputs || text[0] != '-' || text[1] == '\0') {
        int more = reader->more;
        reader->value = text;
        if (more >= 0 && option_is_setting(text))
            return more;
        reader->more = -1;
        return OPTION_INPUT;
    }
    reader->more = -1;
    if (strcmp(text, "--") == 0) {
        reader->only_inputs = true;
        return option_next(reader);
    }
    const char *equals = text[1] == '-' ? strchr(text, '=') : NULL;
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    for (int i = 0; i < reader->command->option_count; i++) {
        const option *entry = &reader->command->options[i];
        if (strlen(entry->name) != length || strncmp(entry->name, text, length) != 0)
            continue;
        if (!entry->value) {
            reader->value = NULL;
            if (equals) {
                fail(STATUS_USAGE, "%s takes no value", entry->name);
                return OPTION_ERROR;
            }
        } else if (equals) {
            reader->value = equals + 1;
        } else if (reader->at < reader->argc) {
            reader->value = reader->argv[reader->at++];
        } else {
            fail(STATUS_USAGE, "%s needs a value: %s %s", entry->name, entry->name, entry->value);
            return OPTION_ERROR;
        }
        reader->more = takes_several(entry) ? i : -1;
        return add_file(reader->command, i, reader->value) == STATUS_OK ? i : OPTION_ERROR;
    }
    return unknown_option(reader->command, text);
}

// Prints the help of an option; later lines are indented below the first.
static void print_option(const option *entry)
{
    enum { COLUMN = 26 };
    int used =
        printf("  %s%s%s", entry->name, entry->value ? " " : "", entry->value ? entry->value : "");
    if (used >= COLUMN) {
        putchar('\n');
        used = 0;
    }
    printf("%*s", COLUMN - used, "");
    for (const char *at = entry->help; *at; at++) {
        putchar(*at);
        if (*at == '\n')
            printf("%*s", COLUMN, "");
    }
    putchar('\n');
}

void option_print_help(const command *owner)
{
    printf("usage: afterglow %s %s\n\n%s\n\n", owner->name, owner->usage, owner->help);
    for (int i = 0; i < owner->option_count; i++)
        print_option(&owner->options[i]);
    print_option(&(option){"--help", NULL, "show this help"});
    if (owner->notes)
        printf("\n%s", owner->notes);
}

bool parse_int(const char *text, long long min, long long max, int *value)
{
    char *end = NULL;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || isspace((unsigned char)*text) || *end != '\0' || errno || number < min ||
        number > max)
        return false;
    *value = (int)number;
    return true;
}

bool parse_double(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

bool parse_size(const char *text, int *width, int *height, const char **rest)
{
    int used = 0;
    // %n counts the characters read; digits are limited so that sscanf cannot overflow an int.
    if (sscanf(text, "%6dx%6d%n", width, height, &used) != 2 || used == 0)
        return false;
    if (rest)
        *rest = text + used;
    else if (text[used] != '\0')
        return false;
    return *width > 0 && *height > 0 && *width <= 65536 && *height <= 65536;
}
