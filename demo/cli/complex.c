// cli/complex.c - slots of real and imaginary parts, and files that hold both
// SPDX-License-Identifier: MIT
#include "complex.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

static const char suffix[] = "_imag";

int complex_slot(const ag_effect_info *effect, int slot)
{
    const char *name = effect_slot(effect, slot)->name;
    size_t length = strlen(name);
    for (int i = 0; i < (int)effect->slot_count; i++) {
        const char *other = effect_slot(effect, i)->name;
        if (strncmp(other, name, length) == 0 && strcmp(other + length, suffix) == 0)
            return i;
    }
    return -1;
}

// The value of an enum setting, by name; 0 if there is none.
static int32_t choice(const run_request *request, const char *name)
{
    int32_t value = 0;
    for (int i = 0; i < (int)request->effect->setting_count; i++) {
        const ag_setting_info *setting = effect_setting(request->effect, i);
        if (strcmp(setting->name, name) == 0 && setting->type == AG_ENUM)
            memcpy(&value, (const char *)request->settings + setting->offset, sizeof value);
    }
    return value;
}

static bool packs(const run_request *request)
{
    return choice(request, "packing") != 0;
}

// As numpy.fft has it: all results are complex but those of irfft.
bool complex_result(const run_request *request)
{
    bool inverse = choice(request, "direction") != 0, half = choice(request, "spectrum") != 0;
    return !(inverse && (half || packs(request)));
}

int complex_partner(const run_request *request, int slot)
{
    int partner = request == run_last(request) ? complex_slot(request->effect, slot) : -1;
    bool batch = request->input_count > 1, file = !request->to_folder || batch;
    image_file type = request->to_folder ? request->output_type
                      : request->output  ? run_output_type(request, request->output)
                                         : FILE_NPY;
    bool npy = type == FILE_NPY || (request->to_folder && type == FILE_UNKNOWN);
    bool one = partner >= 0 && file && npy && complex_result(request);
    return one || (partner >= 0 && packs(request) && complex_result(request) && file) ? partner
                                                                                      : -1;
}

bool complex_output(const run_request *request, int slot)
{
    const char *name = effect_slot(request->effect, slot)->name;
    size_t length = strlen(name), end = sizeof suffix - 1;
    return length > end && strcmp(name + length - end, suffix) == 0 && request->to_folder &&
           request == run_last(request) && request->input_count <= 1 && complex_result(request);
}

const format_info *complex_format(const run_request *request, int slot, const format_info *source)
{
    int first = -1, second = slot;
    for (int i = 0; i < (int)request->effect->slot_count && first < 0; i++)
        if (complex_slot(request->effect, i) == slot)
            first = i;
    if (first < 0) {
        first = slot;
        second = complex_slot(request->effect, slot);
    }
    if (second < 0)
        return NULL;
    bool spectrum = packs(request) && complex_result(request);
    int channels = !spectrum ? source->channels : slot == second ? 2 : 4;
    const format_info *real = request->formats[first];
    if (slot == second && real && (real->kind == FORMAT_FLOAT16 || real->kind == FORMAT_FLOAT32))
        return format_find(real->kind, spectrum ? 2 : real->channels);
    return format_find(FORMAT_FLOAT32, channels);
}

int complex_join(image *real, image *imag)
{
    bool alike =
        real->type == IMAGE_F32 && imag->type == IMAGE_F32 && real->channels == imag->channels;
    if (!alike)
        return fail(STATUS_USAGE, "a complex .npy file holds floats, real and imaginary parts of "
                                  "equally many channels; expected -o DIR for these formats");
    real->imag = imag->data;
    imag->data = NULL;
    return STATUS_OK;
}

int complex_stack(const image *source, image *out)
{
    image made;
    int status =
        image_create(source->width, 2 * source->height, source->channels, IMAGE_F32, &made);
    if (status != STATUS_OK)
        return status;
    size_t bytes = image_value_count(source) * sizeof(float);
    memcpy(made.data, source->data, bytes);
    memcpy((char *)made.data + bytes, source->imag, bytes);
    *out = made;
    return STATUS_OK;
}
