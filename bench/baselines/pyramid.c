// pyramid.c - the pyramid bloom of today's games, measured as the plugin's bloom is
// SPDX-License-Identifier: MIT
#include "way.h"

#include <stdio.h>

enum { LEVELS = 6, GROUP_X = 32, GROUP_Y = 8 }; // half to 1/64 of the frame

typedef struct pyramid_kind {
    const char *name;
    GLenum format, frame; // of the chain's levels, of both frames
    int format_bytes, frame_bytes;
    bool karis; // the first level weights its taps by 1 / (1 + luma), against flicker
} pyramid_kind;

static const pyramid_kind kinds[] = {
    {"rgba16f chain", GL_RGBA16F, GL_RGBA16F, 8, 8, false},
    {"r11g11b10f chain, karis", GL_R11F_G11F_B10F, GL_RGBA16F, 4, 8, true},
    {"r11g11b10f chain and frames, karis", GL_R11F_G11F_B10F, GL_R11F_G11F_B10F, 4, 4, true},
};

typedef struct level {
    int width, height;
    GLuint down, up; // the last level has no `up`: the way up starts from its `down`
} level;

typedef struct pyramid {
    way base;
    const pyramid_kind *kind;
    GLuint first, down, up, composite; // programs
    level levels[LEVELS + 1];          // 0: the frame, without textures
    int count;                         // of levels below it
} pyramid;

static void dispatch(const pyramid *p, GLuint program, const level *small, GLuint from, GLuint same,
                     const level *to, GLuint target, GLenum format)
{
    const GladGLContext *gl = p->base.gl;
    gl->UseProgram(program);
    gl->Uniform2f(0, 1.0f / (float)small->width, 1.0f / (float)small->height);
    gl->Uniform2i(2, to->width, to->height);
    gl->Uniform2f(3, 1.0f / (float)to->width, 1.0f / (float)to->height);
    gl->ActiveTexture(GL_TEXTURE1);
    gl->BindTexture(GL_TEXTURE_2D, same);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, from);
    gl->BindImageTexture(0, target, 0, GL_FALSE, 0, GL_WRITE_ONLY, format);
    way_dispatch(&p->base, program, (to->width + GROUP_X - 1) / GROUP_X,
                 (to->height + GROUP_Y - 1) / GROUP_Y, 1, GL_TEXTURE_FETCH_BARRIER_BIT);
}

static bool record(void *user, int set)
{
    const pyramid *p = user;
    const level *levels = p->levels;
    GLenum format = p->kind->format;
    GLuint frame = p->base.sources[set];
    for (int i = 1; i <= p->count; i++)
        dispatch(p, i == 1 ? p->first : p->down, &levels[i - 1],
                 i == 1 ? frame : levels[i - 1].down, 0, &levels[i], levels[i].down, format);
    for (int i = p->count - 1; i >= 1; i--)
        dispatch(p, p->up, &levels[i + 1],
                 i == p->count - 1 ? levels[i + 1].down : levels[i + 1].up, levels[i].down,
                 &levels[i], levels[i].up, format);
    dispatch(p, p->composite, &levels[1], levels[1].up, frame, &levels[0], p->base.targets[set],
             p->kind->frame);
    return true;
}

// Every dispatch reads or writes each texture that it uses once.
static uint64_t bytes_of(const pyramid *p)
{
    uint64_t texel = (uint64_t)p->kind->format_bytes, bytes = 0;
    uint64_t frame = (uint64_t)p->kind->frame_bytes;
    for (int i = 0; i <= p->count; i++) {
        uint64_t texels = (uint64_t)p->levels[i].width * (uint64_t)p->levels[i].height;
        if (i == 0)
            bytes += texels * frame * 3; // the frame, read by level 1 and the composite; the output
        else if (i == p->count)
            bytes += texels * texel * 2; // `down` written, read on the way up
        else
            bytes += texels * texel * 5; // `down` written, read twice; `up` written, read
    }
    return bytes;
}

static void make(pyramid *p)
{
    way *base = &p->base;
    p->levels[0] = (level){base->width, base->height, 0, 0};
    for (int i = 1; i <= LEVELS; i++) {
        level *l = &p->levels[i];
        l->width = p->levels[i - 1].width / 2;
        l->height = p->levels[i - 1].height / 2;
        if (l->width < 1 || l->height < 1)
            break;
        l->down = way_texture(base, p->kind->format, l->width, l->height, NULL);
        l->up = way_texture(base, p->kind->format, l->width, l->height, NULL);
        p->count = i;
    }
    must(p->count >= 2, "%dx%d is too small for a pyramid", base->width, base->height);
    p->first = way_program(base, "pyramid_down.comp", "#define KARIS %d\n", p->kind->karis);
    p->down = way_program(base, "pyramid_down.comp", "#define KARIS 0\n");
    p->up = way_program(base, "pyramid_up.comp", "#define COMPOSITE 0\n");
    p->composite = way_program(base, "pyramid_up.comp", "#define COMPOSITE 1\n");
    base->gl->ProgramUniform2f(p->composite, 1, 1.0f / (float)p->count, 0.1f);
}

static void measure_kind(bench *owner, int width, int height, const pyramid_kind *kind)
{
    pyramid p = {.kind = kind};
    report_row row = {.effect = "bloom", .subject = "pyramid"};
    way_begin(&p.base, owner, bench_picture(owner, picture_scene, width, height), kind->frame,
              kind->frame, 2.0 * kind->frame_bytes * width * height);
    make(&p);
    snprintf(row.variant, sizeof row.variant, "%s", kind->name);
    snprintf(row.plan, sizeof row.plan,
             "%d levels down by 13 taps that neighbours share, up by tents of 4 taps, composite",
             p.count);
    row.bytes = bytes_of(&p);
    row.launches = 2 * p.count;
    way_end(&p.base, &row, record, NULL);
}

void pyramid_bench(bench *owner, int width, int height)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        measure_kind(owner, width, height, &kinds[i]);
}
