// cli/image_exr_write.c - writes .exr files by OpenEXR's C core: scan lines, without loss
// SPDX-License-Identifier: MIT
//
// Half floats are written if the image has half floats or comes from a texture of half floats, else
// floats. The file is made in memory, because its table of chunks is at the front but written last,
// and a pipe cannot seek.
#include "image.h"

#include "report.h"
#include "texel.h"

#include <openexr.h>

#include <stdlib.h>
#include <string.h>

typedef struct exr_writer {
    unsigned char *data;
    size_t size, capacity;
    exr_context_t file;
    int part;
    const image *source;
    exr_pixel_type_t type;
    const unsigned char *texels;
    exr_result_t (*compress)(exr_encode_pipeline_t *pipeline); // the library's own function
} exr_writer;

static int64_t write_bytes(exr_const_context_t file, void *user, const void *from, uint64_t size,
                           uint64_t offset, exr_stream_error_func_ptr_t error)
{
    (void)file, (void)error;
    exr_writer *writer = user;
    size_t end = (size_t)(offset + size);
    if (end > writer->capacity) {
        size_t capacity = end + end / 2;
        unsigned char *grown = realloc(writer->data, capacity);
        if (!grown)
            return -1;
        memset(grown + writer->capacity, 0, capacity - writer->capacity);
        writer->data = grown;
        writer->capacity = capacity;
    }
    memcpy(writer->data + offset, from, (size_t)size);
    writer->size = end > writer->size ? end : writer->size;
    return (int64_t)size;
}

static void say_nothing(exr_const_context_t file, exr_result_t code, const char *message)
{
    (void)file, (void)code, (void)message;
}

static const char *const *names_of(int channels)
{
    static const char *const names[4][4] = {
        {"Y"}, {"R", "G"}, {"R", "G", "B"}, {"R", "G", "B", "A"}};
    return names[channels - 1];
}

static exr_result_t write_header(exr_writer *writer)
{
    const image *source = writer->source;
    exr_result_t code = exr_add_part(writer->file, "image", EXR_STORAGE_SCANLINE, &writer->part);
    if (code == EXR_ERR_SUCCESS)
        code = exr_initialize_required_attr_simple(writer->file, writer->part, source->width,
                                                   source->height, EXR_COMPRESSION_ZIP);
    for (int c = 0; code == EXR_ERR_SUCCESS && c < source->channels; c++)
        code = exr_add_channel(writer->file, writer->part, names_of(source->channels)[c],
                               writer->type, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    return code == EXR_ERR_SUCCESS ? exr_write_header(writer->file) : code;
}

// If zlib's result has exactly the length of the uncompressed chunk, OpenEXR 3.1.5 stores that
// result. But readers, its own included, take a chunk of that length as uncompressed. Therefore
// such a chunk is stored uncompressed.
static exr_result_t compress(exr_encode_pipeline_t *pipeline)
{
    const exr_writer *writer = pipeline->encoding_user_data;
    exr_result_t code = writer->compress(pipeline);
    if (code == EXR_ERR_SUCCESS && pipeline->compressed_bytes >= pipeline->packed_bytes &&
        pipeline->compressed_buffer != pipeline->packed_buffer &&
        pipeline->compressed_alloc_size >= pipeline->packed_bytes) {
        memcpy(pipeline->compressed_buffer, pipeline->packed_buffer, pipeline->packed_bytes);
        pipeline->compressed_bytes = pipeline->packed_bytes;
    }
    return code;
}

static exr_result_t write_chunk(exr_writer *writer, int y)
{
    const image *source = writer->source;
    exr_chunk_info_t chunk = {0};
    exr_encode_pipeline_t pipeline = EXR_ENCODE_PIPELINE_INITIALIZER;
    exr_result_t code = exr_write_scanline_chunk_info(writer->file, writer->part, y, &chunk);
    if (code == EXR_ERR_SUCCESS)
        code = exr_encoding_initialize(writer->file, writer->part, &chunk, &pipeline);
    size_t bytes = writer->type == EXR_PIXEL_HALF ? 2 : 4;
    size_t texel = bytes * (size_t)source->channels, line = texel * (size_t)source->width;
    for (int i = 0; code == EXR_ERR_SUCCESS && i < pipeline.channel_count; i++) {
        exr_coding_channel_info_t *channel = &pipeline.channels[i];
        for (int c = 0; c < source->channels; c++) {
            if (strcmp(channel->channel_name, names_of(source->channels)[c]) != 0)
                continue;
            channel->encode_from_ptr = writer->texels + (size_t)y * line + (size_t)c * bytes;
            channel->user_pixel_stride = (int32_t)texel;
            channel->user_line_stride = (int32_t)line;
            channel->user_bytes_per_element = (int16_t)bytes;
            channel->user_data_type = (uint16_t)writer->type;
        }
    }
    if (code == EXR_ERR_SUCCESS)
        code = exr_encoding_choose_default_routines(writer->file, writer->part, &pipeline);
    writer->compress = pipeline.compress_fn;
    pipeline.compress_fn = compress;
    pipeline.encoding_user_data = writer;
    if (code == EXR_ERR_SUCCESS)
        code = exr_encoding_run(writer->file, writer->part, &pipeline);
    exr_encoding_destroy(writer->file, &pipeline);
    return code;
}

static exr_result_t write_file(exr_writer *writer)
{
    exr_context_initializer_t start = EXR_DEFAULT_CONTEXT_INITIALIZER;
    start.error_handler_fn = say_nothing; // the caller reports the failure
    start.user_data = writer;
    start.write_fn = write_bytes;
    exr_result_t code =
        exr_start_write(&writer->file, "image.exr", EXR_WRITE_FILE_DIRECTLY, &start);
    if (code != EXR_ERR_SUCCESS)
        return code;
    int32_t lines = 0;
    code = write_header(writer);
    if (code == EXR_ERR_SUCCESS)
        code = exr_get_scanlines_per_chunk(writer->file, writer->part, &lines);
    for (int y = 0; code == EXR_ERR_SUCCESS && y < writer->source->height; y += lines)
        code = write_chunk(writer, y);
    exr_result_t closed = exr_finish(&writer->file);
    return code == EXR_ERR_SUCCESS ? closed : code;
}

// The image's values as half floats, which represent them exactly.
static uint16_t *halves_of(const image *source)
{
    size_t count = image_value_count(source);
    const float *from = source->data;
    uint16_t *halves = malloc(count * sizeof *halves);
    for (size_t i = 0; halves && i < count; i++)
        halves[i] = half_from_float(from[i]);
    return halves;
}

bool image_write_exr(FILE *stream, const image *source)
{
    bool narrow = source->type == IMAGE_F32 && source->halves;
    uint16_t *halves = narrow ? halves_of(source) : NULL;
    exr_writer writer = {.source = source,
                         .type =
                             narrow || source->type == IMAGE_F16 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                         .texels = narrow ? (const unsigned char *)halves : source->data};
    bool done = writer.texels && write_file(&writer) == EXR_ERR_SUCCESS &&
                fwrite(writer.data, 1, writer.size, stream) == writer.size;
    free(writer.data);
    free(halves);
    return done;
}
