// cli/image_png.c - .png files of 8 and 16 bits, by libpng
// SPDX-License-Identifier: MIT
#include "image.h"

#include "report.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct png_file { // that is read
    png_structp png;
    png_infop info;
    const unsigned char *data;
    size_t left;
    unsigned char *codes; // freed on every way out
    int width, height, channels, bits;
    char why[96];
} png_file;

static void give_up(png_structp png, png_const_charp why)
{
    char *to = png_get_error_ptr(png);
    if (to)
        snprintf(to, sizeof((png_file *)NULL)->why, "%s", why);
    png_longjmp(png, 1);
}

static void say_nothing(png_structp png, png_const_charp why)
{
    (void)png;
    (void)why;
}

static void take_bytes(png_structp png, png_bytep to, size_t count)
{
    png_file *file = png_get_io_ptr(png);
    if (count > file->left)
        png_error(png, "the file ends early");
    memcpy(to, file->data, count);
    file->data += count;
    file->left -= count;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

// Deflate makes at most 1032 bytes of one byte, and each line has one byte more than its samples. A
// file that is too short for its image is therefore refused before memory for it is allocated.
static bool is_too_short(const png_file *file, size_t size)
{
    enum { MAX_OF_ONE = 1032 };
    size_t bits = (size_t)file->width * png_get_bit_depth(file->png, file->info) *
                  png_get_channels(file->png, file->info);
    return ((bits + 7) / 8 + 1) * (size_t)file->height / MAX_OF_ONE > size;
}

// The file, its codes, libpng's lines, and the image.
static size_t memory_of(const png_file *file, size_t size)
{
    size_t texels = (size_t)file->width * (size_t)file->height;
    size_t line = (size_t)file->width * 8, samples = texels * (size_t)file->channels;
    size_t made = file->channels == 2 ? samples + texels * 4 : samples; // grey and alpha: four
    return size + samples * (size_t)(file->bits / 8) + 4 * line + made * sizeof(float) +
           IMAGE_DECODER;
}

// May leave by longjmp in give_up, so all resources belong to the file.
static int decode(png_file *file, const char *path, size_t size, const image_limits *limits)
{
    png_structp png = file->png;
    // Only what the texels need is read: no text, profile or time can take memory.
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); // image_check_size has ours
    png_read_info(png, file->info);
    png_uint_32 width = png_get_image_width(png, file->info);
    png_uint_32 height = png_get_image_height(png, file->info);
    file->width = (int)width;
    file->height = (int)height;
    int status = image_check_size(path, ".png", file->width, file->height, limits);
    if (status != STATUS_OK)
        return status;
    if (is_too_short(file, size))
        return fail(STATUS_USAGE, "%s: the .png file is truncated: %zu bytes cannot hold %dx%d",
                    path, size, file->width, file->height);
    png_set_expand(png); // palettes to colours, one transparent colour to alpha, few bits to 8
    if (is_little_endian())
        png_set_swap(png);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, file->info);
    file->channels = png_get_channels(png, file->info);
    file->bits = png_get_bit_depth(png, file->info);
    status = image_check_memory(path, memory_of(file, size), limits);
    if (status != STATUS_OK)
        return status;
    size_t stride = (size_t)file->width * (size_t)file->channels * (size_t)(file->bits / 8);
    file->codes = malloc(stride * (size_t)file->height);
    if (!file->codes)
        return fail_memory();
    for (int pass = 0; pass < passes; pass++)
        for (int y = 0; y < file->height; y++)
            png_read_row(png, file->codes + stride * (size_t)y, NULL);
    return STATUS_OK;
}

int image_parse_png(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out)
{
    png_file *file = calloc(1, sizeof *file);
    if (!file)
        return fail_memory();
    file->data = data;
    file->left = size;
    file->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, file->why, give_up, say_nothing);
    file->info = file->png ? png_create_info_struct(file->png) : NULL;
    int status = file->info ? STATUS_OK : fail_memory();
    if (status == STATUS_OK && setjmp(png_jmpbuf(file->png)) == 0) {
        png_set_read_fn(file->png, file, take_bytes);
        status = decode(file, path, size, limits);
    } else if (status == STATUS_OK) {
        status =
            fail(STATUS_USAGE, "%s: the .png file is damaged or truncated: %s", path, file->why);
    }
    if (status == STATUS_OK)
        status = image_from_codes(file->codes, file->bits, view, file->width, file->height,
                                  file->channels, out);
    png_destroy_read_struct(&file->png, &file->info, NULL);
    free(file->codes);
    free(file);
    return status;
}

static void put_bytes(png_structp png, png_bytep data, size_t count)
{
    if (fwrite(data, 1, count, png_get_io_ptr(png)) != count)
        png_error(png, "output error"); // file_end says which
}

static void put_nothing(png_structp png)
{
    (void)png;
}

bool image_write_png(FILE *stream, const image *codes)
{
    static const int colours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                  PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, give_up, say_nothing);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    int bytes = codes->type == IMAGE_U16 ? 2 : 1;
    png_set_write_fn(png, stream, put_bytes, put_nothing);
    png_set_IHDR(png, info, (png_uint_32)codes->width, (png_uint_32)codes->height, 8 * bytes,
                 colours[codes->channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (bytes == 2 && is_little_endian())
        png_set_swap(png);
    size_t stride = (size_t)codes->width * (size_t)codes->channels * (size_t)bytes;
    for (int y = 0; y < codes->height; y++)
        png_write_row(png, (const unsigned char *)codes->data + stride * (size_t)y);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return true;
}
