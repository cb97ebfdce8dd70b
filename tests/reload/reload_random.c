// reload_random.c - a thousand random edits of a folder, and the picture after each
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "reloading.h"
#include "test_reload.h"

// The folder is right when both are: direct.comp brightens by `factor`, load.glsl is whole.
typedef struct folder_state {
    int factor; // 0: direct.comp does not work
    bool load;
} folder_state;

static void save(rng *random, folder *d, const char *name, const char *text)
{
    if (rng_int(random, 0, 1))
        folder_put(d, name, text);
    else
        folder_replace(d, name, text);
}

static void edit(rng *random, folder *d, folder_state *s)
{
    static const char *const mistakes[] = {
        "#include \"no/such.glsl\"\n",   "#include \"fft/direct.comp\"\n",
        "#error on purpose\n",           "layout(local_size_x = 1) in;",
        "float x = no_such_name;\n",     "}\n",
        "#include \"common/source.glsl", "\x01\xff",
    };
    char *text = NULL, to[96];
    switch (rng_int(random, 0, 13)) {
    case 0:
    case 1:
    case 2:
    case 10:
    case 11:
        s->factor = rng_int(random, 1, 6); // few texts, so that drivers know them
        snprintf(to, sizeof to, "%d.0 * u_gain * total", s->factor);
        text = reloading_text(DIRECT, "u_gain * total", to);
        save(random, d, DIRECT, text);
        break;
    case 3:
        s->factor = 0;
        text = reloading_text(DIRECT, "const int TILE",
                              mistakes[rng_int(random, 0, 7)]); // also cuts the line
        save(random, d, DIRECT, text);
        break;
    case 5:
        folder_drop(d, DIRECT);
        s->factor = 0;
        break;
    case 4:
    case 6:
    case 12: // writes that must not count: nothing, half, and then all
        folder_put(d, LOAD, "");
        text = reloading_text(LOAD, "#if SRC_SRGB", "#if SRC_SRGB");
        folder_put_bytes(d, LOAD, text, (size_t)rng_int(random, 1, (int)strlen(text) - 1));
        save(random, d, LOAD, text);
        s->load = true;
        break;
    case 7:
        text = reloading_text(LOAD, "vec4 load_texel(", mistakes[rng_int(random, 0, 5)]);
        save(random, d, LOAD, text);
        s->load = false;
        break;
    case 8:
        folder_drop(d, LOAD);
        s->load = false;
        break;
    default:
        if (s->load)
            folder_touch(d, LOAD);
        break;
    }
    free(text);
}

void test_random_edits(void **state)
{
    enum { EDITS = 1000 };
    (void)state;
    rng random = rng_start("random edits", 4);
    reloading *r = reloading_open(NULL, 0);
    folder_state s = {1, true};
    int shown = 1, right = 0, settled = 0;
    for (int i = 0; i < EDITS; ++i) {
        edit(&random, &r->d, &s);
        int frames = rng_int(&random, 0, 12); // often less than the quiet period
        for (int k = 0; k < frames; ++k)
            reloading_frame(r);
        if (rng_int(&random, 0, 3)) {
            int now = reloading_factor(r);
            CHECK_F(now >= 1 && now <= 6, "edit %d: no edit made this picture", i);
            continue;
        }
        reloading_settle(r);
        ++settled;
        int factor = reloading_factor(r);
        bool works = s.factor && s.load;
        CHECK_F(works ? factor == s.factor : factor >= 1 && factor <= 6, "edit %d: %d, not %d", i,
                factor, s.factor);
        CHECK_EQ(reloading_status(r).failed, !works);
        CHECK(works || reloading_status(r).message);
        right += works && factor != shown;
        shown = factor;
        ag_health health = {.struct_size = sizeof health};
        CHECK_STATUS(r->f->ag->health(r->f->device, &health), AG_OK);
        CHECK_F(health.programs <= 4, "%u programs", health.programs);
    }
    printf("  ok    %d edits, %u generations; settled %d times, %d times with a new picture\n",
           EDITS, reloading_status(r).generation, settled, right);
    CHECK(right > 20);
    reloading_close(r);
}
