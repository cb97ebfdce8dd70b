// watch.c - the files of a shader folder: contents that change only when the folder was quiet
// SPDX-License-Identifier: MIT
#include "shader/watch.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/system.h"

#include <stdio.h>
#include <string.h>

typedef struct content {
    ag_text text;
    bool exists;
    const char *why; // why `exists` is false although there is a file
    ag_hash128 hash; // of the text
} content;

typedef struct record { // one path
    struct record *next;
    char path[AG_WATCH_PATH];
    uint32_t number;     // counts paths
    uint32_t changed_in; // the change (ag_watch.changes) that `newest` came with
    ag_file_stamp stamp; // at the last look
    uint64_t looked;     // time of the last look
    content newest;      // sources are made from it
    content good;   // if has_good: as it was when all shaders worked last; else equal to newest
    content staged; // if is_staged: read, but the other changed files are not read yet
    bool has_good, is_staged;
    bool changed; // since the stamp of `newest`, and not handled yet
} record;

struct ag_watch {
    const ag_host *host;
    char *directory;
    record *records;
    uint64_t changed_at; // the latest time at which a file can have changed last
    uint32_t paths;      // watched
    uint32_t changes;    // polls that changed contents
    bool accepted;       // ag_watch_accept has been called
};

static void content_free(content *c)
{
    ag_text_free(&c->text);
    *c = (content){.text.host = c->text.host};
}

static bool content_equal(const content *a, const content *b)
{
    return a->exists == b->exists && a->why == b->why && a->text.length == b->text.length &&
           ag_hash128_equal(a->hash, b->hash);
}

// A path too long for the buffer names no file.
static bool full_path(const ag_watch *w, const char *path, char full[1200])
{
    int length = snprintf(full, 1200, "%s/%s", w->directory, path);
    return length > 0 && length < 1200;
}

static ag_file_stamp look(const ag_watch *w, const record *r)
{
    char full[1200];
    return full_path(w, r->path, full) ? ag_file_look(full) : (ag_file_stamp){0};
}

static ag_status read(const ag_watch *w, const record *r, content *out)
{
    static const char *const whys[] = {[AG_FILE_SPECIAL] = "it is not a regular file",
                                       [AG_FILE_TOO_LARGE] = "it is larger than 16 MiB",
                                       [AG_FILE_NO_MEMORY] = NULL};
    char full[1200];
    ag_file_answer answer = AG_FILE_UNREADABLE;
    *out = (content){.text.host = w->host};
    ag_text_add(&out->text, "", 0); // so that an empty file has a text, too
    if (!out->text.failed && full_path(w, r->path, full))
        answer = ag_file_read(full, AG_WATCH_FILE_BYTES, &out->text);
    bool failed = out->text.failed;
    if (failed || answer != AG_FILE_READ)
        content_free(out);
    out->exists = !failed && answer == AG_FILE_READ;
    out->why = failed ? NULL : whys[answer];
    out->hash = ag_hash128_of(out->text.data ? out->text.data : "", out->text.length);
    return failed ? AG_E_MEMORY : AG_OK;
}

ag_status ag_watch_create(const ag_host *host, const char *directory, ag_watch **out)
{
    ag_watch *w = ag_alloc(host, sizeof *w);
    char *copy = w ? ag_copy_string(host, directory) : NULL;
    if (!copy) {
        ag_free(host, w, sizeof *w);
        return AG_E_MEMORY;
    }
    *w = (ag_watch){.host = host, .directory = copy};
    *out = w;
    return AG_OK;
}

void ag_watch_free(ag_watch *w)
{
    if (!w)
        return;
    while (w->records) {
        record *r = w->records;
        w->records = r->next;
        content_free(&r->newest);
        content_free(&r->good);
        content_free(&r->staged);
        ag_free(w->host, r, sizeof *r);
    }
    ag_free(w->host, w->directory, strlen(w->directory) + 1);
    ag_free(w->host, w, sizeof *w);
}

const char *ag_watch_directory(const ag_watch *w)
{
    return w->directory;
}

static ag_status add(ag_watch *w, const char *path, record **out)
{
    record *r = ag_alloc(w->host, sizeof *r);
    if (!r)
        return AG_E_MEMORY;
    *r = (record){.newest.text.host = w->host,
                  .good.text.host = w->host,
                  .staged.text.host = w->host,
                  .looked = ag_now(w->host)};
    snprintf(r->path, sizeof r->path, "%s", path);
    r->number = w->paths;
    r->stamp = look(w, r); // before reading, so that a write in between shows as a change
    ag_status status = read(w, r, &r->newest);
    if (status < 0) {
        ag_free(w->host, r, sizeof *r);
        return status;
    }
    r->next = w->records;
    w->records = r;
    ++w->paths;
    *out = r;
    return AG_OK;
}

ag_status ag_watch_read(ag_watch *w, const char *path, bool good, ag_watch_file *file)
{
    record *r = w->records;
    while (r && strcmp(r->path, path) != 0)
        r = r->next;
    *file = (ag_watch_file){0};
    ag_status status = r ? AG_OK : add(w, path, &r);
    if (status < 0)
        return status;
    const content *c = good && r->has_good ? &r->good : &r->newest;
    *file = (ag_watch_file){c->exists ? c->text.data : NULL, c->text.length, c->why, r->number};
    return AG_OK;
}

// ---- changes -----------------------------------------------------------------------------------

// For a stamp younger than the file system's tick, which proves nothing: compares the content.
static bool differs_in_content(const ag_watch *w, const record *r)
{
    content now;
    bool differs = read(w, r, &now) >= 0 && now.text.length &&
                   !content_equal(&now, r->is_staged ? &r->staged : &r->newest);
    content_free(&now);
    return differs;
}

// The latest time at which a file that was seen to have changed can have done so. That is now, or
// if the last look is long ago because frames are slow, what the file system says: else an edit
// would wait for one more slow frame to know that it is complete.
static uint64_t time_of_change(const ag_file_stamp *stamp, uint64_t looked, uint64_t now)
{
    uint64_t since = now > looked ? now - looked : 0, age = ag_file_stamp_age(stamp);
    if (since < AG_WATCH_INTERVAL_NS + AG_WATCH_QUIET_NS)
        return now;
    return now - (age < since ? age : since);
}

static bool notice(ag_watch *w, record *r, uint64_t now)
{
    ag_file_stamp stamp = look(w, r);
    uint64_t looked = r->looked;
    r->looked = now;
    bool same = ag_file_stamp_equal(&stamp, &r->stamp);
    if (same && (r->changed || !ag_file_stamp_is_young(&stamp) || !differs_in_content(w, r)))
        return false;
    r->stamp = stamp;
    r->changed = true;
    r->is_staged = false;
    content_free(&r->staged);
    uint64_t changed_at = same ? now : time_of_change(&stamp, looked, now);
    w->changed_at = w->changed_at > changed_at ? w->changed_at : changed_at;
    return true;
}

// Reads a changed file into `staged`. False if it changed again meanwhile.
static bool stage(ag_watch *w, record *r, uint64_t now)
{
    if (notice(w, r, now))
        return false;
    if (read(w, r, &r->staged) < 0)
        return false; // out of memory: the next frame tries again
    ag_file_stamp after = look(w, r);
    if (!ag_file_stamp_equal(&after, &r->stamp)) {
        content_free(&r->staged);
        notice(w, r, now);
        return false;
    }
    r->changed = false;
    // Editors truncate a file before they write it, so an empty file is ignored.
    bool empty = r->staged.exists && r->staged.text.length == 0;
    r->is_staged = !empty;
    if (empty)
        content_free(&r->staged);
    return true;
}

// Makes all staged contents the newest, at once.
static bool commit(ag_watch *w)
{
    bool any = false;
    for (record *r = w->records; r; r = r->next) {
        if (!r->is_staged)
            continue;
        r->is_staged = false;
        if (content_equal(&r->staged, &r->newest)) { // touched, or changed and restored
            content_free(&r->staged);
            continue;
        }
        if (w->accepted && !r->has_good) {
            r->good = r->newest;
            r->has_good = true;
        } else {
            content_free(&r->newest);
        }
        r->newest = r->staged;
        r->staged = (content){.text.host = w->host};
        r->changed_in = w->changes + 1;
        any = true;
    }
    w->changes += any;
    return any;
}

// The path whose last look is the oldest; NULL: none is due. After the quiet period each path needs
// one more look: it may have been saved together with the file that was seen, but after its last
// look.
static record *next_due(const ag_watch *w, uint64_t now, bool is_quiet)
{
    record *oldest = NULL;
    for (record *r = w->records; r; r = r->next) {
        bool set_back = r->looked > now; // the host's clock was
        bool due = set_back || (is_quiet ? r->looked < w->changed_at + AG_WATCH_QUIET_NS
                                         : now - r->looked >= AG_WATCH_INTERVAL_NS);
        if (due && (!oldest || r->looked < oldest->looked))
            oldest = r;
    }
    return oldest;
}

static bool is_quiet(const ag_watch *w, uint64_t now)
{
    return ag_watch_unsettled(w) && now - w->changed_at >= AG_WATCH_QUIET_NS;
}

bool ag_watch_poll(ag_watch *w, uint64_t now, uint64_t deadline)
{
    if (w->changed_at > now) // the host's clock was set back: all is quiet from now on
        w->changed_at = now;
    record *due = next_due(w, now, is_quiet(w, now));
    while (due) {
        notice(w, due, now);
        due = next_due(w, now, is_quiet(w, now));
        if (ag_now(w->host) >= deadline)
            return false;
    }
    if (!is_quiet(w, now))
        return false;
    for (record *r = w->records; r; r = r->next) {
        if (!r->changed)
            continue;
        if (!stage(w, r, now))
            return false;
        if (ag_now(w->host) >= deadline && r->next)
            return false;
    }
    return commit(w);
}

void ag_watch_accept(ag_watch *w)
{
    w->accepted = true;
    for (record *r = w->records; r; r = r->next) {
        content_free(&r->good);
        r->has_good = false;
    }
}

bool ag_watch_has_good(const ag_watch *w)
{
    const record *r = w->records;
    while (r && !r->has_good)
        r = r->next;
    return r != NULL;
}

uint32_t ag_watch_paths(const ag_watch *w)
{
    return w->paths;
}

uint32_t ag_watch_changes(const ag_watch *w)
{
    return w->changes;
}

uint32_t ag_watch_changed(const ag_watch *w, const uint32_t *numbers, uint32_t count)
{
    uint32_t last = 0;
    for (const record *r = w->records; r; r = r->next)
        for (uint32_t i = 0; r->changed_in > last && i < count; ++i)
            last = numbers[i] == r->number ? r->changed_in : last;
    return last;
}

uint32_t ag_watch_unsettled(const ag_watch *w)
{
    uint32_t count = 0;
    for (const record *r = w->records; r; r = r->next)
        count += r->changed || r->is_staged;
    return count;
}
