// rules.h - what the documents say of a GPU's memory, and which figures tell whether it holds here
// SPDX-License-Identifier: MIT
#ifndef BENCH_MEMORY_RULES_H
#define BENCH_MEMORY_RULES_H

typedef struct memory_rule {
    const char *name;          // short, for tables and for docs/memory.md
    const char *text;          // what the document says
    double claimed;            // how many times slower it is to break it; 1: "it costs nothing"
    const char *why;           // where the figure `claimed` is from
    const char *kept, *broken; // keys of figures: "global stride 1"
} memory_rule;

extern const memory_rule memory_rules[]; // ends with a name of NULL

#endif
