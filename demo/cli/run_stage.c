// cli/run_stage.c - slots, settings and formats of an effect of a chain
// SPDX-License-Identifier: MIT
#include "run_stage.h"

#include "complex.h"
#include "file.h"
#include "files.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The nearest earlier effect that EFFECT.SLOT names; -1: the text is a file.
static int find_effect_before(const run_request *request, const char *text)
{
    size_t length = strcspn(text, ".");
    if (text[length] == '\0' || access(text, F_OK) == 0)
        return -1;
    for (int i = request->stage - 1; i >= 0; i--) {
        const char *id = run_chain(request)[i].effect->id;
        if (strlen(id) == length && strncmp(id, text, length) == 0)
            return i;
    }
    return -1;
}

// Whether an effect has the slot or setting that a word begins with: NAME=... If not, and another
// effect had it (`had`), says that the word is left out.
static bool applies(const run_request *out, const ag_effect_info *had, const char *word,
                    const char *text, bool slot)
{
    size_t length = strcspn(text, "=");
    int count = (int)(slot ? out->effect->slot_count : out->effect->setting_count);
    for (int i = 0; i < count && had; i++) {
        const char *name =
            slot ? effect_slot(out->effect, i)->name : effect_setting(out->effect, i)->name;
        if (strlen(name) == length && strncmp(name, text, length) == 0)
            return true;
    }
    if (had)
        note("%s%s is left out: %s has no %s %.*s any more", word, text, out->effect->id,
             slot ? "slot" : "setting", (int)length, text);
    return !had;
}

static int apply_slot(const char *text, run_request *out, const ag_effect_info *had)
{
    if (!applies(out, had, "--slot ", text, true))
        return STATUS_OK;
    const char *equals = strchr(text, '=');
    if (!equals || equals[1] == '\0')
        return fail(STATUS_USAGE, "--slot %s: expected NAME=FILE", text);
    int slot = effect_find_slot(out->effect, text, (size_t)(equals - text));
    if (slot < 0)
        return STATUS_USAGE;
    uint32_t access = effect_slot(out->effect, slot)->access;
    if (!(access & AG_READ))
        return fail(STATUS_USAGE, "--slot %s: this slot is written; -o or --write names its file",
                    text);
    run_place from = {find_effect_before(out, equals + 1), -1};
    const ag_effect_info *other = from.stage < 0 ? NULL : run_chain(out)[from.stage].effect;
    if (other) {
        const char *name = strchr(equals, '.') + 1;
        from.slot = effect_find_slot(other, name, strlen(name));
        if (from.slot < 0)
            return STATUS_USAGE;
    }
    if (other && (access & AG_WRITE) && !(effect_slot(other, from.slot)->access & AG_WRITE))
        return fail(STATUS_USAGE, "--slot %s: %s works in place; expected what %s writes", text,
                    out->effect->id, other->id);
    out->links[slot] = from;
    out->files[slot] = other ? NULL : equals + 1;
    return other || out->follows ? STATUS_OK : files_add(FILE_READ, "--slot", equals + 1);
}

static int apply_writes(run_request *out, const ag_effect_info *had)
{
    for (int i = 0; i < out->said.write_count; i++) {
        const char *text = out->said.writes[i], *equals = strchr(text, '=');
        if (!applies(out, had, "--write ", text, true))
            continue;
        if (!equals || equals[1] == '\0')
            return fail(STATUS_USAGE, "--write %s: expected NAME=FILE", text);
        int slot = effect_find_slot(out->effect, text, (size_t)(equals - text));
        if (slot < 0)
            return STATUS_USAGE;
        const char *path = equals + 1;
        if (!(effect_slot(out->effect, slot)->access & AG_WRITE))
            return fail(STATUS_USAGE, "--write %s: this slot is read; --slot names its file", text);
        if (run_writes_chains(out->effect))
            return fail(STATUS_USAGE, "--write %s: %s writes levels; expected -o DIR", text,
                        out->effect->id);
        if (image_output_type(path) == FILE_UNKNOWN)
            return fail(STATUS_USAGE, "--write %s: unknown file type; expected one of %s", text,
                        IMAGE_FILES);
        int status = file_check_writable(path);
        if (status != STATUS_OK)
            return status;
        out->writes[slot] = path;
        out->wanted[slot] = true;
    }
    return STATUS_OK;
}

// Whether a word NAME=VALUE is a slot and no setting. Where both have that name, a setting does not
// have values as EFFECT.SLOT.
static bool is_slot(const run_request *out, const char *word)
{
    const ag_effect_info *effect = out->effect;
    size_t length = strcspn(word, "=");
    bool slot = false, setting = false;
    for (int i = 0; i < (int)effect->slot_count; i++) {
        const char *name = effect_slot(effect, i)->name;
        slot = slot || (strlen(name) == length && strncmp(name, word, length) == 0);
    }
    for (int i = 0; i < (int)effect->setting_count; i++) {
        const char *name = effect_setting(effect, i)->name;
        setting = setting || (strlen(name) == length && strncmp(name, word, length) == 0);
    }
    return slot && (!setting || find_effect_before(out, word + length + 1) >= 0);
}

static int apply_slots(run_request *out, const ag_effect_info *had)
{
    const run_words *said = &out->said;
    int status = STATUS_OK;
    for (int i = 0; i < said->word_count && status == STATUS_OK; i++)
        if (is_slot(out, said->words[i]))
            status = apply_slot(said->words[i], out, had);
    for (int i = 0; i < said->slot_count && status == STATUS_OK; i++)
        status = apply_slot(said->slots[i], out, had);
    return status == STATUS_OK ? apply_writes(out, had) : status;
}

// What an earlier effect makes of that name, for a slot that nothing fills.
static run_place find_source(const run_request *request, int slot)
{
    const ag_slot_info *info = effect_slot(request->effect, slot);
    const run_request *chain = run_chain(request);
    bool required = !(info->access & AG_OPTIONAL);
    for (int i = request->stage - 1; i >= 0; i--) {
        const ag_effect_info *effect = chain[i].effect;
        for (int k = 0; strcmp(effect->id, info->name) == 0 && k < (int)effect->slot_count; k++)
            if ((effect_slot(effect, k)->access & (AG_WRITE | AG_OPTIONAL)) == AG_WRITE)
                return (run_place){i, k};
        for (int k = 0; required && k < (int)effect->slot_count; k++)
            if (strcmp(effect_slot(effect, k)->name, info->name) == 0 &&
                (chain[i].files[k] || chain[i].links[k].stage >= 0))
                return (run_place){i, k};
    }
    return (run_place){-1, -1};
}

// The picture that the effects before a stage make: the first output of the last that writes one.
static run_place find_picture(const run_request *request)
{
    const run_request *before = request - 1;
    int source = run_source_slot(before->effect), slot = run_picture_slot(before->effect);
    if (slot == source && before->links[source].stage >= 0 &&
        !(effect_slot(before->effect, source)->access & AG_WRITE))
        return before->links[source];
    return (run_place){before->stage, slot};
}

// Fills the slots of an effect from earlier ones, where no file and no EFFECT.SLOT does.
static void link_slots(run_request *out)
{
    int source = run_source_slot(out->effect);
    for (int i = 0; i < (int)out->effect->slot_count && out->stage; i++) {
        uint32_t access = effect_slot(out->effect, i)->access;
        bool open =
            (access & AG_READ) && !(access & AG_STATE) && !out->files[i] && out->links[i].stage < 0;
        if (open)
            out->links[i] = i == source ? find_picture(out) : find_source(out, i);
    }
    // Of complex numbers the imaginary part goes with the real one.
    int imag = complex_slot(out->effect, source);
    run_place real = out->links[source];
    if (imag >= 0 && real.stage >= 0 && !out->files[imag] && out->links[imag].stage < 0) {
        int partner = complex_slot(run_chain(out)[real.stage].effect, real.slot);
        if (partner >= 0 && complex_result(&run_chain(out)[real.stage]))
            out->links[imag] = (run_place){real.stage, partner};
    }
    for (int i = 0; i < (int)out->effect->slot_count; i++)
        if (out->links[i].stage >= 0)
            out[out->links[i].stage - out->stage].wanted[out->links[i].slot] = true;
}

int stage_apply_formats(run_request *out, const ag_effect_info *had)
{
    char names[256];
    for (int i = 0; i < out->said.format_count; i++) {
        const char *text = out->said.formats[i], *equals = strchr(text, '=');
        const char *name = equals ? equals + 1 : text;
        const format_info *format = format_by_name(name, strlen(name));
        if (!format) {
            return fail(STATUS_USAGE, "--format %s: expected one of: %s", text,
                        format_names(names, sizeof names));
        }
        if (equals && !applies(out, had, "--format ", text, true))
            continue;
        if (equals) {
            int slot = effect_find_slot(out->effect, text, (size_t)(equals - text));
            if (slot < 0)
                return STATUS_USAGE;
            out->formats[slot] = format;
            continue;
        }
        // Without a slot it means source and outputs, never a kernel.
        int slots[EFFECT_MAX_SLOTS], count = run_output_slots(out, slots);
        out->formats[run_source_slot(out->effect)] = format;
        for (int k = 0; k < count; k++)
            if (!(effect_slot(out->effect, slots[k])->access & AG_STATE))
                out->formats[slots[k]] = format;
    }
    return STATUS_OK;
}

static int apply_setting(const char *text, run_request *out, const ag_effect_info *had,
                         const char *option)
{
    return applies(out, had, option, text, false) ? effect_set(out->effect, text, out->settings)
                                                  : STATUS_OK;
}

static int apply_settings(run_request *out, const ag_effect_info *had)
{
    const run_words *said = &out->said;
    out->settings = calloc(1, out->effect->settings_size ? out->effect->settings_size : 1);
    if (!out->settings)
        return fail_memory();
    ag_status filled =
        out->api->effect_defaults(out->effect, out->settings, out->effect->settings_size);
    if (filled < 0)
        return fail(STATUS_FAILED, "%s: %s", out->effect->id, out->api->status_text(filled));
    int status = STATUS_OK;
    for (int i = 0; i < said->word_count && status == STATUS_OK; i++)
        if (!is_slot(out, said->words[i]))
            status = apply_setting(said->words[i], out, had, "");
    for (int i = 0; i < said->set_count && status == STATUS_OK; i++)
        status = apply_setting(said->sets[i], out, had, "--set ");
    return status;
}

int stage_apply(run_request *out, const ag_effect_info *had)
{
    int status = apply_slots(out, had);
    if (status == STATUS_OK)
        status = apply_settings(out, had);
    if (status == STATUS_OK)
        link_slots(out);
    return status;
}
