// cli/image_hdr.c - writes Radiance .hdr files; each value is rounded to the nearest of RGBE
// SPDX-License-Identifier: MIT
//
// G. Ward, "Real Pixels", Graphics Gems II, 1991. stb_image_write also has a writer, but it
// truncates.
#include "image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Three values share the exponent of the largest: value = mantissa * 2^(exponent - 128 - 8).
static void encode_rgbe(const float colour[3], unsigned char rgbe[4])
{
    memset(rgbe, 0, 4);
    double value[3], largest = 0;
    for (int c = 0; c < 3; c++) {
        // The largest value of RGBE; fmax gives 0 for NaN.
        value[c] = fmin(fmax((double)colour[c], 0), ldexp(255, 127 - 8));
        largest = fmax(largest, value[c]);
    }
    if (largest < ldexp(1, -128))
        return; // below half of the smallest exponent's range: black
    int exponent = 0;
    frexp(largest, &exponent);
    if (nearbyint(ldexp(largest, 8 - exponent)) > 255)
        exponent++; // it would round up to 256, which is 128 at the next exponent
    for (int c = 0; c < 3; c++)
        rgbe[c] = (unsigned char)nearbyint(ldexp(value[c], 8 - exponent));
    rgbe[3] = (unsigned char)(exponent + 128);
}

// Writes one component of a scan line: runs from 4 on as (128 + n, byte), others as (n, bytes...).
static void write_component(FILE *stream, const unsigned char *bytes, int count)
{
    for (int at = 0; at < count;) {
        int run = 1;
        while (at + run < count && run < 127 && bytes[at + run] == bytes[at])
            run++;
        if (run >= 4) {
            fputc(128 + run, stream);
            fputc(bytes[at], stream);
            at += run;
            continue;
        }
        int end = at;
        while (end < count && end - at < 128 &&
               !(end + 3 < count && bytes[end] == bytes[end + 1] && bytes[end] == bytes[end + 2] &&
                 bytes[end] == bytes[end + 3]))
            end++;
        fputc(end - at, stream);
        fwrite(bytes + at, 1, (size_t)(end - at), stream);
        at = end;
    }
}

bool image_write_hdr(FILE *stream, const image *floats)
{
    size_t width = (size_t)floats->width;
    unsigned char *line = malloc(width * 4); // four planes: r, g, b, e
    if (!line)
        return false;
    // The format demands that lines of other widths have no run lengths.
    bool packed = floats->width >= 8 && floats->width < 32768;
    fprintf(stream, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", floats->height,
            floats->width);
    const float *from = floats->data;
    for (int y = 0; y < floats->height; y++) {
        for (size_t x = 0; x < width; x++, from += floats->channels) {
            float grey = from[0];
            float colour[3] = {grey, floats->channels < 3 ? grey : from[1],
                               floats->channels < 3 ? grey : from[2]};
            unsigned char rgbe[4];
            encode_rgbe(colour, rgbe);
            for (size_t c = 0; c < 4; c++)
                line[packed ? c * width + x : x * 4 + c] = rgbe[c];
        }
        if (packed) {
            const unsigned char start[4] = {2, 2, (unsigned char)(width >> 8),
                                            (unsigned char)(width & 255)};
            fwrite(start, 1, 4, stream);
            for (size_t c = 0; c < 4; c++)
                write_component(stream, line + c * width, floats->width);
        } else {
            fwrite(line, 1, width * 4, stream);
        }
    }
    free(line);
    return !ferror(stream);
}
