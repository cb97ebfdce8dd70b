// units.h - what a context has of image units and subgroups, for effects
// SPDX-License-Identifier: MIT
#ifndef AG_UNITS_H
#define AG_UNITS_H

#include "core/effect.h"

// Says so where the host's base leaves fewer than `needed`, which `what` of the effect take. errors  AG_E_ARG
ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what);
// How threads pass values on, AG_WARPS_*: by the driver's subgroups, or what does as well where the tuning says so, or none.
int32_t ag_warps_of(const ag_gl *gl, const ag_tuning *tuning);

#endif
