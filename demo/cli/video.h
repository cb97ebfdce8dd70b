// cli/video.h - frames of video: how samples lie in memory, and what light they stand for
// SPDX-License-Identifier: MIT
#ifndef CLI_VIDEO_H
#define CLI_VIDEO_H

#include "image.h"

#include <stdbool.h>
#include <stddef.h>

// Samples are little-endian, of one byte up to 8 bits and of two bytes above.
typedef struct video_format {
    int width, height; // texels; 1..IMAGE_MAX
    int bits;          // of a sample: 8..16, or 32 for floats, which are linear light
    int channels;      // 1 grey, 3 colours, 4 colours and alpha
    bool planes;       // Y, Cb, Cr and alpha one behind the other; else R, G, B, A interleaved
    bool full_range;   // of Y: all codes; else 16 to 235 of 256, and Cb and Cr 16 to 240
    bool bt709;        // Y of ITU-R BT.709; else of BT.601
    // Planes: a chroma sample serves 1 << shift texels of a row and of a column. It lies at the
    // first of them, or, if centred, in the middle.
    int shift_x, shift_y;
    bool centred_x, centred_y;
} video_format;

size_t video_frame_bytes(const video_format *format);
// Bytes that the samples of a frame take while it is read, with its image and the converter.
size_t video_memory(const video_format *format);

// A converter has tables and rows of its own, so that a frame allocates only its image.
typedef struct video_coder video_coder;
video_coder *video_coder_create(const video_format *format, const image_view *view); // NULL: memory
void video_coder_destroy(video_coder *target);                                       // NULL is fine

// The frame as linear floats, as a .png of it would be read: chroma is interpolated linearly,
// colours outside 0..1 are clamped, and the curve is sRGB's unless the view is linear. STATUS_*.
int video_decode(video_coder *coder, const void *samples, image *out);
// The samples of an image of the same size and number of channels, or of three channels into grey,
// which takes their Y. They are as a .png of it would be written: exposure, tone curve, sRGB curve,
// nearest code. A chroma sample is the mean of the texels around it, weighted by a tent where it is
// not centred. Floats are written as they are.
int video_encode(video_coder *coder, const image *source, void *samples);

#endif
