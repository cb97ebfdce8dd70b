// fuzz_values.c - checks that settings lie in the ranges that an effect declares
// SPDX-License-Identifier: MIT
#include "effect.h"
#include "fuzz.h"

#include <string.h>

void fuzz_check_settings(const ag_effect_info *effect, const void *settings)
{
    for (int i = 0; i < (int)effect->setting_count; i++) {
        const ag_setting_info *setting = effect_setting(effect, i);
        for (uint32_t k = 0; k < setting->count; k++) {
            float real;
            int32_t whole;
            memcpy(&real, (const char *)settings + setting->offset + 4 * k, sizeof real);
            memcpy(&whole, &real, sizeof whole);
            double value = setting->type == AG_FLOAT ? (double)real : (double)whole;
            // A limit that float does not hold may be missed by its rounding.
            double slack = setting->type == AG_FLOAT ? 1e-6 * (setting->max - setting->min) : 0;
            FUZZ_CHECK(value >= setting->min - slack && value <= setting->max + slack);
            FUZZ_CHECK(setting->type != AG_ENUM || setting->names[whole]);
        }
    }
}
