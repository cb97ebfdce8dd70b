// cli/files.c - the files of a command line: none that it reads is replaced
// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // nftw
#include "files.h"

#include "file.h"
#include "report.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    file_use use;
    const char *option; // that it is the value of; NULL: the command added it
    char *label, *path;
    // Where it is. Of a file that does not exist: its nearest folder that does, and the rest of the
    // path. `place` is false where nothing can be replaced: pipes, devices, and paths to nothing.
    bool place;
    dev_t device;
    ino_t inode;
    char *rest;
    size_t order; // of messages
} entry;

static struct {
    bool active, checked;
    entry *entries;
    size_t count, capacity, added;
} files;

static void clear(entry *target)
{
    free(target->label);
    free(target->path);
    free(target->rest);
    *target = (entry){0};
}

void files_begin(void)
{
    files_end();
    files.active = true;
}

void files_end(void)
{
    for (size_t i = 0; i < files.count; i++)
        clear(&files.entries[i]);
    free(files.entries);
    memset(&files, 0, sizeof files);
}

static int add(const entry *wanted, const char *label, const char *path)
{
    if (files.count == files.capacity) {
        size_t capacity = files.capacity ? 2 * files.capacity : 64;
        entry *grown = realloc(files.entries, capacity * sizeof *grown);
        if (!grown)
            return fail_memory();
        files.entries = grown;
        files.capacity = capacity;
    }
    entry made = *wanted;
    made.label = strdup(label);
    made.path = strdup(path);
    made.order = files.added++;
    files.checked = false;
    if (!made.label || !made.path) {
        clear(&made);
        return fail_memory();
    }
    files.entries[files.count++] = made;
    return STATUS_OK;
}

int files_add(file_use use, const char *label, const char *path)
{
    return use == FILE_NONE || !files.active ? STATUS_OK : add(&(entry){.use = use}, label, path);
}

int files_add_option(file_use use, const char *option, const char *form, const char *value)
{
    if (use == FILE_NONE || !files.active)
        return STATUS_OK;
    const char *equals = strchr(form, '=') ? strchr(value, '=') : NULL;
    for (size_t i = 0; i < files.count && !strchr(form, '='); i++) {
        if (files.entries[i].option == option) {
            clear(&files.entries[i]);
            files.entries[i] = files.entries[--files.count];
        }
    }
    return add(&(entry){.use = use, .option = option}, option, equals ? equals + 1 : value);
}

// ---- where a file is ---------------------------------------------------------------------------

static void set_place(entry *target, const struct stat *info)
{
    target->place = S_ISREG(info->st_mode) || S_ISDIR(info->st_mode);
    target->device = info->st_dev;
    target->inode = info->st_ino;
}

// The nearest folder of a path without links that exists, and what follows it.
static int find_folder(entry *target, const char *whole)
{
    struct stat info;
    char *folder = strdup(whole);
    for (char *slash; folder && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        if (stat(slash == folder ? "/" : folder, &info) != 0)
            continue;
        set_place(target, &info);
        target->rest = strdup(whole + (slash - folder) + 1);
        break;
    }
    bool complete = folder && (target->rest || !target->place);
    free(folder);
    return complete ? STATUS_OK : fail_memory();
}

static int find_place(entry *target)
{
    struct stat info;
    bool standard = strcmp(target->path, "-") == 0;
    int stream = target->use == FILE_WRITE ? STDOUT_FILENO : STDIN_FILENO;
    if ((standard ? fstat(stream, &info) : stat(target->path, &info)) == 0) {
        set_place(target, &info);
        return STATUS_OK;
    }
    char *whole = standard ? NULL : file_resolve(target->path);
    if (!whole) // a path that cannot be opened names no file
        return !standard && errno == ENOMEM ? fail_memory() : STATUS_OK;
    int status = find_folder(target, whole);
    free(whole);
    return status;
}

// nftw passes no pointer of ours: what it finds is read as `folder_label` says.
static const char *folder_label;

static int add_found(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)where;
    enum { MOST = 1 << 16 };
    if (type != FTW_F)
        return 0;
    if (files.count > MOST)
        return fail(STATUS_USAGE, "%s: more than %d files; expected a folder of shaders",
                    folder_label, MOST);
    entry found = {.use = FILE_READ};
    set_place(&found, info);
    return add(&found, folder_label, path);
}

static int add_folder(const char *label, const char *path)
{
    enum { DESCRIPTORS = 16 };
    folder_label = label;
    int status = nftw(path, add_found, DESCRIPTORS, 0);
    return status >= 0 ? status : fail(STATUS_USAGE, "%s %s: %s", label, path, strerror(errno));
}

// ---- whether two are one -----------------------------------------------------------------------

static int compare_places(const entry *a, const entry *b)
{
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    return strcmp(a->rest ? a->rest : "", b->rest ? b->rest : "");
}

static int by_place(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    int placed = b->place - a->place, places = placed ? placed : compare_places(a, b);
    return places ? places : (a->order > b->order) - (a->order < b->order);
}

static int refuse(const entry *output, const entry *other)
{
    const char *space = *output->label ? " " : "", *between = *other->label ? " " : "";
    if (other->use == FILE_WRITE)
        return fail(STATUS_USAGE, "%s%s%s and %s%s%s are one file; expected two", output->label,
                    space, output->path, other->label, between, other->path);
    return fail(STATUS_USAGE, "%s%s%s would replace %s%s%s, which is read; expected another file",
                output->label, space, output->path, other->label, between, other->path);
}

int files_check(void)
{
    int status = STATUS_OK;
    size_t named = files.count;
    for (size_t i = 0; i < named && status == STATUS_OK; i++) {
        entry *one = &files.entries[i];
        status = one->use == FILE_READ_FOLDER ? add_folder(one->label, one->path) : find_place(one);
    }
    if (status != STATUS_OK)
        return status;
    if (files.count)
        qsort(files.entries, files.count, sizeof *files.entries, by_place);
    const entry *first = files.entries, *output = NULL; // of those in one place
    const entry *refused = NULL, *other = NULL;         // the first on the command line
    for (size_t i = 0; i < files.count && files.entries[i].place; i++) {
        const entry *one = &files.entries[i];
        if (compare_places(first, one) != 0) {
            first = one;
            output = NULL;
        }
        bool conflicts = one != first && (one->use == FILE_WRITE || output);
        const entry *written = output ? output : one;
        if (conflicts && (!refused || written->order < refused->order)) {
            refused = written;
            other = output ? one : first;
        }
        output = one->use == FILE_WRITE && !output ? one : output;
    }
    if (refused)
        return refuse(refused, other);
    files.checked = true;
    return STATUS_OK;
}

bool files_allow(file_use use, const char *path)
{
    bool there = !files.active;
    for (size_t i = 0; i < files.count && !there; i++)
        there = files.entries[i].use == use && strcmp(files.entries[i].path, path) == 0;
    if (!there || (use == FILE_WRITE && files.active && !files.checked)) {
        fail(STATUS_FAILED, "%s: was not checked as a file of the command line", path);
        return false;
    }
    return true;
}
