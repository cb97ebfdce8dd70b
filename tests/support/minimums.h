// minimums.h - simulates a context with the smallest limits that OpenGL 4.3 allows
// SPDX-License-Identifier: MIT
//
// With AG_TEST_MINIMUMS=1 every gl_trace reports to the module a context of version 4.3 without
// extensions, with the limits that the specification guarantees. The module's calls are checked
// against these limits: a unit, a size or an offset beyond a limit ends the process. The tests' own
// calls see the real driver.
#ifndef AG_TEST_MINIMUMS_H
#define AG_TEST_MINIMUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"

bool minimums_wanted(void);
// The promised value of a limit; false for what is none.
bool minimums_of(uint32_t name, int64_t *value);
// Whether a job was refused because of such a limit: the message contains its value. False without
// AG_TEST_MINIMUMS.
bool minimums_refused(const test_host *h, ag_status status);
// With AG_TEST_MINIMUMS, skips a test of a feature that such a context does not have.
#define MINIMUMS_LACK(what)                                                \
    do {                                                                   \
        if (minimums_wanted()) {                                           \
            printf("  left out: not a minimum of OpenGL 4.3: " what "\n"); \
            skip();                                                        \
        }                                                                  \
    } while (0)
// Ends the process, printing the function and both numbers, if a call of the module exceeds a
// limit.
void minimums_hold(const char *function, uint32_t limit, int64_t used);
// The same for an offset that must be a multiple of a limit.
void minimums_hold_offset(const char *function, uint32_t limit, int64_t offset);

#endif
