// context.h - looks at a context: its functions, its limits, whether it will do
// SPDX-License-Identifier: MIT
#ifndef AG_CONTEXT_H
#define AG_CONTEXT_H

#include "gl/gl.h"

// Loads functions and limits of the current context.
//   errors  AG_E_GL (names what is missing), AG_E_ARG (a base beyond the context's units)
ag_status ag_gl_load(const ag_host *host, const ag_device_desc *desc, ag_gl *gl);

#endif
