// log.h - messages to the host
// SPDX-License-Identifier: MIT
#ifndef AG_LOG_H
#define AG_LOG_H

#include <afterglow/afterglow.h>

#if defined(__GNUC__)
#define AG_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define AG_PRINTF(at, first)
#endif

// Logs an error and returns `code`, so that a check is one line: return ag_fail(host, AG_E_ARG,
// ...).
ag_status ag_fail(const ag_host *host, ag_status code, const char *format, ...) AG_PRINTF(3, 4);

// Logs a message that is not an error.
void ag_say(const ag_host *host, int32_t level, const char *format, ...) AG_PRINTF(3, 4);

// Logs a message; sets its struct_size.
void ag_log(const ag_host *host, ag_message message);

#endif
