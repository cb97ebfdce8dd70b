// common/interface_subgroups.h - values of SUBGROUPS (common/subgroups.glsl), for C and GLSL
// SPDX-License-Identifier: MIT
#ifndef AG_COMMON_INTERFACE_SUBGROUPS_H
#define AG_COMMON_INTERFACE_SUBGROUPS_H

#define AG_SUBGROUPS_NONE 0
#define AG_SUBGROUPS_OF_DRIVER 1
#define AG_SUBGROUPS_EMULATED 2

#endif
