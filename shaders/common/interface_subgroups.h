// common/interface_subgroups.h - values of SUBGROUPS (common/subgroups.glsl), for C and GLSL
// SPDX-License-Identifier: MIT
#pragma once

#define AG_SUBGROUPS_NONE 0
#define AG_SUBGROUPS_OF_DRIVER 1
#define AG_SUBGROUPS_EMULATED 2
