// cli/options.h - reads command lines by a table of options; --help prints the same table
// SPDX-License-Identifier: MIT
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "files.h"

#include <stdbool.h>

typedef struct option {
    const char *name;  // "--size", "-o"
    const char *value; // the form of the value, "WxH"; NULL: a flag; "NAME=VALUE...": one or more
    const char *help;  // one or more lines
} option;

typedef struct command {
    const char *name;
    const char *usage; // the text after "afterglow NAME "
    const char *help;  // one line, for the list of commands
    const char *notes; // printed by --help after the options; may be NULL
    const option *options;
    int option_count;
    const file_use *files; // by option: what is done with the file that it names; NULL: none does
    int (*run)(int argc, char **argv); // argv[0] is the command's name
} command;

enum { OPTION_END = -1, OPTION_INPUT = -2, OPTION_ERROR = -3 };

typedef struct option_reader {
    const command *command;
    char **argv;
    int argc, at;
    int more;          // the option whose values may go on; -1: none
    bool only_inputs;  // after "--"
    const char *value; // of the option, or the input itself
} option_reader;

option_reader option_begin(const command *owner, int argc, char **argv);
// The index of the next option in the table, or OPTION_*; errors are printed.
int option_next(option_reader *reader);

// Whether a word is NAME=VALUE, and no file of that name.
bool option_is_setting(const char *text);

void option_print_help(const command *owner);

// Reads a number. False if the text is not a number as a whole, or out of range.
bool parse_int(const char *text, long long min, long long max, int *value);
bool parse_double(const char *text, double *value);
// Reads "WxH", both 1..65536. `rest` receives the end of it; if `rest` is NULL, no text may follow.
bool parse_size(const char *text, int *width, int *height, const char **rest);

#endif
