// cli/setting.c - converts settings of effects from text and to text
// SPDX-License-Identifier: MIT
#include "effect.h"
#include "options.h"
#include "report.h"
#include "words.h"

#include <math.h>
#include <string.h>

// A limit beyond this means that there is no limit.
static bool is_unbounded(double limit)
{
    return !(fabs(limit) < 1e30);
}

const char *effect_setting_range(const ag_setting_info *setting, char *buffer, size_t size)
{
    words names = words_begin(buffer, size, " | ");
    if (setting->type == AG_BOOL) {
        words_add(&names, "on");
        words_add(&names, "off");
    } else if (setting->type == AG_ENUM) {
        for (uint32_t i = 0; i < setting->name_count; i++)
            if (setting->names[i]) // NULL: the setting does not take this value
                words_add(&names, setting->names[i]);
    } else if (is_unbounded(setting->min) && is_unbounded(setting->max)) {
        words_add(&names, "any");
    } else if (is_unbounded(setting->max)) {
        snprintf(buffer, size, ">= %.10g", setting->min);
    } else if (is_unbounded(setting->min)) {
        snprintf(buffer, size, "<= %.10g", setting->max);
    } else {
        snprintf(buffer, size, "%.10g..%.10g", setting->min, setting->max);
    }
    return buffer;
}

const char *effect_setting_default(const ag_setting_info *setting, char *buffer, size_t size)
{
    words values = words_begin(buffer, size, ",");
    for (uint32_t i = 0; i < setting->count && i < AG_MAX_VALUES; i++) {
        double value = setting->initial[i];
        char number[32];
        snprintf(number, sizeof number, "%.9g", value);
        if (setting->type == AG_BOOL)
            words_add(&values, value != 0 ? "on" : "off");
        else if (setting->type == AG_ENUM && value >= 0 && value < setting->name_count)
            words_add(&values, setting->names[(int)value]);
        else
            words_add(&values, number);
    }
    return buffer;
}

static bool parse_bool(const char *text, int *value)
{
    static const char *const names[] = {"off", "on", "false", "true", "0", "1", "no", "yes"};
    for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
        if (strcmp(text, names[i]) == 0) {
            *value = i % 2;
            return true;
        }
    }
    return false;
}

static bool parse_enum(const ag_setting_info *setting, const char *text, int *value)
{
    for (uint32_t i = 0; i < setting->name_count; i++) {
        if (setting->names[i] && strcmp(text, setting->names[i]) == 0) {
            *value = (int)i;
            return true;
        }
    }
    return false;
}

// Reads one value; false if the setting does not take it.
static bool store_value(const ag_setting_info *setting, const char *text, void *place)
{
    if (setting->type == AG_FLOAT) {
        double number = 0;
        if (!parse_double(text, &number) || number < setting->min || number > setting->max)
            return false;
        float value = (float)number;
        memcpy(place, &value, sizeof value);
        return isfinite(value);
    }
    int value = 0;
    bool valid = false;
    switch (setting->type) {
    case AG_BOOL: valid = parse_bool(text, &value); break;
    case AG_ENUM: valid = parse_enum(setting, text, &value); break;
    case AG_INT:
        valid = parse_int(text, INT32_MIN, INT32_MAX, &value) && value >= setting->min &&
                value <= setting->max;
        break;
    default: break; // a type that this program does not know
    }
    int32_t stored = value;
    memcpy(place, &stored, sizeof stored);
    return valid;
}

static const ag_setting_info *find_setting(const ag_effect_info *effect, const char *name,
                                           size_t length)
{
    char known[512], guess[64];
    words names = words_begin(known, sizeof known, " ");
    words_seek(&names, name, length);
    for (int i = 0; i < (int)effect->setting_count; i++) {
        const ag_setting_info *setting = effect_setting(effect, i);
        if (strlen(setting->name) == length && strncmp(setting->name, name, length) == 0)
            return setting;
        words_add(&names, setting->name);
    }
    fail(STATUS_USAGE, "%s has no setting %.*s; expected one of: %s%s", effect->id, (int)length,
         name, known, words_guess(&names, guess));
    return NULL;
}

// The choice that a wrong one may have meant.
static const char *guess_choice(const ag_setting_info *setting, const char *text, char buffer[64])
{
    char known[4];
    words names = words_begin(known, sizeof known, " ");
    words_seek(&names, text, strlen(text));
    for (uint32_t i = 0; setting->type == AG_ENUM && i < setting->name_count; i++)
        if (setting->names[i])
            words_add(&names, setting->names[i]);
    return words_guess(&names, buffer);
}

int effect_set(const ag_effect_info *effect, const char *assignment, void *settings)
{
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return fail(STATUS_USAGE, "%s: %s: expected NAME=VALUE", effect->id, assignment);
    const ag_setting_info *setting =
        find_setting(effect, assignment, (size_t)(equals - assignment));
    if (!setting)
        return STATUS_USAGE;
    char range[256], value[64];
    char *place = (char *)settings + setting->offset;
    const char *at = equals + 1;
    uint32_t count = 0;
    for (bool more = true; more; count++) {
        size_t length = strcspn(at, ",");
        more = at[length] == ',';
        bool valid = count < setting->count && length < sizeof value;
        if (valid) {
            memcpy(value, at, length);
            value[length] = '\0';
            valid = store_value(setting, value, place + count * 4);
        }
        if (!valid)
            break;
        at += length + 1;
    }
    if (count != setting->count || at[-1] != '\0') {
        const char *kind = setting->type == AG_INT     ? "an integer, "
                           : setting->type == AG_FLOAT ? "a number, "
                                                       : "";
        effect_setting_range(setting, range, sizeof range);
        char several[48] = "", guess[64];
        if (setting->count != 1)
            snprintf(several, sizeof several, "%u values with commas between, each ",
                     (unsigned)setting->count);
        return fail(STATUS_USAGE, "%s: %s: expected %s%s%s%s", effect->id, assignment, several,
                    kind, range, guess_choice(setting, equals + 1, guess));
    }
    return STATUS_OK;
}
