// viewer/capture.h - pictures out, images in
// SPDX-License-Identifier: MIT
#ifndef VIEWER_CAPTURE_H
#define VIEWER_CAPTURE_H

#include "frame.h"

// The canvas as it is, into a .png or .jpg. False: printed why. Waits for the GPU.
bool capture_save(const frame *f, const char *path);
// An image file in the place of the street: .png .jpg .hdr .npy. False: printed why, nothing has
// changed.
bool capture_load(frame *f, const char *path);
// The first name of the pattern "afterglow-%03d.EXT" that no file has.
void capture_name(char *buffer, size_t size, const char *what, const char *extension);
// The last spans as a trace for chrome://tracing and ui.perfetto.dev.
bool capture_trace(const frame *f, const char *path);

#endif
