// clock.h - the host's clock, or the system's
// SPDX-License-Identifier: MIT
#ifndef AG_CLOCK_H
#define AG_CLOCK_H

#include <afterglow/afterglow.h>

// ns since some fixed moment; never runs backwards unless the host's does.
uint64_t ag_now(const ag_host *host);

#endif
