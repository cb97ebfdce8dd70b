// program.c - the programs of a pass: shader, defines, and the GL program in use
// SPDX-License-Identifier: MIT
#include "shader/program.h"
#include "base/log.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- defines -----------------------------------------------------------------------------------

void ag_defines_add(ag_defines *defines, const char *format, ...)
{
    size_t room = sizeof defines->text - defines->length;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(defines->text + defines->length, room, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < room)
        defines->length += (size_t)length;
    else
        defines->overflows = true;
}

void ag_define(ag_defines *defines, const char *name, int32_t value)
{
    ag_defines_add(defines, "#define %s %d\n", name, value);
}

// ---- problems ----------------------------------------------------------------------------------

void ag_problem_copy(const ag_host *host, const ag_problem *from, ag_problem *to)
{
    *to = (ag_problem){.text.host = host, .line = from->line, .column = from->column};
    memcpy(to->file, from->file, sizeof to->file);
    if (from->text.length)
        ag_text_add(&to->text, from->text.data, from->text.length);
}

static void keep_first(const ag_host *host, const ag_problem *from, ag_problem *to)
{
    if (!to->text.length)
        ag_problem_copy(host, from, to);
}

// ---- one program -------------------------------------------------------------------------------

// `files` receives what the text was made from.
static ag_status start(ag_compiler *compiler, const ag_program_slot *slot, ag_origin origin,
                       bool by_cache, ag_build **build, ag_program_files *files,
                       ag_problem *problem)
{
    ag_watch *watch = slot->folder ? slot->folder : compiler->watch;
    ag_source_root root = {&compiler->gpu->host, watch, origin, slot->folder != NULL};
    ag_source source;
    ag_status status =
        ag_source_expand(&root, slot->path, compiler->gpu->gl.shader_head, slot->defines, &source);
    *files = (ag_program_files){0};
    if (status >= 0 && origin == AG_ORIGIN_FOLDER) {
        memcpy(files->numbers, source.numbers, sizeof files->numbers);
        files->count = source.file_count;
        files->changes = ag_watch_changes(watch);
    }
    if (status >= 0)
        return ag_build_start(compiler, &source, by_cache, build);
    keep_first(&compiler->gpu->host, &source.problem, problem);
    ag_source_free(&source);
    return status;
}

void ag_program_serve(ag_program_slot *slot, ag_build *build)
{
    ag_build_release(slot->build);
    slot->build = build;
    slot->program.name = build->name;
    slot->program.ints = build->interface.ints;
    slot->program.floats = build->interface.floats;
    slot->program.use = &slot->use;
    slot->program.values = &build->values;
    slot->use.seen = false;
    ag_source_free(&build->source); // no message needs its lines any more
}

// Whether the declarations of a step have this name, which begins as all that they bind.
static bool binds(const char *declarations, const char *name)
{
    static const char *const kinds[] = {"u_", "i_", "t_", "Block_"};
    size_t length = strlen(name);
    bool found = false;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        found = found || !strncmp(name, kinds[k], strlen(kinds[k]));
    if (!found)
        return false;
    for (const char *at = declarations; (at = strstr(at, name)); at += length)
        if ((at == declarations || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
            !(isalnum((unsigned char)at[length]) || at[length] == '_'))
            return true;
    return false;
}

// Whether a shader of a pass's folder has nothing that `#include "pass.glsl"` does not declare.
static bool is_declared(const ag_program_slot *slot, const ag_build *build, ag_problem *problem)
{
    for (uint32_t i = 0; i < build->interface.count; ++i) {
        const ag_program_resource *r = &build->interface.resources[i];
        char name[48], what[200];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(r->name, "[."), r->name);
        static const char *const always[] = {"u_run", "u_frame", "u_time", "Info"};
        bool known = binds(slot->defines, name);
        for (size_t k = 0; k < sizeof always / sizeof *always; ++k)
            known = known || !strcmp(name, always[k]);
        if (known)
            continue;
        snprintf(what, sizeof what,
                 "%s is no slot, texture or setting of this step; nothing else is bound", name);
        ag_problem point = {.text.host = build->source.text.host};
        ag_source_point_at(&build->source, name, what, &point);
        keep_first(point.text.host, &point, problem);
        ag_problem_free(&point);
        return false;
    }
    return true;
}

bool ag_program_accepts(const ag_program_slot *slot, const ag_build *build, ag_problem *problem)
{
    const ag_host *host = build->problem.text.host;
    if (build->state == AG_BUILD_FAILED) {
        keep_first(host, &build->problem, problem);
        return false;
    }
    if (slot->folder)
        return is_declared(slot, build, problem);
    // If this driver refuses the embedded shader, there is no interface to compare with; the
    // folder's shader may be the corrected one.
    if (build == slot->built_in || slot->built_in->state != AG_BUILD_READY)
        return true;
    ag_problem misfit = {0};
    bool fits = ag_interface_fits(&build->interface, &slot->built_in->interface, &slot->use,
                                  &build->source, &misfit);
    if (!fits)
        keep_first(misfit.text.host, &misfit, problem);
    ag_problem_free(&misfit);
    return fits;
}

ag_status ag_program_renew(ag_compiler *compiler, ag_program_slot *slot, ag_problem *problem)
{
    const ag_program_files *files = &slot->files;
    ag_build_release(slot->next);
    slot->next = NULL;
    ag_watch *watch = slot->folder ? slot->folder : compiler->watch;
    if (files->count && ag_watch_changed(watch, files->numbers, files->count) <= files->changes) {
        slot->next = slot->build;
        slot->next_files = *files;
        ++slot->next->users;
        return AG_OK;
    }
    return start(compiler, slot, AG_ORIGIN_FOLDER, false, &slot->next, &slot->next_files, problem);
}

static void free_slot(ag_compiler *compiler, ag_program_slot *slot)
{
    ag_build_release(slot->build);
    ag_build_release(slot->built_in);
    ag_build_release(slot->next);
    if (slot->path)
        ag_free(&compiler->gpu->host, slot->path, strlen(slot->path) + 1);
    if (slot->defines)
        ag_free(&compiler->gpu->host, slot->defines, strlen(slot->defines) + 1);
    ag_free(&compiler->gpu->host, slot, sizeof *slot);
}

// ---- sets --------------------------------------------------------------------------------------

void ag_programs_release(ag_compiler *compiler, ag_program_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i)
        free_slot(compiler, set->slots[i]);
    *set = (ag_program_set){0};
}

// Adds a slot and starts both of its builds: of the origin's text and of the embedded text.
static ag_status add(ag_compiler *compiler, ag_program_set *set, const char *path,
                     const char *defines, ag_program_slot **out)
{
    const ag_host *host = &compiler->gpu->host;
    if (set->count == AG_MAX_PROGRAMS)
        return ag_fail(host, AG_E_MEMORY, "a pass has more programs than the limit of %d",
                       AG_MAX_PROGRAMS);
    ag_program_slot *slot = ag_alloc(host, sizeof *slot);
    if (!slot)
        return AG_E_MEMORY;
    slot->program.use = &slot->use;
    slot->round = compiler->round;
    slot->fresh = set->origin == AG_ORIGIN_FOLDER;
    slot->path = ag_copy_string(host, path);
    slot->defines = slot->path ? ag_copy_string(host, defines) : NULL;
    ag_status status = slot->defines ? AG_OK : AG_E_MEMORY;
    slot->folder = set->folder;
    if (status >= 0 && !set->folder)
        status = start(compiler, slot, AG_ORIGIN_BUILT_IN, true, &slot->built_in, &slot->files,
                       &compiler->refused);
    if (status >= 0 && set->origin == AG_ORIGIN_BUILT_IN) {
        slot->build = slot->built_in;
        ++slot->build->users;
    } else if (status >= 0) {
        status = start(compiler, slot, set->origin, true, &slot->build, &slot->files,
                       &compiler->refused);
    }
    if (status < 0) {
        free_slot(compiler, slot);
        return status;
    }
    set->slots[set->count++] = slot;
    *out = slot;
    return AG_OK;
}

ag_status ag_programs_wait(ag_compiler *compiler, const ag_program_set *set)
{
    for (uint32_t i = 0; i < set->count; ++i) {
        ag_program_slot *slot = set->slots[i];
        ag_build *build = slot->build;
        if (slot->built_in)
            ag_build_poll(compiler, slot->built_in, true);
        ag_build_poll(compiler, build, true);
        if (!ag_program_accepts(slot, build, &compiler->refused))
            return AG_E_SHADER;
        ++build->users; // ag_program_serve releases the former build, which is the same one
        ag_program_serve(slot, build);
        if (slot->built_in)
            ag_source_free(&slot->built_in->source);
    }
    return AG_OK;
}

static bool compiles(const ag_build *build)
{
    return build->state == AG_BUILD_WAITING || build->state == AG_BUILD_COMPILING;
}

bool ag_programs_done(ag_compiler *compiler, const ag_program_set *set)
{
    bool done = true;
    for (uint32_t i = 0; i < set->count; ++i) {
        const ag_program_slot *slot = set->slots[i];
        if (slot->built_in)
            ag_build_poll(compiler, slot->built_in, false);
        ag_build_poll(compiler, slot->build, false);
        done = done && !(slot->built_in && compiles(slot->built_in)) && !compiles(slot->build);
    }
    return done && ag_builds_have_time(compiler); // what follows the last one is for another frame
}

void ag_programs_leave(ag_compiler *compiler)
{
    for (ag_build *build = compiler->builds; build; build = build->next)
        build->left = build->left || build->state == AG_BUILD_COMPILING;
}

void ag_programs_end(ag_compiler *compiler)
{
    if (compiler->reloading)
        return;
    // After a failure some builds may still be compiling: wait for them.
    for (ag_build *build = compiler->builds; build; build = build->next)
        if (!build->left)
            ag_build_poll(compiler, build, true);
    ag_builds_sweep(compiler, false);
}

ag_status ag_program_get(const ag_preparation *prep, const char *path, const ag_defines *defines,
                         const ag_program **out)
{
    if (defines->overflows)
        return ag_fail(&prep->gpu->host, AG_E_MEMORY,
                       "the defines of %s are longer than the limit of %d characters", path,
                       AG_DEFINES);
    ag_program_set *set = prep->programs;
    ag_program_slot *slot = NULL;
    ag_status status = AG_OK;
    for (uint32_t i = 0; i < set->count && !slot; ++i)
        if (!strcmp(set->slots[i]->path, path) && !strcmp(set->slots[i]->defines, defines->text))
            slot = set->slots[i];
    if (!slot)
        status = add(prep->compiler, set, path, defines->text, &slot);
    if (status >= 0)
        *out = &slot->program;
    return status;
}
