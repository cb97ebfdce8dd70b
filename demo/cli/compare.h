// cli/compare.h - how far a result is from a reference file
// SPDX-License-Identifier: MIT
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "image.h"

// 60 dB is an error of 1/1000 of the peak: rounding to 16-bit floats passes, rounding to 8 bits
// fails.
#define COMPARE_DEFAULT_DB 60.0

// Prints the distance of `result` from the file `path`, and returns STATUS_FAILED when their PSNR
// is below `limit_db`. Both are compared in the values of the reference's file type:
//
//   8-bit codes    .jpg, 8-bit .png (colours encoded as `view` says), .npy of uint8; peak 255
//   integers       .npy of uint32
//   linear floats  everything else; peak 1, or the largest |value| of the reference if above
//
// Alpha counts; where only one side has it, the other's is 1. NaN equals only NaN.
int compare_with_file(const image *result, const char *path, const image_view *view,
                      const image_limits *limits, double limit_db);

#endif
