// shader_dump.c - writes every shader variant that the effects use, with the text that drivers get
// SPDX-License-Identifier: MIT
//
// This file does not know how variants are made: it prepares jobs (shader_dump_jobs.c) and records
// glShaderSource. sizes.txt has their number, so that none is lost unseen.
#define _POSIX_C_SOURCE 200809L // strtok_r
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device.h"
#include "dispatches.h"
#include "effects/fft/fft_plan.h"
#include "fixture.h"
#include "jobs.h"
#include "shader_dump.h"
#include "test_shader.h"
#include "texture.h"

// Each row is an effect, of the module or a folder of passes/, and words, in any order but that of
// the slots:
//
//   rgba16f:40x35    a texture of the next slot; x2 behind it: an array of 2 layers; +: all levels;
//                    ? as the size: the one that the module states
//   -                the next slot is empty
//   border=clamp     a setting
//   @carry=1         of the device's tuning, or: subgroups, what the driver is said to have;
//                    planned, the job's largest size; refused: no shader runs here, and so prepare
//                    may refuse
//
// {a,b} stands for a and for b, {1..6} for these numbers, {*} for every format; {} behind it
// repeats the choice. All groups of a row are combined. ? before the effect: what it refuses is
// left out.
static const char *const formats_and_methods[] = {
    "convolve {*}:12x10 r32f:3x3 rgba32f:12x10 method={direct,fft} border={zero,clamp,mirror,wrap}",
    "convolve rgba32f:12x10 r32f:3x3 {*}:12x10 method={direct,fft}",
    "?convolve rgba32f:12x10 {*}:3x3 rgba32f:12x10 method={direct,fft}",
    "convolve rgba16:12x10 r32f:3x3 rgba16:12x10 method={direct,fft}",
    "convolve rgba32f:12x10 {r32f,rgba32f}:3x3 rgba32f:12x10 method=fft alpha=convolve",
    "convolve rgba32f:12x10 r32f:3x3 rgba32f:12x10 operation=deconvolve edges=taper @refused=1",
    "convolve rgba32f:13x10 r32f:3x3 rgba32f:13x10 operation=deconvolve edges=border border=wrap "
    "@refused=1",
    "filter_spectrum {rgba16,rgba32f}:12x10 r32f:3x3 {}:12x10 shape=lowpass",
    "?filter_spectrum rgba32f:12x10 {*}:3x3 rgba32f:12x10 shape=mask",
    "spectrum {*}:12x10 rgba32f:12x10",
    "spectrum rgba32f:12x10 {*}:12x10",

    "bloom {*}:12x10 r32f:3x3 rgba32f:12x10 shape={gaussian,aperture}",
    "bloom rgba32f:12x10 r32f:3x3 {*}:12x10 shape=gaussian",
    "bloom rgba16:12x10 r32f:3x3 rgba16:12x10 shape=gaussian",
    "?bloom rgba32f:12x10 {*}:3x3 rgba32f:12x10 shape=texture",
    // On a smaller image, where a star has a core and a Gaussian none.
    "bloom {*}:12x10 - rgba32f:12x10 shape=aperture threshold=1 resolution={auto,half}",
    "bloom {*}:12x10 - rgba32f:12x10 shape=gaussian size=2 threshold=1 resolution=half "
    "firefly=karis",
    "bloom rgba32f:12x10 - {*}:12x10 shape=gaussian size=2 threshold=1 resolution=quarter",
    // The lens: a dirt mask, an exposure, an output that may be added to; a kernel in motion.
    "bloom {*}:12x10 - rgba16f:12x10 r8:5x3 rgba32f:1x1 shape=star threshold=1 transition=2",
    "?bloom rgba32f:12x10 - {*}:12x10 r8:5x3 r32f:1x1 shape=star threshold=1 transition=2 "
    "output={bloom_only,add}",
    "?bloom rgba32f:12x10 - rgba32f:12x10 {*}:5x3 rgba32f:1x1 shape=star threshold=1 transition=2",
    // Codes, and expanded highlights, of each kind of format.
    "bloom {rgba16,rgba8,srgb8,rgb10a2,r8}:12x10 r32f:3x3 {}:12x10 shape=aperture transfer=srgb "
    "{gain=20,gain=1,gain=20 storage=compact,gain=20 resolution=half,gain=20 resolution=quarter "
    "firefly=clamp,gain=20 output=add}",
    "bloom rgba16f:12x10 r32f:3x3 rgba16f:12x10 shape=aperture gain=20 "
    "{resolution=full,storage=compact,resolution=half,resolution=quarter firefly=clamp,output=add}",
    // Each pair of ratios, with steps that are the ratios and with others; in 16 and in 32 bits.
    "bloom {rgba16f,rgba32f}:12x10 - {}:12x10 {shape=aperture resolution=half,shape=aperture "
    "resolution=quarter,shape=anamorphic resolution=quarter} threshold=1 grid=fixed @planned=16",
    "bloom {rgba16f:12x10 - rgba16f:12x10,rgba32f:12x10 - rgba32f:12x10 firefly=clamp} steady=0.5 "
    "threshold=1 {shape=aperture resolution=half,shape=aperture resolution=quarter,shape=anamorphic "
    "resolution=quarter}",

    // An ocean of every size; of one of them 16 and 32 bits, in textures and in arrays.
    "ocean rgba32f:{32,256,512}x{} rgba32f:{}x{} r32f:{}x{} size={} cascades=1",
    "ocean rgba16f:{64,256,1024}x{} rgba16f:{}x{} r16f:{}x{} size={} cascades=1",
    "ocean rgba32f:{128,256}x{}x2 rgba32f:{}x{}x2 r32f:{}x{}x2 size={} cascades=2",
    "ocean rgba16f:256x256x2 rgba16f:256x256x2 r16f:256x256x2 size=256 cascades=2",

    // Chains: formats, reductions and sizes each by themselves meet in few lines of the shaders.
    "mipchain {*}:{64x64+,63x63+ exactness=direct}",
    "mipchain {r8,rgba8,rgb10a2,r16f,rgba16f,rg32f}:{64x64,63x63}+ @without=2",
    "mipchain {rg8,srgb8,r11g11b10f,rg16f,r32f,rgba32f}:{64x64,63x64}+ @without=2",
    "mipchain rg16f:{64,63}x64+ reduce={mean,min,max,minmax,first}",
    "mipchain {rgba16f:64x64+,rgba32f:64x63+} weight={karis,alpha,coverage}",
    // Even stages of every length, tails, and last arrivers.
    "mipchain rgba8:{6x10,12x20,24x40,48x80,96x160,192x320,240x135,128x128}+",
    "mipchain {rgba16f:6x10+,rg8:12x20+,rgba16f:24x40+ weight=karis,rg8:48x80+,rgba16f:96x160+,"
    "rg8:192x320+ weight=karis} @emulate=1 @subgroups={0,1}",
    "mipchain rg16f:64x64+ reduce={min,max,minmax} @emulate=1 @subgroups={0,1}",
    // Ends in the first dispatch, and tails; two even stages, and an even one before the rest.
    "mipchain {rgba16f:63x63,rgba8:64x64,rgba16f:127x127,rgba8:128x128,rgba16f:255x255,"
    "rgba8:256x256,rgba16f:511x511,rgba8:512x512}+ weight={none,karis,alpha} @subgroups={0,1}",
    "mipchain {*}:{128x128,192x192}+ @subgroups={0,1}",
    "mipchain {r32f:655x655+ reduce=min,rg16f:1023x1023+ reduce=minmax} @subgroups={0,1}",

    // Lines: images that do not fill them, with zeros behind, or borders.
    "convolve rgba32f:{31,150,401,2500,6001}x4 r32f:5x1 rgba32f:{}x4 method=fft border={zero,clamp}",
    "convolve rgba32f:4x{31,150,401,2500,6001} r32f:1x5 rgba32f:4x{} method=fft border={zero,clamp}",
    "spectrum rgba32f:{31x4,150x4,401x4,2500x4,6001x4,4x31,4x150,4x401,4x2500,4x6001} rgba32f:{}",
    // Images of few row pairs, whose rows take a channel a group, and of many.
    "convolve {r32f,rg32f,rgba32f,rgba8}:{1024x4,64x640} r32f:1x1 rgba32f:{} method=fft border=wrap",
    "convolve {rgba32f,rgba8}:{1024x4,64x640} r32f:1x1 rgba32f:{} method=fft alpha=convolve",
    // Compact spectra: few and many row pairs, one and two lines a work group, padded or not.
    "convolve rgba32f:12x10 r32f:1x1 rgba32f:12x10 method=fft border={zero,clamp,mirror,wrap} "
    "storage=compact",
    "convolve rgba32f:{512x8,2048x6,8192x4,4x8192,6x1000,500x700} r32f:1x1 rgba32f:{} method=fft "
    "border={zero,wrap} storage=compact",
    "bloom rgba32f:12x10 r32f:3x3 rgba32f:12x10 shape=gaussian storage=compact",
    // The convolution and src's alpha alone, in both forms of shared memory.
    "convolve rgba16f:{64x640,2048x640} r32f:3x3 rgba16f:{} method=fft border=wrap "
    "storage={full,compact}",
    // Blooms so high that few frequencies are left, or some.
    "bloom {r32f,rg32f,rgba16f}:640x{100,590,1080} r32f:3x3 rgba32f:640x{} shape=gaussian size=0.3",

    // The effect fft: packed, half a spectrum and back, lines too long for threads a channel.
    "fft rgba32f:24x20 rgba32f:24x20 {- rg32f:24x20,rg32f:24x20 direction=inverse} packing=rgba_rg",
    "fft rgba32f:1024x600 rgba32f:1024x600 {- rg32f:1024x600,rg32f:1024x600 "
    "direction=inverse} packing=rgba_rg",
    "fft rgba32f:13x20 rgba32f:24x20 rgba32f:13x20 direction=inverse spectrum=half",
    "fft rgba32f:24x20 {*}:24x20 rgba32f:24x20 direction=inverse", // pictures
    // Directions, axes and sizes in turn.
    "fft {r32f:16x12,rg32f:2048x6 axes=x,rgba32f:37x3 axes=y,rgba16f:1x2053} {} {} {}",
    "fft {r32f:2048x6 axes=x,rg32f:37x3 axes=y,rgba32f:1x2053,rgba16f:16x12 axes=x} {} {} {} "
    "direction=inverse",
    "fft {r32f:37x3 r32f:37x2 axes=y - r32f:37x2,rg32f:1x2053 rg32f:1x2053 - rg32f:1x2053,"
    "rgba32f:16x12 rgba32f:9x12 - rgba32f:9x12 axes=x,rgba16f:2048x6 rgba16f:2048x4 - "
    "rgba16f:2048x4 axes=y} spectrum=half",
    "fft {r32f:1x2053 r32f:1x2053 r32f:1x2053,rg32f:9x12 rg32f:16x12 rg32f:9x12 axes=x,"
    "rgba32f:2048x4 rgba32f:2048x6 rgba32f:2048x4 axes=y,rgba16f:19x3 rgba16f:37x3 rgba16f:19x3} "
    "spectrum=half direction=inverse",
    "fft {r32f:16x12 r32f:16x12 - r32f:16x12 axes=x,rg32f:2048x6 rg32f:2048x6 - rg32f:2048x6 axes=y,"
    "rgba32f:37x3 rgba32f:37x3 - rgba32f:37x3,rgba16f:1x2053 rgba16f:1x2053 - rgba16f:1x2053 axes=x}",
    "fft {r32f:2048x6 r32f:2048x6 - r32f:2048x6 axes=y,rg32f:37x3 rg32f:37x3 - rg32f:37x3,rgba32f:"
    "1x2053 rgba32f:1x2053 - rgba32f:1x2053 axes=x,rgba16f:16x12 rgba16f:16x12 - rgba16f:16x12 "
    "axes=y} direction=inverse",
    "fft {r32f:37x3,rg32f:1x2053 axes=x,rgba32f:16x12 axes=y,rgba16f:2048x6} {} {} {} "
    "method=multipass",
    "fft {r32f:1x2053 axes=x,rg32f:16x12 axes=y,rgba32f:2048x6,rgba16f:37x3 axes=x} {} {} {} "
    "direction=inverse",

    // Tables of every format and storage, and the effects that query them.
    "sat {rgba8,rgb10a2,rgba16f}:40x35 rgba32f:? storage=float32 tolerance=0 max_box=8 @carry=2",
    "sat {srgb8,r11g11b10f,rgba32f}:40x35 rgba32f:? storage=float32 tolerance=0 max_box=8 @carry=1",
    "sat rgba16f:40x35 rgba32f:? rgba32f:? storage=double_float tolerance=0 max_box=8 @carry=2",
    "sat rgba16f:40x35 rgba32f:? rgba32f:? storage=split @carry={1,2}",
    "sat rgba16f:40x35 {storage=float32 rgba32f:? - rgba32f:? -,storage=float32_residual rgba32f:? "
    "rgba16f:? rgba32f:? rgba16f:?,storage=double_float rgba32f:? rgba32f:? rgba32f:? rgba32f:?} "
    "{rgba32f:1x1 offset=mean,- origin=center,- edge=exclusive} square=1 tolerance=0 max_box=8 "
    "@carry=1",
    "sat rgba16f:40x35 storage=uint32 edge={inclusive,exclusive} rgba32ui:? - rgba32ui:? square=1 "
    "tolerance=0 max_box=8 @carry=1",
    "sat {rgba16f:40x35 rgba32f:? storage=float32,rgba8:40x35 rgba32ui:? storage=uint32} "
    "tolerance=0 max_box=8 @emulate=1 @subgroups={0,1} @carry={1,2} @tile={1..3}",
    "sat rgba32f:40x35 rgba32f:? storage=float32 tolerance=0 max_box=8 @emulate=1 @subgroups={0,1} "
    "@carry={1,2} @tile=1", // one texel for each load
    "box_blur rgba16f:40x35 {-,r32f:40x35} - rgba16f:40x35 border={zero,clamp,mirror,normalize} "
    "@tables={1..3}",
    // By image units all that differs is a format's name.
    "box_blur {r8,rg8,rgba8,r16f,rg16f}:40x35 - - {}:40x35 storage={auto,double_float} "
    "@tables={2,3}",
    "box_blur rgba8:40x35 - {rgba32f,rgba32ui}:40x35 rgba8:40x35 @tables={1..3}",
    "depth_of_field rgba16f:40x35 r32f:40x35 {r8:40x35 shape=box,rg8:40x35 shape=box "
    "storage=double_float,rgba8:40x35 shape=smooth,srgb8:40x35 shape=smooth storage=double_float,"
    "rgb10a2:40x35 shape=disc,r11g11b10f:40x35 shape=disc storage=double_float} method=tables "
    "@tables={1..3}",
    "depth_of_field rgba16f:40x35 {r32f:40x35 r8:40x35,d32f:40x35 rgba16f:40x35,d32f:40x35 "
    "rgba16f:40x35 blades=3}",
    "depth_of_field rgba16f:40x35 {r32f,d32f}:40x35 rgba16f:40x35 rgba32f:1x1 focus=autofocus",
    "soft_shadow r32f:40x35 r32f:40x35 r8:40x35 rgba32ui:40x35 @tables={1..3}",
    "local_stats {rgba16f:40x35 border=clamp,r16f:40x35 border=mirror,r16f:40x35 border=normalize} "
    "rgba32f:40x35 rgba32f:40x35 @tables={1..3}",

    "wavelet rgba16f:16x16{,x1} rgba16f:16x16{} direction={forward,inverse} levels=2 "
    "wavelet={haar,db2,db4,sym4,coif1,cdf53,cdf97}",
    "wavelet {rgba16f:16x16 rgba16f:16x16x7,r32f:16x16 r32f:16x16x7,rgba16f:16x16x7 rgba16f:16x16 "
    "direction=inverse,r32f:16x16x7 r32f:16x16 direction=inverse} levels=2 wavelet=sym4 "
    "layout=bands stationary=1",
    "wavelet rgba16f:16x16 rgba16f:16x16 r32f:16x2 wavelet=custom direction={forward,inverse} "
    "levels=2",
    "?wavelet {*}:16x16 {r16f,rg16f,rgba16f,r32f,rg32f,rgba32f}:16x16 wavelet=db2 levels=2",
    "?wavelet {r16f,rg16f,rgba16f,r32f,rg32f,rgba32f}:16x16 {*}:16x16 wavelet=db2 levels=2 "
    "direction=inverse",

    "?denoise {rgba16f,r16f}:80x70 {}:80x70 filter={ti_haar,haar,dwt} threshold={soft,firm} "
    "rule={bayes,noise,visu} levels={1..6}",
    "denoise {r8:80x70 r8:80x70,rg16f:80x70 rg16f:80x70 space=log firefly=1,rgba8:80x70 rgba8:80x70 "
    "space=anscombe,srgb8:80x70 srgb8:80x70 firefly=1,rgba32f:80x70 rgba32f:80x70 space=log} "
    "filter={ti_haar,haar,atrous,dwt,blocks}",
    "denoise rgba16f:80x70 rgba16f:80x70 rg16f:80x70 rgba16f:80x70",
    // The passes that ship: folders of passes/.
    "tone_map {*}:12x10 rgba16f:12x10 {-,rgba32f:1x1} curve=agx",
    "tone_map rgba16f:12x10 {*}:12x10 curve={aces,agx,neutral} encode={0,1}",
    "film_grain {*}:12x10 {}:12x10 values={linear,codes}",
    "kawase {*}:40x35 {}:40x35",
    "kawase rgba16f:40x35 rgba16f:40x35 levels={1..8}",
    "sharpen {*}:12x10 {}:12x10 values={linear,codes}",
    "lens {*}:12x10 {}:12x10",
    "edges {*}:12x10 {}:12x10 values={linear,codes}",

    "denoise rgba16f:80x70 rgba16f:80x70 - - {rgba16f:80x70,rgba16f:80x70 rgba16f:80x70,"
    "rgba16f:80x70 rgba16f:80x70 r32f:80x70} filter=atrous space={linear,log,anscombe}",
};

// ---- a row --------------------------------------------------------------------------------------

static void set(const ag_effect_info *info, uint8_t *settings, const char *name, const char *text)
{
    for (uint32_t i = 0; i < info->setting_count; ++i) {
        const ag_setting_info *row = job_setting_info(info, i);
        if (strcmp(row->name, name) != 0)
            continue;
        float number = strtof(text, NULL);
        int32_t whole = (int32_t)number;
        bool found = row->type != AG_ENUM;
        for (uint32_t k = 0; !found && k < row->name_count; ++k)
            if (row->names[k] && strcmp(row->names[k], text) == 0) {
                whole = (int32_t)k;
                found = true;
            }
        CHECK_F(found, "%s=%s", name, text);
        memcpy(settings + row->offset, row->type == AG_FLOAT ? (void *)&number : &whole, 4);
        return;
    }
    check_fail(__FILE__, __LINE__, "set", "%s has no setting %s", info->id, name);
}

static int32_t *tuned(ag_tuning *tuning, const char *name)
{
    return strcmp(name, "carry") == 0     ? &tuning->carry
           : strcmp(name, "tile") == 0    ? &tuning->tile
           : strcmp(name, "tables") == 0  ? &tuning->tables
           : strcmp(name, "emulate") == 0 ? &tuning->emulate
                                          : NULL;
}

typedef struct row_job {
    const ag_effect_info *info;
    texture t[DUMP_MOST_SLOTS];
    int count, planned;
    _Alignas(16) uint8_t settings[JOB_SETTINGS];
} row_job;

static void add_texture(fixture *f, row_job *j, const char *word)
{
    char format[16];
    int32_t size[3] = {0};
    CHECK(j->count < DUMP_MOST_SLOTS);
    texture *t = &j->t[j->count++];
    if (*word == '-')
        return;
    if (sscanf(word, "%15[^:]:%dx%dx%d", format, &size[0], &size[1], &size[2]) < 3) {
        ag_texture slots[DUMP_MOST_SLOTS];
        for (int i = 0; i < DUMP_MOST_SLOTS; ++i)
            slots[i] = j->t[i].name ? texture_view(&j->t[i]) : texture_no_view();
        ag_job job = {.struct_size = sizeof job,
                      .slots = slots,
                      .slot_count = j->info->slot_count,
                      .settings = j->settings};
        ag_pass *pass = fixture_pass(f, j->info->id);
        CHECK_STATUS(f->ag->slot_size(pass, &job, (uint32_t)j->count - 1, size), AG_OK);
        f->ag->pass_destroy(pass);
    }
    int levels = strchr(word, '+') ? texture_full_levels(size[0], size[1]) : 1;
    *t = texture_create_array(f, format, size[0], size[1], size[2], levels, NULL);
}

// Without groups.
static void dump_job(fixture *f, char *text)
{
    static ag_gl had;
    row_job j = {0};
    char *rest = NULL, *place = strdup(text), *row = strdup(text);
    bool may_be_refused = *text == '?', pretends = false;
    had = f->device->gpu.gl;
    *ag_device_tuning(f->device) = (ag_tuning){0};
    const char *effect = strtok_r(text + may_be_refused, " ", &rest);
    j.info = job_effect(f->ag, effect);
    if (!j.info) {
        char folder[512];
        snprintf(folder, sizeof folder, AG_PASSES "/%s", effect);
        CHECK_STATUS(f->ag->pass_load(f->device, folder, &j.info), AG_OK);
    }
    CHECK_STATUS(f->ag->effect_defaults(j.info, j.settings, j.info->settings_size), AG_OK);
    // The settings first: sizes depend on them.
    for (char *word; (word = strtok_r(NULL, " ", &rest));) {
        char *value = strchr(word, '=');
        if (!value)
            continue;
        *value++ = 0;
        int number = atoi(value);
        if (*word != '@')
            set(j.info, j.settings, word, value);
        else if (strcmp(word, "@planned") == 0)
            j.planned = number;
        else if (strcmp(word, "@refused") == 0)
            dump_pretends = pretends = true; // no shader runs here, so prepare finds no taps
        else if (strcmp(word, "@subgroups") == 0)
            dump_pretend(f, &had, number);
        else if (strcmp(word, "@without") == 0)
            ag_device_tuning(f->device)->without = (uint32_t)number;
        else
            *tuned(ag_device_tuning(f->device), word + 1) = number;
    }
    strtok_r(place, " ", &rest);
    for (char *word; (word = strtok_r(NULL, " ", &rest));)
        if (!strchr(word, '='))
            add_texture(f, &j, word);
    ag_status status = dump_prepare_planned(f, effect, j.t, j.count, j.settings, j.planned);
    bool refused = status == AG_E_FORMAT || status == AG_E_ARG || status == AG_E_SIZE;
    CHECK_F(status == AG_OK || dump_pretends || (may_be_refused && refused), "%s: %s", row,
            host_log_last(&f->host));
    dump_pretend_no_more(f, &had);
    free(place);
    free(row);
}

// Puts `choice` in the place of the first group, and of each {} up to the next one.
static void choose(const char *text, const char *choice, int length, char *out)
{
    const char *open = strchr(text, '{'), *rest = strchr(open, '}') + 1;
    out += sprintf(out, "%.*s%.*s", (int)(open - text), text, length, choice);
    for (const char *at; (at = strchr(rest, '{')) && at[1] == '}'; rest = at + 2)
        out += sprintf(out, "%.*s%.*s", (int)(at - rest), rest, length, choice);
    strcpy(out, rest);
}

static void dump_row(fixture *f, const char *text)
{
    char chosen[1024], word[16];
    const char *at = strchr(text, '{');
    int from = 0, to = 0;
    CHECK(strlen(text) < sizeof chosen / 2);
    if (!at) {
        strcpy(chosen, text);
        dump_job(f, chosen);
    } else if (at[1] == '*') {
        for (int i = 0; i < FORMAT_COUNT; ++i) {
            choose(text, format_at(i)->name, 16, chosen);
            dump_row(f, chosen);
        }
    } else if (sscanf(at, "{%d..%d}", &from, &to) == 2) {
        for (; from <= to; ++from) {
            choose(text, word, snprintf(word, sizeof word, "%d", from), chosen);
            dump_row(f, chosen);
        }
    } else {
        do {
            int length = (int)strcspn(++at, ",}");
            choose(text, at, length, chosen);
            dump_row(f, chosen);
            at += length;
        } while (*at == ',');
    }
}

// ---- lines -------------------------------------------------------------------------------------

enum { STAGES = AG_FFT_MAX_STAGES, RADICES = 17 };
typedef struct cover { // which radix has been seen at which stage of how many, split or not
    bool seen[2][STAGES + 1][STAGES][RADICES];
    bool odd[2][STAGES + 1]; // and odd lengths
} cover;

static int unseen(cover *c, const ag_fft_line *line, bool mark)
{
    int count = 0;
    for (int s = 0; s <= line->stages; ++s) {
        bool *seen = s < line->stages ? &c->seen[line->split][line->stages][s][line->radix[s]]
                                      : &c->odd[line->split][line->stages];
        if (s == line->stages && line->length % 2 == 0)
            break;
        count += !*seen;
        *seen = *seen || mark;
    }
    return count;
}

// Lengths that together have every radix at every stage that any length has, in both forms of
// shared memory, and odd ones. With wrap an image of that size is a line of that length.
static void dump_lengths(fixture *f, bool rows)
{
    static ag_fft_line lines[AG_FFT_MAX_LENGTH + 1]; // stages 0: there is none
    cover c = {0};
    for (int n = 0; n <= AG_FFT_MAX_LENGTH; ++n)
        if (n < (rows ? 2 : 3) || !ag_fft_plan_line(n, rows, 1024, &lines[n]))
            lines[n].stages = 0;
    for (;;) {
        int best = 0, most = 0;
        for (int n = 0; n <= AG_FFT_MAX_LENGTH; ++n) {
            int count = lines[n].stages ? unseen(&c, &lines[n], false) : 0;
            if (count > most) {
                most = count;
                best = n;
            }
        }
        if (!best)
            return;
        unseen(&c, &lines[best], true);
        char text[128];
        snprintf(text, sizeof text,
                 "convolve rgba32f:{%dx%d} r32f:1x1 rgba32f:{} method=fft border=wrap",
                 rows ? best : 4, rows ? 4 : best);
        dump_row(f, text);
    }
}

int shader_dump(const char *directory)
{
    fixture *f = fixture_open(NULL);
    if (!f)
        return 77;
    dispatches_begin(&f->host.trace, directory, NULL, NULL);
    f->host.trace.dry = true;
    f->host.trace.dry_word = 0x3f800000; // sums of kernels that are 1, and taps of no special form
    for (size_t i = 0; i < sizeof formats_and_methods / sizeof *formats_and_methods; ++i)
        dump_row(f, formats_and_methods[i]);
    dump_lengths(f, true);
    dump_lengths(f, false);
    dump_described(f);
    printf("  note  %u variants\n", dispatches_texts());
    dispatches_end(&f->host.trace);
    f->host.trace.dry = false;
    return fixture_close(f) && dispatches_texts() > 0 ? 0 : 1;
}
