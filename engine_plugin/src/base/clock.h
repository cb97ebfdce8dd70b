// clock.h - the host's clock, or the system's
// SPDX-License-Identifier: MIT
#ifndef AG_CLOCK_H
#define AG_CLOCK_H

#include <afterglow/afterglow.h>

// ns since a fixed moment. It runs backwards only if the host's clock does.
uint64_t ag_now(const ag_host *host);

#endif
