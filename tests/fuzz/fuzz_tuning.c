// fuzz_tuning.c - texts of `--tuning`: what the module takes lies in range, what it refuses changes
// nothing, and what the command line predicts from one is a time
// SPDX-License-Identifier: MIT
//
// The first byte of the input says whether the lines that name this GPU are put before the rest:
// few texts would get past them.
#include "core/tuning.h"
#include "cost.h"
#include "effect.h"
#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int said;

static void hear(void *user, const ag_message *message)
{
    (void)user;
    FUZZ_CHECK(*message->text && !strchr(message->text, '\n'));
    said++;
}

static const GLubyte *GLAD_API_PTR get_string(GLenum name)
{
    return (const GLubyte *)(name == GL_RENDERER ? "GPU" : "4.3 (Core Profile) Driver 1");
}

static void check_taken(const ag_tuning *taken, const ag_tuning *before)
{
    ag_tuning rest = *taken;
    for (const ag_tuned_key *key = ag_tuned_keys; key->name; key++) {
        int32_t value, was;
        memcpy(&value, (const char *)taken + key->offset, sizeof value);
        memcpy(&was, (const char *)before + key->offset, sizeof was);
        memcpy((char *)&rest + key->offset, &was, sizeof was);
        FUZZ_CHECK(value == was || (value >= key->min && value <= key->max));
    }
    FUZZ_CHECK(memcmp(&rest, before, sizeof rest) == 0); // no choice but the named ones
}

static void check_predictions(const char *text)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = effect_api()->effects(&count);
    for (uint32_t i = 0; i < count; i++) {
        cost_rates rates = {0};
        if (!cost_read(text, effects[i]->id, &rates))
            continue;
        double us = cost_of(&rates, 7, 1u << 20);
        FUZZ_CHECK(isfinite(us) && us >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const ag_host host = {.struct_size = sizeof host, .log = hear};
    static const ag_gl gl = {.GetString = get_string};
    fuzz_input input = {data, size};
    char head[128] = "";
    if (fuzz_take(&input, 1) & 1)
        snprintf(head, sizeof head,
                 "afterglow tuning 1\nmodule %s\nrenderer GPU\ndriver Driver 1\n",
                 effect_api()->version);
    size_t length = strlen(head) + input.left;
    char *text = malloc(length + 1); // of exactly this size: the sanitizer sees its end
    FUZZ_CHECK(text);
    memcpy(text, head, strlen(head));
    if (input.left)
        memcpy(text + strlen(head), input.at, input.left);
    text[length] = '\0';
    ag_tuning tuning, before;
    memset(&tuning, 0x5a, sizeof tuning);
    before = tuning;
    uint32_t speed = 0;
    said = 0;
    ag_status status = ag_tuned_read(&host, &gl, text, &tuning, &speed);
    FUZZ_CHECK(status == AG_OK || status == AG_UNTUNED);
    FUZZ_CHECK(said == (status == AG_UNTUNED));
    if (status == AG_OK) {
        check_taken(&tuning, &before);
        check_predictions(text);
    } else {
        FUZZ_CHECK(memcmp(&tuning, &before, sizeof tuning) == 0 && speed == 0);
    }
    free(text);
    return 0;
}
