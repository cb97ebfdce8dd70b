// shader_dump.h - what the files that write shader variants share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_SHADER_DUMP_H
#define AG_TEST_SHADER_DUMP_H

#include "fixture.h"
#include "gl/gl.h"
#include "texture.h"

enum { DUMP_MOST_SLOTS = 7 };

extern bool dump_pretends; // the driver may refuse what is prepared now

// Prepares a job over these textures, which are destroyed then. Name 0: the slot is empty.
ag_status dump_prepare(fixture *f, const char *effect, texture *t, int count, const void *settings);
// The same, planned for images of up to so many texels a side. It may be refused.
ag_status dump_prepare_planned(fixture *f, const char *effect, texture *t, int count,
                               const void *settings, int planned);

// Every effect with its defaults, from every format of its first slot, of textures and arrays in
// turn. An effect without other variants needs nothing else here. Jobs that it refuses are left
// out.
void dump_described(fixture *f);
// Makes the device treat its driver as one with or without subgroups. The real driver may refuse
// the programs, but only the texts are needed. `had`: the real features.
void dump_pretend(fixture *f, const ag_gl *had, bool subgroups);
void dump_pretend_no_more(fixture *f, const ag_gl *had);

#endif
