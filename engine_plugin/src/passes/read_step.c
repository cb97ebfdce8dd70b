// read_step.c - a `step` line of a pass: its rounds, what it reads and writes, and its options
// SPDX-License-Identifier: MIT
#include "passes/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// A setting that steps depend on.
static int32_t constant_word(ag_words *r, const char *at, size_t length)
{
    int32_t i = ag_find_setting(r->d, at, length);
    if (i < 0 || r->d->settings[i].type != AG_INT) {
        ag_word_fail(r, at, "expected a whole number, an int setting above%s, not \"%.*s\"",
                     r->variable ? " or the step's round" : "", ag_word_shown(length), at);
        return 0;
    }
    if (r->d->settings[i].prepare != AG_PREPARE_PLAN)
        ag_word_fail(r, at, "steps depend on the setting %s, so it must be `constant`",
                     r->d->settings[i].name);
    return (int32_t)r->d->settings[i].offset / 4;
}

// NUMBER, NAME, NAME+NUMBER, NAME-NUMBER
static ag_pass_number read_sum(ag_words *r, const char *at, size_t length)
{
    ag_pass_number n = {0};
    double value;
    if (ag_word_number(at, length, &value)) {
        n.number = ag_word_whole(r, at, length, 0, AG_PASS_ROUNDS, "a number");
        return n;
    }
    size_t name = 0;
    while (name < length && at[name] != '+' && at[name] != '-')
        ++name;
    if (r->variable && strlen(r->variable) == name && !memcmp(r->variable, at, name))
        n.round = true;
    else
        n.setting = constant_word(r, at, name);
    if (name < length && !r->failed) {
        int32_t more =
            ag_word_whole(r, at + name + 1, length - name - 1, 0, AG_PASS_ROUNDS, "what to add");
        n.number = at[name] == '-' ? -more : more;
    }
    return n;
}

// for NAME in [down] FIRST..LAST
static void read_rounds(ag_words *r, ag_pass_step *step)
{
    const char *name = ag_word_name(r, "the round", false);
    ag_word in = ag_word_next(r);
    if (!ag_word_is(in, "in"))
        ag_word_expected(r, in, "in");
    step->downwards = ag_word_take(r, "down");
    ag_word t = ag_word_next(r);
    const char *dots = NULL, *end = t.at + t.length;
    for (const char *at = t.at; at + 1 < end && !dots; ++at)
        dots = at[0] == '.' && at[1] == '.' ? at : NULL;
    if (t.quoted || !dots) {
        ag_word_expected(r, t, "the rounds, FIRST..LAST");
        return;
    }
    step->repeats = true;
    step->first = read_sum(r, t.at, (size_t)(dots - t.at));
    step->last = read_sum(r, dots + 2, (size_t)(end - dots - 2));
    snprintf(r->rounds, sizeof r->rounds, "%s", name);
    r->variable = r->rounds;
}

static bool is_buffer(const ag_pass_use *use)
{
    return use->texture >= 0;
}

// Whether two uses of a step may mean the same memory.
static bool same_memory(const ag_pass_use *a, const ag_pass_use *b)
{
    return a->slot == b->slot && a->texture == b->texture && a->level.number == b->level.number &&
           a->level.setting == b->level.setting && a->level.round == b->level.round;
}

// A further use of the step, or a second access of one that it has.
static void add_use(ag_words *r, ag_pass_step *step, ag_pass_use use, const char *at)
{
    int32_t images = 0, buffers = 0;
    for (int32_t i = 0; i < step->use_count; ++i) {
        ag_pass_use *had = &step->uses[i];
        bool same = same_memory(had, &use), named = !strcmp(had->name, use.name);
        if (same && named && !(had->access & use.access)) {
            had->access |= use.access;
            return;
        }
        if (named)
            ag_word_fail(r, at, "%s is already in this step; name one of them: NAME=%s", use.name,
                         use.name);
        else if (same)
            ag_word_fail(r, at, "this is %s, which is already in this step", had->name);
        images += !is_buffer(had);
        buffers += is_buffer(had);
    }
    if (images + buffers == AG_PASS_USES || (is_buffer(&use) && buffers == AG_PASS_BUFFERS))
        ag_word_fail(r, at, "a step has at most %d slots and textures, and %d of the latter",
                     AG_PASS_USES, AG_PASS_BUFFERS);
    if (!r->failed) {
        r->uses[step->use_count] = at;
        step->uses[step->use_count++] = use;
    }
}

// [NAME=]RESOURCE[[LEVEL]]
static void read_use(ag_words *r, ag_pass_step *step, ag_word t, uint32_t access)
{
    ag_description *d = r->d;
    const char *end = t.at + t.length, *equals = memchr(t.at, '=', t.length);
    const char *from = equals ? equals + 1 : t.at;
    const char *open = memchr(from, '[', (size_t)(end - from));
    size_t length = (size_t)((open ? open : end) - from);
    ag_pass_use use = {.access = access};
    use.slot = ag_find_slot(d, from, length);
    use.texture = use.slot < 0 ? ag_find_texture(d, from, length) : -1;
    if (use.slot < 0 && use.texture < 0) {
        ag_word_fail(r, from, "expected a slot or a texture above%s, not \"%.*s\"",
                     access == AG_READ ? ", or ->" : ", or group, tile, over, once or define",
                     ag_word_shown(length), from);
        return;
    }
    bool named = equals && ag_word_is_name(t.at, (size_t)(equals - t.at)) &&
                 !ag_word_is_reserved(t.at, (size_t)(equals - t.at));
    if (equals && !named)
        ag_word_fail(r, t.at,
                     "\"%.*s\" cannot be a name in the shader: a-z, 0-9 and _, no word of GLSL",
                     ag_word_shown((size_t)(equals - t.at)), t.at);
    if (named)
        ag_word_no_choice(r, t.at, t.at, (size_t)(equals - t.at));
    if (open && (use.texture < 0 || end[-1] != ']' || end - open < 3))
        ag_word_fail(r, open, "expected a level of a texture, as [0] or [i+1]");
    if (use.slot >= 0 && (d->slots[use.slot].access & access) != access)
        ag_word_fail(r, from, "the slot %s is only %s", d->slots[use.slot].name,
                     access == AG_READ ? "written" : "read");
    if (r->failed)
        return;
    if (open)
        use.level = read_sum(r, open + 1, (size_t)(end - open - 2));
    use.name = named           ? ag_word_keep(r, t.at, (size_t)(equals - t.at))
               : use.slot >= 0 ? d->slots[use.slot].name
                               : d->textures[use.texture].name;
    add_use(r, step, use, t.at);
}

static void read_pair(ag_words *r, int32_t pair[2], int32_t most, const char *what)
{
    ag_word t = ag_word_next(r);
    const char *x = memchr(t.at, 'x', t.length), *end = t.at + t.length;
    if (t.quoted || !x) {
        ag_word_expected(r, t, what);
        return;
    }
    pair[0] = ag_word_whole(r, t.at, (size_t)(x - t.at), 1, most, what);
    pair[1] = ag_word_whole(r, x + 1, (size_t)(end - x - 1), 1, most, what);
}

static void read_define(ag_words *r, ag_pass_step *step)
{
    ag_word name = ag_word_next(r), value = ag_word_next(r);
    bool upper = name.length && name.length < AG_PASS_NAME && isupper((unsigned char)*name.at);
    for (size_t i = 0; i < name.length && upper; ++i)
        upper = isupper((unsigned char)name.at[i]) || isdigit((unsigned char)name.at[i]) ||
                (name.at[i] == '_' && name.at[i - 1] != '_');
    if (name.quoted || !upper)
        ag_word_expected(r, name, "a constant: A-Z, 0-9 and single _");
    else if (ag_word_is_macro(name.at, name.length))
        ag_word_fail(r, name.at, "\"%.*s\" is a constant of pass.glsl; take another name",
                     (int)name.length, name.at);
    else if (step->define_count == AG_PASS_DEFINES)
        ag_word_fail(r, name.at, "a step has at most %d constants", AG_PASS_DEFINES);
    for (int32_t i = 0; i < step->define_count; ++i)
        if (ag_word_is(name, step->defines[i].name))
            ag_word_fail(r, name.at, "this constant is here twice");
    if (!r->failed) {
        step->defines[step->define_count].value =
            ag_word_whole(r, value.at, value.length, -32768, 32767, "its value");
        step->defines[step->define_count++].name = ag_word_keep(r, name.at, name.length);
    }
}

// A file in the pass's folder.
static void read_file_name(ag_words *r, ag_pass_step *step, ag_word t)
{
    bool plain = t.length < AG_WATCH_PATH && *t.at != '/';
    for (size_t i = 0; i < t.length && plain; ++i)
        plain = isalnum((unsigned char)t.at[i]) || strchr("_-/", t.at[i]) ||
                (t.at[i] == '.' && i && t.at[i - 1] != '.' && t.at[i - 1] != '/');
    if (!plain)
        ag_word_fail(r, t.at,
                     "expected a file of the pass's folder, at most %d characters of a-z A-Z "
                     "0-9 _ - . and /",
                     AG_WATCH_PATH - 1);
    else
        step->file = ag_word_keep(r, t.at, t.length);
    step->place.column = (uint32_t)(t.at - r->line) + 1;
}

static void read_options(ag_words *r, ag_pass_step *step)
{
    bool tiled = false;
    while (!r->failed) {
        ag_word t = ag_word_next(r);
        if (ag_word_is(t, "group")) {
            read_pair(r, step->group, 1024, "threads of a group, WxH");
            if (step->group[0] * step->group[1] > 1024)
                ag_word_fail(r, r->word, "a group has at most 1024 threads; these are %dx%d",
                             step->group[0], step->group[1]);
        } else if (ag_word_is(t, "tile")) {
            read_pair(r, step->tile, 4096, "texels of a group, WxH");
            tiled = true;
        } else if (ag_word_is(t, "once")) {
            step->over = -1;
        } else if (ag_word_is(t, "define")) {
            read_define(r, step);
        } else if (ag_word_is(t, "over")) {
            ag_word name = ag_word_next(r);
            step->over = -1;
            for (int32_t i = 0; i < step->use_count; ++i)
                if (ag_word_is(name, step->uses[i].name))
                    step->over = i;
            if (step->over < 0)
                ag_word_expected(r, name, "a slot or a texture of this step");
        } else if (!t.length && !t.quoted) {
            break;
        } else {
            ag_word_expected(r, t, "group, tile, over, once, define, or the end of the line");
        }
    }
    if (!tiled)
        memcpy(step->tile, step->group, sizeof step->tile);
}

bool ag_steps_use(const ag_description *d, int32_t end, int32_t slot, int32_t texture,
                  uint32_t access)
{
    for (int32_t i = 0; i < end; ++i)
        for (int32_t k = 0; k < d->steps[i].use_count; ++k) {
            const ag_pass_use *use = &d->steps[i].uses[k];
            if (use->access & access && use->slot == slot && use->texture == texture)
                return true;
        }
    return false;
}

// step NAME [FILE.comp] [for NAME in [down] FIRST..LAST] READ... -> WRITE... [options]
void ag_read_step(ag_words *r)
{
    ag_description *d = r->d;
    if (d->step_count == AG_PASS_STEPS) {
        ag_word_fail(r, r->word, "there are more than %d steps", AG_PASS_STEPS);
        return;
    }
    ag_pass_step *step = &d->steps[d->step_count];
    *step = (ag_pass_step){.file = AG_PASS_FILE, .place = {r->number, 1}, .group = {16, 8}};
    r->variable = NULL;
    step->name = ag_word_name(r, "a step", false);
    for (int32_t i = 0; i < d->step_count; ++i)
        if (!strcmp(d->steps[i].name, step->name))
            ag_word_fail(r, r->word, "there are two steps of the name %s", step->name);
    ag_word t = ag_word_next(r);
    if (t.length > 5 && !memcmp(t.at + t.length - 5, ".comp", 5)) {
        read_file_name(r, step, t);
        t = ag_word_next(r);
    }
    if (ag_word_is(t, "for")) {
        read_rounds(r, step);
        t = ag_word_next(r);
    }
    for (; !r->failed && !ag_word_is(t, "->"); t = ag_word_next(r))
        if (t.quoted || !t.length)
            ag_word_expected(r, t, "what the step reads, then ->");
        else
            read_use(r, step, t, AG_READ);
    static const char *const ends[] = {"group", "tile", "over", "once", "define"};
    int32_t written = -1;
    while (!r->failed) {
        t = ag_word_peek(r);
        bool ends_here = !t.length && !t.quoted;
        for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
            ends_here = ends_here || ag_word_is(t, ends[i]);
        if (ends_here)
            break;
        ag_word_skip(r, t);
        if (t.quoted)
            ag_word_expected(r, t, "what the step writes");
        read_use(r, step, t, AG_WRITE);
        for (int32_t i = 0; i < step->use_count && written < 0; ++i)
            written = step->uses[i].access & AG_WRITE ? i : -1;
    }
    if (written < 0)
        ag_word_expected(r, t, "what the step writes");
    step->over = written;
    read_options(r, step);
    for (int32_t i = 0; i < step->use_count; ++i) {
        int32_t texture = step->uses[i].texture;
        if (texture >= 0 && !d->textures[texture].keep &&
            !ag_steps_use(d, d->step_count + 1, -1, texture, AG_WRITE))
            ag_word_fail(r, r->uses[i], "no step up to this one writes the texture %s",
                         d->textures[texture].name);
    }
    if (!r->failed)
        ++d->step_count;
}
