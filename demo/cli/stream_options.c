// cli/stream_options.c - the options of `afterglow run` for frames of a video
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "stream_options.h"

#include "file.h"
#include "options.h"
#include "report.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

// ffmpeg's names of -pix_fmt
static const struct {
    const char *name;
    int channels, bits;
} layouts[] = {
    {"gray", 1, 8},       {"rgb24", 3, 8},     {"rgba", 4, 8},
    {"gray16le", 1, 16},  {"rgb48le", 3, 16},  {"rgba64le", 4, 16},
    {"grayf32le", 1, 32}, {"rgbf32le", 3, 32}, {"rgbaf32le", 4, 32},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

int stream_parse_raw(const char *text, video_format *out)
{
    char known[128];
    words names = words_begin(known, sizeof known, " ");
    const char *rest = text;
    video_format made = {.bt709 = true}; // of colours in a grey stream
    bool sized = parse_size(text, &made.width, &made.height, &rest) && *rest == ':';
    for (int i = 0; i < LAYOUTS; i++) {
        words_add(&names, layouts[i].name);
        if (!sized || strcmp(rest + 1, layouts[i].name) != 0)
            continue;
        made.channels = layouts[i].channels;
        made.bits = layouts[i].bits;
        *out = made;
        return STATUS_OK;
    }
    return fail(STATUS_USAGE, "--raw %s: expected WxH:SAMPLES, with one of: %s", text, known);
}

int stream_parse_matrix(const char *text, int *bt709)
{
    if (strcmp(text, "bt709") != 0 && strcmp(text, "bt601") != 0)
        return fail(STATUS_USAGE, "--matrix %s: expected bt601 or bt709", text);
    *bt709 = strcmp(text, "bt709") == 0;
    return STATUS_OK;
}

// The source slot's input is the stream, and nothing else is.
static int check_input(const run_request *request)
{
    run_place places[RUN_MAX_STAGES * EFFECT_MAX_SLOTS];
    int count = run_open_places(request, places), source = -1;
    for (int i = 0; i < count; i++)
        if (places[i].stage == 0 && places[i].slot == run_source_slot(request->effect))
            source = i;
    if (request->input_count > count)
        return fail(STATUS_USAGE, "several inputs for one slot; a stream takes one");
    for (int i = 0; i < request->input_count; i++)
        if (run_is_stream(request->inputs[i]) != (i == source))
            return fail(STATUS_USAGE,
                        "%s: expected %s; frames come in by %s of %s and go out by -o, both - or "
                        ".y4m",
                        request->inputs[i], i == source ? "- or a .y4m file" : "an image",
                        effect_slot(request->effect, run_source_slot(request->effect))->name,
                        request->effect->id);
    return source >= 0 && source < request->input_count
               ? STATUS_OK
               : fail(STATUS_USAGE, "no input of frames; expected - or a .y4m file");
}

static int check_output(const run_request *request)
{
    int slots[EFFECT_MAX_SLOTS];
    if (!request->output || !run_is_stream(request->output))
        return fail(STATUS_USAGE, "%s; frames go to -o - or -o FILE.y4m",
                    request->output ? request->output : "no output");
    const run_request *last = run_last(request);
    if (run_output_slots(last, slots) != 1 || run_writes_chains(last->effect) ||
        (effect_slot(last->effect, slots[0])->access & AG_STATE))
        return fail(STATUS_USAGE, "%s does not have one image as its output; a stream is of images",
                    last->effect->id);
    for (int i = 0; i < request->stage_count * EFFECT_MAX_SLOTS; i++)
        if (request[i / EFFECT_MAX_SLOTS].writes[i % EFFECT_MAX_SLOTS])
            return fail(STATUS_USAGE, "--write takes images, not streams");
    return strcmp(request->output, "-") == 0 ? file_check_pipe() : STATUS_OK;
}

static bool is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

// Frames come in or go out as .y4m, by --raw, or on a standard input that does not begin as an
// image.
static void find_stream(run_request *request)
{
    bool pipe = false;
    request->stream = request->raw.width || (request->output && !is_standard(request->output) &&
                                             run_is_stream(request->output));
    for (int i = 0; i < request->input_count; i++) {
        pipe = pipe || is_standard(request->inputs[i]);
        request->stream = request->stream ||
                          (!is_standard(request->inputs[i]) && run_is_stream(request->inputs[i]));
    }
    if (request->stream || !pipe)
        return;
    int first = getc(stdin);
    ungetc(first, stdin);
    request->input_type = first == EOF ? FILE_UNKNOWN : image_content_type(first);
    request->stream = request->input_type == FILE_UNKNOWN;
}

int stream_check(run_request *request)
{
    find_stream(request);
    if (!request->stream)
        return request->raw.width || request->bt709 >= 0
                   ? fail(STATUS_USAGE, "--raw and --matrix are of streams: - or .y4m")
                   : STATUS_OK;
    if (request->frames || request->reference || request->plan || request->watch)
        return fail(STATUS_USAGE, "--frames, --stats, --trace, --plan, --compare and --watch take "
                                  "images, not streams");
    if (request->raw.width && request->bt709 >= 0)
        return fail(STATUS_USAGE, "--matrix is of Y4M; samples of --raw are colours");
    int status = check_input(request);
    return status == STATUS_OK ? check_output(request) : status;
}
