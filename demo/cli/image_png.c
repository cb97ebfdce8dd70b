// cli/image_png.c - .png files, decoded and compressed by stb
// SPDX-License-Identifier: MIT
#include "image.h"

#include "report.h"
#include "stb.h"

#include <limits.h>
#include <string.h>

// Deflate makes at most 1032 bytes of one byte, and each line has one byte more than its samples. A
// file that is too short for its image is therefore refused before memory for it is allocated.
// Depth and colour type are known if the file begins with IHDR; for others (Apple's CgBI) one bit a
// texel is assumed.
static bool is_too_short(const unsigned char *data, size_t size, int width, int height,
                         int channels)
{
    enum { MAX_OF_ONE = 1032 };
    bool known = size > 25 && memcmp(data + 12, "IHDR", 4) == 0;
    size_t samples = known && data[25] != 3 ? (size_t)channels : 1; // 3: a palette
    size_t bits = (size_t)width * samples * (known ? data[24] : 1);
    return ((bits + 7) / 8 + 1) * (size_t)height / MAX_OF_ONE > size;
}

// What the file, stb's lines before and after they are filtered, its texels (twice for a palette
// or where lines are interlaced), and the image take together.
static size_t memory_of(const unsigned char *data, size_t size, int width, int height, int channels)
{
    bool known = size > 25 && memcmp(data + 12, "IHDR", 4) == 0;
    size_t bytes = known && data[24] <= 8 ? 1 : 2; // of a sample
    size_t texels = (size_t)width * (size_t)height, samples = texels * (size_t)channels;
    size_t made = channels == 2 ? 2 * samples + texels * 4 : samples; // grey and alpha: four
    return size + 3 * samples * bytes + (size_t)height * 8 + made * sizeof(float) + IMAGE_DECODER;
}

// Deflate may go on behind the last line, so stb is held to the limit while it decodes.
static int failed(const char *path, size_t size, const image_limits *limits)
{
    if (stb_memory.exceeded)
        return image_check_memory(path, size + IMAGE_DECODER + stb_memory.wanted, limits);
    return fail(STATUS_USAGE, "%s: the .png file is damaged or truncated: %s", path,
                stbi_failure_reason());
}

int image_parse_png(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out)
{
    if (size > INT_MAX)
        return fail(STATUS_USAGE, "%s: the .png file is larger than 2 GiB", path);
    int length = (int)size, width = 0, height = 0, channels = 0;
    size_t least = size + IMAGE_DECODER;
    stb_memory = (stb_budget){.limit = limits->memory > least ? limits->memory - least : 0};
    if (!stbi_info_from_memory(data, length, &width, &height, &channels))
        return failed(path, size, limits);
    int status = image_check_size(path, ".png", width, height, limits);
    if (status != STATUS_OK)
        return status;
    if (is_too_short(data, size, width, height, channels)) {
        return fail(STATUS_USAGE, "%s: the .png file is truncated: %zu bytes cannot hold %dx%d",
                    path, size, width, height);
    }
    status = image_check_memory(path, memory_of(data, size, width, height, channels), limits);
    if (status != STATUS_OK)
        return status;
    bool wide = stbi_is_16_bit_from_memory(data, length);
    void *pixels =
        wide ? (void *)stbi_load_16_from_memory(data, length, &width, &height, &channels, 0)
             : (void *)stbi_load_from_memory(data, length, &width, &height, &channels, 0);
    if (!pixels)
        return failed(path, size, limits);
    status = image_from_codes(pixels, wide ? 16 : 8, view, width, height, channels, out);
    stbi_image_free(pixels);
    return status;
}

static void write_bytes(void *stream, void *data, int size)
{
    fwrite(data, 1, (size_t)size, stream); // file_end checks the stream for errors
}

bool image_write_png(FILE *stream, const image *codes)
{
    return stbi_write_png_to_func(write_bytes, stream, codes->width, codes->height, codes->channels,
                                  codes->data, codes->width * codes->channels);
}
