// cli/report.h - messages and exit statuses
// SPDX-License-Identifier: MIT
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1, // the work or a comparison failed
    STATUS_USAGE = 2   // a wrong command line or file; the message says what is expected
};

// Prints one line to stderr, "afterglow: ...", and returns `status`.
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same for a remark that is no error.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

int fail_memory(void);

// A progress bar, redrawn in place; shown only if stderr is a terminal. It ends when `done` reaches
// `total`.
void progress(const char *what, int done, int total);
// The same where no total is known: a count and a rate a second.
void progress_count(const char *what, unsigned long long done, double rate);
// Clears that line before a message is printed.
void progress_clear(void);

#endif
