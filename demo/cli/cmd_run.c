// cli/cmd_run.c - `afterglow run`: checks the request, then runs one file or a batch
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "commands.h"
#include "file.h"
#include "report.h"
#include "run.h"
#include "run_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The file type in an output folder: that of the input, but .png for .jpg, to avoid a second loss,
// and for .webp.
static image_file folder_type(const run_request *request, const char *input)
{
    if (request->output_type != FILE_UNKNOWN)
        return request->output_type;
    // What an effect remembers is data, whatever the pictures are.
    const run_request *last = run_last(request);
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(last, slots);
    for (int i = 0; i < count; i++)
        if (effect_slot(last->effect, slots[i])->access & AG_STATE)
            return FILE_NPY;
    image_file type = image_file_type(input);
    return type == FILE_JPG || type == FILE_WEBP ? FILE_PNG : type;
}

// The files to write: of a batch one for each input, else one for each slot that is written.
typedef struct output_list {
    char **paths; // NULL: none are written
    int count;
} output_list;

static void free_outputs(output_list *target)
{
    for (int i = 0; i < target->count; i++)
        free(target->paths[i]);
    free(target->paths);
}

static int name_batch_outputs(const run_request *request, char **paths)
{
    int status = STATUS_OK;
    for (int i = 0; i < request->input_count && status == STATUS_OK; i++) {
        const char *input = request->inputs[i];
        const char *name = file_name(input);
        size_t length = (size_t)(file_extension(input) - name);
        paths[i] =
            file_join(request->output, name, length, image_extension(folder_type(request, input)));
        char *label = malloc(strlen(input) + sizeof " as");
        if (label)
            sprintf(label, "%s as", input); // "in/a.png as out/a.png"
        status = paths[i] && label ? files_add(FILE_WRITE, label, paths[i]) : fail_memory();
        free(label);
    }
    return status;
}

// The images of a slot: one, or the levels of a chain.
static int add_slot_outputs(const run_request *request, const char *path)
{
    if (!request->to_folder)
        return STATUS_OK; // -o names it
    if (!run_writes_chains(run_last(request)->effect))
        return files_add(FILE_WRITE, "-o", path);
    int status = STATUS_OK;
    for (int level = 0; level < RUN_MAX_LEVELS && status == STATUS_OK; level++) {
        char *name = run_level_path(path, level);
        status = name ? files_add(FILE_WRITE, "-o", name) : fail_memory();
        free(name);
    }
    return status;
}

static int name_slot_outputs(const run_request *request, char **paths)
{
    const run_request *last = run_last(request);
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(last, slots), status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const char *name = effect_slot(last->effect, slots[i])->name;
        const char *source = request->files[run_source_slot(request->effect)];
        source = source ? source : request->inputs[0];
        if (last->writes[slots[i]]) {
            paths[i] = strdup(last->writes[slots[i]]);
            status = paths[i] ? STATUS_OK : fail_memory();
            continue;
        }
        paths[i] = request->to_folder ? file_join(request->output, name, strlen(name),
                                                  image_extension(folder_type(request, source)))
                                      : strdup(request->output);
        status = paths[i] ? add_slot_outputs(request, paths[i]) : fail_memory();
    }
    return status;
}

// All paths are checked before a folder is made or a file is written.
static int name_outputs(const run_request *request, output_list *out)
{
    int slots[EFFECT_MAX_SLOTS], status = STATUS_OK;
    bool batch = run_is_batch(request);
    if (request->output) {
        out->count = batch ? request->input_count : run_output_slots(run_last(request), slots);
        out->paths = calloc((size_t)out->count + 1, sizeof *out->paths);
        status = !out->paths ? fail_memory()
                 : batch     ? name_batch_outputs(request, out->paths)
                             : name_slot_outputs(request, out->paths);
    }
    return status == STATUS_OK ? files_check() : status;
}

// A file that fails is reported and skipped. The exit status is the worst of all files.
static int run_batch(run *chain, run_place place, char *const *paths)
{
    const run_request *request = chain->request;
    int worst = STATUS_OK, done = 0;
    for (int i = 0; i < request->input_count; i++) {
        progress(request->inputs[i], i, request->input_count);
        int status = run_load(&chain[place.stage], place.slot, request->inputs[i]);
        if (status == STATUS_OK) {
            const char *output = paths[i];
            status = run_process(chain, &output);
        }
        if (status == STATUS_OK)
            done++;
        else if (worst != STATUS_FAILED)
            worst = status;
    }
    progress_clear();
    if (done < request->input_count)
        note("%d of %d files done", done, request->input_count);
    return worst;
}

// One set of inputs.
static int run_single(run *chain, char *const *paths)
{
    const char *const *outputs = (const char *const *)paths;
    const char *frames = NULL; // the stream among the inputs
    int status = run_load_inputs(chain, &frames);
    if (status == STATUS_OK && frames)
        status = run_stream(chain, frames);
    else if (status == STATUS_OK)
        status = run_process(chain, outputs);
    if (status == STATUS_OK && chain->request->watch)
        status = run_watch(chain, outputs);
    return status;
}

static int make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(STATUS_USAGE, "-o %s: the folder cannot be made: %s", path, strerror(errno));
    if (!file_is_folder(path) || access(path, W_OK | X_OK) != 0)
        return fail(STATUS_USAGE, "-o %s: expected a writable folder", path);
    return STATUS_OK;
}

// In a batch, a missing input is reported in its turn.
static int check_files(const run_request *request, bool batch)
{
    for (int i = 0; i < request->input_count && !batch; i++)
        if (strcmp(request->inputs[i], "-") != 0 && access(request->inputs[i], R_OK) != 0)
            return fail(STATUS_USAGE, "%s: %s", request->inputs[i], strerror(errno));
    for (int i = 0; i < request->stage_count * EFFECT_MAX_SLOTS; i++) {
        const char *file = request[i / EFFECT_MAX_SLOTS].files[i % EFFECT_MAX_SLOTS];
        if (file && strcmp(file, "-") != 0 && access(file, R_OK) != 0)
            return fail(STATUS_USAGE, "%s: %s", file, strerror(errno));
    }
    if (request->reference && access(request->reference, R_OK) != 0)
        return fail(STATUS_USAGE, "--compare %s: %s", request->reference, strerror(errno));
    return STATUS_OK;
}

static int run_request_now(run_request *request)
{
    run_place places[RUN_MAX_STAGES * EFFECT_MAX_SLOTS];
    run_open_places(request, places);
    bool batch = run_is_batch(request);
    output_list outputs = {0};
    int status = check_files(request, batch);
    if (status == STATUS_OK)
        status = name_outputs(request, &outputs);
    if (status == STATUS_OK && request->to_folder)
        status = make_folder(request->output);
    run *chain = calloc((size_t)request->stage_count, sizeof *chain);
    if (status == STATUS_OK)
        status = chain ? run_open(chain, request) : fail_memory();
    if (status == STATUS_OK)
        status = run_load_slots(chain);
    if (status == STATUS_OK)
        status =
            batch ? run_batch(chain, places[0], outputs.paths) : run_single(chain, outputs.paths);
    if (chain)
        run_close(chain);
    free(chain);
    free_outputs(&outputs);
    return status;
}

int run_command(int argc, char **argv)
{
    run_request *chain;
    int status = run_options_read(argc, argv, &chain);
    if (status == STATUS_OK)
        status = run_request_now(chain);
    run_options_free(chain);
    return status;
}
