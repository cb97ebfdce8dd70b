// cli/image_jpg.c - .jpg files, by libjpeg
// SPDX-License-Identifier: MIT
//
// Where data are missing, libjpeg warns and continues with grey. Here such warnings are errors.
#include "image.h"

#include "report.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h> // before the numbers of its messages

#include <jerror.h>

typedef struct jpg_reader {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    unsigned char *codes, *line; // freed on every way out
    int channels;
    char why[JMSG_LENGTH_MAX];
} jpg_reader;

static void give_up(j_common_ptr common)
{
    jpg_reader *reader = common->client_data;
    common->err->format_message(common, reader->why);
    longjmp(reader->failed, 1);
}

// Level -1 is a warning. Warnings about markers around the picture are accepted: many cameras'
// files cause them.
static void hear(j_common_ptr common, int level)
{
    if (level >= 0)
        return;
    switch (common->err->msg_code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_TOO_MUCH_DATA: break;
    default: give_up(common);
    }
}

static void say_nothing(j_common_ptr common)
{
    (void)common;
}

// Each block of 8 x 8 samples takes one bit at least by Huffman's codes: a file too short for its
// size is found before room for the picture is. Arithmetic codes have no such bound; a thousand
// blocks a bit is more than pictures of one colour reach.
static bool is_too_short(const struct jpeg_decompress_struct *decoder, size_t size)
{
    size_t blocks = 0;
    for (int i = 0; i < decoder->num_components; i++)
        blocks += (size_t)decoder->comp_info[i].width_in_blocks *
                  (size_t)decoder->comp_info[i].height_in_blocks;
    enum { MOST_BY_ARITHMETIC = 1024 };
    return blocks / 8 / (decoder->arith_code ? MOST_BY_ARITHMETIC : 1) > size;
}

// CMYK is ink on white: the light is what each ink and black leave over. Adobe's files store that
// light, other files store the ink.
static void codes_of_inks(const unsigned char *inks, size_t count, bool adobe, unsigned char *to)
{
    for (size_t i = 0; i < count; i++, inks += 4)
        for (int c = 0; c < 3; c++) {
            int colour = adobe ? inks[c] : 255 - inks[c], black = adobe ? inks[3] : 255 - inks[3];
            *to++ = (unsigned char)((colour * black + 127) / 255);
        }
}

// A picture of several scans is kept as coefficients, 64 of 2 bytes a block, until the last one.
// Some rows of blocks are in work for each component.
static size_t memory_of(const struct jpeg_decompress_struct *decoder, size_t size, size_t channels)
{
    size_t texels = (size_t)decoder->image_width * decoder->image_height, coefficients = 0;
    enum { ROWS = 128, SIDE = 64 };
    for (int i = 0; i < decoder->num_components; i++) {
        const jpeg_component_info *part = &decoder->comp_info[i];
        coefficients += ((size_t)part->width_in_blocks + SIDE / 8) *
                        ((size_t)part->height_in_blocks + SIDE / 8) * sizeof(JBLOCK);
    }
    bool kept = jpeg_has_multiple_scans((j_decompress_ptr)(uintptr_t)decoder);
    return size + (kept ? coefficients : 0) + texels * channels * (1 + sizeof(float)) +
           ((size_t)decoder->image_width + SIDE) * (size_t)decoder->num_components * ROWS +
           IMAGE_DECODER;
}

// May leave by longjmp in give_up, so all resources belong to the reader.
static int decode(jpg_reader *reader, const char *path, const unsigned char *data, size_t size,
                  const image_limits *limits)
{
    struct jpeg_decompress_struct *decoder = &reader->decoder;
    jpeg_create_decompress(decoder);
    jpeg_mem_src(decoder, data, (unsigned long)size);
    jpeg_read_header(decoder, TRUE);
    int status = image_check_size(path, ".jpg", (int)decoder->image_width,
                                  (int)decoder->image_height, limits);
    if (status != STATUS_OK)
        return status;
    if (is_too_short(decoder, size)) {
        return fail(STATUS_USAGE, "%s: the .jpg file is truncated: %zu bytes cannot hold %ux%u",
                    path, size, decoder->image_width, decoder->image_height);
    }
    bool inks = decoder->out_color_space == JCS_CMYK;
    if (!inks && decoder->out_color_space != JCS_GRAYSCALE)
        decoder->out_color_space = JCS_RGB; // libjpeg refuses what it cannot convert
    reader->channels = decoder->out_color_space == JCS_GRAYSCALE ? 1 : 3;
    status = image_check_memory(path, memory_of(decoder, size, (size_t)reader->channels), limits);
    if (status != STATUS_OK)
        return status;
    jpeg_start_decompress(decoder);
    size_t width = decoder->output_width, stride = width * (size_t)reader->channels;
    reader->codes = malloc(stride * decoder->output_height);
    reader->line = malloc(width * (size_t)decoder->output_components);
    if (!reader->codes || !reader->line)
        return fail_memory();
    while (decoder->output_scanline < decoder->output_height) {
        unsigned char *to = reader->codes + stride * decoder->output_scanline;
        JSAMPROW row = inks ? reader->line : to;
        jpeg_read_scanlines(decoder, &row, 1);
        if (inks)
            codes_of_inks(row, width, decoder->saw_Adobe_marker, to);
    }
    jpeg_finish_decompress(decoder);
    return STATUS_OK;
}

int image_parse_jpg(const char *path, const unsigned char *data, size_t size,
                    const image_view *view, const image_limits *limits, image *out)
{
    jpg_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return fail_memory();
    reader->decoder.err = jpeg_std_error(&reader->errors);
    reader->decoder.client_data = reader;
    reader->errors.error_exit = give_up;
    reader->errors.emit_message = hear;
    reader->errors.output_message = say_nothing;
    int status;
    if (setjmp(reader->failed) == 0)
        status = decode(reader, path, data, size, limits);
    else
        status =
            fail(STATUS_USAGE, "%s: the .jpg file is damaged or truncated: %s", path, reader->why);
    if (status == STATUS_OK) {
        status = image_from_codes(reader->codes, 8, view, (int)reader->decoder.output_width,
                                  (int)reader->decoder.output_height, reader->channels, out);
    }
    jpeg_destroy_decompress(&reader->decoder);
    free(reader->codes);
    free(reader->line);
    free(reader);
    return status;
}

typedef struct jpg_writer {
    struct jpeg_compress_struct coder;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    unsigned char *line;
} jpg_writer;

static void give_up_writing(j_common_ptr common)
{
    jpg_writer *writer = common->client_data;
    longjmp(writer->failed, 1);
}

// Of every pixel its own colour: at this quality the steps of halved chroma would be seen first.
static void encode(jpg_writer *writer, FILE *stream, const image *codes)
{
    enum { QUALITY = 95 };
    struct jpeg_compress_struct *coder = &writer->coder;
    int colours = codes->channels < 3 ? 1 : 3; // alpha is left out
    jpeg_create_compress(coder);
    jpeg_stdio_dest(coder, stream);
    coder->image_width = (JDIMENSION)codes->width;
    coder->image_height = (JDIMENSION)codes->height;
    coder->input_components = colours;
    coder->in_color_space = colours == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(coder);
    jpeg_set_quality(coder, QUALITY, TRUE);
    for (int c = 0; c < coder->num_components; c++)
        coder->comp_info[c].h_samp_factor = coder->comp_info[c].v_samp_factor = 1;
    jpeg_start_compress(coder, TRUE);
    const unsigned char *from = codes->data;
    while (coder->next_scanline < coder->image_height) {
        for (int x = 0; x < codes->width; x++, from += codes->channels)
            memcpy(writer->line + x * colours, from, (size_t)colours);
        jpeg_write_scanlines(coder, &writer->line, 1);
    }
    jpeg_finish_compress(coder);
}

bool image_write_jpg(FILE *stream, const image *codes)
{
    jpg_writer *writer = calloc(1, sizeof *writer);
    unsigned char *line = malloc(3 * (size_t)codes->width);
    volatile bool written = false;
    if (writer && line) {
        writer->coder.err = jpeg_std_error(&writer->errors);
        writer->coder.client_data = writer;
        writer->errors.error_exit = give_up_writing;
        writer->errors.output_message = say_nothing;
        writer->line = line;
        if (setjmp(writer->failed) == 0) {
            encode(writer, stream, codes);
            written = true;
        }
        jpeg_destroy_compress(&writer->coder);
    }
    free(line);
    free(writer);
    return written;
}
