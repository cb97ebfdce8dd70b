// fuzz_set.c - texts of `--set` for an effect: an accepted value lies in the range of its setting
// SPDX-License-Identifier: MIT
#include "effect.h"
#include "fuzz.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ag_api *api = effect_api();
    uint32_t count = 0;
    const ag_effect_info *const *effects = api->effects(&count);
    fuzz_input input = {data, size};
    const ag_effect_info *effect = effects[fuzz_below(&input, count)];
    char *settings =
        malloc(effect->settings_size); // of exactly this size: the sanitizer sees its end
    char *text = malloc(input.left + 1);
    if (!settings || !text)
        abort();
    memcpy(text, input.at, input.left);
    text[input.left] = '\0';
    FUZZ_CHECK(api->defaults(effect->id, settings, effect->settings_size) == AG_OK);
    bool taken = true;
    for (char *line = text; line && taken;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        taken = effect_set(effect, line, settings) == STATUS_OK;
        line = end ? end + 1 : NULL;
    }
    if (taken) // else the run ends, and nobody reads the settings
        fuzz_check_settings(effect, settings);
    free(settings);
    free(text);
    return 0;
}
