// sat/store_squares.glsl - stores the squares of a table: a section, or i_squares (sat/store.glsl)
//   SPDX-License-Identifier: MIT
#pragma once
#include "sat/store.glsl"

#define HAS_LOW (STORAGE == AG_TABLE_RESIDUAL || STORAGE == AG_TABLE_DOUBLE)

#if QUERY != AG_QUERY_IMAGE
void store_squares(ivec2 place, ENTRY entry) { store_section(1 + int(HAS_LOW), place, entry); }
#else
layout(binding = AG_IMAGE_SQUARES) writeonly uniform TABLE_IMAGE i_squares;
void store_squares(ivec2 p, ENTRY e) { imageStore(i_squares, table_corner() + p + EDGE, e); }
#endif
