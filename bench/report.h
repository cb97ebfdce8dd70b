// report.h - what a run tells: the names of what is measured, rows as a table, and JSON
// SPDX-License-Identifier: MIT
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "cli/json.h"
#include "copy_speed.h"
#include "gpu_time.h"
#include "process.h"
#include "reference.h"
#include "verdict.h"

#include <stdint.h>

enum { REPORT_TEXT = 128, REPORT_ASIDES = 64 };

typedef struct report_names { // of what is measured
    char renderer[REPORT_TEXT], vendor[REPORT_TEXT], driver[REPORT_TEXT], module[32];
    bool software; // times mean nothing, and nothing is judged
} report_names;

typedef struct report_claim { // what a document says of a row, and what is true here
    const char *text;
    const char *against; // variant of the row that it is compared with, of the same size
    bool worse;          // the text calls this row the slower one of the two
    // How many times slower the slower one is. REPORT_SOME: the text has no number; REPORT_BYTES:
    // as many times as it moves more bytes.
    double claimed;
    double (*claimed_at)(int side); // the same where it depends on the size; NULL: it does not
} report_claim;

typedef struct report_judgement { // of a claim
    report_claim claim;           // `claimed` NAN: some
    double measured;              // NAN: the other row was not measured
    verdict verdict;
} report_judgement;

#define REPORT_SOME 0.0
#define REPORT_BYTES (-1.0)

typedef struct measured {
    gpu_times hot, cold;
    int sets; // of textures that a cold run goes through
} measured;

typedef struct report_row {
    char effect[32];           // "convolve"
    char subject[32];          // "afterglow", or the baseline's name
    char variant[REPORT_TEXT]; // "kernel=generic storage=full"
    char plan[384];            // in words
    int width, height;
    int launches;    // dispatches that wait for each other
    uint64_t bytes;  // that must move, read and written
    int dispatches;  // of its plan, those that do not wait for each other too; 0: there is none
    double floor_us; // those bytes at the copy speed
    double floor_launch_us; // as many empty launches
    measured times;
    accuracy error;          // into the output's own format
    accuracy error_float;    // into RGBA32F, without the rounding to that format
    report_judgement judged; // claim.text NULL: there is none
} report_row;

typedef struct report_aside { // a time that is no row: of the CPU, or of a transfer
    char effect[32], name[64];
    int width, height;
    double us;
} report_aside;

typedef struct report {
    report_names names;
    copy_speed speed;
    report_row *rows;
    int count, capacity;
    report_aside asides[REPORT_ASIDES];
    int aside_count;
    const char *json; // where the JSON goes, or NULL
} report;

// Prints the head of the run and starts the JSON, which has no rows yet.
void report_begin(const report *target);
// Computes the row's floor, adds and prints the row, and replaces the JSON file as a whole, so that
// an interrupted run leaves the rows that it finished.
void report_add(report *target, const report_row *row);
// Judges what a document says of the row that was added last; on a software renderer the verdict is
// "-".
void report_judge(report *target, const report_claim *claim);
// Adds a time beside the rows, to the JSON alone.
void report_add_aside(report *target, const report_aside *aside);
void report_free(report *target);

// ---- of every kind of run ----------------------------------------------------------------------

// GPU, driver, commit; and that a software renderer's times mean nothing.
void report_print_names(const report_names *names);
// The first members of a run: schema, kind (NULL: times of effects), commit, version, device.
void report_write_names(json *out, const char *kind, const report_names *names);
// Writes JSON under a temporary name, then renames it to `to`; NULL: does nothing.
void report_save(const char *to, void (*write)(json *out, const void *source), const void *source);
// A number as a table's cell; "-" where it is not finite. Returns `cell`.
enum { REPORT_CELL = 32 };
const char *report_cell(const char *format, double value, char cell[REPORT_CELL]);

#endif
