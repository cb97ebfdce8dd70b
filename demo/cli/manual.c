// cli/manual.c - the part of the manual page that the tables of commands and options have
// SPDX-License-Identifier: MIT
#include "commands.h"

#include <stdio.h>

// `line_start`: whether the text begins a line, where . and ' have a meaning.
static void put_text(const char *text, bool line_start)
{
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\''))
            fputs("\\&", stdout);
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
        line_start = *text == '\n';
    }
}

static void put_option(const option *entry)
{
    fputs(".TP\n\\fB", stdout);
    put_text(entry->name, false);
    fputs("\\fR", stdout);
    if (entry->value) {
        fputs(" \\fI", stdout);
        put_text(entry->value, false);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    put_text(entry->help, true);
    putchar('\n');
}

void manual_print(void)
{
    for (int c = 0; command_table[c]; c++) {
        const command *each = command_table[c];
        fputs(".SS \"afterglow ", stdout);
        put_text(each->name, false);
        puts("\"");
        fputs("\\fBafterglow ", stdout);
        put_text(each->name, false);
        fputs("\\fR ", stdout);
        put_text(each->usage, false);
        puts("\n.PP");
        put_text(each->help, true);
        putchar('\n');
        for (int i = 0; i < each->option_count; i++)
            put_option(&each->options[i]);
        if (each->notes) {
            puts(".PP\n.nf");
            put_text(each->notes, true);
            puts(".fi");
        }
    }
}
