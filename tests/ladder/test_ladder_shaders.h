// test_ladder_shaders.h - which jobs have every shader variant of the second module
// SPDX-License-Identifier: MIT
#ifndef AG_LADDER_SHADERS_TESTS_H
#define AG_LADDER_SHADERS_TESTS_H

#include "fixture.h"

void dump_scans(fixture *f); // ladder_shaders_sat.c
void dump_register_columns(fixture *f);
void dump_ladder_transforms(fixture *f); // ladder_shaders_transforms.c

#endif
