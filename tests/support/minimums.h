// minimums.h - the least context that OpenGL 4.3 allows, in place of the driver's
// SPDX-License-Identifier: MIT
//
// With AG_TEST_MINIMUMS=1 every gl_trace tells the module that its context is of version 4.3, has
// no extension, and of each limit as much as the specification promises. What the module then calls
// is held to that, too: a unit, a size or an offset beyond ends the process. The tests' own calls
// go to the driver as it is.
#ifndef AG_TEST_MINIMUMS_H
#define AG_TEST_MINIMUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"

bool minimums_wanted(void);
// The promised value of a limit; false for what is none.
bool minimums_of(uint32_t name, int64_t *value);
// Whether a job was refused because of such a limit, by its number in the message. False without
// AG_TEST_MINIMUMS.
bool minimums_refused(const test_host *h, ag_status status);
// Leaves a test out, with AG_TEST_MINIMUMS, that is about what such a context does not have.
#define MINIMUMS_LACK(what)                                                   \
    do {                                                                      \
        if (minimums_wanted()) {                                              \
            printf("  left out: not of the least of OpenGL 4.3: " what "\n"); \
            skip();                                                           \
        }                                                                     \
    } while (0)
// Ends the process, with the function and both numbers, where a call of the module's goes beyond a
// limit.
void minimums_hold(const char *function, uint32_t limit, int64_t used);
// The same for an offset that has to be a multiple of a limit.
void minimums_hold_offset(const char *function, uint32_t limit, int64_t offset);

#endif
