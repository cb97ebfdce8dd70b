// soft_shadow_run.c - one run of "soft_shadow" on the GPU, and by the definition
// SPDX-License-Identifier: MIT
#include "shading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SRC, DEPTH, DST, TABLE, SLOTS };

shading shading_open(fixture *f)
{
    shading s = {.f = f, .pass = fixture_pass(f, "soft_shadow")};
    CHECK_STATUS(f->ag->defaults("soft_shadow", &s.settings, sizeof s.settings), AG_OK);
    s.settings.bias = s.settings.bleed = 0;
    for (int i = 0; i < SLOTS; ++i)
        s.slots[i] = texture_no_view();
    return s;
}

void shading_scene(shading *s, int map_w, int map_h, const double *map, int w, int h,
                   const double *depth, bool table)
{
    s->t[SRC] = texture_create(s->f, "r32f", map_w, map_h, map);
    s->t[DEPTH] = texture_create(s->f, "r32f", w, h, depth);
    s->t[DST] = texture_create(s->f, "r32f", w, h, NULL);
    if (table)
        s->t[TABLE] = texture_create(s->f, "rgba32ui", map_w, map_h, NULL);
    s->z = check_doubles((size_t)map_w * (size_t)map_h);
    for (int i = 0; i < SLOTS; ++i)
        s->slots[i] = s->t[i].name ? texture_view(&s->t[i]) : texture_no_view();
}

double *shading_run(shading *s, int tables)
{
    ag_job job = {.struct_size = sizeof job,
                  .slots = s->slots,
                  .slot_count = SLOTS,
                  .settings = &s->settings,
                  .next_use = AG_USE_COPY,
                  .scratch = {.struct_size = sizeof(ag_buffer)}};
    double *map = texture_read(s->f, &s->t[SRC], 0);
    for (int i = 0; i < s->t[SRC].width * s->t[SRC].height; ++i)
        s->z[i] = shadow_ref_code(&s->settings, map[i]);
    free(map);
    ag_tuning *tuning = ag_device_tuning(s->f->device);
    tuning->tables = tables;
    fixture_run(s->f, s->pass, &job);
    tuning->tables = AG_TABLES_AUTO;
    return texture_read(s->f, &s->t[DST], 0);
}

void shading_drop(shading *s)
{
    for (int i = 0; i < SLOTS; ++i)
        if (s->t[i].name) {
            s->f->ag->forget(s->f->device, s->t[i].name);
            texture_destroy(s->f, &s->t[i]);
            s->t[i].name = 0;
        }
    free(s->z);
    s->z = NULL;
}

static shadow_ref_map map_of(const shading *s)
{
    return (shadow_ref_map){s->t[SRC].width, s->t[SRC].height, s->z};
}

// Where a texel of the frame lies in the map, in texels, and its depth less the bias. False: lit.
static bool place(const shading *s, int x, int y, double d, double at[2], double *t)
{
    const float *m = s->settings.to_light;
    double u = (x + 0.5) / s->t[DEPTH].width, v = (y + 0.5) / s->t[DEPTH].height, h[4];
    double by = s->settings.view == AG_SHADOW_VIEW_LINEAR ? d : 1;
    for (int i = 0; i < 4; ++i)
        h[i] = (double)m[i] * u * by + (double)m[4 + i] * v * by + (double)m[8 + i] * d +
               (double)m[12 + i];
    at[0] = h[0] / h[3] * s->t[SRC].width;
    at[1] = h[1] / h[3] * s->t[SRC].height;
    *t = fmin(shadow_ref_depth(&s->settings, h[2] / h[3]) -
                  (double)s->settings.bias /
                      ((double)s->settings.far_plane - (double)s->settings.near_plane),
              1);
    return h[3] > 0 && at[0] >= 0 && at[1] >= 0 && at[0] <= s->t[SRC].width &&
           at[1] <= s->t[SRC].height && *t > 0;
}

bool shading_check(shading *s, const char *name, int tables, double limit)
{
    double *got = shading_run(s, tables), *depth = texture_read(s->f, &s->t[DEPTH], 0), worst = 0;
    int w = s->t[DEPTH].width, h = s->t[DEPTH].height, left_out = 0, lit = 0;
    shadow_ref_map map = map_of(s);
    for (int i = 0; i < w * h; ++i) {
        double at[2], t, want = 1;
        bool doubt = false;
        if (place(s, i % w, i / w, depth[i], at, &t))
            want = shadow_ref(&s->settings, &map, at, t, &doubt);
        left_out += doubt;
        lit += want > 0.5;
        double e = fabs(got[i] - want);
        if (!doubt && !(e <= worst))
            worst = e;
    }
    char text[160];
    snprintf(text, sizeof text, "%s, map %dx%d, tables %d, %d of %d lit, %d left out", name,
             map.width, map.height, tables, lit, w * h, left_out);
    bool good = check_limit(text, worst, limit) && left_out * 3 <= w * h;
    free(got);
    free(depth);
    return good;
}

double shading_stored(const ag_soft_shadow_settings *s, double z)
{
    double n = (double)s->near_plane, f = (double)s->far_plane;
    z = floor(z * 65535 + 0.5) / 65535;
    double metres = n + z * (f - n);
    if (s->encoding == AG_SHADOW_LINEAR)
        return metres;
    double d = s->light == AG_SHADOW_SPOT ? f * (metres - n) / (metres * (f - n)) : z;
    return s->encoding == AG_SHADOW_REVERSED ? 1 - d : d;
}
