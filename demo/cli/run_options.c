// cli/run_options.c - the options of `afterglow run`
// SPDX-License-Identifier: MIT
#include "run_options.h"

#include "commands.h"
#include "compare.h"
#include "file.h"
#include "report.h"
#include "stats.h"
#include "stream_options.h"
#include "view_options.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    OPT_OUTPUT,
    OPT_SLOT,
    OPT_SET,
    OPT_SIZE,
    OPT_RECT,
    OPT_FORMAT,
    OPT_PLAN,
    OPT_FRAMES,
    OPT_STATS,
    OPT_TRACE,
    OPT_EXPOSURE,
    OPT_TONEMAP,
    OPT_DITHER,
    OPT_BITS,
    OPT_LINEAR,
    OPT_CHANNELS,
    OPT_COMPARE,
    OPT_PSNR,
    OPT_AS,
    OPT_SHADERS,
    OPT_TUNING,
    OPT_WATCH,
    OPT_RAW,
    OPT_MATRIX,
    OPT_MEMORY,
    OPT_DEVICE,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_OUTPUT] = {"-o", "FILE|DIR",
                    "the file to write: " IMAGE_FILES ",\n"
                    "or a folder, or of frames - or a .y4m file"},
    [OPT_SLOT] = {"--slot", "NAME=FILE", "read FILE into another slot of the effect"},
    [OPT_SET] = {"--set", "NAME=VALUE...",
                 "change settings that `list` shows, one or more: a number, on or off,\n"
                 "a name, or a,b,c for several values"},
    [OPT_SIZE] = {"--size", "WxH[,WxH...]", "sizes of the outputs, if the effect allows any size"},
    [OPT_RECT] = {"--rect", "X,Y,W,H", "use only this rectangle of the source, in texels"},
    [OPT_FORMAT] = {"--format", "[SLOT=]F",
                    "texture format of a slot; without SLOT, of source and outputs:\n"
                    "r8 rg8 rgba8 srgb8 rgb10a2 rgba16 r11g11b10f r16f rg16f\n"
                    "rgba16f r32f rg32f rgba32f r32ui rg32ui rgba32ui"},
    [OPT_PLAN] = {"--plan", NULL,
                  "print the steps of the pass and their predicted times; needs no -o"},
    [OPT_FRAMES] = {"--frames", "N", "run N frames and print the times of each step"},
    [OPT_STATS] = {"--stats", "FILE", "write those times as .csv or .json"},
    [OPT_TRACE] = {"--trace", "FILE.json", "write the times of every frame as a Chrome trace"},
    [OPT_EXPOSURE] = {"--exposure", "EV", VIEW_HELP_EXPOSURE},
    [OPT_TONEMAP] = {"--tonemap", "none|aces", VIEW_HELP_TONEMAP},
    [OPT_DITHER] = {"--dither", "on|off", VIEW_HELP_DITHER},
    [OPT_BITS] = {"--bits", "8|16", VIEW_HELP_BITS},
    [OPT_LINEAR] = {"--linear", NULL, "read and write .png and .jpg without the sRGB curve"},
    [OPT_CHANNELS] = {"--channels", "NAME[,NAME...]",
                      "up to four channels of an .exr input; default: R,G,B or Y,\n"
                      "with A if the file has it; else all, if there are up to four"},
    [OPT_COMPARE] = {"--compare", "REF",
                     "exit 1 when the result is further from this file than..."},
    [OPT_PSNR] = {"--psnr", "DB", "...this; default 60"},
    [OPT_AS] = {"--as", "EXT", "file type in a folder; default: the input's, .png for .jpg"},
    [OPT_SHADERS] = {"--shaders", "DIR", "read shaders from here instead of the embedded ones"},
    [OPT_TUNING] = {"--tuning", "FILE",
                    "what `afterglow tune -o FILE` wrote on this GPU: methods change over where\n"
                    "they should here, and --plan predicts by what was timed"},
    [OPT_WATCH] =
        {"--watch", NULL,
         "run again and rewrite the output whenever these shaders, or those of a folder,\n"
         "change, until Ctrl-C; view it in a program that reloads files"},
    [OPT_RAW] = {"--raw", "WxH:SAMPLES",
                 "frames through - are bare samples of this size, named as by ffmpeg:\n"
                 "gray rgb24 rgba gray16le rgb48le rgba64le grayf32le rgbf32le rgbaf32le"},
    [OPT_MATRIX] = {"--matrix", "bt601|bt709",
                    "colours of Y4M; default: bt709 from 1280 texels of a row or above\n"
                    "576 rows, as players have it"},
    [OPT_MEMORY] = {"--max-memory", "BYTES", VIEW_HELP_MEMORY},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const file_use uses[OPT_COUNT] = {
    [OPT_OUTPUT] = FILE_WRITE, [OPT_SLOT] = FILE_READ,    [OPT_STATS] = FILE_WRITE,
    [OPT_TRACE] = FILE_WRITE,  [OPT_COMPARE] = FILE_READ, [OPT_SHADERS] = FILE_READ_FOLDER,
    [OPT_TUNING] = FILE_READ};

const command command_run = {
    .name = "run",
    .usage = "EFFECT INPUT... -o OUTPUT [options]",
    .help = "runs an effect on image files",
    .notes =
        "EFFECT is one that `list` shows, or the path of a folder with a pass of your own, as\n"
        "./vignette (`afterglow new vignette` makes one).\n"
        "\n"
        "INPUTs fill the effect's required slots in the order that `list` shows. If one slot is\n"
        "left to fill, several inputs are a batch, which needs -o DIR.\n"
        "\n"
        ".png .jpg .hdr  are read as linear light in 32-bit floats, or in the --format; alpha is\n"
        "                linear. Written codes are dithered, but for alpha, black, white, what is a\n"
        "                code already, and results in textures of 8 bits: --dither off rounds them.\n"
        ".exr            are read as linear light, half floats into 16-bit textures and floats\n"
        "                into 32-bit ones. A 16-bit result is written as half floats, any other\n"
        "                as floats, with the channels Y, RG, RGB or RGBA.\n"
        ".npy            are read unchanged: floats are the values that a shader reads, uint8 the\n"
        "                codes of an 8-bit texture, uint32 integers. Results are written as\n"
        "                float32, uint8 or uint32. complex64 fills a slot and its _imag slot, and\n"
        "                complex results are written so; -o DIR writes the two slots.\n"
        "-, .y4m         are frames of a video, from standard input to standard output or between\n"
        "                files: Y4M, or samples of --raw. docs/video.md.\n"
        "--format srgb8  keeps the 8-bit codes of a picture; the GPU decodes and encodes them.\n"
        "--compare REF   compares 8-bit codes, as -o would write them, if REF is .jpg, 8-bit\n"
        "                .png or .npy of uint8, with a peak of 255; else linear floats, with a peak\n"
        "                of 1, or of REF's largest value if that is more.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .files = uses,
    .run = run_command,
};

typedef struct raw_options { // that are checked once all are read
    const char *effect, *as;
    bool has_psnr;
} raw_options;

static int parse_sizes(const char *text, run_request *out)
{
    const char *at = text;
    do {
        at += out->size_count ? 1 : 0; // the comma
        if (out->size_count == RUN_MAX_SIZES ||
            !parse_size(at, &out->widths[out->size_count], &out->heights[out->size_count], &at))
            break;
        out->size_count++;
    } while (*at == ',');
    return *at == '\0' && out->size_count
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "--size %s: expected WxH[,WxH...], at most %d sizes of 1..65536", text,
                      RUN_MAX_SIZES);
}

static int parse_rect(const char *text, run_request *out)
{
    int used = 0, x = -1, y = -1, width = 0, height = 0;
    int count = sscanf(text, "%6d,%6d,%6d,%6d%n", &x, &y, &width, &height, &used);
    if (count != 4 || text[used] != '\0' || x < 0 || y < 0 || width < 1 || height < 1)
        return fail(STATUS_USAGE, "--rect %s: expected X,Y,W,H in texels, W and H from 1", text);
    out->rect.x = x;
    out->rect.y = y;
    out->rect.width = width;
    out->rect.height = height;
    return STATUS_OK;
}

static int parse_positive(const char *name, const char *text, int max, int *out)
{
    return parse_int(text, 1, max, out)
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s %s: expected an integer, 1..%d", name, text, max);
}

static int read_tuning(const char *path, run_request *out)
{
    unsigned char *data = NULL;
    size_t size = 0;
    int status = file_read(path, &data, &size);
    if (status != STATUS_OK)
        return status;
    free(out->tuning);
    out->tuning = malloc(size + 1);
    if (!out->tuning)
        status = fail_memory();
    else
        memcpy(out->tuning, data, size);
    free(data);
    if (status != STATUS_OK)
        return status;
    out->tuning[size] = '\0';
    return strlen(out->tuning) == size
               ? STATUS_OK
               : fail(STATUS_USAGE, "--tuning %s: expected a text that `afterglow tune` wrote",
                      path);
}

static int parse_option(int which, const char *value, raw_options *raw, run_request *out)
{
    switch (which) {
    case OPT_OUTPUT: out->output = value; break;
    case OPT_SLOT: out->slots.texts[out->slots.count++] = value; break;
    case OPT_SET: out->sets.texts[out->sets.count++] = value; break;
    case OPT_FORMAT: out->slot_formats.texts[out->slot_formats.count++] = value; break;
    case OPT_SIZE: out->size_count = 0; return parse_sizes(value, out);
    case OPT_RECT: return parse_rect(value, out);
    case OPT_PLAN: out->plan = true; break;
    case OPT_FRAMES: return parse_positive("--frames", value, 1000000, &out->frames);
    case OPT_STATS: out->stats = value; break;
    case OPT_TRACE: out->trace = value; break;
    case OPT_EXPOSURE: return view_parse_exposure(value, &out->view);
    case OPT_TONEMAP: return view_parse_tonemap(value, &out->view);
    case OPT_DITHER: return view_parse_dither(value, &out->view);
    case OPT_BITS: return view_parse_bits(value, &out->view);
    case OPT_LINEAR: out->view.linear = true; break;
    case OPT_CHANNELS: out->view.channels = value; break;
    case OPT_COMPARE: out->reference = value; break;
    case OPT_PSNR:
        raw->has_psnr = true;
        if (!parse_double(value, &out->reference_db))
            return fail(STATUS_USAGE, "--psnr %s: expected a number of dB", value);
        break;
    case OPT_AS: raw->as = value; break;
    case OPT_SHADERS: out->shaders = value; break;
    case OPT_TUNING: return read_tuning(value, out);
    case OPT_WATCH: out->watch = true; break;
    case OPT_RAW: return stream_parse_raw(value, &out->raw);
    case OPT_MATRIX: return stream_parse_matrix(value, &out->bt709);
    case OPT_MEMORY: return view_parse_memory(value, &out->memory);
    case OPT_DEVICE: return view_parse_device(value, &out->device);
    case OPTION_INPUT:
        if (raw->effect) {
            out->inputs[out->input_count++] = value;
            return files_add(FILE_READ, "", value);
        }
        raw->effect = value;
        break;
    default: return STATUS_USAGE; // OPTION_ERROR, already printed
    }
    return STATUS_OK;
}

// Whether an effect has the slot or setting that a word begins with: NAME=... If not, and another
// effect had it (`had`), says that the word is left out.
static bool applies(const run_request *out, const ag_effect_info *had, const char *word,
                    const char *text, bool slot)
{
    size_t length = strcspn(text, "=");
    int count = (int)(slot ? out->effect->slot_count : out->effect->setting_count);
    for (int i = 0; i < count && had; i++) {
        const char *name =
            slot ? effect_slot(out->effect, i)->name : effect_setting(out->effect, i)->name;
        if (strlen(name) == length && strncmp(name, text, length) == 0)
            return true;
    }
    if (had)
        note("%s %s is left out: %s has no %s %.*s any more", word, text, out->effect->id,
             slot ? "slot" : "setting", (int)length, text);
    return !had;
}

static int apply_slots(run_request *out, const ag_effect_info *had)
{
    for (int i = 0; i < out->slots.count; i++) {
        const char *text = out->slots.texts[i], *equals = strchr(text, '=');
        if (!applies(out, had, "--slot", text, true))
            continue;
        if (!equals || equals[1] == '\0')
            return fail(STATUS_USAGE, "--slot %s: expected NAME=FILE", text);
        int slot = effect_find_slot(out->effect, text, (size_t)(equals - text));
        if (slot < 0)
            return STATUS_USAGE;
        if (!(effect_slot(out->effect, slot)->access & AG_READ))
            return fail(STATUS_USAGE, "--slot %s: this slot is written; -o names its file", text);
        out->files[slot] = equals + 1;
    }
    return STATUS_OK;
}

static int apply_formats(run_request *out, const ag_effect_info *had)
{
    char names[256];
    for (int i = 0; i < out->slot_formats.count; i++) {
        const char *text = out->slot_formats.texts[i], *equals = strchr(text, '=');
        const char *name = equals ? equals + 1 : text;
        const format_info *format = format_by_name(name, strlen(name));
        if (!format) {
            return fail(STATUS_USAGE, "--format %s: expected one of: %s", text,
                        format_names(names, sizeof names));
        }
        if (equals && !applies(out, had, "--format", text, true))
            continue;
        if (equals) {
            int slot = effect_find_slot(out->effect, text, (size_t)(equals - text));
            if (slot < 0)
                return STATUS_USAGE;
            out->formats[slot] = format;
            continue;
        }
        // Without a slot it means source and outputs, never a kernel.
        int slots[EFFECT_MAX_SLOTS], count = run_output_slots(out, slots);
        out->formats[run_source_slot(out->effect)] = format;
        for (int k = 0; k < count; k++)
            if (!(effect_slot(out->effect, slots[k])->access & AG_STATE))
                out->formats[slots[k]] = format;
    }
    return STATUS_OK;
}

static int apply_settings(run_request *out, const ag_effect_info *had)
{
    out->settings = calloc(1, out->effect->settings_size ? out->effect->settings_size : 1);
    if (!out->settings)
        return fail_memory();
    ag_status filled =
        out->api->effect_defaults(out->effect, out->settings, out->effect->settings_size);
    if (filled < 0)
        return fail(STATUS_FAILED, "%s: %s", out->effect->id, out->api->status_text(filled));
    for (int i = 0; i < out->sets.count; i++) {
        if (!applies(out, had, "--set", out->sets.texts[i], false))
            continue;
        int status = effect_set(out->effect, out->sets.texts[i], out->settings);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// What of the request depends on the effect. `had`: it is another one now.
static int apply_words(run_request *out, const ag_effect_info *had)
{
    if (run_source_slot(out->effect) < 0)
        return fail(STATUS_USAGE, "%s reads no image; expected `afterglow %s`", out->effect->id,
                    out->effect->id);
    if (out->effect->slot_count > EFFECT_MAX_SLOTS)
        return fail(STATUS_FAILED, "%s has slots that this program cannot fill", out->effect->id);
    int status = apply_slots(out, had);
    status = status == STATUS_OK ? apply_formats(out, had) : status;
    return status == STATUS_OK ? apply_settings(out, had) : status;
}

static int apply_as(const raw_options *raw, run_request *out)
{
    if (!raw->as)
        return STATUS_OK;
    char path[16];
    snprintf(path, sizeof path, "x%s%.8s", raw->as[0] == '.' ? "" : ".", raw->as);
    out->output_type = image_file_type(path);
    return out->output_type != FILE_UNKNOWN
               ? STATUS_OK
               : fail(STATUS_USAGE, "--as %s: expected one of %s", raw->as, IMAGE_FILES);
}

bool run_is_batch(const run_request *request)
{
    int open_slots[EFFECT_MAX_SLOTS], outputs[EFFECT_MAX_SLOTS];
    return request->to_folder && run_open_slots(request, open_slots) == 1 &&
           run_output_slots(request, outputs) == 1 && !run_writes_chains(request->effect);
}

static int check_inputs(const run_request *request)
{
    char known[256];
    words names = words_begin(known, sizeof known, ", ");
    int slots[EFFECT_MAX_SLOTS], count = run_open_slots(request, slots);
    for (int i = 0; i < count; i++)
        words_add(&names, effect_slot(request->effect, slots[i])->name);
    if (request->input_count == count || (request->input_count > count && count == 1))
        return STATUS_OK;
    return fail(STATUS_USAGE, "%s: %d input%s; expected %d (%s)%s", request->effect->id,
                request->input_count, request->input_count == 1 ? "" : "s", count, known,
                request->input_count > count && count ? ", or for a batch all but one by --slot"
                                                      : "");
}

static int check_output(run_request *request)
{
    int slots[EFFECT_MAX_SLOTS], open_slots[EFFECT_MAX_SLOTS];
    int outputs = run_writes_chains(request->effect) ? 2 // or more: levels
                                                     : run_output_slots(request, slots);
    bool several = request->input_count > run_open_slots(request, open_slots);
    const char *path = request->output;
    if (!path) {
        bool other = request->reference || request->frames || request->plan;
        if (several || !other) {
            return fail(STATUS_USAGE, several ? "a batch needs -o DIR"
                                              : "run needs -o FILE, one of " IMAGE_FILES);
        }
        return STATUS_OK;
    }
    size_t length = strlen(path);
    bool folder = length && (path[length - 1] == '/' || file_is_folder(path));
    request->to_folder = folder || several || outputs > 1;
    if (several && outputs > 1) {
        return fail(STATUS_USAGE, "%s has several outputs: expected the inputs one at a time",
                    request->effect->id);
    }
    if (request->to_folder) {
        bool looks_like_file = !folder && image_file_type(path) != FILE_UNKNOWN;
        return looks_like_file
                   ? fail(STATUS_USAGE, "-o %s: expected a folder, for several files", path)
                   : STATUS_OK;
    }
    if (image_file_type(path) == FILE_UNKNOWN) {
        return fail(STATUS_USAGE, "-o %s: unknown file type; expected one of %s, or a folder: %s/",
                    path, IMAGE_FILES, path);
    }
    if (request->output_type != FILE_UNKNOWN && request->output_type != image_file_type(path))
        return fail(STATUS_USAGE, "--as is for folders; expected -o DIR, got -o %s", path);
    return file_check_writable(path);
}

static bool has_srgb_format(const run_request *request)
{
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (request->formats[i] && request->formats[i]->kind == FORMAT_SRGB8)
            return true;
    return false;
}

// Checks options that exclude or need each other.
static int check_combination(const raw_options *raw, run_request *out)
{
    int slots[EFFECT_MAX_SLOTS], most = run_most_outputs(out->effect);
    run_output_slots(out, slots);
    if (out->size_count > most) {
        return fail(STATUS_USAGE, "--size: %d sizes; %s has %d output%s", out->size_count,
                    out->effect->id, most, most == 1 ? "" : "s");
    }
    if (out->view.linear && has_srgb_format(out))
        return fail(STATUS_USAGE, "--linear and srgb8 contradict each other; expected one of them");
    if (out->reference && run_writes_chains(out->effect))
        return fail(STATUS_USAGE, "--compare: %s has an output for each level", out->effect->id);
    if (out->size_count && run_source_slot(out->effect) == slots[0])
        return fail(STATUS_USAGE, "--size: %s works in place", out->effect->id);
    if (raw->has_psnr && !out->reference)
        return fail(STATUS_USAGE, "--psnr needs --compare REF");
    if (out->shaders && !file_is_folder(out->shaders))
        return fail(STATUS_USAGE, "--shaders %s: expected a folder", out->shaders);
    if (out->watch && ((!out->shaders && !out->folder) || !out->output))
        return fail(STATUS_USAGE, "--watch needs --shaders DIR, or a pass's folder, and -o");
    if (out->watch && (out->frames || out->reference || out->plan))
        return fail(STATUS_USAGE,
                    "--watch does not go with --frames, --stats, --trace, --plan or --compare");
    if (out->trace && strcasecmp(file_extension(out->trace), ".json") != 0)
        return fail(STATUS_USAGE, "--trace %s: expected a .json file", out->trace);
    int status = out->trace ? file_check_writable(out->trace) : STATUS_OK;
    if (status == STATUS_OK && out->stats)
        status = stats_check_path(out->stats);
    return status;
}

static int check_single(const run_request *out)
{
    int slots[EFFECT_MAX_SLOTS];
    bool several = out->input_count > run_open_slots(out, slots);
    if (several && (out->frames || out->reference || out->plan || out->watch)) {
        return fail(STATUS_USAGE,
                    "--frames, --stats, --trace, --plan, --compare and --watch take one "
                    "input, not a batch");
    }
    if (out->reference && run_output_slots(out, slots) > 1)
        return fail(STATUS_USAGE, "--compare takes an effect of one output");
    image_file type = out->to_folder ? out->output_type
                      : out->output  ? image_file_type(out->output)
                                     : FILE_UNKNOWN;
    bool changes_codes = out->view.exposure != 0 || out->view.aces;
    if (changes_codes && (type == FILE_NPY || type == FILE_HDR || type == FILE_EXR))
        note("--exposure and --tonemap change .png and .jpg only, not %s", image_extension(type));
    return STATUS_OK;
}

static int resolve(const raw_options *raw, run_request *out)
{
    if (!raw->effect) {
        return fail(STATUS_USAGE, "run needs an effect and its inputs: afterglow run %s",
                    command_run.usage);
    }
    out->folder = effect_is_folder(raw->effect) ? raw->effect : NULL;
    int read = out->folder ? files_add(FILE_READ_FOLDER, "", out->folder) : STATUS_OK;
    if (read != STATUS_OK)
        return read;
    out->effect = out->folder ? effect_load(out->api, out->folder, out->device)
                              : effect_find(out->api, raw->effect);
    if (!out->effect)
        return STATUS_USAGE;
    // Options that need times were given without --frames.
    if ((out->stats || out->trace) && !out->frames)
        out->frames = 1;
    int status = apply_words(out, NULL);
    status = status == STATUS_OK ? apply_as(raw, out) : status;
    status = status == STATUS_OK ? check_combination(raw, out) : status;
    status = status == STATUS_OK ? check_inputs(out) : status;
    status = status == STATUS_OK ? stream_check(out) : status;
    if (status == STATUS_OK && out->stream)
        return strcmp(out->output, "-") == 0 ? STATUS_OK : file_check_writable(out->output);
    status = status == STATUS_OK ? check_output(out) : status;
    return status == STATUS_OK ? check_single(out) : status;
}

int run_options_read(int argc, char **argv, run_request *out)
{
    *out = (run_request){
        .api = effect_api(), .reference_db = COMPARE_DEFAULT_DB, .bt709 = -1, .view.dither = true};
    if (!out->api)
        return STATUS_FAILED;
    // Each list has room for every argument.
    size_t room = (size_t)argc + 1;
    out->inputs = calloc(room, sizeof *out->inputs);
    out->sets.texts = calloc(room, sizeof *out->sets.texts);
    out->slots.texts = calloc(room, sizeof *out->slots.texts);
    out->slot_formats.texts = calloc(room, sizeof *out->slot_formats.texts);
    raw_options raw = {0};
    bool complete = out->inputs && out->sets.texts && out->slots.texts && out->slot_formats.texts;
    int status = complete ? STATUS_OK : fail_memory();
    option_reader reader = option_begin(&command_run, argc, argv);
    while (status == STATUS_OK) {
        int which = option_next(&reader);
        if (which == OPTION_END) {
            status = resolve(&raw, out);
            break;
        }
        status = parse_option(which, reader.value, &raw, out);
    }
    return status;
}

int run_options_follow(run_request *request, const ag_effect_info *effect)
{
    run_request next = *request;
    int slots[EFFECT_MAX_SLOTS], outputs = run_output_slots(request, slots);
    next.effect = effect;
    next.settings = NULL;
    memset(next.files, 0, sizeof next.files);
    memset(next.formats, 0, sizeof next.formats);
    int status = apply_words(&next, request->effect);
    status = status == STATUS_OK ? check_inputs(&next) : status;
    if (status == STATUS_OK && run_output_slots(&next, slots) != outputs)
        status = fail(STATUS_USAGE, "%s has another number of outputs", effect->id);
    void *unused = status == STATUS_OK ? request->settings : next.settings;
    if (status == STATUS_OK)
        *request = next;
    free(unused);
    return status;
}

void run_options_free(run_request *target)
{
    free(target->settings);
    free(target->tuning);
    free(target->inputs);
    free(target->sets.texts);
    free(target->slots.texts);
    free(target->slot_formats.texts);
    *target = (run_request){0};
}
