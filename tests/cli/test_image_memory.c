// test_image_memory.c - what the readers of image files allocate, against the limit they were given
// SPDX-License-Identifier: MIT
//
// Whatever a file holds and whether it is taken, a reader may not allocate more than its limit,
// less the file; of a file that it refuses at once, no more than IMAGE_DECODER. And the least limit
// that it takes is not much above what it uses. Files are of random sizes and kinds; the fuzz
// targets hold the same of small ones. Sanitizers have an allocator of their own.
#define _GNU_SOURCE // malloc_usable_size, open_memstream
#include "check.h"
#include "image.h"
#include "random.h"
#undef fail // cmocka's; report.h has a function of that name
#include "report.h"
#include "tiff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <zlib.h>

// ---- the heap ----------------------------------------------------------------------------------

static size_t in_use, most_in_use;

static void count(size_t size)
{
    in_use += size;
    most_in_use = in_use > most_in_use ? in_use : most_in_use;
}

static void discount(size_t size)
{
    in_use -= size < in_use ? size : in_use; // what was there before the reader
}

#include <malloc.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static void *counted(void *made)
{
    count(made ? malloc_usable_size(made) : 0);
    return made;
}

void *malloc(size_t size)
{
    return counted(__libc_malloc(size));
}

void *calloc(size_t number, size_t size)
{
    return counted(__libc_calloc(number, size));
}

// Both are there while one is copied to the other.
void *realloc(void *old, size_t size)
{
    size_t before = old ? malloc_usable_size(old) : 0;
    void *made = counted(__libc_realloc(old, size));
    discount(made ? before : 0);
    return made;
}

void free(void *old)
{
    discount(old ? malloc_usable_size(old) : 0);
    __libc_free(old);
}

// ---- one file ----------------------------------------------------------------------------------

static int parse(const char *type, const unsigned char *data, size_t size,
                 const image_limits *limits, image *out)
{
    const image_view view = {0};
    return (strcmp(type, "png") == 0    ? image_parse_png
            : strcmp(type, "tiff") == 0 ? image_parse_tiff
                                        : image_parse_jpg)("in", data, size, &view, limits, out);
}

// Parses with this limit of memory; the bytes that it took of the heap at most.
static size_t measure(const char *type, const unsigned char *data, size_t size, size_t memory,
                      bool *taken)
{
    const image_limits limits = {.side = 4096, .layers = 256, .memory = memory};
    image read = {0};
    in_use = most_in_use = 0;
    int status = parse(type, data, size, &limits, &read);
    size_t used = most_in_use;
    *taken = status == STATUS_OK;
    CHECK(*taken || status == STATUS_USAGE);
    image_destroy(&read);
    return used;
}

typedef struct summary {
    int files, taken;
    double worst; // of what was used, of what was allowed
    double spare; // of the least limit, of what was used with it
} summary;

static void check_file(const char *type, const unsigned char *data, size_t size, summary *all)
{
    static const size_t fixed[] = {0, 1 << 16, 1 << 21, 1 << 23, 1 << 25, 1 << 28};
    const size_t most = 1 << 28;
    bool taken;
    all->files++;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        size_t used = measure(type, data, size, fixed[i], &taken);
        size_t rest = fixed[i] > size ? fixed[i] - size : 0, least = size + IMAGE_DECODER;
        double part = (double)used / (double)(rest > least ? rest : least);
        CHECK_F(part <= 1, "%s of %zu bytes: %zu used, limit %zu", type, size, used, fixed[i]);
        all->worst = part > all->worst ? part : all->worst;
    }
    if (!taken) // not with the largest limit either: damaged, or larger than 4096
        return;
    all->taken++;
    size_t low = 0, high = most; // refused, taken
    while (high - low > 1 << 14) {
        size_t middle = (low + high) / 2;
        measure(type, data, size, middle, &taken);
        *(taken ? &high : &low) = middle;
    }
    size_t used = measure(type, data, size, high, &taken);
    double part = (double)used / (double)(high - size);
    CHECK_F(taken && part <= 1, "%s of %zu bytes: %zu used, limit %zu", type, size, used, high);
    double spare = (double)high / (double)(size + used + 2 * IMAGE_DECODER);
    all->worst = part > all->worst ? part : all->worst;
    all->spare = spare > all->spare ? spare : all->spare;
}

static void print(const char *name, const summary *all)
{
    char text[128];
    snprintf(text, sizeof text, "%s: %d files, %d taken, of the limit used", name, all->files,
             all->taken);
    CHECK(all->worst > 0); // the heap is watched
    CHECK_LIMIT(text, all->worst, 1);
    CHECK_LIMIT("the least limit, of file and heap", all->spare, 2.5);
}

// ---- larger files ------------------------------------------------------------------------------

typedef struct buffer {
    unsigned char *data;
    size_t size;
} buffer;

static void append(buffer *to, const void *data, size_t size)
{
    to->data = realloc(to->data, to->size + size + 1);
    CHECK(to->data);
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put_number(unsigned char to[4], size_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * (3 - i));
}

static void append_chunk(buffer *to, const char *name, const void *data, size_t size)
{
    unsigned char number[4];
    put_number(number, size);
    append(to, number, 4);
    append(to, name, 4);
    append(to, data, size);
    put_number(number, crc32(crc32(0, (const Bytef *)name, 4), data, (uInt)size));
    append(to, number, 4);
}

// `excess`: bytes of compressed zeros behind the last line.
static buffer make_png(int width, int height, int bits, int colour, int interlaced, size_t excess)
{
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4};
    unsigned char head[13] = {0}, palette[6] = {0};
    put_number(head, (size_t)width);
    put_number(head + 4, (size_t)height);
    head[8] = (unsigned char)bits;
    head[9] = (unsigned char)colour;
    head[12] = (unsigned char)interlaced;
    // Interlaced, each of seven parts has lines of its own, each with a byte more.
    size_t line = ((size_t)(width * bits * channels[colour]) + 7) / 8 + 8;
    size_t raw = line * (size_t)(height + 8) * (interlaced ? 2 : 1) + excess;
    unsigned char *zeros = calloc(1, raw);
    uLongf packed_size = compressBound(raw);
    unsigned char *packed = malloc(packed_size);
    CHECK(zeros && packed);
    CHECK_EQ(compress(packed, &packed_size, zeros, raw), Z_OK);
    buffer out = {0};
    append(&out, "\x89PNG\r\n\x1a\n", 8);
    append_chunk(&out, "IHDR", head, sizeof head);
    if (colour == 3)
        append_chunk(&out, "PLTE", palette, sizeof palette);
    append_chunk(&out, "IDAT", packed, packed_size);
    append_chunk(&out, "IEND", "", 0);
    free(packed);
    free(zeros);
    return out;
}

static void test_png(void **state)
{
    (void)state;
    rng r = rng_start("png", 41);
    static const int kinds[][2] = {{1, 0}, {8, 0}, {16, 0}, {8, 2}, {16, 2}, {1, 3},
                                   {8, 3}, {8, 4}, {16, 4}, {8, 6}, {16, 6}};
    summary all = {0}, bombs = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (int interlaced = 0; interlaced < 2; interlaced++) {
            int width = rng_int(&r, 200, 600), height = rng_int(&r, 200, 600);
            buffer file = make_png(width, height, kinds[i][0], kinds[i][1], interlaced, 0);
            check_file("png", file.data, file.size, &all);
            free(file.data);
            if (i % 4) // the way of the decoder is the same
                continue;
            file = make_png(9, 7, kinds[i][0], kinds[i][1], interlaced, 12 << 20);
            check_file("png", file.data, file.size, &bombs);
            free(file.data);
        }
    }
    CHECK_EQ(all.taken, 22);
    print(".png", &all);
    CHECK_LIMIT("12 MiB behind the last line, of the limit used", bombs.worst, 1);
}

static void test_jpg(void **state)
{
    (void)state;
    rng r = rng_start("jpg", 41);
    summary all = {0};
    for (int kind = 0; kind < 12; kind++) { // grey, colour, ink; at once or in scans; sampling
        struct jpeg_compress_struct coder;
        struct jpeg_error_mgr errors;
        unsigned char *data = NULL;
        unsigned long size = 0;
        int channels = (const int[]){1, 3, 4}[kind % 3];
        coder.err = jpeg_std_error(&errors);
        jpeg_create_compress(&coder);
        jpeg_mem_dest(&coder, &data, &size);
        coder.image_width = (JDIMENSION)rng_int(&r, 200, 600);
        coder.image_height = (JDIMENSION)rng_int(&r, 200, 600);
        coder.input_components = channels;
        coder.in_color_space = (const J_COLOR_SPACE[]){JCS_GRAYSCALE, JCS_RGB, JCS_CMYK}[kind % 3];
        jpeg_set_defaults(&coder);
        if (kind / 3 & 1)
            jpeg_simple_progression(&coder);
        if (kind / 6)
            for (int c = 0; c < coder.num_components; c++)
                coder.comp_info[c].h_samp_factor = coder.comp_info[c].v_samp_factor = 1;
        unsigned char *row = calloc(coder.image_width, 4);
        CHECK(row);
        jpeg_start_compress(&coder, TRUE);
        while (coder.next_scanline < coder.image_height) {
            for (JDIMENSION x = 0; x < coder.image_width * (JDIMENSION)channels; x++)
                row[x] = (unsigned char)rng_int(&r, 0, 255);
            jpeg_write_scanlines(&coder, &row, 1);
        }
        jpeg_finish_compress(&coder);
        jpeg_destroy_compress(&coder);
        check_file("jpg", data, size, &all);
        free(row);
        free(data);
    }
    CHECK_EQ(all.taken, 12);
    print(".jpg", &all);
}

static void test_tiff(void **state)
{
    (void)state;
    rng r = rng_start("tiff", 41);
    static const image_type types[] = {IMAGE_U8, IMAGE_U16, IMAGE_F16, IMAGE_F32};
    summary all = {0};
    if (!tiff_open("in")) { // what the library itself takes is no file's
        printf("  libtiff is not on this machine\n");
        skip();
    }
    for (int kind = 0; kind < 16; kind++) {
        image source;
        char *data = NULL;
        size_t size = 0;
        CHECK_EQ(image_create(rng_int(&r, 200, 600), rng_int(&r, 200, 600), 1 + kind / 4,
                              types[kind % 4], &source),
                 STATUS_OK);
        FILE *stream = open_memstream(&data, &size);
        CHECK(stream && image_write_tiff(stream, &source));
        fclose(stream);
        check_file("tiff", (const unsigned char *)data, size, &all);
        free(data);
        image_destroy(&source);
    }
    CHECK_EQ(all.taken, 16);
    print(".tif", &all);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_png),
        UNIT_TEST(test_jpg),
        UNIT_TEST(test_tiff),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
