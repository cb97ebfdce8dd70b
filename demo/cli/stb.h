// cli/stb.h - the parts of stb_image and stb_image_write that are compiled in, see stb.c
// SPDX-License-Identifier: MIT
//
// Of stb_image only the .png decoder is compiled in: Debian 12 has version 2.27, whose other
// decoders have known vulnerabilities. By their public records (November 2026) these concern:
//
//   CVE-2021-28021, 2021-37789, 2022-28048                .jpg: libjpeg reads these (image_jpg.c)
//   CVE-2021-42715                                        .hdr: image_hdr_read.c does
//   CVE-2021-42716                                        .pnm: not compiled in
//   CVE-2023-43281, 45661, 45664, 45666, 45667            .gif: not compiled in
//   CVE-2023-43898                                        .pic: not compiled in
//   CVE-2023-45663                                        .tga and .hdr: not compiled in
//   CVE-2023-45662                                        flipping while loading: not used
//   CVE-2026-102805 (stb_image_write up to 1.16)          sizes that overflow in its writers:
//                                                         image.c refuses such sizes before
#ifndef CLI_STB_H
#define CLI_STB_H

#include <stdbool.h>
#include <stddef.h>

// What stb_image may allocate together, and has; only for reading. A request that exceeds it fails.
typedef struct stb_budget {
    size_t limit, used;
    size_t wanted; // with the request that exceeded it
    bool exceeded;
} stb_budget;
extern _Thread_local stb_budget stb_memory;
void *stb_allocate(void *old, size_t size); // NULL: a new one
void stb_release(void *old);
#define STBI_MALLOC(size) stb_allocate(NULL, size)
#define STBI_REALLOC(old, size) stb_allocate(old, size)
#define STBI_FREE(old) stb_release(old)

#define STBI_ONLY_PNG
#define STBI_NO_LINEAR
#define STBI_NO_STDIO // files are read and written by file.c
#define STBI_WRITE_NO_STDIO
#include <stb_image.h>
#include <stb_image_write.h>

#endif
