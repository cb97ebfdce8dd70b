// slow_driver.h - a driver that takes a number of frames for each program
// SPDX-License-Identifier: MIT
//
// GL_COMPLETION_STATUS is false for that many frames after glLinkProgram, however long the real
// driver takes. The test counts the frames. A program is identified by its link, not by its name
// alone, because NVIDIA's driver reuses the names of deleted programs.
#ifndef AG_TEST_SLOW_DRIVER_H
#define AG_TEST_SLOW_DRIVER_H

#include "gltrace.h"
#include "random.h"

enum { SLOW_PROGRAMS = 4096, SLOW_NEVER = 1 << 30 };

typedef struct slow_driver { // do not move: the trace's callbacks point at it
    uint64_t frame;
    int least, most; // frames that the next programs take; SLOW_NEVER: until slow_driver_finish
    rng random;
    uint64_t *clock, link_ns;      // if set: glLinkProgram takes that time of that clock
    uint64_t question_ns;          // if set, each question takes that time, and counts as a frame
    uint32_t links, last;          // programs that were linked, and the last one's name
    uint64_t ready[SLOW_PROGRAMS]; // by name: the frame when it is done
} slow_driver;

// Programs that are linked from now on take that time. Uses the trace's on_call_user.
void slow_driver_start(slow_driver *slow, gl_trace *trace, int least, int most);
void slow_driver_stop(gl_trace *trace);
bool slow_driver_is_at(const slow_driver *slow, uint32_t program); // still compiling
void slow_driver_finish(slow_driver *slow);                        // finishes all linked programs

#endif
