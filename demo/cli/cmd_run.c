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

// folder/name.ext; the caller frees it. NULL when out of memory.
static char *join_path(const char *folder, const char *name, size_t length, const char *extension)
{
    size_t size = strlen(folder) + length + strlen(extension) + 2;
    char *path = malloc(size);
    if (path) {
        bool slash = *folder && folder[strlen(folder) - 1] != '/';
        snprintf(path, size, "%s%s%.*s%s", folder, slash ? "/" : "", (int)length, name, extension);
    }
    return path;
}

// The file type in an output folder: that of the input, but .png for .jpg, to avoid a second loss.
static image_file folder_type(const run_request *request, const char *input)
{
    if (request->output_type != FILE_UNKNOWN)
        return request->output_type;
    // What an effect remembers is data, whatever the pictures are.
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(request, slots);
    for (int i = 0; i < count; i++)
        if (effect_slot(request->effect, slots[i])->access & AG_STATE)
            return FILE_NPY;
    image_file type = image_file_type(input);
    return type == FILE_JPG ? FILE_PNG : type;
}

static void free_paths(char **paths, int count)
{
    for (int i = 0; paths && i < count; i++)
        free(paths[i]);
    free(paths);
}

// The output would overwrite the reference, and the comparison would always succeed.
static int check_reference(const run_request *request, const char *output)
{
    if (!request->reference || !file_same(request->reference, output))
        return STATUS_OK;
    return fail(STATUS_USAGE, "--compare %s: -o would replace it; expected two files",
                request->reference);
}

// A batch has one output for each input. All paths are checked before the first file is written.
static int name_batch_outputs(const run_request *request, char **paths)
{
    for (int i = 0; i < request->input_count; i++) {
        const char *input = request->inputs[i];
        const char *name = file_name(input);
        size_t length = (size_t)(file_extension(input) - name);
        paths[i] =
            join_path(request->output, name, length, image_extension(folder_type(request, input)));
        if (!paths[i])
            return fail_memory();
        if (file_same(paths[i], input)) {
            return fail(STATUS_USAGE, "%s would replace its own input; expected another folder",
                        paths[i]);
        }
        for (int k = 0; k < EFFECT_MAX_SLOTS; k++) {
            if (request->files[k] && file_same(paths[i], request->files[k])) {
                return fail(STATUS_USAGE,
                            "%s would replace the file of --slot; expected another folder",
                            paths[i]);
            }
        }
        int status = check_reference(request, paths[i]);
        if (status != STATUS_OK)
            return status;
        for (int k = 0; k < i; k++) {
            if (strcmp(paths[k], paths[i]) == 0) {
                return fail(STATUS_USAGE, "%s and %s would both become %s", request->inputs[k],
                            input, paths[i]);
            }
        }
    }
    return STATUS_OK;
}

// A file that fails is reported and skipped. The exit status is the worst of all files.
static int run_batch(run *target, int slot, char *const *paths)
{
    const run_request *request = target->request;
    int worst = STATUS_OK, done = 0;
    for (int i = 0; i < request->input_count; i++) {
        progress(request->inputs[i], i, request->input_count);
        int status = run_load(target, slot, request->inputs[i]);
        if (status == STATUS_OK) {
            const char *output = paths[i];
            status = run_process(target, &output);
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

// One set of inputs. Each slot that is written has an output: a file, or files named by slots.
static int run_single(run *target, const int *open_slots)
{
    const run_request *request = target->request;
    int slots[EFFECT_MAX_SLOTS], count = run_output_slots(request, slots);
    char *made[EFFECT_MAX_SLOTS] = {0};
    const char *paths[EFFECT_MAX_SLOTS] = {request->output};
    int status = STATUS_OK;
    for (int i = 0; request->to_folder && i < count && status == STATUS_OK; i++) {
        const char *name = effect_slot(request->effect, slots[i])->name;
        const char *source = request->files[run_source_slot(request->effect)];
        source = source ? source : request->inputs[0];
        made[i] = join_path(request->output, name, strlen(name),
                            image_extension(folder_type(request, source)));
        paths[i] = made[i];
        status = made[i] ? STATUS_OK : fail_memory();
    }
    for (int i = 0; request->output && i < count && status == STATUS_OK; i++)
        status = check_reference(request, paths[i]);
    const char *frames = NULL; // the stream among the inputs
    for (int i = 0; i < request->input_count && status == STATUS_OK; i++)
        if (run_is_stream(request->inputs[i]))
            frames = request->inputs[i];
        else
            status = run_load(target, open_slots[i], request->inputs[i]);
    if (status == STATUS_OK && frames)
        status = run_stream(target, frames);
    else if (status == STATUS_OK)
        status = run_process(target, request->output ? paths : NULL);
    if (status == STATUS_OK && request->watch)
        status = run_watch(target, paths);
    for (int i = 0; i < count; i++)
        free(made[i]);
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
    for (int i = 0; i < EFFECT_MAX_SLOTS; i++)
        if (request->files[i] && access(request->files[i], R_OK) != 0)
            return fail(STATUS_USAGE, "%s: %s", request->files[i], strerror(errno));
    if (request->reference && access(request->reference, R_OK) != 0)
        return fail(STATUS_USAGE, "--compare %s: %s", request->reference, strerror(errno));
    return STATUS_OK;
}

static int run_request_now(const run_request *request)
{
    int open_slots[EFFECT_MAX_SLOTS];
    run_open_slots(request, open_slots);
    bool batch = run_is_batch(request);
    char **paths = NULL;
    int status = check_files(request, batch);
    if (status == STATUS_OK && batch) {
        paths = calloc((size_t)request->input_count, sizeof *paths);
        status = paths ? name_batch_outputs(request, paths) : fail_memory();
    }
    if (status == STATUS_OK && request->to_folder)
        status = make_folder(request->output);
    run work = {0};
    if (status == STATUS_OK)
        status = run_open(&work, request);
    for (int i = 0; i < (int)request->effect->slot_count && status == STATUS_OK; i++)
        if (request->files[i])
            status = run_load(&work, i, request->files[i]);
    if (status == STATUS_OK)
        status = batch ? run_batch(&work, open_slots[0], paths) : run_single(&work, open_slots);
    run_close(&work);
    free_paths(paths, request->input_count);
    return status;
}

int run_command(int argc, char **argv)
{
    run_request request;
    int status = run_options_read(argc, argv, &request);
    if (status == STATUS_OK)
        status = run_request_now(&request);
    run_options_free(&request);
    return status;
}
