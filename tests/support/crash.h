// crash.h - says where a test crashed when it did so on a thread of its own
// SPDX-License-Identifier: MIT
//
// cmocka turns a signal, and a failed CHECK, on a thread that runs no test into exit status 255
// with hardly a word. Tests with threads call crash_explain first, inside the test: cmocka sets its
// handlers before it.
#ifndef AG_TEST_CRASH_H
#define AG_TEST_CRASH_H

// From here on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print the thread's last crash_note, its
// last GL call and its stack, then end the process with that signal. Until crash_leave.
void crash_explain(void);
void crash_leave(void); // what was set before
// What this thread is at: a string that lasts.
void crash_note(const char *text);

#endif
