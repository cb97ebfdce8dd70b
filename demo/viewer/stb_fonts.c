// viewer/stb_fonts.c - the parts of stb that Debian's Dear ImGui leaves to who links it
// SPDX-License-Identifier: MIT
#define STB_RECT_PACK_IMPLEMENTATION
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_rect_pack.h>
#include <stb_truetype.h>
