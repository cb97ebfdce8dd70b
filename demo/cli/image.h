// cli/image.h - images in memory, and the file types that they are read from and written to
// SPDX-License-Identifier: MIT
//
// Row 0 of a file is row 0 here and texel row y = 0 in a texture; nothing is flipped.
//
// .png .jpg .hdr .webp  become linear floats with the file's channels (grey + alpha: four). A .png
//                 or .tif of 16 bits stays one: what is made of it is written with 16, too.
// .exr            becomes linear floats, or half floats if all channels are half floats.
// .tif            as .png if it holds codes, as .exr if it holds floats.
// .npy            keeps its type: floats are the values that a shader reads, uint8 the codes that
//                 an 8-bit texture stores, uint32 the integers, complex64 two planes of floats.
#ifndef CLI_IMAGE_H
#define CLI_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// IMAGE_U16 are codes for a .png or .tif; no other function but their writers' takes them.
typedef enum image_type { IMAGE_F32, IMAGE_F16, IMAGE_U8, IMAGE_U32, IMAGE_U16 } image_type;

typedef struct image {
    int width, height, channels; // channels 1..4, interleaved
    int layers; // of an array: height counts the rows of all of them; 0: not an array
    image_type type;
    bool two_axes; // one channel: .npy files of it have the shape (H, W), not (H, W, 1)
    bool decoded;  // from a picture: linear light
    bool halves;   // IMAGE_F32 of a texture of half floats: 16 bits hold each value exactly
    bool codes;    // the file held 8-bit codes, or that of which this was made
    bool wide;     // the file held 16-bit codes, or that of which this was made
    bool srgb;     // IMAGE_U8 of an sRGB texture: the colour codes follow the sRGB curve
    void *data;
    float *imag; // IMAGE_F32 of complex values: the imaginary parts, laid out as data; else NULL
} image;

// The conversion of linear values to the codes of .png and .jpg.
typedef struct image_view {
    double exposure;      // EV
    bool aces;            // Narkowicz's fit of the ACES tone curve
    bool linear;          // codes are linear: no sRGB curve in either direction
    bool dither;          // noise before codes of 8 bits are rounded (image_codes.c)
    int bits;             // of the codes of a .png or .tif, 8 or 16; 0: as `wide` and `codes` say
    const char *channels; // names of the .exr channels to read, with commas; NULL: the usual ones
} image_view;

typedef enum image_file {
    FILE_UNKNOWN,
    FILE_NPY,
    FILE_PNG,
    FILE_JPG,
    FILE_HDR,
    FILE_EXR,
    FILE_TIFF,
    FILE_WEBP // is only read
} image_file;
#define IMAGE_FILES ".npy .png .jpg .hdr .exr .tif"
#define IMAGE_READ_FILES IMAGE_FILES " .webp"

image_file image_file_type(const char *path);   // by extension
image_file image_output_type(const char *path); // the same of files that can be written
// By the first byte of a file, which differs between all types but .y4m; FILE_UNKNOWN: of none.
image_file image_content_type(int first);
const char *image_extension(image_file type); // ".npy"

// Widths and heights of files are 1 to this.
enum { IMAGE_MAX = 65536 };

// What a reader refuses before it decodes a texel.
typedef struct image_limits {
    int side, layers; // texels each way, and layers of an array; 1..IMAGE_MAX
    size_t memory;    // bytes of the file, of what the decoder needs, and of the image, together
} image_limits;
image_limits image_default_limits(void); // of files, and half of the machine's memory

// All return a STATUS_*; errors are printed. `out` is set only on success. "-" is standard input or
// output.
int image_create(int width, int height, int channels, image_type type, image *out);
int image_load(const char *path, const image_view *view, image *out); // within the default limits
int image_load_within(const char *path, const image_view *view, const image_limits *limits,
                      image *out);
// STATUS_USAGE if a file of this type cannot have this size.
int image_check_output(const char *path, image_file type, int width, int height, int channels);
int image_save(const char *path, const image *source, const image_view *view);
int image_save_as(const char *path, image_file type, const image *source, const image_view *view);
void image_destroy(image *target); // a zeroed image is fine

size_t image_type_bytes(image_type type);
size_t image_value_count(const image *source); // width * height * channels

// One value as a shader would read it: codes are normalised, sRGB codes decoded.
float image_value(const image *source, size_t texel, int channel);
// A copy as linear floats. Integers are copied as numbers.
int image_to_float(const image *source, image *out);
// A copy as the codes of 8 or 16 bits that a .png of it holds.
int image_to_codes(const image *source, const image_view *view, int bits, image *out);
double image_tone_aces(double x); // the tone curve of image_view.aces, of x >= 0
// A copy with `channels` channels: surplus ones are dropped, missing ones are 1 (or code 255).
int image_with_channels(const image *source, int channels, image *out);

// Readers and writers. Readers get the whole file in memory. Before they decode, they check the
// size of the image, and the bytes that they, the file and the image will take at most.
int image_check_size(const char *path, const char *type, int width, int height,
                     const image_limits *limits);
int image_check_memory(const char *path, size_t bytes, const image_limits *limits);
enum { IMAGE_DECODER = 1 << 20 }; // bytes of any decoder's tables and rows
int image_parse_npy(const char *path, const unsigned char *data, size_t size,
                    const image_limits *limits, image *out);
int image_parse_hdr(const char *path, const unsigned char *data, size_t size,
                    const image_limits *limits, image *out);
int image_parse_png(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out);
int image_parse_jpg(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out);
int image_parse_exr(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out);
int image_parse_tiff(const char *path, const unsigned char *data, size_t size,
                     const image_view *view, const image_limits *limits, image *out);
int image_parse_webp(const char *path, const unsigned char *data, size_t size,
                     const image_view *view, const image_limits *limits, image *out);
// Interleaved codes of 8 or 16 bits as linear floats; grey with alpha becomes four channels.
int image_from_codes(const void *codes, int bits, const image_view *view, int width, int height,
                     int channels, image *out);

bool image_write_npy(FILE *stream, const image *source);
bool image_write_png(FILE *stream, const image *codes);
bool image_write_jpg(FILE *stream, const image *codes);
bool image_write_hdr(FILE *stream, const image *floats);
bool image_write_exr(FILE *stream, const image *source);  // of floats or half floats
bool image_write_tiff(FILE *stream, const image *source); // of those, or codes

#endif
