// cli/cmd_kernel.c - `afterglow kernel`: writes the kernel that bloom's settings make
// SPDX-License-Identifier: MIT
//
// The kernel is the bloom of one texel of light 1, so the file holds what the effect really does,
// transforms included: exact to 1e-6 of the light.
#include "commands.h"
#include "effect.h"
#include "file.h"
#include "image.h"
#include "report.h"
#include "session.h"
#include "texture.h"
#include "view_options.h"

#include <afterglow/bloom.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct kernel_options {
    const char *output, *image;
    image_file type; // of the output
    int height, device;
    double decades;
    size_t memory; // 0: the default
    ag_bloom_settings settings;
} kernel_options;

enum {
    OPT_OUTPUT,
    OPT_AS,
    OPT_SET,
    OPT_IMAGE,
    OPT_HEIGHT,
    OPT_DECADES,
    OPT_MEMORY,
    OPT_DEVICE,
    OPT_COUNT
};

static const option options[OPT_COUNT] = {
    [OPT_OUTPUT] = {"-o", "FILE", "the kernel to write: " IMAGE_FILES ", or -"},
    [OPT_AS] = {"--as", VIEW_AS, VIEW_HELP_AS},
    [OPT_SET] = {"--set", "NAME=VALUE...", "settings of bloom, by the names of `list bloom`"},
    [OPT_IMAGE] = {"--image", "FILE", "the kernel image of shape=texture"},
    [OPT_HEIGHT] = {"--height", "N", "of the image that would bloom; default 1080"},
    [OPT_DECADES] = {"--decades", "N", "powers of ten that .png and .jpg show; default 5"},
    [OPT_MEMORY] = {"--max-memory", "BYTES", VIEW_HELP_MEMORY},
    [OPT_DEVICE] = {"--device", "N", "EGL device; default 0"},
};

static const file_use uses[OPT_COUNT] = {[OPT_OUTPUT] = FILE_WRITE, [OPT_IMAGE] = FILE_READ};

const command command_kernel = {
    .name = "kernel",
    .usage = "-o FILE [options]",
    .help = "writes the kernel of a bloom",
    .notes =
        ".npy, .exr, .tif and .hdr files hold K, which sums to 1 in each channel. .png and .jpg show\n"
        "its logarithm, from white at the peak to black; the hue is K's.\n",
    .options = options,
    .option_count = OPT_COUNT,
    .files = uses,
    .run = kernel_command,
};

static int parse(int argc, char **argv, const ag_effect_info *effect, kernel_options *out)
{
    option_reader reader = option_begin(&command_kernel, argc, argv);
    image_file as = FILE_UNKNOWN;
    for (int which; (which = option_next(&reader)) != OPTION_END;) {
        const char *value = reader.value;
        int status = STATUS_OK;
        switch (which) {
        case OPT_OUTPUT: out->output = value; break;
        case OPT_AS: status = view_parse_as(value, &as); break;
        case OPT_SET: status = effect_set(effect, value, &out->settings); break;
        case OPT_IMAGE: out->image = value; break;
        case OPT_HEIGHT:
            if (!parse_int(value, 1, 8192, &out->height))
                status = fail(STATUS_USAGE, "--height %s: expected 1..8192", value);
            break;
        case OPT_DECADES:
            if (!parse_double(value, &out->decades) || !(out->decades > 0 && out->decades <= 20))
                status =
                    fail(STATUS_USAGE, "--decades %s: expected a number above 0, up to 20", value);
            break;
        case OPT_MEMORY: status = view_parse_memory(value, &out->memory); break;
        case OPT_DEVICE: status = view_parse_device(value, &out->device); break;
        case OPTION_INPUT:
            status = fail(STATUS_USAGE, "kernel takes no input, got %s; expected -o FILE", value);
            break;
        default: return STATUS_USAGE;
        }
        if (status != STATUS_OK)
            return status;
    }
    if (!out->output)
        return fail(STATUS_USAGE, "kernel needs -o FILE, one of " IMAGE_FILES);
    if ((out->settings.shape == AG_BLOOM_TEXTURE) != (out->image != NULL))
        return fail(STATUS_USAGE, "shape=texture and --image FILE go together");
    int status = view_check_output(out->output, as, "", &out->type);
    return status == STATUS_OK ? files_check() : status;
}

static int odd_extent(double texels)
{
    return 2 * (int)floor(texels / 2) + 1;
}

// A texel of light 1 in the middle of the dark.
static int make_point(int width, int height, image *out)
{
    int status = image_create(width, height, 4, IMAGE_F32, out);
    if (status != STATUS_OK)
        return status;
    float *values = out->data;
    memset(values, 0, image_value_count(out) * sizeof *values);
    for (int c = 0; c < 4; c++)
        values[4 * ((size_t)(height / 2) * (size_t)width + (size_t)width / 2) + (size_t)c] = 1;
    return STATUS_OK;
}

// The middle of the image that bloomed.
static int crop(const image *whole, int width, int height, image *out)
{
    int status = image_create(width, height, 3, IMAGE_F32, out);
    const float *from = whole->data;
    float *to = status == STATUS_OK ? out->data : NULL;
    int left = whole->width / 2 - width / 2, top = whole->height / 2 - height / 2;
    for (int y = 0; to && y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < 3; c++)
                *to++ = from[4 * ((size_t)(top + y) * (size_t)whole->width + (size_t)(left + x)) +
                             (size_t)c];
    return status;
}

static int bloom_point(const kernel_options *wanted, session *s, image *kernel)
{
    texture textures[3] = {0};
    image loaded = {0}, point = {0}, bloomed = {0};
    ag_bloom_settings look = wanted->settings;
    look.intensity = 1;
    look.threshold = look.clamp = 0;
    look.tint[0] = look.tint[1] = look.tint[2] = 1;
    look.output = AG_BLOOM_ONLY;
    int status = STATUS_OK, frame = wanted->height;
    int height = odd_extent((double)look.size * frame), width = height;
    if (wanted->image) {
        const image_limits limits = texture_limits(&s->gpu, wanted->memory);
        status = image_load_within(wanted->image, &(image_view){0}, &limits, &loaded);
        if (status == STATUS_OK) {
            image wide = {0};
            int channels = loaded.channels < 3 ? 1 : loaded.channels;
            status = image_with_channels(&loaded, channels == 3 ? 4 : channels, &wide);
            if (status == STATUS_OK)
                status = texture_upload(&s->gpu, wanted->image, format_of_image(&wide), &wide,
                                        false, &textures[AG_BLOOM_KERNEL_IMAGE]);
            width = odd_extent((double)look.size * frame * loaded.width / loaded.height);
            image_destroy(&wide);
        }
    }
    for (; frame < height; frame *= 2) // the same kernel on an image that holds all of it
        look.size /= 2;
    const format_info *format = format_find(FORMAT_FLOAT32, 4);
    if (status == STATUS_OK)
        status = make_point(width, frame, &point);
    if (status == STATUS_OK)
        status = texture_upload(&s->gpu, "the point", format, &point, false, &textures[0]);
    if (status == STATUS_OK)
        status =
            texture_create(&s->gpu, "the kernel", format, width, frame, 0, false, &textures[2]);
    ag_texture slots[3] = {texture_view(&textures[0]), texture_view(&textures[1]),
                           texture_view(&textures[2])};
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = 3,
                  .settings = &look,
                  .next_use = AG_USE_COPY};
    if (status == STATUS_OK)
        status =
            session_check(s, s->api->prepare(s->pass, &job), STATUS_USAGE, "the kernel's bloom");
    if (status == STATUS_OK)
        status = session_check(s, s->api->execute(s->pass, &job, NULL), STATUS_FAILED,
                               "the kernel's bloom");
    if (status == STATUS_OK)
        status = texture_read(&s->gpu, &textures[2], 0, &bloomed);
    if (status == STATUS_OK)
        status = crop(&bloomed, width, height, kernel);
    for (int i = 0; i < 3; i++)
        texture_destroy(&s->gpu, &textures[i]);
    image_destroy(&loaded);
    image_destroy(&point);
    image_destroy(&bloomed);
    return status;
}

static void print_numbers(FILE *stream, const image *kernel)
{
    const float *k = kernel->data;
    size_t texels = (size_t)kernel->width * (size_t)kernel->height;
    size_t centre =
        (size_t)(kernel->height / 2) * (size_t)kernel->width + (size_t)kernel->width / 2;
    double sum[3] = {0}, radius[3] = {0};
    for (size_t i = 0; i < texels; i++)
        for (size_t c = 0; c < 3; c++) {
            double x = (double)(i % (size_t)kernel->width) - kernel->width / 2;
            double y = (double)(i / (size_t)kernel->width) - kernel->height / 2;
            sum[c] += (double)k[3 * i + c];
            radius[c] += (double)k[3 * i + c] * hypot(x, y);
        }
    fprintf(stream,
            "%dx%d  sum %.7g %.7g %.7g  centre weight %.4g %.4g %.4g  "
            "mean radius %.4g %.4g %.4g\n",
            kernel->width, kernel->height, sum[0], sum[1], sum[2], (double)k[3 * centre],
            (double)k[3 * centre + 1], (double)k[3 * centre + 2], radius[0], radius[1], radius[2]);
}

// Each texel's greatest channel on a logarithmic scale, and the others in proportion.
static void take_logarithm(image *kernel, double decades)
{
    float *k = kernel->data;
    size_t texels = (size_t)kernel->width * (size_t)kernel->height;
    float peak = 0;
    for (size_t i = 0; i < 3 * texels; i++)
        peak = fmaxf(peak, k[i]);
    for (size_t i = 0; i < texels; i++) {
        float most = fmaxf(k[3 * i], fmaxf(k[3 * i + 1], k[3 * i + 2]));
        double shown = most > 0 ? fmax(1 + log10((double)most / (double)peak) / decades, 0) : 0;
        for (size_t c = 0; c < 3; c++)
            k[3 * i + c] = most > 0 ? fmaxf(k[3 * i + c], 0) / most * (float)shown : 0;
    }
}

int kernel_command(int argc, char **argv)
{
    const ag_api *api = effect_api();
    const ag_effect_info *effect = api ? effect_find(api, "bloom") : NULL;
    kernel_options wanted = {.height = 1080, .decades = 5, .settings = AG_BLOOM_DEFAULTS};
    int status = effect ? parse(argc, argv, effect, &wanted) : STATUS_FAILED;
    if (status != STATUS_OK)
        return status;
    session s = {0};
    image kernel = {0};
    status =
        session_open(&s, &(session_desc){.api = api, .effect = "bloom", .device = wanted.device});
    if (status == STATUS_OK)
        status = bloom_point(&wanted, &s, &kernel);
    if (status == STATUS_OK) {
        print_numbers(strcmp(wanted.output, "-") == 0 ? stderr : stdout, &kernel);
        bool picture = wanted.type == FILE_PNG || wanted.type == FILE_JPG;
        if (picture)
            take_logarithm(&kernel, wanted.decades);
        status =
            image_save_as(wanted.output, wanted.type, &kernel, &(image_view){.linear = picture});
    }
    image_destroy(&kernel);
    session_close(&s);
    return status;
}
