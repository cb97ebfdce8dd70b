// viewer/capture.c - pictures out, images in, traces out
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "capture.h"

#include "file.h"
#include "image.h"
#include "json.h"
#include "report.h"

#include <string.h>
#include <unistd.h>

enum { IMAGE_LONGEST = 8192 };

bool capture_save(const frame *f, const char *path)
{
    const GladGLContext *gl = f->gl;
    image shot = {0};
    if (image_create(f->canvas_width, f->canvas_height, 3, IMAGE_U8, &shot) != STATUS_OK)
        return false;
    shot.codes = true;
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, f->target);
    gl->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, f->canvas,
                             0);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl->ReadPixels(0, 0, f->canvas_width, f->canvas_height, GL_RGB, GL_UNSIGNED_BYTE, shot.data);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 4);
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    // The canvas has its top in the last row, a file in its first.
    size_t row = (size_t)f->canvas_width * 3;
    for (int i = 0; i < f->canvas_height / 2; i++) {
        unsigned char *upper = (unsigned char *)shot.data + (size_t)i * row,
                      *lower =
                          (unsigned char *)shot.data + (size_t)(f->canvas_height - 1 - i) * row;
        for (size_t k = 0; k < row; k++) {
            unsigned char kept = upper[k];
            upper[k] = lower[k];
            lower[k] = kept;
        }
    }
    // The codes are what is on the screen: they are written as they are.
    int status = image_save(path, &shot, &(image_view){.linear = true});
    image_destroy(&shot);
    return status == STATUS_OK;
}

bool capture_load(frame *f, const char *path)
{
    const GladGLContext *gl = f->gl;
    image file = {0}, floats = {0}, four = {0};
    GLuint name = 0;
    int status = image_load(path, &(image_view){0}, &file);
    if (status == STATUS_OK && (file.width > IMAGE_LONGEST || file.height > IMAGE_LONGEST))
        status = fail(STATUS_USAGE, "%s: %dx%d; at most %d each way are shown", path, file.width,
                      file.height, IMAGE_LONGEST);
    if (status == STATUS_OK)
        status = image_to_float(&file, &floats);
    // Grey is grey: one channel serves red, green and blue.
    if (status == STATUS_OK)
        status = image_with_channels(&floats, 4, &four);
    if (status == STATUS_OK) {
        float *texel = four.data;
        size_t count = (size_t)four.width * (size_t)four.height;
        for (size_t i = 0; i < count && file.channels == 1; i++)
            texel[4 * i + 1] = texel[4 * i + 2] = texel[4 * i];
        gl->GenTextures(1, &name);
        gl->BindTexture(GL_TEXTURE_2D, name);
        gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, four.width, four.height);
        gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, four.width, four.height, GL_RGBA, GL_FLOAT,
                          texel);
        gl->BindTexture(GL_TEXTURE_2D, 0);
        if (!f->image.name)
            f->street_view = f->view;
        frame_use_image(f, name, four.width, four.height);
        snprintf(f->image.label, sizeof f->image.label, "%s", file_name(path));
        // Codes of 8 bits have been through a camera's tone curve and exposure: they get no second
        // one.
        f->view.tonemap = file.codes ? TONE_NONE : TONE_ACES;
        f->view.automatic = !file.codes;
        f->view.exposure = 0;
    }
    image_destroy(&four);
    image_destroy(&floats);
    image_destroy(&file);
    return status == STATUS_OK;
}

void capture_name(char *buffer, size_t size, const char *what, const char *extension)
{
    for (int i = 1; i < 1000; i++) {
        snprintf(buffer, size, "afterglow-%s-%03d%s", what, i, extension);
        if (access(buffer, F_OK) != 0)
            return;
    }
}

// ---- traces
// -------------------------------------------------------------------------------------------------

enum { PROCESS = 1, TRACK_CPU = 1, TRACK_GPU = 2 };

static void put_track(json *out, int track, const char *name)
{
    json_open_flat(out, NULL, '{');
    json_text(out, "ph", "M");
    json_text(out, "name", "thread_name");
    json_int(out, "pid", PROCESS);
    json_int(out, "tid", track);
    json_open(out, "args", '{');
    json_text(out, "name", name);
    json_close(out, '}');
    json_close(out, '}');
}

static void put_event(json *out, const frame_span *span, int track, uint64_t begin, uint64_t end,
                      uint64_t start)
{
    json_open_flat(out, NULL, '{');
    json_text(out, "ph", "X");
    json_text(out, "name", span->whole ? span->effect : span->name);
    json_int(out, "pid", PROCESS);
    json_int(out, "tid", track);
    json_number(out, "ts", ((double)begin - (double)start) / 1e3);
    json_number(out, "dur", (double)(end - begin) / 1e3);
    json_open(out, "args", '{');
    json_uint(out, "frame", span->frame);
    json_close(out, '}');
    json_close(out, '}');
}

bool capture_trace(const frame *f, const char *path)
{
    unsigned long count = f->span_count < FRAME_SPANS ? f->span_count : FRAME_SPANS;
    uint64_t start = UINT64_MAX;
    file_writer writer;
    if (!count)
        return fail(STATUS_FAILED, "there are no times yet") == STATUS_OK;
    if (file_begin(&writer, path) != STATUS_OK)
        return false;
    for (unsigned long i = 0; i < count; i++)
        start = f->spans[i].cpu_begin < start ? f->spans[i].cpu_begin : start;
    json out = json_begin(writer.stream);
    json_open(&out, NULL, '{');
    json_open(&out, "traceEvents", '[');
    put_track(&out, TRACK_CPU, "CPU");
    put_track(&out, TRACK_GPU, "GPU");
    for (unsigned long i = f->span_count - count; i < f->span_count; i++) {
        const frame_span *span = &f->spans[i % FRAME_SPANS];
        put_event(&out, span, TRACK_CPU, span->cpu_begin, span->cpu_end, start);
        if (span->gpu_end)
            put_event(&out, span, TRACK_GPU, span->gpu_begin, span->gpu_end, start);
    }
    json_close(&out, ']');
    json_close(&out, '}');
    json_end(&out);
    return file_end(&writer, STATUS_OK) == STATUS_OK;
}
