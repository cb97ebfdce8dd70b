// program_cache.h - linked programs in the host's store, verified when they are loaded
// SPDX-License-Identifier: MIT
//
// NVIDIA's driver links a damaged program binary without an error, so an entry is verified before
// the driver gets it. Its layout, in the machine's byte order:
//
//   0   "AGPROG1\n"
//   8   16 bytes: the key it was stored under
//   24  uint32: binary format, as GL gave it
//   28  uint32: payload bytes
//   32  16 bytes: ag_hash128 of the whole entry, these bytes taken as 0
//   48  the payload, as GL gave it
//
// The key is a hash of the program's full text, defines included, and of the driver's vendor,
// renderer and version. An entry that is cut, damaged, stored under another key or refused by the
// driver counts as missing; the program is then compiled and replaces it.
#ifndef AG_PROGRAM_CACHE_H
#define AG_PROGRAM_CACHE_H

#include "base/hash.h"
#include "gl/gpu.h"

typedef struct ag_cache {
    bool available;    // the host has the callbacks, and the driver has program binaries
    ag_hash128 driver; // of vendor, renderer and version
    GLint formats[8];  // binary formats of the driver
    GLint format_count;
} ag_cache;

void ag_cache_create(ag_cache *cache, const ag_gpu *gpu);
// Links `program` from the entry of a text. False: there is none, and it must be compiled.
bool ag_cache_load(const ag_cache *cache, const ag_gpu *gpu, ag_hash128 text, GLuint program);
// Stores a program that was linked with GL_PROGRAM_BINARY_RETRIEVABLE_HINT and whose bindings are
// still those of its text. On any error it stores nothing.
void ag_cache_store(const ag_cache *cache, const ag_gpu *gpu, ag_hash128 text, GLuint program);

#endif
