// gltrace_wrap.h - what the generated wrappers share with gltrace.c
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_GLTRACE_WRAP_H
#define AG_TEST_GLTRACE_WRAP_H

#include "gltrace.h"

// Counts a call of row `index` in this thread's trace; returns the real function.
gl_any gl_trace_enter(uint32_t index);

#endif
