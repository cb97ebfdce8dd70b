// cli/options.h - command lines, read by a table of options that --help is written from
// SPDX-License-Identifier: MIT
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

typedef struct option {
    const char *name;  // "--size", "-o"
    const char *value; // what its value looks like, "WxH"; NULL: a flag
    const char *help;  // one or more lines
} option;

typedef struct command {
    const char *name;
    const char *usage; // what follows "afterglow NAME "
    const char *help;  // one line, for the list of commands
    const char *notes; // what --help says after the options; may be NULL
    const option *options;
    int option_count;
    int (*run)(int argc, char **argv); // argv[0] is the command's name
} command;

enum { OPTION_END = -1, OPTION_INPUT = -2, OPTION_ERROR = -3 };

typedef struct option_reader {
    const command *command;
    char **argv;
    int argc, at;
    bool only_inputs;  // after "--"
    const char *value; // of the option, or the input itself
} option_reader;

option_reader option_begin(const command *owner, int argc, char **argv);
// The index of the next option in the table, or OPTION_*; an error has been printed.
int option_next(option_reader *reader);

void option_print_help(const command *owner);

// Whole-string numbers; false when the text is anything else or out of range.
bool parse_int(const char *text, long long min, long long max, int *value);
bool parse_double(const char *text, double *value);
// "WxH", both 1..65536; `rest` receives what follows when not NULL, else nothing may follow.
bool parse_size(const char *text, int *width, int *height, const char **rest);

#endif
