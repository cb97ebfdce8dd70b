// cli/run_check.c - options of `afterglow run` that exclude or need each other
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strcasecmp
#include "complex.h"
#include "file.h"
#include "report.h"
#include "run_options.h"
#include "run_stage.h"
#include "stats.h"
#include "words.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// Slots of the last effect whose files -o names.
static int count_named(const run_request *last)
{
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(last, slots), named = 0;
    for (int i = 0; i < count; i++)
        named += !last->writes[slots[i]];
    return named;
}

bool run_is_batch(const run_request *chain)
{
    const run_request *last = run_last(chain);
    return chain->to_folder && run_open_places(chain, NULL) == 1 && count_named(last) == 1 &&
           !run_writes_chains(last->effect);
}

int run_check_inputs(const run_request *chain)
{
    char known[256];
    words names = words_begin(known, sizeof known, ", ");
    run_place places[RUN_MAX_STAGES * EFFECT_MAX_SLOTS];
    int count = run_open_places(chain, places);
    for (int i = 0; i < count; i++) {
        char name[128];
        const ag_effect_info *effect = chain[places[i].stage].effect;
        snprintf(name, sizeof name, "%s%s%s", chain->stage_count > 1 ? effect->id : "",
                 chain->stage_count > 1 ? "." : "", effect_slot(effect, places[i].slot)->name);
        words_add(&names, name);
    }
    int standard = 0;
    for (int i = 0; i < chain->input_count; i++)
        standard += strcmp(chain->inputs[i], "-") == 0;
    for (int i = 0; i < chain->stage_count * EFFECT_MAX_SLOTS; i++) {
        const char *file = chain[i / EFFECT_MAX_SLOTS].files[i % EFFECT_MAX_SLOTS];
        standard += file && strcmp(file, "-") == 0;
    }
    if (standard > 1)
        return fail(STATUS_USAGE, "standard input is read once; expected one -");
    if (chain->input_count == count || (chain->input_count > count && count == 1))
        return STATUS_OK;
    return fail(STATUS_USAGE, "%s%s: %d input%s; expected %d (%s)%s", chain->effect->id,
                chain->stage_count > 1 ? " + ..." : "", chain->input_count,
                chain->input_count == 1 ? "" : "s", count, known,
                chain->input_count > count && count ? ", or for a batch all but one by --slot"
                                                    : "");
}

// Of an image; the type is that of --as, or of the input.
static int check_standard_output(run_request *chain, bool several)
{
    if (several)
        return fail(STATUS_USAGE, "-o -: one image goes there; expected -o DIR");
    if (chain->plan || chain->frames || chain->reference || chain->watch)
        return fail(STATUS_USAGE, "-o -: --plan, --frames, --stats, --trace and --compare print to "
                                  "standard output, too; expected -o FILE");
    const char *source = chain->files[run_source_slot(chain->effect)];
    source = source ? source : chain->inputs[0];
    image_file type = strcmp(source, "-") == 0 ? chain->input_type : image_file_type(source);
    if (chain->output_type == FILE_UNKNOWN)
        chain->output_type = type == FILE_JPG || type == FILE_WEBP ? FILE_PNG : type;
    return file_check_pipe();
}

int run_check_output(run_request *chain)
{
    const run_request *last = run_last(chain);
    int outputs = run_writes_chains(last->effect) ? 2 : count_named(last); // 2 or more: levels
    bool several = chain->folder_count || chain->input_count > run_open_places(chain, NULL);
    const char *path = chain->output;
    if (!path) {
        bool other = chain->reference || chain->frames || chain->plan;
        if (several || !other) {
            return fail(STATUS_USAGE, several ? "a batch needs -o DIR"
                                              : "run needs -o FILE, one of " IMAGE_FILES);
        }
        return STATUS_OK;
    }
    if (strcmp(path, "-") == 0)
        return check_standard_output(chain, several || outputs > 1);
    size_t length = strlen(path);
    bool folder = length && (path[length - 1] == '/' || file_is_folder(path));
    chain->to_folder = folder || several || outputs > 1;
    if (several && outputs > 1) {
        return fail(STATUS_USAGE, "%s has several outputs: expected the inputs one at a time",
                    last->effect->id);
    }
    for (int i = 0; several && i < chain->stage_count * EFFECT_MAX_SLOTS; i++)
        if (chain[i / EFFECT_MAX_SLOTS].writes[i % EFFECT_MAX_SLOTS])
            return fail(STATUS_USAGE, "--write takes one input, not a batch");
    if (chain->to_folder) {
        if (folder || image_output_type(path) == FILE_UNKNOWN)
            return STATUS_OK;
        for (int i = 0; i < chain->input_count; i++) // a word that was meant otherwise
            if (strcmp(chain->inputs[i], "-") != 0 && access(chain->inputs[i], R_OK) != 0)
                return fail(STATUS_USAGE, "%s: %s", chain->inputs[i], strerror(errno));
        return fail(STATUS_USAGE, "-o %s: expected a folder, for several files", path);
    }
    if (image_output_type(path) == FILE_UNKNOWN) {
        return fail(STATUS_USAGE, "-o %s: unknown file type; expected one of %s, or a folder: %s/",
                    path, IMAGE_FILES, path);
    }
    if (chain->output_type != FILE_UNKNOWN && chain->output_type != image_output_type(path))
        return fail(STATUS_USAGE, "--as is for folders and -o -; expected -o DIR, got -o %s", path);
    return file_check_writable(path);
}

static bool has_srgb_format(const run_request *request)
{
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (request->formats[i] && request->formats[i]->kind == FORMAT_SRGB8)
            return true;
    return false;
}

// Checks options of an effect that exclude or need each other.
int stage_check(const run_request *out)
{
    int slots[EFFECT_MAX_SLOTS], most = run_most_outputs(out->effect);
    run_output_slots(out, slots);
    if (out->size_count > most) {
        return fail(STATUS_USAGE, "--size: %d sizes; %s has %d output%s", out->size_count,
                    out->effect->id, most, most == 1 ? "" : "s");
    }
    if (out->size_count && run_source_slot(out->effect) == slots[0])
        return fail(STATUS_USAGE, "--size: %s works in place", out->effect->id);
    if (run_chain(out)->view.linear && has_srgb_format(out))
        return fail(STATUS_USAGE, "--linear and srgb8 contradict each other; expected one of them");
    // Half a spectrum would go on.
    run_place source = out->links[run_source_slot(out->effect)];
    if (source.stage >= 0) {
        const run_request *from = &run_chain(out)[source.stage];
        bool whole = complex_slot(out->effect, run_source_slot(out->effect)) >= 0;
        if (complex_slot(from->effect, source.slot) >= 0 && complex_result(from) && !whole)
            return fail(STATUS_USAGE, "%s makes complex numbers; %s of %s takes real ones",
                        from->effect->id,
                        effect_slot(out->effect, run_source_slot(out->effect))->name,
                        out->effect->id);
    }
    return STATUS_OK;
}

// The same of options of the whole chain.
int run_check_options(const run_request *chain, bool has_psnr)
{
    bool folder = false;
    for (int i = 0; i < chain->stage_count; i++)
        folder = folder || chain[i].folder;
    const ag_effect_info *last = run_last(chain)->effect;
    if (chain->reference && run_writes_chains(last))
        return fail(STATUS_USAGE, "--compare: %s has an output for each level", last->id);
    if (has_psnr && !chain->reference)
        return fail(STATUS_USAGE, "--psnr needs --compare REF");
    if (chain->shaders && !file_is_folder(chain->shaders))
        return fail(STATUS_USAGE, "--shaders %s: expected a folder", chain->shaders);
    if (chain->watch && ((!chain->shaders && !folder) || !chain->output))
        return fail(STATUS_USAGE, "--watch needs --shaders DIR, or a pass's folder, and -o");
    if (chain->watch && (chain->frames || chain->reference || chain->plan))
        return fail(STATUS_USAGE,
                    "--watch does not go with --frames, --stats, --trace, --plan or --compare");
    if (chain->trace && strcasecmp(file_extension(chain->trace), ".json") != 0)
        return fail(STATUS_USAGE, "--trace %s: expected a .json file", chain->trace);
    int status = chain->trace ? file_check_writable(chain->trace) : STATUS_OK;
    if (status == STATUS_OK && chain->stats)
        status = stats_check_path(chain->stats);
    return status;
}

int run_check_single(const run_request *chain)
{
    const run_request *last = run_last(chain);
    bool several = chain->folder_count || chain->input_count > run_open_places(chain, NULL);
    if (several && (chain->frames || chain->reference || chain->plan || chain->watch)) {
        return fail(STATUS_USAGE,
                    "--frames, --stats, --trace, --plan, --compare and --watch take one "
                    "input, not a batch");
    }
    if (chain->reference && count_named(last) != 1)
        return fail(STATUS_USAGE, "--compare takes an effect of one output");
    image_file type = chain->to_folder ? chain->output_type
                      : chain->output  ? run_output_type(chain, chain->output)
                                       : FILE_UNKNOWN;
    bool changes_codes = chain->view.exposure != 0 || chain->view.aces;
    if (changes_codes && (type == FILE_NPY || type == FILE_HDR || type == FILE_EXR))
        note("--exposure and --tonemap change .png and .jpg only, not %s", image_extension(type));
    return STATUS_OK;
}
