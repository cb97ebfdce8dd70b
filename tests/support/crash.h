// crash.h - reports where a test crashed in a thread of its own
// SPDX-License-Identifier: MIT
//
// If a signal or a failed CHECK occurs on a thread that runs no test, cmocka ends with exit status
// 255 and almost no message. Tests with threads therefore call crash_explain first, inside the
// test, because cmocka sets its handlers before the test.
#ifndef AG_TEST_CRASH_H
#define AG_TEST_CRASH_H

// Until crash_leave, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print the thread's last
// crash_note, its last GL call and its stack, then end the process with that signal.
void crash_explain(void);
void crash_leave(void); // restores the former handlers
// Notes what this thread does; the string must stay valid.
void crash_note(const char *text);

#endif
