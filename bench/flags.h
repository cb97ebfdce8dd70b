// flags.h - a subcommand's options as a table: read into its struct, printed by --help
// SPDX-License-Identifier: MIT
#ifndef BENCH_FLAGS_H
#define BENCH_FLAGS_H

#include <stddef.h>

enum { FLAGS_MAX = 12, FLAGS_WORDS = 8 };

typedef enum flag_kind {
    FLAG_SET,   // bool
    FLAG_TEXT,  // const char *
    FLAG_WORDS, // const char *[FLAGS_WORDS]: several times; NULL after the last
    FLAG_INT,   // int, within the limits
    FLAG_SIZE   // bench_size
} flag_kind;

typedef struct flag {
    const char *name, *value, *help; // "--size", "WxH"; NULL of a FLAG_SET
    flag_kind kind;
    size_t at; // of the member in the struct of wishes
    int least, most;
} flag;

// The rest of a flag: its kind, and the member.
#define FLAG_INTO(of, name, member) .kind = FLAG_##name, .at = offsetof(of, member)
#define FLAG_DEVICE(of)                                                                   \
    {                                                                                     \
        "--device", "N", "EGL device; default 0", FLAG_INT, offsetof(of, device), 0, 1000 \
    }
#define FLAG_JSON(of)                                                                \
    {                                                                                \
        "--json", "FILE", "also write the figures to FILE", .kind = FLAG_TEXT,       \
                                                            .at = offsetof(of, json) \
    }

typedef struct subcommand {
    const char *name;                              // "afterglow-bench compile"
    const char *usage, *help;                      // "[EFFECT] [options]"; lines
    const flag *flags;                             // NULL name after the last
    void (*input)(void *wishes, const char *word); // of what is no option; NULL: nothing is taken
    void (*list)(void);                            // prints more to --help; NULL: nothing
} subcommand;

// Reads the options into `wishes`, which has the defaults. --help is printed and ends the program.
void flags_read(const subcommand *of, int argc, char **argv, void *wishes);
// Takes a name, the only one, that must be among those that `name_of` gives until NULL; the same
// name may follow itself there.
void flags_name(const char **out, const char *what, const char *name, const char *(*name_of)(int));

#endif
