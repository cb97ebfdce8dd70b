// units.h - whether a context has the image units that an effect takes
// SPDX-License-Identifier: MIT
#ifndef AG_UNITS_H
#define AG_UNITS_H

#include "core/effect.h"

// Says so where the host's base leaves fewer than `needed`, which `what` of the effect take. errors  AG_E_ARG
ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what);

#endif
