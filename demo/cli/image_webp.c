// cli/image_webp.c - reads .webp files by libwebp
// SPDX-License-Identifier: MIT
#include "image.h"

#include "report.h"

#include <stdlib.h>
#include <webp/decode.h>

int image_parse_webp(const char *path, const unsigned char *data, size_t size,
                     const image_view *view, const image_limits *limits, image *out)
{
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(data, size, &features) != VP8_STATUS_OK)
        return fail(STATUS_USAGE, "%s: the .webp file is damaged or truncated", path);
    int status = image_check_size(path, ".webp", features.width, features.height, limits);
    if (status != STATUS_OK)
        return status;
    if (features.has_animation)
        return fail(STATUS_USAGE, "%s: the .webp file is an animation; expected an image", path);
    int channels = features.has_alpha ? 4 : 3;
    size_t texels = (size_t)features.width * (size_t)features.height;
    // The file, its codes, the decoder's texels and tables, and the image.
    enum { DECODER = 8, TABLES = 4 << 20 };
    status = image_check_memory(path,
                                size + texels * (size_t)channels * (1 + sizeof(float)) +
                                    texels * DECODER + TABLES + IMAGE_DECODER,
                                limits);
    if (status != STATUS_OK)
        return status;
    size_t bytes = texels * (size_t)channels;
    unsigned char *codes = calloc(bytes, 1);
    if (!codes)
        return fail_memory();
    int stride = features.width * channels;
    const unsigned char *made = channels == 4 ? WebPDecodeRGBAInto(data, size, codes, bytes, stride)
                                              : WebPDecodeRGBInto(data, size, codes, bytes, stride);
    status = made ? image_from_codes(codes, 8, view, features.width, features.height, channels, out)
                  : fail(STATUS_USAGE, "%s: the .webp file is damaged or truncated", path);
    free(codes);
    return status;
}
