// cli/tiff.h - libtiff, opened when the first .tif file is read or written, or linked
// SPDX-License-Identifier: MIT
//
// The program runs on machines that have only a driver, and a distribution's libtiff brings ten
// libraries with it. What a release links (packaging/static) has the decoders below alone.
#ifndef CLI_TIFF_H
#define CLI_TIFF_H

#include <stdbool.h>
#include <tiffio.h>

#define TIFF_FUNCTIONS(X)    \
    X(ClientOpen)            \
    X(Close)                 \
    X(GetFieldDefaulted)     \
    X(SetField)              \
    X(IsTiled)               \
    X(LastDirectory)         \
    X(ReadEncodedStrip)      \
    X(ReadEncodedTile)       \
    X(ReadRGBAImageOriented) \
    X(SetErrorHandler)       \
    X(SetWarningHandler)     \
    X(StripSize64)           \
    X(TileSize64)            \
    X(DefaultStripSize)      \
    X(WriteScanline)

typedef struct tiff_library {
#define X(name) __typeof__(TIFF##name) *name;
    TIFF_FUNCTIONS(X)
#undef X
} tiff_library;

// NULL, with a message, where there is no libtiff. What it says of errors goes into tiff_error.
const tiff_library *tiff_open(const char *path);
extern char tiff_error[128];

#endif
