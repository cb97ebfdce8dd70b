// cli/stb.h - the parts of stb_image and stb_image_write that are compiled in, see stb.c
// SPDX-License-Identifier: MIT
#ifndef CLI_STB_H
#define CLI_STB_H

#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_LINEAR
#define STBI_NO_STDIO // files are read and written by file.c
#define STBI_WRITE_NO_STDIO
#include <stb_image.h>
#include <stb_image_write.h>

#endif
