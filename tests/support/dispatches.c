// dispatches.c - writes the dispatches that passes record, with what they declare and their shaders
// SPDX-License-Identifier: MIT
#include "dispatches.h"

#include <stdio.h>

#include "check.h"
#include "core/frame_state.h"

enum { MOST_TEXTS = 8192, MOST_PROGRAMS = 1 << 16 };

static struct {         // one writer, because __wrap_ag_frame_record has no user pointer
    const char *folder; // NULL: nothing is written
    FILE *dispatches;
    void (*on_text)(void *user, const char *text);
    void *user;
    uint32_t job, texts, source; // source: the text that glShaderSource had last
    ag_hash128 hashes[MOST_TEXTS];
    uint32_t of_program[MOST_PROGRAMS]; // the text of a program's name
} out;

// ---- texts -------------------------------------------------------------------------------------

static void on_source(void *user, const char *text, size_t length)
{
    (void)user;
    ag_hash128 hash = ag_hash128_of(text, length);
    for (out.source = 0; out.source < out.texts; ++out.source)
        if (ag_hash128_equal(out.hashes[out.source], hash))
            return;
    CHECK(out.texts < MOST_TEXTS);
    out.hashes[out.texts++] = hash;
    if (out.on_text)
        out.on_text(out.user, text);
    char path[1024];
    snprintf(path, sizeof path, "%s/%04u.comp", out.folder, out.source);
    FILE *file = fopen(path, "wb");
    CHECK_F(file && fwrite(text, 1, length, file) == length && fclose(file) == 0, "%s", path);
}

static void on_link(void *user, uint32_t program)
{
    (void)user;
    CHECK(program < MOST_PROGRAMS);
    out.of_program[program] = out.source;
}

// ---- dispatches --------------------------------------------------------------------------------

void __real_ag_frame_record(ag_frame *f, const ag_dispatch *d);
void __wrap_ag_frame_record(ag_frame *f, const ag_dispatch *d);

static void write_access(const ag_frame *f, char unit, int number, ag_handle of, uint64_t at,
                         uint32_t access)
{
    if (!of.number)
        return;
    bool slot = of.number < AG_FIRST_STORE, writes = access & (AG_WRITE | AG_ADD);
    fprintf(out.dispatches, " %c%d=%s%s%s", unit, number, access & AG_READ ? "r" : "",
            access & AG_WRITE ? "w" : "", access & AG_ADD ? "a" : "");
    if (slot && writes && !(f->request->info->slots[of.number - 1].access & AG_WRITE))
        fprintf(out.dispatches, "!");
    if (!slot && f->places[of.number - AG_FIRST_STORE].kind == AG_IN_CONSTANTS)
        fprintf(out.dispatches, "c");
    fprintf(out.dispatches, "@%u:%llu", of.number, (unsigned long long)at);
}

void __wrap_ag_frame_record(ag_frame *f, const ag_dispatch *d)
{
    if (out.folder) {
        fprintf(out.dispatches, "%04u %s %u %s", out.of_program[d->shader->program->name],
                f->effect->info.id, out.job, d->shader->path);
        for (int i = 0; i < AG_IMAGE_MAX; ++i)
            write_access(f, 'i', i, d->images[i].of, 0, d->images[i].access);
        for (int i = 0; i < AG_TEXTURE_MAX; ++i)
            write_access(f, 't', i, d->textures[i].of, 0, d->textures[i].access);
        for (int i = 0; i < AG_SSBO_COUNT; ++i)
            write_access(f, 'b', i, d->ranges[i].of, d->ranges[i].at, d->ranges[i].access);
        write_access(f, 'g', 0, d->indirect.of, d->indirect.at, d->indirect.access);
        fprintf(out.dispatches, "\n");
    }
    __real_ag_frame_record(f, d);
}

// ---- begin, end --------------------------------------------------------------------------------

void dispatches_begin(gl_trace *trace, const char *folder,
                      void (*on_text)(void *user, const char *text), void *user)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/dispatches.txt", folder);
    out.folder = folder;
    out.on_text = on_text;
    out.user = user;
    out.dispatches = fopen(path, "w");
    CHECK_F(out.dispatches != NULL, "%s", path);
    trace->on_source = on_source;
    trace->on_link = on_link;
}

void dispatches_job(void)
{
    ++out.job;
}

uint32_t dispatches_texts(void)
{
    return out.texts;
}

void dispatches_end(gl_trace *trace)
{
    trace->on_source = NULL;
    trace->on_link = NULL;
    CHECK(fclose(out.dispatches) == 0);
    out.folder = NULL;
}
