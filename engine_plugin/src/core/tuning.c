// tuning.c - what `afterglow tune` found out on a GPU, as text: read into a device's tuning
// SPDX-License-Identifier: MIT
#include "core/tuning.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(ag_tuning, member)
#define EXCHANGES AG_EXCHANGE_SUBGROUPS, AG_EXCHANGE_SUBGROUPS, AG_EXCHANGE_SHARED
// What is usual was measured on an H100 and an H200 (bench/README.md, docs/ of the effects).
const ag_tuned_key ag_tuned_keys[] = {
    {"convolve.direct_taps.zero", AT(direct_taps[0]), 6 * 6, 1, 65025},
    {"convolve.direct_taps.clamp", AT(direct_taps[1]), 7 * 7, 1, 65025},
    {"convolve.direct_taps.mirror", AT(direct_taps[2]), 7 * 7, 1, 65025},
    {"convolve.direct_taps.wrap", AT(direct_taps[3]), 6 * 6, 1, 65025},
    {"fft.per_channel_pairs", AT(per_channel_pairs), 300, 1, 1 << 24},
    {"fft.spread_points", AT(spread_points), 512, 1, 1 << 24},
    {"sat.folded_tiles", AT(folded_tiles), 2048, 1, 1 << 24},
    {"sat.few_tiles", AT(few_tiles), 100, 1, 1 << 24},
    {"box.tables", AT(tables), AG_TABLES_BUFFER, AG_TABLES_IMAGE, AG_TABLES_BUFFER},
    {"downsample.tile_rows", AT(tile_rows), 4, 1, 64},
    {"downsample.block_rows", AT(block_rows), 16, 1, 64},
    {"downsample.few_groups", AT(few_groups), 64, 1, 1 << 24},
    {"downsample.shared_rows", AT(shared_rows), 32, 1, 1 << 24},
    {"sat.exchange", AT(sat_exchange), EXCHANGES},
    {"mips.exchange", AT(mip_exchange), EXCHANGES},
    {"denoise.exchange", AT(denoise_exchange), EXCHANGES},
    {"bloom.dispatch_bytes", AT(dispatch_bytes), 6000000, 1, 1 << 30},
    {"bloom.tap_bytes", AT(tap_bytes), 590, 1, 1 << 20},
    {"bloom.fft_bytes", AT(fft_bytes), 12, 1, 1 << 20},
    {NULL, 0, 0, 0, 0}};
#undef EXCHANGES
#undef AT

int32_t ag_tuned(const ag_tuning *tuning, const int32_t *place)
{
    size_t offset = (size_t)((const char *)place - (const char *)tuning);
    const ag_tuned_key *key = ag_tuned_keys;
    while (key->offset != offset)
        ++key;
    return *place ? *place : key->usual;
}

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
    const char *next;
    int number;
    char text[512]; // of a longer line, which is wrong or a remark, the beginning
} line;

// The next line, without its end, "\n" or "\r\n". False: there is no more.
static bool next_line(line *it)
{
    size_t length = strcspn(it->next, "\n");
    size_t kept = length < sizeof it->text ? length : sizeof it->text - 1;
    bool more = *it->next != 0;
    memcpy(it->text, it->next, kept);
    kept -= kept && it->text[kept - 1] == '\r';
    it->text[kept] = 0;
    it->next += length + (it->next[length] == '\n');
    ++it->number;
    return more;
}

// What follows "NAME "; NULL: the line is of another name.
static const char *value_of(const line *it, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(it->text, name, length) && it->text[length] == ' ' ? it->text + length + 1
                                                                       : NULL;
}

// Digits alone. False: it is no number of this range.
static bool read_number(const char *text, int64_t min, int64_t max, int64_t *out)
{
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits > 18 || text[digits])
        return false;
    *out = strtoll(text, NULL, 10);
    return *out >= min && *out <= max;
}

static ag_status refuse_line(const ag_host *host, const line *it, const char *expected)
{
    ag_say(host, AG_LOG_WARNING,
           "device_desc.tuning, line %d: \"%.80s\"; expected %s; defaults serve", it->number,
           it->text, expected);
    return AG_UNTUNED;
}

// One of the three lines that say where the text is of.
static ag_status read_origin(const ag_host *host, line *it, const char *name, const char *mine)
{
    const char *theirs = next_line(it) ? value_of(it, name) : NULL;
    if (!theirs)
        return refuse_line(host, it, name);
    if (!strcmp(theirs, mine))
        return AG_OK;
    ag_say(host, AG_LOG_WARNING,
           "device_desc.tuning is of %s %.120s, and this is %s; defaults serve: run `afterglow "
           "tune` again",
           name, theirs, mine);
    return AG_UNTUNED;
}

static ag_status read_choice(const ag_host *host, const line *it, ag_tuning *tuning,
                             int64_t *copy_speed)
{
    int64_t number = 0;
    const char *value = value_of(it, "copy_speed");
    if (value)
        return read_number(value, 1, UINT32_MAX, copy_speed)
                   ? AG_OK
                   : refuse_line(host, it, "MB/s, a whole number");
    const ag_tuned_key *key = ag_tuned_keys;
    while (key->name && !(value = value_of(it, key->name)))
        ++key;
    if (!value)
        return refuse_line(host, it, "a choice that this module knows");
    if (!read_number(value, key->min, key->max, &number))
        return refuse_line(host, it, "a whole number in range");
    int32_t word = (int32_t)number;
    memcpy((char *)tuning + key->offset, &word, sizeof word);
    return AG_OK;
}

ag_status ag_tuned_read(const ag_host *host, const ag_gl *gl, const char *text, ag_tuning *tuning,
                        uint32_t *copy_speed)
{
    const char *renderer = (const char *)gl->GetString(GL_RENDERER),
               *version = (const char *)gl->GetString(GL_VERSION);
    ag_tuning read = *tuning;
    int64_t speed = 0;
    line it = {.next = text};
    if (!memchr(text, 0, AG_TUNED_MAX)) {
        ag_say(host, AG_LOG_WARNING, "device_desc.tuning has more than %d bytes; defaults serve",
               AG_TUNED_MAX);
        return AG_UNTUNED;
    }
    if (!next_line(&it) || strcmp(it.text, "afterglow tuning 1") != 0)
        return refuse_line(host, &it, "\"afterglow tuning 1\"");
    ag_status status = read_origin(host, &it, "module", AG_VERSION);
    if (status == AG_OK)
        status = read_origin(host, &it, "renderer", renderer ? renderer : "");
    if (status == AG_OK)
        status = read_origin(host, &it, "driver", ag_tuned_driver(version ? version : ""));
    while (status == AG_OK && next_line(&it))
        if (it.text[0] && it.text[0] != '#' && strncmp(it.text, "time.", 5) != 0)
            status = read_choice(host, &it, &read, &speed);
    if (status != AG_OK)
        return status;
    *tuning = read;
    if (!*copy_speed)
        *copy_speed = (uint32_t)speed;
    return AG_OK;
}
