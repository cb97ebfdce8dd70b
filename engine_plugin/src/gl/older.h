// older.h - whether a context older than OpenGL 4.3 can do what the module needs
// SPDX-License-Identifier: MIT
#ifndef AG_OLDER_H
#define AG_OLDER_H

#include "gl/gl.h"

// Judges a context of a version below 4.3 by what it can do: compiles and links a compute shader,
// and looks for the extensions whose functions the module calls. Sets gl->shader_head. Leaves every
// binding as it was, and sets no GL error.
//   errors  AG_E_GL: the message says what is missing and which context to ask for
ag_status ag_older_accept(const ag_host *host, ag_gl *gl);

bool ag_gl_has_extension(const ag_gl *gl, const char *name);

#endif
