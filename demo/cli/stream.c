// cli/stream.c - frames of a video through a pass, between pipes or .y4m files
// SPDX-License-Identifier: MIT
//
// Frames are read and written in turn, so the memory is that of one frame, and a slow pipe holds
// the others back. Standard output gets samples only; messages go to standard error.
#define _POSIX_C_SOURCE 200809L
#include "file.h"
#include "files.h"
#include "report.h"
#include "run.h"
#include "y4m.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct stream {
    run *target;
    const char *name; // of the input, for messages
    FILE *in, *out;
    file_writer writer; // of a file; else out is stdout
    y4m_header header;  // raw: its format and rate
    bool y4m;
    video_coder *reader, *encoder;
    unsigned char *samples, *encoded; // of a frame
    video_format encoded_format;
    uint64_t frames, begin_ns;
} stream;

// A line without its end. 1: there is one; 0: the stream ends before it; -1: no line.
static int read_line(FILE *in, char line[Y4M_LINE])
{
    int used = 0;
    for (int byte = getc(in); byte != '\n'; byte = getc(in)) {
        if (byte == EOF)
            return used ? -1 : 0;
        if (byte == '\0' || used == Y4M_LINE - 1)
            return -1;
        line[used++] = (char)byte;
    }
    line[used] = '\0';
    return 1;
}

static bool is_pipe(const char *path)
{
    return strcmp(path, "-") == 0;
}

bool run_is_stream(const char *path)
{
    return is_pipe(path) || strcasecmp(file_extension(path), ".y4m") == 0;
}

static int check_frame(const stream *s)
{
    const image_limits *limits = &s->target->limits;
    const video_format *f = &s->header.format;
    int status = image_check_size(s->name, s->y4m ? ".y4m" : "raw", f->width, f->height, limits);
    return status == STATUS_OK ? image_check_memory(s->name, video_memory(f), limits) : status;
}

static int open_input(stream *s, const char *path)
{
    const run_request *request = s->target->request;
    char line[Y4M_LINE] = "";
    s->name = is_pipe(path) ? "standard input" : path;
    if (!files_allow(FILE_READ, path))
        return STATUS_FAILED;
    s->in = is_pipe(path) ? stdin : fopen(path, "rb");
    if (!s->in)
        return fail(STATUS_USAGE, "%s: %s", path, strerror(errno));
    s->y4m = !request->raw.width;
    s->header.format = request->raw;
    s->header.rate = 25;
    if (s->y4m && read_line(s->in, line) == 0)
        return fail(STATUS_USAGE, "%s: empty; expected frames", s->name);
    int status = s->y4m ? y4m_parse(s->name, line, request->bt709, &s->header) : STATUS_OK;
    if (status == STATUS_OK)
        status = check_frame(s);
    if (status != STATUS_OK)
        return status;
    s->reader = video_coder_create(&s->header.format, &request->view);
    s->samples = malloc(video_frame_bytes(&s->header.format));
    return s->reader && s->samples ? STATUS_OK : fail_memory();
}

// STATUS_OK with `*there` false: the stream has ended between two frames.
static int read_frame(stream *s, bool *there)
{
    char line[Y4M_LINE];
    int found = s->y4m ? read_line(s->in, line) : 1;
    *there = false;
    if (found == 0)
        return STATUS_OK;
    // Behind a space, a frame may have tags of its own.
    bool begins = !s->y4m || (strncmp(line, "FRAME", 5) == 0 && (!line[5] || line[5] == ' '));
    if (found < 0 || !begins)
        return fail(STATUS_USAGE, "%s: no frame after %" PRIu64 " frames; expected FRAME", s->name,
                    s->frames);
    size_t wanted = video_frame_bytes(&s->header.format), got = fread(s->samples, 1, wanted, s->in);
    if (got == 0 && !s->y4m && !ferror(s->in))
        return STATUS_OK;
    if (got != wanted)
        return fail(STATUS_USAGE, "%s: ends in frame %" PRIu64 ", after %zu of its %zu bytes",
                    s->name, s->frames, got, wanted);
    *there = true;
    return STATUS_OK;
}

static int open_output(stream *s, int width, int height)
{
    const run_request *request = s->target->request;
    const char *path = request->output;
    s->encoded_format = s->header.format;
    s->encoded_format.width = width;
    s->encoded_format.height = height;
    s->encoder = video_coder_create(&s->encoded_format, &request->view);
    s->encoded = malloc(video_frame_bytes(&s->encoded_format));
    if (!s->encoder || !s->encoded)
        return fail_memory();
    int status = is_pipe(path) ? STATUS_OK : file_begin(&s->writer, path);
    if (status != STATUS_OK)
        return status;
    s->out = is_pipe(path) ? stdout : s->writer.stream;
    char line[2 * Y4M_LINE];
    y4m_print(&s->header, width, height, line);
    if (s->y4m)
        fputs(line, s->out);
    return STATUS_OK;
}

static int write_frame(stream *s, const image *result)
{
    int status = STATUS_OK;
    if (!s->out)
        status = open_output(s, result->width, result->height);
    if (status == STATUS_OK)
        status = video_encode(s->encoder, result, s->encoded);
    if (status != STATUS_OK)
        return status;
    if (s->y4m)
        fputs("FRAME\n", s->out);
    size_t bytes = video_frame_bytes(&s->encoded_format);
    if (fwrite(s->encoded, 1, bytes, s->out) != bytes || fflush(s->out) != 0)
        return fail(STATUS_FAILED, "%s: cannot be written: %s", s->target->request->output,
                    strerror(errno));
    return STATUS_OK;
}

static double frames_a_second(const stream *s)
{
    return (double)s->frames * 1e9 / (double)(session_now_ns() - s->begin_ns + 1);
}

static int run_one(stream *s, int slot)
{
    char label[64];
    image frame = {0}, result = {0};
    snprintf(label, sizeof label, "frame %" PRIu64, s->frames);
    int status = video_decode(s->reader, s->samples, &frame);
    if (status == STATUS_OK)
        status = run_put(s->target, slot, label, &frame);
    if (status == STATUS_OK)
        status = run_frame(s->target, s->frames, 1 / s->header.rate, &result);
    if (status == STATUS_OK)
        status = write_frame(s, &result);
    image_destroy(&frame);
    image_destroy(&result);
    return status;
}

static void close_stream(stream *s)
{
    if (s->in && s->in != stdin)
        fclose(s->in);
    video_coder_destroy(s->reader);
    video_coder_destroy(s->encoder);
    free(s->samples);
    free(s->encoded);
}

int run_stream(run *target, const char *input)
{
    stream s = {.target = target, .begin_ns = session_now_ns()};
    int slot = run_source_slot(target->request->effect);
    int status = open_input(&s, input);
    for (bool there = true; status == STATUS_OK;) {
        status = read_frame(&s, &there);
        if (status == STATUS_OK && !there)
            break;
        status = status == STATUS_OK ? run_one(&s, slot) : status;
        if (status == STATUS_OK) {
            s.frames++;
            progress_count("frames", s.frames, frames_a_second(&s));
        }
    }
    progress_clear();
    if (status == STATUS_OK && !s.frames)
        status = fail(STATUS_USAGE, "%s: no frames", s.name);
    if (s.writer.stream)
        status = file_end(&s.writer, status);
    if (s.frames) {
        note("%" PRIu64 " frames of %dx%d, %.1f a second", s.frames, s.encoded_format.width,
             s.encoded_format.height, frames_a_second(&s));
        run_end_stream(target);
    }
    close_stream(&s);
    return status;
}
