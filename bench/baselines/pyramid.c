// pyramid.c - the pyramid bloom of today's games, measured as the plugin's bloom is
// SPDX-License-Identifier: MIT
#include "pyramid.h"

#include "cli/report.h"
#include "compute.h"

#include <stdio.h>

enum { LEVELS = 6, GROUP = 16 }; // half to 1/64 of the frame

extern const ag_embedded_file ag_embedded_pyramid[];

const pyramid_kind pyramid_kinds[PYRAMID_KINDS] = {
    {"rgba16f chain", GL_RGBA16F, 8, false},
    {"r11g11b10f chain, karis", GL_R11F_G11F_B10F, 4, true},
};

typedef struct level {
    int width, height;
    GLuint down, up; // the last level has no `up`: the way up starts from its `down`
} level;

typedef struct pyramid {
    const GladGLContext *gl;
    const pyramid_kind *kind;
    GLuint first, down, up, composite; // programs
    level levels[LEVELS + 1];          // 0: the frame, without textures
    int count;                         // of levels below it
    GLuint sources[MEASURE_MAX_SETS], targets[MEASURE_MAX_SETS];
    int sets;
} pyramid;

static void dispatch(const pyramid *p, GLuint program, const level *small, GLuint from, GLuint same,
                     const level *to, GLuint target, GLenum format)
{
    const GladGLContext *gl = p->gl;
    gl->UseProgram(program);
    gl->Uniform2f(0, 1.0f / (float)small->width, 1.0f / (float)small->height);
    gl->Uniform2i(2, to->width, to->height);
    gl->Uniform2f(3, 1.0f / (float)to->width, 1.0f / (float)to->height);
    gl->ActiveTexture(GL_TEXTURE1);
    gl->BindTexture(GL_TEXTURE_2D, same);
    gl->ActiveTexture(GL_TEXTURE0);
    gl->BindTexture(GL_TEXTURE_2D, from);
    gl->BindImageTexture(0, target, 0, GL_FALSE, 0, GL_WRITE_ONLY, format);
    gl->DispatchCompute((GLuint)(to->width + GROUP - 1) / GROUP,
                        (GLuint)(to->height + GROUP - 1) / GROUP, 1);
    gl->MemoryBarrier(
        GL_TEXTURE_FETCH_BARRIER_BIT); // the next dispatch samples what this one wrote
}

static bool record(void *user, int set)
{
    const pyramid *p = user;
    const level *levels = p->levels;
    GLenum format = p->kind->format;
    for (int i = 1; i <= p->count; i++) {
        GLuint from = i == 1 ? p->sources[set] : levels[i - 1].down;
        dispatch(p, i == 1 ? p->first : p->down, &levels[i - 1], from, 0, &levels[i],
                 levels[i].down, format);
    }
    for (int i = p->count - 1; i >= 1; i--) {
        GLuint small = i == p->count - 1 ? levels[i + 1].down : levels[i + 1].up;
        dispatch(p, p->up, &levels[i + 1], small, levels[i].down, &levels[i], levels[i].up, format);
    }
    dispatch(p, p->composite, &levels[1], levels[1].up, p->sources[set], &levels[0],
             p->targets[set], GL_RGBA16F);
    return true;
}

// Every dispatch reads or writes each texture that it uses once.
static uint64_t bytes_of(const pyramid *p)
{
    uint64_t texel = (uint64_t)p->kind->format_bytes, bytes = 0;
    for (int i = 0; i <= p->count; i++) {
        uint64_t texels = (uint64_t)p->levels[i].width * (uint64_t)p->levels[i].height;
        if (i == 0)
            bytes += texels * 8 * 3; // the frame, read by level 1 and the composite; the output
        else if (i == p->count)
            bytes += texels * texel * 2; // `down` written, read on the way up
        else
            bytes += texels * texel * 5; // `down` written, read twice; `up` written, read
    }
    return bytes;
}

static int make_programs(pyramid *p)
{
    const struct {
        GLuint *program;
        const char *path, *define;
    } wanted[] = {
        {&p->first, "pyramid_down.comp",
         p->kind->karis ? "#define KARIS 1\n" : "#define KARIS 0\n"},
        {&p->down, "pyramid_down.comp", "#define KARIS 0\n"},
        {&p->up, "pyramid_up.comp", "#define COMPOSITE 0\n"},
        {&p->composite, "pyramid_up.comp", "#define COMPOSITE 1\n"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char error[1024] = "";
        *wanted[i].program = compute_program(p->gl, ag_embedded_pyramid, wanted[i].path,
                                             wanted[i].define, error, sizeof error);
        if (!*wanted[i].program)
            return fail(STATUS_FAILED, "%s: %s", wanted[i].path, error);
    }
    p->gl->ProgramUniform2f(p->composite, 1, 1.0f / (float)p->count, 0.1f);
    return STATUS_OK;
}

static int make_textures(pyramid *p, const picture *source)
{
    bool complete = true;
    p->levels[0] = (level){source->width, source->height, 0, 0};
    for (int i = 1; i <= LEVELS; i++) {
        level *l = &p->levels[i];
        l->width = p->levels[i - 1].width / 2;
        l->height = p->levels[i - 1].height / 2;
        if (l->width < 1 || l->height < 1)
            break;
        l->down = picture_texture(p->gl, p->kind->format, l->width, l->height, NULL);
        l->up = picture_texture(p->gl, p->kind->format, l->width, l->height, NULL);
        complete = complete && l->down && l->up;
        p->count = i;
    }
    for (int i = 0; i < p->sets; i++) {
        p->sources[i] = picture_texture(p->gl, GL_RGBA16F, source->width, source->height, source);
        p->targets[i] = picture_texture(p->gl, GL_RGBA16F, source->width, source->height, NULL);
        complete = complete && p->sources[i] && p->targets[i];
    }
    if (p->count < 2)
        return fail(STATUS_FAILED, "%dx%d is too small for a pyramid", source->width,
                    source->height);
    return complete ? STATUS_OK : fail(STATUS_FAILED, "GL has no memory for the pyramid");
}

static void destroy(pyramid *p)
{
    const GladGLContext *gl = p->gl;
    gl->UseProgram(0);
    gl->BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    gl->DeleteProgram(p->first);
    gl->DeleteProgram(p->down);
    gl->DeleteProgram(p->up);
    gl->DeleteProgram(p->composite);
    for (int i = 1; i <= p->count; i++)
        gl->DeleteTextures(2, (const GLuint[]){p->levels[i].down, p->levels[i].up});
    gl->DeleteTextures(p->sets, p->sources);
    gl->DeleteTextures(p->sets, p->targets);
}

int pyramid_bench(bench *owner, const picture *source, const pyramid_kind *kind)
{
    pyramid p = {.gl = &owner->gpu.gl, .kind = kind};
    report_row row = {
        .effect = "bloom", .subject = "pyramid", .width = source->width, .height = source->height};
    p.sets = measure_sets(16.0 * source->width * source->height, owner->cold_bytes);
    int status = make_textures(&p, source);
    if (status == STATUS_OK)
        status = make_programs(&p);
    if (status == STATUS_OK) {
        snprintf(row.variant, sizeof row.variant, "%s", kind->name);
        snprintf(
            row.plan, sizeof row.plan,
            "%d levels down by 13 taps that neighbours share, up by tents of 4 taps, composite",
            p.count);
        row.bytes = bytes_of(&p);
        row.launches = 2 * p.count;
        const measure_work work = {record, NULL, &p, p.sets};
        measure(&owner->timer, &work, owner->samples, &row.times);
    }
    destroy(&p);
    return status == STATUS_OK ? report_add(&owner->report, &row) : status;
}
