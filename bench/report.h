// report.h - the figures of a run: a table on the terminal, and JSON
// SPDX-License-Identifier: MIT
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "cli/json.h"
#include "copy_speed.h"
#include "measure.h"
#include "reference.h"

#include <stdint.h>

enum { REPORT_TEXT = 128 };

typedef struct report_row {
    char effect[32];           // "convolve"
    char subject[32];          // "afterglow", or the baseline's name
    char variant[REPORT_TEXT]; // "kernel=generic storage=full"
    char plan[384];            // in words
    int width, height;
    int launches;           // dispatches that wait for each other
    uint64_t bytes;         // that must move, read and written
    double floor_us;        // those bytes at the copy speed
    double floor_launch_us; // so many launches of nothing
    measured times;
    accuracy error;       // as timed
    accuracy error_float; // the same into RGBA32F, without the rounding of the output's format
} report_row;

typedef struct report {
    char renderer[REPORT_TEXT], vendor[REPORT_TEXT], driver[REPORT_TEXT], module[32];
    bool software;
    copy_speed speed;
    report_row *rows;
    int count, capacity;
    const char *json; // where the JSON goes, or NULL
} report;

// The run's head, printed at once; and the JSON, of no rows yet. Returns a STATUS_*, having printed
// why.
int report_begin(const report *target);
// Adds a row, with its floor worked out, prints it, and writes the JSON anew, under another name
// first: a run that is cut short leaves what it had.
int report_add(report *target, const report_row *row);
void report_free(report *target);

// Writes JSON to a file under another name first, then calls it `to`; NULL: does nothing.
int report_save(const char *to, void (*write)(json *out, const void *source), const void *source);

#endif
