// read.c - the `//!` lines of a pass's shader become a description: docs/passes.md
// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "base/memory.h"
#include "passes/words.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- sizes, formats ----------------------------------------------------------------------------

int32_t ag_find_slot(const ag_description *d, const char *at, size_t length)
{
    for (uint32_t i = 0; i < d->effect.info.slot_count; ++i)
        if (strlen(d->slots[i].name) == length && !memcmp(d->slots[i].name, at, length))
            return (int32_t)i;
    return -1;
}

int32_t ag_find_texture(const ag_description *d, const char *at, size_t length)
{
    for (int32_t i = 0; i < d->texture_count; ++i)
        if (strlen(d->textures[i].name) == length && !memcmp(d->textures[i].name, at, length))
            return i;
    return -1;
}

int32_t ag_find_setting(const ag_description *d, const char *at, size_t length)
{
    for (uint32_t i = 0; i < d->effect.info.setting_count; ++i)
        if (strlen(d->settings[i].name) == length && !memcmp(d->settings[i].name, at, length))
            return (int32_t)i;
    return -1;
}

// SLOT, SLOT/2, SLOT*2, SLOT*3/2, WxH, any
static void read_size(ag_words *r, ag_pass_size *size, bool may_be_any)
{
    ag_word t = ag_word_next(r);
    const char *end = t.at + t.length, *x = memchr(t.at, 'x', t.length);
    *size = (ag_pass_size){.slot = -1, .times = 1, .over = 1};
    if (may_be_any && ag_word_is(t, "any"))
        return;
    if (t.length && isdigit((unsigned char)*t.at) && x) {
        size->width = ag_word_whole(r, t.at, (size_t)(x - t.at), 1, 16384, "a width");
        size->height = ag_word_whole(r, x + 1, (size_t)(end - x - 1), 1, 16384, "a height");
        return;
    }
    size_t n = 0;
    while (n < t.length && t.at[n] != '/' && t.at[n] != '*')
        ++n;
    size->slot = ag_find_slot(r->d, t.at, n);
    if (t.quoted || size->slot < 0) {
        ag_word_expected(r, t,
                         may_be_any ? "a size: a slot above, as src or src/2, WxH, or any"
                                    : "a size: a slot above, as src or src/2, or WxH");
        return;
    }
    if (r->d->slots[size->slot].access & AG_OPTIONAL)
        ag_word_fail(r, t.at, "the slot %s is optional, so it may have no size",
                     r->d->slots[size->slot].name);
    const char *at = t.at + n;
    if (at < end && *at == '*') {
        const char *slash = memchr(at, '/', (size_t)(end - at));
        const char *stop = slash ? slash : end;
        size->times = ag_word_whole(r, at + 1, (size_t)(stop - at - 1), 1, 16, "a factor");
        at = stop;
    }
    if (at < end)
        size->over = ag_word_whole(r, at + 1, (size_t)(end - at - 1), 1, 256, "a divisor");
}

// "rgba16f", as the command line names formats, or NULL.
static const ag_format *find_format(ag_word t)
{
    static const struct {
        const char *name;
        GLenum format;
    } names[] = {{"r8", GL_R8},
                 {"rg8", GL_RG8},
                 {"rgba8", GL_RGBA8},
                 {"srgb8", GL_SRGB8_ALPHA8},
                 {"rgb10a2", GL_RGB10_A2},
                 {"r11g11b10f", GL_R11F_G11F_B10F},
                 {"r16f", GL_R16F},
                 {"rg16f", GL_RG16F},
                 {"rgba16f", GL_RGBA16F},
                 {"r32f", GL_R32F},
                 {"rg32f", GL_RG32F},
                 {"rgba32f", GL_RGBA32F},
                 {"r32ui", GL_R32UI}};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (ag_word_is(t, names[i].name))
            return ag_format_find(names[i].format);
    return NULL;
}

static const char formats_known[] = "a format: colour, depth, or some of r8 rg8 rgba8 srgb8 "
                                    "rgb10a2 r11g11b10f r16f rg16f rgba16f r32f rg32f rgba32f";

// The formats of a slot: one word for many, or a list.
static void read_formats(ag_words *r, uint32_t slot, uint32_t *count)
{
    uint32_t *out = r->d->formats[slot];
    ag_word t = ag_word_peek(r);
    bool colour = ag_word_is(t, "colour"), depth = ag_word_is(t, "depth");
    *count = 0;
    if (colour || depth) {
        *count = colour ? AG_COLOUR_FORMATS : AG_DEPTH_FORMATS;
        memcpy(out, colour ? ag_colour_formats : ag_depth_formats, *count * sizeof *out);
        r->d->depth[slot] = depth;
        ag_word_skip(r, t);
        return;
    }
    for (const ag_format *f; (f = find_format(t)) && f->name != GL_R32UI; t = ag_word_peek(r)) {
        for (uint32_t i = 0; i < *count; ++i)
            if (out[i] == f->name)
                ag_word_fail(r, t.at, "this format is here twice");
        if (r->failed)
            return;
        out[(*count)++] = f->name;
        ag_word_skip(r, t);
    }
    if (!*count)
        ag_word_expected(r, t, formats_known);
}

// ---- rows --------------------------------------------------------------------------------------

static void read_pass(ag_words *r)
{
    ag_effect_info *info = &r->d->effect.info;
    if (info->id)
        ag_word_fail(r, r->word, "there is a second `pass` line");
    const char *id = ag_word_name(r, "the pass", false);
    r->d->id = (ag_pass_place){r->number, (uint32_t)(r->word - r->line) + 1};
    info->help = ag_word_help(r);
    info->id = id;
}

// slot NAME read|write|state [optional] FORMATS [size SIZE] "help"
static void read_slot(ag_words *r)
{
    ag_description *d = r->d;
    ag_effect_info *info = &d->effect.info;
    uint32_t i = info->slot_count;
    if (i == AG_MAX_SLOTS) {
        ag_word_fail(r, r->word, "there are more than %d slots", AG_MAX_SLOTS);
        return;
    }
    ag_slot_info slot = {.name = ag_word_name(r, "a slot", true)};
    r->slots[i] = (ag_declared){r->line, r->word, r->number};
    if (ag_find_slot(d, slot.name, strlen(slot.name)) >= 0)
        ag_word_fail(r, r->word, "there are two slots of the name %s", slot.name);
    ag_word way = ag_word_next(r);
    if (ag_word_is(way, "read"))
        slot.access = AG_READ;
    else if (ag_word_is(way, "write"))
        slot.access = AG_WRITE;
    else if (ag_word_is(way, "state"))
        slot.access = AG_READ | AG_WRITE | AG_STATE;
    else
        ag_word_expected(r, way, "read, write or state");
    if (ag_word_take(r, "optional"))
        slot.access |= AG_OPTIONAL;
    if (slot.access & AG_OPTIONAL && (!i || slot.access & AG_STATE))
        ag_word_fail(r, way.at, "%s may not be optional", i ? "state" : "the first slot");
    ag_word formats = ag_word_peek(r);
    read_formats(r, i, &slot.format_count);
    for (uint32_t k = 0; k < slot.format_count && slot.access & AG_WRITE; ++k)
        if (d->depth[i] || (slot.access & AG_READ && d->formats[i][k] != GL_R32F &&
                            d->formats[i][k] != GL_RG32F && d->formats[i][k] != GL_RGBA32F))
            ag_word_fail(r, formats.at,
                         d->depth[i] ? "depth can only be read"
                                     : "state has the format r32f, rg32f or rgba32f");
    // Outputs are as large as the first slot, if nothing else is said.
    d->sizes[i] = (ag_pass_size){.slot = 0, .times = 1, .over = 1};
    d->sized[i] = i && slot.access & AG_WRITE;
    if (ag_word_take(r, "size")) {
        read_size(r, &d->sizes[i], true);
        d->sized[i] = d->sizes[i].slot >= 0 || d->sizes[i].width;
    }
    slot.help = ag_word_help(r);
    slot.formats = d->formats[i];
    d->slots[i] = slot;
    ++info->slot_count;
}

// Of a setting with so many values: 4 numbers are a uniform, and a setting lies in one.
static void place_values(ag_words *r, ag_setting_info *s, bool constant, const char *name)
{
    ag_description *d = r->d;
    uint32_t i = d->effect.info.setting_count;
    bool real = s->type == AG_FLOAT;
    int32_t *count = real ? &d->float_count : &d->int_count, *words = real ? d->floats : d->ints;
    int32_t most = real ? AG_PASS_FLOATS : AG_PASS_INTS, count_of = (int32_t)s->count;
    s->offset = d->effect.info.settings_size;
    d->effect.info.settings_size += 4 * s->count;
    s->prepare = constant ? AG_PREPARE_PLAN : AG_PREPARE_NOTHING;
    d->places[i] = -1;
    if (constant)
        return;
    int32_t at = *count % 4 + count_of > 4 ? (*count + 3) / 4 * 4 : *count;
    if (at + count_of > most) {
        ag_word_fail(r, name, "settings that are not constant have more than %d %s in all", most,
                     real ? "numbers" : "whole numbers, switches and choices");
        return;
    }
    for (int32_t k = 0; k < count_of; ++k)
        words[at + k] = (int32_t)s->offset / 4 + k;
    d->places[i] = at;
    *count = at + count_of;
}

// LEAST..MOST, as numbers.
static void read_range(ag_words *r, ag_setting_info *s)
{
    ag_word t = ag_word_next(r);
    const char *dots = NULL, *end = t.at + t.length;
    for (const char *at = t.at; at + 1 < end && !dots; ++at)
        dots = at[0] == '.' && at[1] == '.' ? at : NULL;
    if (t.quoted || !dots || !ag_word_number(t.at, (size_t)(dots - t.at), &s->min) ||
        !ag_word_number(dots + 2, (size_t)(end - dots - 2), &s->max) || s->min > s->max) {
        ag_word_expected(r, t, "a range, LEAST..MOST, as 0..1");
        return;
    }
    bool whole = s->min == floor(s->min) && s->max == floor(s->max);
    if (s->type == AG_INT && !whole)
        ag_word_fail(r, t.at, "the range of whole numbers is of whole numbers");
    for (uint32_t i = 0; i < s->count; ++i)
        if (s->initial[i] < s->min || s->initial[i] > s->max)
            ag_word_fail(r, t.at, "the default, %g, is not in the range", s->initial[i]);
}

static void read_values(ag_words *r, ag_setting_info *s)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        ag_word t = ag_word_next(r);
        if (t.quoted || !ag_word_number(t.at, t.length, &s->initial[i]) ||
            (s->type == AG_INT && s->initial[i] != floor(s->initial[i]))) {
            ag_word_expected(r, t,
                             s->count > 1          ? "three numbers, the default"
                             : s->type == AG_FLOAT ? "a number, the default"
                                                   : "a whole number, the default");
            return;
        }
    }
    read_range(r, s);
    if (ag_word_take(r, "in")) {
        ag_word t = ag_word_next(r);
        if (!t.length)
            ag_word_expected(r, t, "a unit");
        s->unit = ag_word_keep(r, t.at, t.length);
    }
}

// In the shader a choice is the macro SETTING_CHOICE, which nothing else may be called.
static void check_choice(ag_words *r, const ag_setting_info *s, const char *choice)
{
    const ag_description *d = r->d;
    char macro[2 * AG_PASS_NAME];
    int length = snprintf(macro, sizeof macro, "%s_%s", s->name, choice);
    bool taken = ag_word_is_reserved(macro, (size_t)length) ||
                 ag_find_slot(d, macro, (size_t)length) >= 0 ||
                 ag_find_texture(d, macro, (size_t)length) >= 0;
    for (int32_t i = 0; i < d->step_count; ++i)
        for (int32_t k = 0; k < d->steps[i].use_count; ++k)
            taken = taken || !strcmp(d->steps[i].uses[k].name, macro);
    if (taken)
        ag_word_fail(r, r->word,
                     "this choice is called %s in the shader, which is the name of something else; "
                     "take another name",
                     macro);
    ag_word_no_choice(r, r->word, macro, (size_t)length);
}

static void read_choices(ag_words *r, ag_setting_info *s)
{
    const char **names = r->d->names[r->d->effect.info.setting_count];
    for (ag_word t = ag_word_peek(r); !t.quoted && t.length && !ag_word_is(t, "constant");
         t = ag_word_peek(r)) {
        if (s->name_count == AG_PASS_CHOICES) {
            ag_word_fail(r, t.at, "there are more than %d choices", AG_PASS_CHOICES);
            return;
        }
        names[s->name_count] = ag_word_name(r, "a choice", false);
        for (uint32_t i = 0; i < s->name_count; ++i)
            if (!strcmp(names[i], names[s->name_count]))
                ag_word_fail(r, t.at, "this choice is here twice");
        check_choice(r, s, names[s->name_count]);
        if (r->failed)
            return;
        ++s->name_count;
    }
    if (s->name_count < 2)
        ag_word_expected(r, ag_word_peek(r), "two choices or more, the default first");
    s->names = names;
    s->value_help = r->d->help;
    s->max = s->name_count ? s->name_count - 1 : 0;
}

// setting NAME float|float3|int DEFAULT RANGE [in UNIT] [constant] "help"
// setting NAME bool on|off [constant] "help"
// setting NAME choice NAME NAME... [constant] "help"
static void read_setting(ag_words *r)
{
    ag_effect_info *info = &r->d->effect.info;
    ag_setting_info s = {.unit = "", .count = 1};
    if (info->setting_count == AG_PASS_SETTINGS - 1) {
        ag_word_fail(r, r->word, "there are more than %d settings", AG_PASS_SETTINGS - 1);
        return;
    }
    s.name = ag_word_name(r, "a setting", false);
    const char *name = r->word;
    if (!strcmp(s.name, "scrub"))
        ag_word_fail(r, r->word, "all passes have the setting scrub; take another name");
    if (ag_find_setting(r->d, s.name, strlen(s.name)) >= 0)
        ag_word_fail(r, r->word, "there are two settings of the name %s", s.name);
    ag_word t = ag_word_next(r);
    if (ag_word_is(t, "float") || ag_word_is(t, "float3") || ag_word_is(t, "int")) {
        s.type = ag_word_is(t, "int") ? AG_INT : AG_FLOAT;
        s.count = ag_word_is(t, "float3") ? 3 : 1;
        read_values(r, &s);
    } else if (ag_word_is(t, "bool")) {
        ag_word on = ag_word_next(r);
        s.type = AG_BOOL;
        s.max = 1;
        s.initial[0] = ag_word_is(on, "on");
        if (!ag_word_is(on, "on") && !ag_word_is(on, "off"))
            ag_word_expected(r, on, "on or off, the default");
    } else if (ag_word_is(t, "choice")) {
        s.type = AG_ENUM;
        read_choices(r, &s);
    } else {
        ag_word_expected(r, t, "float, float3, int, bool or choice");
    }
    ag_word constant = ag_word_peek(r);
    bool is_constant = ag_word_take(r, "constant");
    if (is_constant && s.type == AG_FLOAT)
        ag_word_fail(r, constant.at, "only int, bool and choice can be constants of the shader");
    s.help = ag_word_help(r);
    if (r->failed)
        return;
    place_values(r, &s, is_constant, name);
    r->d->settings[info->setting_count++] = s;
}

// texture NAME FORMAT size SIZE [levels N] [keep]
static void read_texture(ag_words *r)
{
    ag_description *d = r->d;
    if (d->texture_count == AG_PASS_TEXTURES) {
        ag_word_fail(r, r->word, "there are more than %d textures", AG_PASS_TEXTURES);
        return;
    }
    ag_pass_texture *t = &d->textures[d->texture_count];
    t->name = ag_word_name(r, "a texture", true);
    const char *name = r->word;
    size_t length = strlen(t->name);
    if (ag_find_slot(d, t->name, length) >= 0 || ag_find_texture(d, t->name, length) >= 0)
        ag_word_fail(r, r->word, "there is a slot or a texture of the name %s", t->name);
    ag_word format = ag_word_next(r);
    t->format = find_format(format);
    if (!t->format || !ag_pass_texel_bytes(t->format))
        ag_word_expected(r, format,
                         "a format of a texture: rgba8 rg16f rgba16f r32f rg32f rgba32f or r32ui");
    ag_word size = ag_word_next(r);
    if (!ag_word_is(size, "size"))
        ag_word_expected(r, size, "size");
    read_size(r, &t->size, false);
    t->levels = 1;
    if (ag_word_take(r, "levels")) {
        ag_word n = ag_word_next(r);
        t->levels = ag_word_whole(r, n.at, n.length, 1, AG_PASS_LEVELS, "levels");
    }
    t->keep = ag_word_take(r, "keep");
    int32_t stores = t->levels;
    for (int32_t i = 0; i < d->texture_count; ++i)
        stores += d->textures[i].levels;
    if (stores > AG_PASS_STORES)
        ag_word_fail(r, name, "the textures have more than %d levels in all", AG_PASS_STORES);
    if (r->failed)
        return;
    for (int32_t i = 0; i < t->levels; ++i) // the first has the texture's name
        snprintf(t->names[i], sizeof t->names[i], i ? "%s_%d" : "%s", t->name, i);
    r->textures[d->texture_count++] = (ag_declared){r->line, name, r->number};
}

// ---- the whole ---------------------------------------------------------------------------------

static void read_row(ag_words *r)
{
    ag_word t = ag_word_next(r);
    if (!t.length && !t.quoted)
        return;
    bool first = !r->d->effect.info.id;
    if (first && !ag_word_is(t, "pass"))
        ag_word_expected(r, t, "pass NAME \"help\" as the first line");
    else if (ag_word_is(t, "pass"))
        read_pass(r);
    else if (ag_word_is(t, "slot"))
        read_slot(r);
    else if (ag_word_is(t, "setting"))
        read_setting(r);
    else if (ag_word_is(t, "texture"))
        read_texture(r);
    else if (ag_word_is(t, "step"))
        ag_read_step(r);
    else
        ag_word_expected(r, t, "pass, slot, setting, texture or step");
    if (!r->failed)
        ag_word_end(r);
}

static void fail_declared(ag_words *r, const ag_declared *place, const char *what, const char *name)
{
    if (r->failed)
        return;
    r->line = place->line;
    r->number = place->number;
    ag_word_fail(r, place->at, "expected a step that writes the %s %s", what, name);
}

// Else a host or a step would read what nobody wrote.
static void check_outputs(ag_words *r)
{
    const ag_description *d = r->d;
    for (int32_t i = 0; i < (int32_t)d->effect.info.slot_count; ++i)
        if (!(d->slots[i].access & AG_READ) && !ag_steps_use(d, d->step_count, i, -1, AG_WRITE))
            fail_declared(r, &r->slots[i], "slot", d->slots[i].name);
    for (int32_t i = 0; i < d->texture_count; ++i)
        if (ag_steps_use(d, d->step_count, -1, i, AG_READ) &&
            !ag_steps_use(d, d->step_count, -1, i, AG_WRITE))
            fail_declared(r, &r->textures[i], "texture", d->textures[i].name);
}

// The largest counts of a step, and what all passes have.
static void finish(ag_words *r)
{
    ag_description *d = r->d;
    ag_effect_info *info = &d->effect.info;
    uint32_t written = 0;
    for (uint32_t i = 0; i < info->slot_count; ++i)
        written |= d->slots[i].access & AG_WRITE;
    if (!info->id)
        ag_word_fail(r, r->end, "expected the lines of a pass, as //! pass NAME \"help\"");
    else if (!written)
        ag_word_fail(r, r->end, "expected a slot that is written");
    else if (!d->step_count)
        ag_word_fail(r, r->end,
                     "expected a step before the first line of code, as //! step NAME src -> dst");
    else
        check_outputs(r);
    if (r->failed)
        return;
    ag_setting_info scrub = {.name = "scrub",
                             .unit = "",
                             .help = AG_SCRUB_HELP,
                             .type = AG_BOOL,
                             .offset = info->settings_size,
                             .count = 1,
                             .max = 1,
                             .initial = {1}};
    d->places[info->setting_count] = -1; // has a place of its own
    d->settings[info->setting_count++] = scrub;
    info->settings_size += 4;
    d->float_count = (d->float_count + 3) / 4 * 4;
    d->int_count = (d->int_count + 3) / 4 * 4;
    info->image_units = AG_IMAGE_COUNT;
    for (int32_t i = 0; i < d->step_count; ++i) {
        uint32_t images = 0, textures = 0;
        for (int32_t k = 0; k < d->steps[i].use_count; ++k) {
            int32_t slot = d->steps[i].uses[k].slot;
            images += slot >= 0;
            textures += slot >= 0 && !(d->slots[slot].access & AG_WRITE);
        }
        info->image_units = images > info->image_units ? images : info->image_units;
        info->texture_units = textures > info->texture_units ? textures : info->texture_units;
    }
    info->ssbos = AG_SSBO_COUNT;
}

// Names the settings: a job whose settings have another tag is of another interface.
static uint32_t tag_of(const ag_description *d)
{
    const ag_effect_info *info = &d->effect.info;
    uint64_t words[2 + 4 * (AG_MAX_SLOTS + AG_PASS_SETTINGS)] = {info->slot_count};
    size_t n = 1;
    words[n++] = ag_hash128_of(info->id, strlen(info->id)).low;
    for (uint32_t i = 0; i < info->slot_count; ++i) {
        words[n++] = ag_hash128_of(d->slots[i].name, strlen(d->slots[i].name)).low;
        words[n++] = d->slots[i].access;
    }
    for (uint32_t i = 0; i < info->setting_count; ++i) {
        const ag_setting_info *s = &d->settings[i];
        words[n++] = ag_hash128_of(s->name, strlen(s->name)).low;
        words[n++] = (uint64_t)s->type << 32 | s->count;
        for (uint32_t k = 0; k < s->name_count; ++k)
            words[n - 1] ^= ag_hash128_of(s->names[k], strlen(s->names[k])).low + k;
    }
    uint32_t tag = (uint32_t)ag_hash128_of(words, n * sizeof *words).low;
    return tag ? tag : 1;
}

// The lines at the start of the file: comments, and lines without anything.
static size_t head_length(const char *text, size_t length)
{
    size_t at = 0, end = 0;
    while (at < length) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t next_at = newline ? (size_t)(newline - text) + 1 : length, first = at;
        while (first < next_at && isspace((unsigned char)text[first]))
            ++first;
        if (first < next_at && (next_at - first < 2 || memcmp(text + first, "//", 2) != 0))
            break;
        end = at = next_at;
    }
    return end;
}

static ag_effect effect_of(const ag_description *d)
{
    ag_effect e = d->effect;
    e.info.struct_size = sizeof e.info;
    e.info.slots = d->slots;
    e.info.slot_stride = sizeof *d->slots;
    e.info.settings = d->settings;
    e.info.setting_stride = sizeof *d->settings;
    e.info.settings_tag = tag_of(d);
    e.check = ag_pass_check;
    e.size = ag_pass_slot_size_of;
    e.design = ag_pass_design;
    e.frame = ag_pass_frame;
    for (uint32_t i = 0; i < e.info.slot_count; ++i)
        e.samples |= (uint32_t) !(d->slots[i].access & AG_WRITE) << i;
    return e;
}

ag_status ag_description_read(const ag_host *host, const char *text, size_t length,
                              ag_description *d, ag_problem *problem)
{
    ag_words r = {.host = host, .d = d, .problem = problem, .number = 1};
    uint32_t number = 0;
    size_t mark = length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0; // of UTF-8
    text += mark;
    size_t head = head_length(text, length - mark);
    d->effect.info.settings_size = 8; // struct_size, tag
    for (int i = 0; i < AG_PASS_CHOICES; ++i)
        d->help[i] = "";
    r.line = r.end = text;
    for (const char *at = text, *end = text + head; at < end && !r.failed;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *line = at;
        const char *stop = newline ? newline : end;
        stop -= stop > at && stop[-1] == '\r';
        ++number;
        while (at < stop && (*at == ' ' || *at == '\t'))
            ++at;
        if (stop - at >= 3 && !memcmp(at, "//!", 3)) {
            const char *nul = memchr(at, 0, (size_t)(stop - at));
            r.line = line;
            r.end = stop;
            r.at = at + 3;
            r.number = number;
            if (head > AG_PASS_BYTES)
                ag_word_fail(&r, at, "the lines before the shader are longer than 64 KiB");
            else if (nul)
                ag_word_fail(&r, nul, "this is a NUL byte");
            else
                read_row(&r);
            const ag_hash128 both[] = {d->text, ag_hash128_of(at, (size_t)(stop - at))};
            d->text = ag_hash128_of(both, sizeof both);
        }
        at = newline ? newline + 1 : end;
    }
    if (!r.failed)
        finish(&r);
    if (r.failed)
        return problem->text.failed ? AG_E_MEMORY : AG_E_ARG;
    d->effect = effect_of(d);
    return AG_OK;
}
