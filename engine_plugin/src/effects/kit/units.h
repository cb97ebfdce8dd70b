// units.h - image units and subgroups of a context, for effects
// SPDX-License-Identifier: MIT
#ifndef AG_UNITS_H
#define AG_UNITS_H

#include "core/effect.h"

// Fails if the host's base leaves fewer image units than the `needed` ones of `what` in the effect.
//   errors  AG_E_ARG
ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what);
// AG_SUBGROUPS_*: the driver's subgroups; or emulated ones if the tuning says so; or none.
int32_t ag_subgroups_of(const ag_gl *gl, const ag_tuning *tuning);

#endif
