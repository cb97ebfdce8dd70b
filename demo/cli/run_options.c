// cli/run_options.c - the options of `afterglow run`
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // scandir, strdup
#include "run_options.h"

#include "commands.h"
#include "compare.h"
#include "file.h"
#include "report.h"
#include "run_stage.h"
#include "stream_options.h"
#include "view_options.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_OUTPUT,
    OPT_SLOT,
    OPT_WRITE,
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
                    "or a folder, or - for standard output, or of frames a .y4m file"},
    [OPT_SLOT] = {"--slot", "NAME=FILE",
                  "read FILE into another slot of the effect, or take EFFECT.SLOT of an\n"
                  "earlier effect"},
    [OPT_WRITE] = {"--write", "NAME=FILE",
                   "write another slot of the effect into FILE, an optional one, too"},
    [OPT_SET] = {"--set", "NAME=VALUE...",
                 "change settings that `list` shows, one or more: a number, on or off,\n"
                 "a name, or a,b,c for several values"},
    [OPT_SIZE] = {"--size", "WxH|N%[,...]",
                  "sizes of the outputs, in texels or of the source, if the effect allows any"},
    [OPT_RECT] = {"--rect", "X,Y,W,H", "use only this rectangle of the source, in texels"},
    [OPT_FORMAT] = {"--format", "[SLOT=]F",
                    "texture format of a slot; without SLOT, of source and outputs:\n"
                    "r8 rg8 rgba8 srgb8 rgb10a2 rgba16 r11g11b10f r16f rg16f\n"
                    "rgba16f r32f rg32f rgba32f r32ui rg32ui rgba32ui"},
    [OPT_PLAN] = {"--plan", NULL,
                  "print the steps of the passes and their predicted times; needs no -o"},
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
    [OPT_AS] = {"--as", VIEW_AS,
                "file type in a folder or of -o -; default: the input's, .png for .jpg"},
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
    [OPT_OUTPUT] = FILE_WRITE, [OPT_WRITE] = FILE_WRITE,  [OPT_STATS] = FILE_WRITE,
    [OPT_TRACE] = FILE_WRITE,  [OPT_COMPARE] = FILE_READ, [OPT_SHADERS] = FILE_READ_FOLDER,
    [OPT_TUNING] = FILE_READ};

const command command_run = {
    .name = "run",
    .usage = "EFFECT [NAME=VALUE...] [+ EFFECT...] INPUT... -o OUTPUT [options]",
    .help = "runs an effect, or a chain of them, on image files",
    .notes =
        "EFFECT is one that `list` shows, or the path of a folder with a pass of your own, as\n"
        "./vignette (`afterglow new vignette` makes one).\n"
        "\n"
        "NAME=VALUE alone, if no file has that name, is a setting, as of --set, or else a slot,\n"
        "as of --slot.\n"
        "\n"
        "INPUTs fill the effect's required slots in the order that `list` shows. If one slot is\n"
        "left to fill, several inputs are a batch, which needs -o DIR. A folder is all images in\n"
        "it. - is standard input: an image of any type, or frames.\n"
        "\n"
        "A chain, as denoise + exposure + bloom, is several effects with a + between. Textures\n"
        "pass from one to the next on the GPU: its first output, or its source if it writes no\n"
        "picture. --set, --slot, --write, --size, --rect and --format are of the effect before\n"
        "them. A slot takes what an earlier effect of its name makes (exposure of bloom: the\n"
        "exposure), what EFFECT.SLOT says, and if it is required, what an earlier slot of its\n"
        "name has.\n"
        "\n"
        ".png .jpg .hdr  are read as linear light in 32-bit floats, or in the --format; alpha is\n"
        ".webp           linear. Written codes are dithered, but for alpha, black, white, what is a\n"
        "                code already, and results in textures of 8 bits: --dither off rounds them.\n"
        ".exr            are read as linear light, half floats into 16-bit textures and floats\n"
        "                into 32-bit ones. A 16-bit result is written as half floats, any other\n"
        "                as floats, with the channels Y, RG, RGB or RGBA.\n"
        ".tif            is as .png where it holds codes, of 8 or 16 bits, and as .exr where it holds\n"
        "                floats or half floats. Of an input of codes, or with --bits, codes are\n"
        "                written; else floats.\n"
        ".npy            are read unchanged: floats are the values that a shader reads, uint8 the\n"
        "                codes of an 8-bit texture, uint32 integers. Results are written as\n"
        "                float32, uint8 or uint32. complex64 fills a slot and its _imag slot, and\n"
        "                complex results are written so; -o DIR writes the two slots.\n"
        "-, .y4m         are frames of a video, from standard input to standard output or between\n"
        "                files: Y4M, or samples of --raw. docs/video.md. An image on standard input\n"
        "                is told by its first byte.\n"
        "--format srgb8  keeps the 8-bit codes of a picture; the GPU decodes and encodes them.\n"
        "--compare REF   compares 8-bit codes, as -o would write them, if REF holds such codes,\n"
        "                with a peak of 255; else linear floats, with a peak of 1, or of REF's\n"
        "                largest value if that is more.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .files = uses,
    .run = run_command,
};

typedef struct raw_options {
    int stage; // that the options are of
    bool expects_effect;
    bool has_psnr;
} raw_options;

static int parse_sizes(const char *text, run_request *out)
{
    const char *at = text;
    do {
        at += out->size_count ? 1 : 0; // the comma
        if (out->size_count == RUN_MAX_SIZES)
            break;
        run_size *size = &out->sizes[out->size_count];
        int used = 0;
        *size = (run_size){0};
        if (sscanf(at, "%8lf%%%n", &size->percent, &used) == 1 && used)
            at += used;
        else if ((size->percent = 0), !parse_size(at, &size->width, &size->height, &at))
            break;
        if (size->percent < 0 || (used && !(size->percent > 0)))
            break;
        out->size_count++;
    } while (*at == ',');
    return *at == '\0' && out->size_count
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "--size %s: expected WxH[,WxH...], at most %d sizes of 1..65536, or N%% of "
                      "the source",
                      text, RUN_MAX_SIZES);
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

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// Takes the path, which was allocated.
static int add_input(run_request *chain, char *path)
{
    char **grown = NULL;
    if (path)
        grown = realloc(chain->inputs, ((size_t)chain->input_count + 1) * sizeof *grown);
    if (!grown) {
        free(path);
        return fail_memory();
    }
    chain->inputs = grown;
    chain->inputs[chain->input_count++] = path;
    return files_add(FILE_READ, "", path);
}

// The images in a folder, by their names in the order of bytes. Other files are left out.
static int add_folder(run_request *chain, const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, NULL, by_bytes), found = 0;
    int status = count < 0 ? fail(STATUS_USAGE, "%s: %s", folder, strerror(errno)) : STATUS_OK;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (status == STATUS_OK && image_file_type(name) != FILE_UNKNOWN) {
            found++;
            status = add_input(chain, file_join(folder, name, strlen(name), ""));
        }
        free(entries[i]);
    }
    free(entries);
    return status == STATUS_OK && !found
               ? fail(STATUS_USAGE, "%s: no images in this folder; expected %s", folder,
                      IMAGE_READ_FILES)
               : status;
}

// An effect, a + before another, NAME=VALUE of it, or an input.
static int parse_word(const char *value, bool only_inputs, raw_options *raw, run_request *chain)
{
    run_words *stage = &chain[raw->stage].said;
    if (strcmp(value, "+") == 0 && !only_inputs) {
        if (!stage->effect || raw->expects_effect)
            return fail(STATUS_USAGE, "a + stands between two effects; expected one before it");
        if (raw->stage + 1 == RUN_MAX_STAGES)
            return fail(STATUS_USAGE, "a chain has at most %d effects", RUN_MAX_STAGES);
        raw->expects_effect = true;
        raw->stage++;
        return STATUS_OK;
    }
    if (!stage->effect) {
        stage->effect = value;
        raw->expects_effect = false;
        return STATUS_OK;
    }
    if (!only_inputs && option_is_setting(value)) {
        stage->words[stage->word_count++] = value;
        return STATUS_OK;
    }
    if (strcmp(value, "-") == 0 || !file_is_folder(value))
        return add_input(chain, strdup(value));
    chain->folder_count++;
    return add_folder(chain, value);
}

static int parse_option(int which, const char *value, raw_options *raw, run_request *chain)
{
    run_words *stage = &chain[raw->stage].said;
    run_request *out = &chain[raw->stage]; // else what is of all is of the first, until resolve
    switch (which) {
    case OPT_OUTPUT: chain->output = value; break;
    case OPT_SLOT: stage->slots[stage->slot_count++] = value; break;
    case OPT_WRITE: stage->writes[stage->write_count++] = value; break;
    case OPT_SET: stage->sets[stage->set_count++] = value; break;
    case OPT_FORMAT: stage->formats[stage->format_count++] = value; break;
    case OPT_SIZE: out->size_count = 0; return parse_sizes(value, out);
    case OPT_RECT: return parse_rect(value, out);
    case OPT_PLAN: chain->plan = true; break;
    case OPT_FRAMES: return parse_positive("--frames", value, 1000000, &chain->frames);
    case OPT_STATS: chain->stats = value; break;
    case OPT_TRACE: chain->trace = value; break;
    case OPT_EXPOSURE: return view_parse_exposure(value, &chain->view);
    case OPT_TONEMAP: return view_parse_tonemap(value, &chain->view);
    case OPT_DITHER: return view_parse_dither(value, &chain->view);
    case OPT_BITS: return view_parse_bits(value, &chain->view);
    case OPT_LINEAR: chain->view.linear = true; break;
    case OPT_CHANNELS: chain->view.channels = value; break;
    case OPT_COMPARE: chain->reference = value; break;
    case OPT_PSNR:
        raw->has_psnr = true;
        if (!parse_double(value, &chain->reference_db))
            return fail(STATUS_USAGE, "--psnr %s: expected a number of dB", value);
        break;
    case OPT_AS: return view_parse_as(value, &chain->output_type);
    case OPT_SHADERS: chain->shaders = value; break;
    case OPT_TUNING: return read_tuning(value, chain);
    case OPT_WATCH: chain->watch = true; break;
    case OPT_RAW: return stream_parse_raw(value, &chain->raw);
    case OPT_MATRIX: return stream_parse_matrix(value, &chain->bt709);
    case OPT_MEMORY: return view_parse_memory(value, &chain->memory);
    case OPT_DEVICE: return view_parse_device(value, &chain->device);
    default: return STATUS_USAGE; // OPTION_ERROR, already printed
    }
    return STATUS_OK;
}

static int find_effect(const char *name, run_request *out)
{
    out->folder = effect_is_folder(name) ? name : NULL;
    int read = out->folder ? files_add(FILE_READ_FOLDER, "", out->folder) : STATUS_OK;
    if (read != STATUS_OK)
        return read;
    out->effect =
        out->folder ? effect_load(out->api, out->folder, out->device) : effect_find(out->api, name);
    if (!out->effect)
        return STATUS_USAGE;
    if (run_source_slot(out->effect) < 0)
        return fail(STATUS_USAGE, "%s reads no image; expected `afterglow %s`", out->effect->id,
                    out->effect->id);
    if (out->effect->slot_count > EFFECT_MAX_SLOTS)
        return fail(STATUS_FAILED, "%s has slots that this program cannot fill", out->effect->id);
    return STATUS_OK;
}

// What is of the whole command is in each request.
static void share(run_request *chain)
{
    for (int i = 1; i < chain->stage_count; i++) {
        run_request own = chain[i];
        chain[i] = *chain;
        chain[i].stage = i;
        chain[i].effect = own.effect;
        chain[i].folder = own.folder;
        chain[i].settings = own.settings;
        chain[i].said = own.said;
        memcpy(chain[i].files, own.files, sizeof own.files);
        memcpy(chain[i].writes, own.writes, sizeof own.writes);
        memcpy(chain[i].links, own.links, sizeof own.links);
        memcpy(chain[i].wanted, own.wanted, sizeof own.wanted);
        memcpy(chain[i].formats, own.formats, sizeof own.formats);
        memcpy(chain[i].sizes, own.sizes, sizeof own.sizes);
        chain[i].size_count = own.size_count;
        chain[i].rect = own.rect;
    }
}

static void clear_slots(run_request *out)
{
    memset(out->files, 0, sizeof out->files);
    memset(out->writes, 0, sizeof out->writes);
    memset(out->wanted, 0, sizeof out->wanted);
    memset(out->formats, 0, sizeof out->formats);
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        out->links[i] = (run_place){-1, -1};
}

static int resolve(const raw_options *raw, run_request *chain)
{
    if (!chain->said.effect)
        return fail(STATUS_USAGE, "run needs an effect and its inputs: afterglow run %s",
                    command_run.usage);
    if (raw->expects_effect)
        return fail(STATUS_USAGE, "a + stands between two effects; nothing follows the last one");
    // Options that need times were given without --frames.
    if ((chain->stats || chain->trace) && !chain->frames)
        chain->frames = 1;
    int status = STATUS_OK;
    for (int i = 0; i < chain->stage_count && status == STATUS_OK; i++) {
        chain[i].stage = i;
        chain[i].stage_count = chain->stage_count;
        chain[i].api = chain->api;
        chain[i].device = chain->device;
        clear_slots(&chain[i]);
        status = find_effect(chain[i].said.effect, &chain[i]);
        status = status == STATUS_OK ? stage_apply(&chain[i], NULL) : status;
    }
    share(chain);
    for (int i = 0; i < chain->stage_count && status == STATUS_OK; i++) {
        status = stage_apply_formats(&chain[i], NULL);
        status = status == STATUS_OK ? stage_check(&chain[i]) : status;
    }
    status = status == STATUS_OK ? run_check_options(chain, raw->has_psnr) : status;
    status = status == STATUS_OK ? run_check_inputs(chain) : status;
    status = status == STATUS_OK ? stream_check(chain) : status;
    if (status == STATUS_OK && chain->stream)
        status = strcmp(chain->output, "-") == 0 ? STATUS_OK : file_check_writable(chain->output);
    else if (status == STATUS_OK)
        status = run_check_output(chain);
    if (status == STATUS_OK && !chain->stream)
        status = run_check_single(chain);
    share(chain);
    return status;
}

// Room for every argument in each list of each effect, in one block.
static int make_lists(int argc, int count, run_request *chain)
{
    enum { LISTS = 5 };
    size_t room = (size_t)argc + 1;
    const char **lists = calloc((size_t)count * LISTS * room, sizeof *lists);
    for (int i = 0; i < count && lists; i++) {
        const char **mine = lists + (size_t)i * LISTS * room;
        chain[i].said = (run_words){.words = mine,
                                    .sets = mine + room,
                                    .slots = mine + 2 * room,
                                    .writes = mine + 3 * room,
                                    .formats = mine + 4 * room};
    }
    return lists ? STATUS_OK : fail_memory();
}

static int read_words(int argc, char **argv, raw_options *raw, run_request *chain)
{
    option_reader reader = option_begin(&command_run, argc, argv);
    for (int status = STATUS_OK; status == STATUS_OK;) {
        int which = option_next(&reader);
        if (which == OPTION_END)
            break;
        if (which == OPTION_INPUT)
            status = parse_word(reader.value, reader.only_inputs, raw, chain);
        else
            status = parse_option(which, reader.value, raw, chain);
        if (status != STATUS_OK)
            return status;
    }
    chain->stage_count = raw->stage + 1;
    return resolve(raw, chain);
}

int run_options_read(int argc, char **argv, run_request **out)
{
    int stages = 1;
    for (int i = 0; i < argc && stages < RUN_MAX_STAGES; i++)
        stages += strcmp(argv[i], "+") == 0;
    run_request *chain = *out = calloc((size_t)stages, sizeof *chain);
    if (!chain)
        return fail_memory();
    *chain = (run_request){.stage_count = 1,
                           .api = effect_api(),
                           .reference_db = COMPARE_DEFAULT_DB,
                           .bt709 = -1,
                           .view.dither = true};
    if (!chain->api)
        return STATUS_FAILED;
    raw_options raw = {0};
    int status = make_lists(argc, stages, chain);
    return status == STATUS_OK ? read_words(argc, argv, &raw, chain) : status;
}

int run_options_follow(run_request *chain, int stage, const ag_effect_info *effect)
{
    int count = chain->stage_count, status = STATUS_OK, slots[EFFECT_MAX_SLOTS];
    int outputs = run_output_slots(run_last(chain), slots);
    run_request *next = calloc((size_t)count, sizeof *next);
    if (!next)
        return fail_memory();
    for (int i = 0; i < count; i++) {
        next[i] = chain[i];
        next[i].settings = NULL;
        next[i].follows = true;
        clear_slots(&next[i]);
    }
    next[stage].effect = effect;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = stage_apply(&next[i], i == stage ? chain[i].effect : NULL);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = stage_apply_formats(&next[i], i == stage ? chain[i].effect : NULL);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = stage_check(&next[i]);
    status = status == STATUS_OK ? run_check_inputs(next) : status;
    if (status == STATUS_OK && run_output_slots(run_last(next), slots) != outputs)
        status = fail(STATUS_USAGE, "%s has another number of outputs", effect->id);
    for (int i = 0; i < count; i++) {
        free(status == STATUS_OK ? chain[i].settings : next[i].settings);
        if (status == STATUS_OK)
            chain[i] = next[i];
    }
    free(next);
    return status;
}

void run_options_free(run_request *chain)
{
    for (int i = 0; chain && i < chain->stage_count; i++)
        free(chain[i].settings);
    if (chain) {
        for (int i = 0; i < chain->input_count; i++)
            free(chain->inputs[i]);
        free(chain->said.words); // the first of all lists
        free(chain->tuning);
        free(chain->inputs);
    }
    free(chain);
}
