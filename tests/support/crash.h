// crash.h - reports where a test crashed, on whichever thread
// SPDX-License-Identifier: MIT
//
// cmocka's own handler of signals jumps out of the test and goes on with the next one: on a thread
// that runs no test, a driver's for instance, into a stack that is not its own; and a driver that
// crashed may hold a lock for which the next test waits without end.
#ifndef AG_TEST_CRASH_H
#define AG_TEST_CRASH_H

// Until the test `name` ends, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT print the thread's last
// crash_note, its last GL call and its stack, then end the process with that signal. check_main
// calls it inside each test, because cmocka sets its handlers before the test and restores the
// former ones after it.
void crash_explain(const char *name);
// Notes what this thread does; the string must stay valid.
void crash_note(const char *text);

#endif
