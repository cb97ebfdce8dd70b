// conditions.h - which lines of a shader its #if, #ifdef, #elif and #else leave
// SPDX-License-Identifier: MIT
//
// A shader's choices are constants that the host defines. What they decide, this module decides, so
// that drivers, program caches and live reload see only what a variant uses. What depends on the
// driver (GL_..., __VERSION__), or is no expression of integers, is passed on to the driver as it
// is; what is defined within such a condition counts as unknown from there on.
#ifndef AG_CONDITIONS_H
#define AG_CONDITIONS_H

#include "base/memory.h"

enum { AG_CONDITIONS_DEPTH = 64, AG_CONDITIONS_BUCKETS = 256 };

typedef struct ag_condition { // an open #if
    bool outside;             // whether the text around it is kept
    bool kept;                // whether its present branch is
    bool taken;               // a branch was certain: no later one is kept
    bool passed_on;           // an #if of it was passed on: the driver knows it
    bool last;                // #else was there
} ag_condition;

typedef struct ag_conditions {
    ag_text macros, names; // rows and texts of what is defined
    uint32_t buckets[AG_CONDITIONS_BUCKETS];
    uint32_t depth, unsure; // open #if; those that were passed on
    ag_condition open[AG_CONDITIONS_DEPTH];
} ag_conditions;

typedef enum ag_verdict {
    AG_KEEP,    // pass the line on
    AG_DROP,    // do not
    AG_AS_IF,   // pass an #elif on as an #if
    AG_AS_ELSE, // pass it on as an #else
    AG_TOO_DEEP // more than AG_CONDITIONS_DEPTH
} ag_verdict;

void ag_conditions_begin(ag_conditions *c, const ag_host *host);
void ag_conditions_free(ag_conditions *c);

// What becomes of a line, continuation lines included, and what it means for those that follow.
ag_verdict ag_conditions_line(ag_conditions *c, const char *line, size_t length);

// Whether lines are kept at present.
static inline bool ag_conditions_keep(const ag_conditions *c)
{
    return !c->depth || c->open[c->depth - 1].kept;
}

// The name of a directive, "if" or "include", and its length in *length; NULL if it is none. `rest`
// is what follows.
const char *ag_directive(const char *line, size_t length, size_t *name_length, const char **rest);

#endif
