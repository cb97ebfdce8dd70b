// cli/report.h - messages, and the exit statuses that go with them
// SPDX-License-Identifier: MIT
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

enum {
    STATUS_OK = 0,
    STATUS_FAILED = 1, // the work went wrong, or a comparison did not hold
    STATUS_USAGE = 2   // something was asked for that does not exist; the line says what does
};

// Prints one line to stderr, "afterglow: ...", and returns `status`, so that callers can return it.
int fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
// The same for a remark that changes nothing.
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

int fail_memory(void);

// A line that is redrawn in place when stderr is a terminal, and not shown otherwise. Done when
// `done` reaches `total`.
void progress(const char *what, int done, int total);
// Clears that line, so that a message can take its place.
void progress_clear(void);

#endif
