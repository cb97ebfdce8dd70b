// module.c - loads the module, finds effects in its description, and sets settings by name
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // strdup, strtok_r, uselocale
#include "module.h"

#include <afterglow/bloom.h>
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RGBA8 = 0x8058 }; // GL_RGBA8

static struct {
    pthread_once_t once;
    const ag_api *ag;
    char why[MODULE_WHY];
} module = {.once = PTHREAD_ONCE_INIT};

static bool fail(char *why, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (why)
        vsnprintf(why, MODULE_WHY, format, values);
    va_end(values);
    return false;
}

static void load(void)
{
    const char *chosen = getenv("AFTERGLOW_LIBRARY");
    const char *file = chosen && *chosen ? chosen : "libafterglow.so.1";
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fail(module.why,
             "Afterglow's library cannot be loaded: %s. Install libafterglow.so.1, or set "
             "AFTERGLOW_LIBRARY to its file.",
             dlerror());
        return;
    }
    void *address = dlsym(library, "ag_entry_v1");
    ag_entry_fn entry = NULL;
    memcpy(&entry, &address, sizeof entry); // ISO C has no cast from data to functions
    if (!entry) {
        fail(module.why, "%s has no symbol ag_entry_v1: it is no library of Afterglow", file);
        dlclose(library);
        return;
    }
    module.ag = entry(AG_ABI_MINOR);
}

const ag_api *module_open(char why[MODULE_WHY])
{
    pthread_once(&module.once, load);
    if (!module.ag)
        fail(why, "%s", module.why);
    return module.ag;
}

// Rows may grow in later versions: step by the strides.
const ag_slot_info *module_slot(const ag_effect_info *effect, uint32_t i)
{
    const char *rows = (const char *)effect->slots;
    return (const ag_slot_info *)(const void *)(rows + (size_t)i * effect->slot_stride);
}

const ag_setting_info *module_setting(const ag_effect_info *effect, uint32_t i)
{
    const char *rows = (const char *)effect->settings;
    return (const ag_setting_info *)(const void *)(rows + (size_t)i * effect->setting_stride);
}

// Appends a word to a list in `why`, which stays a string if it is full.
static void add_word(char *list, const char *word)
{
    size_t length = strlen(list);
    snprintf(list + length, MODULE_WHY - length, " %s", word);
}

const ag_effect_info *module_effect(const ag_api *ag, const char *id, char why[MODULE_WHY])
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = ag->effects(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(effects[i]->id, id) == 0)
            return effects[i];
    fail(why, "there is no effect %s; expected one of:", id);
    for (uint32_t i = 0; i < count && why; i++)
        add_word(why, effects[i]->id);
    return NULL;
}

void module_video_defaults(const ag_api *ag, const ag_effect_info *effect, void *settings)
{
    const ag_bloom_settings *video = ag_bloom_params(AG_BLOOM_SDR);
    const size_t head = offsetof(ag_bloom_settings, intensity);
    ag->effect_defaults(effect, settings, effect->settings_size);
    // A later module's struct has more members at its end, and says so in its head.
    size_t known = sizeof *video < effect->settings_size ? sizeof *video : effect->settings_size;
    if (strcmp(effect->id, "bloom") == 0)
        memcpy((char *)settings + head, (const char *)video + head, known - head);
}

bool module_slot_takes(const ag_slot_info *slot, uint32_t format)
{
    for (uint32_t i = 0; i < slot->format_count; i++)
        if (slot->formats[i] == format)
            return true;
    return false;
}

bool module_is_filter(const ag_effect_info *effect, uint32_t *src, uint32_t *dst)
{
    uint32_t reads = 0, writes = 0;
    // Their pictures are inputs of an inverse, or float coefficients.
    if (strcmp(effect->id, "fft") == 0 || strcmp(effect->id, "wavelet") == 0)
        return false;
    for (uint32_t i = 0; i < effect->slot_count; i++) {
        const ag_slot_info *slot = module_slot(effect, i);
        if (slot->access & AG_OPTIONAL)
            continue;
        uint32_t access = slot->access & (AG_READ | AG_WRITE);
        if (access == (AG_READ | AG_WRITE) || slot->access & (AG_STATE | AG_LEVELS) ||
            !module_slot_takes(slot, RGBA8))
            return false;
        if (access == AG_READ) {
            *src = i;
            reads++;
        } else {
            *dst = i;
            writes++;
        }
    }
    return reads == 1 && writes == 1;
}

static const ag_setting_info *find_setting(const ag_effect_info *effect, const char *name,
                                           char *why)
{
    for (uint32_t i = 0; i < effect->setting_count; i++)
        if (strcmp(module_setting(effect, i)->name, name) == 0)
            return module_setting(effect, i);
    fail(why, "%s has no setting %s; expected one of:", effect->id, name);
    for (uint32_t i = 0; i < effect->setting_count; i++)
        add_word(why, module_setting(effect, i)->name);
    return NULL;
}

// A number with a point, also where the host has set a locale with decimal commas.
static float read_float(const char *text, char **end)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t hosts = uselocale(plain);
    float number = strtof(text, end);
    uselocale(hosts);
    freelocale(plain);
    return number;
}

// Reads one value; false if the setting does not take it.
static bool read_value(const ag_setting_info *setting, const char *text, void *value)
{
    int32_t integer = -1;
    char *end = NULL;
    errno = 0;
    switch (setting->type) {
    case AG_FLOAT: {
        float number = read_float(text, &end);
        memcpy(value, &number, sizeof number);
        return end != text && *end == '\0';
    }
    case AG_INT: {
        long number = strtol(text, &end, 10);
        integer = (int32_t)number;
        if (end == text || *end != '\0' || errno || number != integer)
            return false;
        break;
    }
    case AG_BOOL: {
        static const char *const names[] = {"off", "on", "false", "true", "0", "1", "no", "yes"};
        for (int32_t i = 0; i < 8; i++)
            if (strcmp(text, names[i]) == 0)
                integer = i % 2;
        break;
    }
    case AG_ENUM:
        for (uint32_t i = 0; i < setting->name_count; i++)
            if (setting->names[i] && strcmp(text, setting->names[i]) == 0)
                integer = (int32_t)i;
        break;
    default: return false; // a type of a later version
    }
    memcpy(value, &integer, sizeof integer);
    return integer >= 0 || setting->type == AG_INT;
}

// Says what the setting takes.
static bool refuse(const ag_effect_info *effect, const ag_setting_info *setting, const char *text,
                   char *why)
{
    static const char *const kinds[] = {"a number", "an integer", "on or off", "one of:"};
    const char *kind = setting->type <= AG_ENUM ? kinds[setting->type] : "another type";
    if (setting->count > 1)
        fail(why, "%s: %s is %s; expected %u values with commas between, each %s", effect->id,
             setting->name, text, (unsigned)setting->count, kind);
    else
        fail(why, "%s: %s is %s; expected %s", effect->id, setting->name, text, kind);
    for (uint32_t i = 0; setting->type == AG_ENUM && i < setting->name_count; i++)
        if (setting->names[i]) // NULL: the setting does not take this value
            add_word(why, setting->names[i]);
    return false;
}

bool module_set(const ag_effect_info *effect, void *settings, const char *name, const char *value,
                char why[MODULE_WHY])
{
    const ag_setting_info *setting = find_setting(effect, name, why);
    if (!setting)
        return false;
    unsigned char values[4 * AG_MAX_VALUES];
    uint32_t count = 0;
    const char *at = value;
    for (bool more = true; more; count++) {
        char text[64];
        size_t length = strcspn(at, ",");
        more = at[length] == ',';
        if (count >= setting->count || length >= sizeof text)
            return refuse(effect, setting, value, why);
        memcpy(text, at, length);
        text[length] = '\0';
        if (!read_value(setting, text, values + (size_t)count * 4))
            return refuse(effect, setting, value, why);
        at += length + more;
    }
    if (count != setting->count)
        return refuse(effect, setting, value, why);
    memcpy((char *)settings + setting->offset, values, (size_t)count * 4);
    return true;
}

bool module_set_all(const ag_effect_info *effect, void *settings, const char *list,
                    char why[MODULE_WHY])
{
    static const char separators[] = " \t\n;";
    char *copy = malloc(effect->settings_size), *words = strdup(list);
    bool set = copy && words;
    if (!set)
        fail(why, "out of memory");
    if (copy)
        memcpy(copy, settings, effect->settings_size);
    char *rest = NULL;
    for (char *word = set ? strtok_r(words, separators, &rest) : NULL; set && word;
         word = strtok_r(NULL, separators, &rest)) {
        char *equals = strchr(word, '=');
        if (equals) {
            *equals = '\0';
            set = module_set(effect, copy, word, equals + 1, why);
        } else {
            set = fail(why, "%s: \"%s\" is no setting; expected NAME=VALUE", effect->id, word);
        }
    }
    if (set)
        memcpy(settings, copy, effect->settings_size);
    free(copy);
    free(words);
    return set;
}
