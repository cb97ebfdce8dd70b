// tuning.c - what `afterglow tune` found out on a GPU, as text: read into a device's tuning
// SPDX-License-Identifier: MIT
#include "core/tuning.h"
#include "base/log.h"

#include <string.h>

#define AT(member) offsetof(ag_tuning, member)
const ag_tuned_key ag_tuned_keys[] = {{"convolve.direct_taps.zero", AT(direct_taps[0]), 1, 65025},
                                      {"convolve.direct_taps.clamp", AT(direct_taps[1]), 1, 65025},
                                      {"convolve.direct_taps.mirror", AT(direct_taps[2]), 1, 65025},
                                      {"convolve.direct_taps.wrap", AT(direct_taps[3]), 1, 65025},
                                      {"fft.per_channel_pairs", AT(per_channel_pairs), 1, 1 << 24},
                                      {"bloom.dispatch_bytes", AT(dispatch_bytes), 1, 1 << 30},
                                      {"sat.folded_tiles", AT(folded_tiles), 1, 1 << 24},
                                      {"box.tables", AT(tables), AG_TABLES_IMAGE, AG_TABLES_BUFFER},
                                      {NULL, 0, 0, 0}};
#undef AT

const char *ag_tuned_driver(const char *version)
{
    // What drivers say between OpenGL's version and their own.
    static const char *const words[] = {
        "(Core",   "(Compatibility",     "Profile)", "Core",    "Compatibility",
        "Profile", "Forward-Compatible", "Debug",    "Context", "-"};
    const char *at = version + strcspn(version, " ");
    for (bool skipped = true; skipped;) {
        at += strspn(at, " ");
        size_t length = strcspn(at, " ");
        skipped = false;
        for (size_t i = 0; length && i < sizeof words / sizeof *words; ++i)
            skipped |= strlen(words[i]) == length && !memcmp(words[i], at, length);
        at += skipped ? length : 0;
    }
    return *at ? at : version;
}

typedef struct line {
    const char *text;
    size_t length;
    int number;
} line;

// Lines without their ends, "\n" or "\r\n". False: there is no more.
static bool next_line(line *it)
{
    const char *at = it->text + it->length;
    at += *at == '\r';
    if (it->number > 0) {
        if (!*at || !at[1])
            return false;
        ++at;
    }
    *it = (line){at, strcspn(at, "\r\n"), it->number + 1};
    return it->length || *at;
}

static bool is(const line *it, const char *text)
{
    return strlen(text) == it->length && !memcmp(it->text, text, it->length);
}

static bool begins(const line *it, const char *text)
{
    size_t length = strlen(text);
    return it->length >= length && !memcmp(it->text, text, length);
}

// Digits alone, so that no locale of the host's has a say. False: it is no number of this range.
static bool read_number(const char *text, size_t length, int64_t min, int64_t max, int64_t *out)
{
    int64_t value = 0;
    for (size_t i = 0; i < length; ++i) {
        if (text[i] < '0' || text[i] > '9' || value > max)
            return false;
        value = 10 * value + (text[i] - '0');
    }
    *out = value;
    return length && value >= min && value <= max;
}

static ag_status refuse_line(const ag_host *host, const line *it, const char *expected)
{
    int shown = it->length < 80 ? (int)it->length : 80;
    ag_say(host, AG_LOG_WARNING,
           "device_desc.tuning, line %d: \"%.*s\"; expected %s; defaults serve", it->number, shown,
           it->text, expected);
    return AG_UNTUNED;
}

// One of the three lines that say where the text is of.
static ag_status read_origin(const ag_host *host, line *it, const char *name, const char *mine)
{
    bool more = next_line(it);
    size_t length = strlen(name);
    if (!more || !begins(it, name) || it->length <= length || it->text[length] != ' ')
        return refuse_line(host, it, name);
    const line theirs = {it->text + length + 1, it->length - length - 1, it->number};
    if (is(&theirs, mine))
        return AG_OK;
    ag_say(
        host, AG_LOG_WARNING,
        "device_desc.tuning is of %s %.*s, and this is %s; defaults serve: run `afterglow tune` again",
        name, (int)(theirs.length < 120 ? theirs.length : 120), theirs.text, mine);
    return AG_UNTUNED;
}

static ag_status read_choice(const ag_host *host, const line *it, ag_tuning *tuning,
                             int64_t *copy_speed)
{
    const char *space = memchr(it->text, ' ', it->length);
    size_t length = space ? (size_t)(space - it->text) : it->length;
    const line name = {it->text, length, it->number};
    const char *value = space ? space + 1 : it->text + it->length;
    size_t digits = it->length - (size_t)(value - it->text);
    int64_t number = 0;
    if (is(&name, "copy_speed"))
        return read_number(value, digits, 1, UINT32_MAX, copy_speed)
                   ? AG_OK
                   : refuse_line(host, it, "MB/s, a whole number");
    for (const ag_tuned_key *key = ag_tuned_keys; key->name; ++key) {
        if (!is(&name, key->name))
            continue;
        if (!read_number(value, digits, key->min, key->max, &number))
            return refuse_line(host, it, "a whole number in range");
        int32_t word = (int32_t)number;
        memcpy((char *)tuning + key->offset, &word, sizeof word);
        return AG_OK;
    }
    return refuse_line(host, it, "a choice that this module knows");
}

ag_status ag_tuned_read(const ag_host *host, const ag_gl *gl, const char *text, ag_tuning *tuning,
                        uint32_t *copy_speed)
{
    const char *renderer = (const char *)gl->GetString(GL_RENDERER),
               *version = (const char *)gl->GetString(GL_VERSION);
    ag_tuning read = *tuning;
    int64_t speed = 0;
    line it = {.text = text};
    if (!memchr(text, 0, AG_TUNED_MAX)) {
        ag_say(host, AG_LOG_WARNING, "device_desc.tuning has more than %d bytes; defaults serve",
               AG_TUNED_MAX);
        return AG_UNTUNED;
    }
    if (!next_line(&it) || !is(&it, "afterglow tuning 1"))
        return refuse_line(host, &it, "\"afterglow tuning 1\"");
    ag_status status = read_origin(host, &it, "module", AG_VERSION);
    if (status == AG_OK)
        status = read_origin(host, &it, "renderer", renderer ? renderer : "");
    if (status == AG_OK)
        status = read_origin(host, &it, "driver", ag_tuned_driver(version ? version : ""));
    while (status == AG_OK && next_line(&it))
        if (it.length && *it.text != '#' && !begins(&it, "time."))
            status = read_choice(host, &it, &read, &speed);
    if (status != AG_OK)
        return status;
    *tuning = read;
    if (!*copy_speed)
        *copy_speed = (uint32_t)speed;
    return AG_OK;
}
