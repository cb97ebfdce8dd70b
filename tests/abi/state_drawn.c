// state_drawn.c - textures that the host has drawn into: chained, forgotten and deleted
// SPDX-License-Identifier: MIT
//
// An engine renders into level 0 of a texture, makes its chain, and later deletes the texture. In
// NVIDIA's driver 580 glDeleteTextures crashed in this order, after image handles of a view had
// been resident (docs/decisions.md, D52).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "state_table.h"

enum { FRAMES = 2 };

// What goes first at the end.
typedef enum ending {
    FORGET_AND_DELETE, // as afterglow.h asks for; then the pass and the device go
    PASS_FIRST,        // pass, forget, texture, device
    DEVICE_FIRST,      // device, then the texture
    CONTEXT,           // the device, then the context, with all that it holds
    ENDINGS
} ending;

typedef struct painter { // of the host
    GLuint program, array, framebuffer;
} painter;

static painter painter_create(fixture *f)
{
    static const char *const texts[] = {
        "#version 430 core\n"
        "void main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0,\n"
        "                                 gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }\n",
        "#version 430 core\n"
        "layout(location = 0) uniform float u_value;\n"
        "out vec4 o_color;\n"
        "void main() { ivec2 p = ivec2(gl_FragCoord.xy);\n"
        "    o_color = vec4(u_value * float(1 + (p.x + p.y) % 2)); }\n"};
    painter p = {.program = f->gl.CreateProgram()};
    for (int i = 0; i < 2; ++i) {
        GLuint shader = f->gl.CreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        f->gl.ShaderSource(shader, 1, &texts[i], NULL);
        f->gl.CompileShader(shader);
        f->gl.AttachShader(p.program, shader);
        f->gl.DeleteShader(shader);
    }
    f->gl.LinkProgram(p.program);
    GLint linked = 0;
    f->gl.GetProgramiv(p.program, GL_LINK_STATUS, &linked);
    CHECK(linked);
    f->gl.GenVertexArrays(1, &p.array);
    f->gl.GenFramebuffers(1, &p.framebuffer);
    return p;
}

static void painter_destroy(fixture *f, painter *p)
{
    f->gl.DeleteProgram(p->program);
    f->gl.DeleteVertexArrays(1, &p->array);
    f->gl.DeleteFramebuffers(1, &p->framebuffer);
}

// Draws a checker of `value` and twice that into level 0, which stays attached.
static void paint(fixture *f, const painter *p, const texture *t, float value)
{
    f->gl.BindFramebuffer(GL_FRAMEBUFFER, p->framebuffer);
    f->gl.FramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t->name, 0);
    CHECK(f->gl.CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    f->gl.Viewport(0, 0, t->width, t->height);
    f->gl.Enable(GL_FRAMEBUFFER_SRGB);
    f->gl.BindVertexArray(p->array);
    f->gl.UseProgram(p->program);
    f->gl.Uniform1f(0, value);
    fixture_own(f, NOTE_RECOMPILED); // for the format, at the draw
    f->gl.DrawArrays(GL_TRIANGLES, 0, 3);
    fixture_own(f, 0);
    f->gl.UseProgram(0);
    f->gl.BindVertexArray(0);
    f->gl.Disable(GL_FRAMEBUFFER_SRGB);
    f->gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void end_scene(fixture *f, ag_pass *pass, GLuint name, ending how)
{
    if (how == PASS_FIRST)
        f->ag->pass_destroy(pass);
    if (how == DEVICE_FIRST || how == CONTEXT) {
        f->ag->device_destroy(f->device, 0);
        f->device = NULL;
    }
    if (f->device)
        f->ag->forget(f->device, name);
    if (how != CONTEXT)
        f->gl.DeleteTextures(1, &name);
    if (how == FORGET_AND_DELETE)
        f->ag->pass_destroy(pass);
    f->gl.Finish();
}

// A chain of what was drawn, in each frame.
static bool check_chain(const char *format, int width, int height, ending how)
{
    fixture *f = fixture_open(&(fixture_options){.quiet = true});
    CHECK(f != NULL);
    painter p = painter_create(f);
    int levels = texture_full_levels(width, height);
    texture t = texture_create_array(f, format, width, height, 0, levels, NULL);
    texture_poison(f, &t);
    ag_texture slot = texture_view(&t);
    ag_job job = {.struct_size = sizeof job, .slots = &slot, .slot_count = 1};
    ag_pass *pass = fixture_pass(f, "mipchain");
    double worst = 0;
    for (int frame = 1; frame <= FRAMES; ++frame) {
        float value = 0.25f * (float)frame;
        paint(f, &p, &t, value);
        job.next_use = AG_USE_COPY;
        fixture_run(f, pass, &job);
        double *last = texture_read(f, &t, levels - 1);
        double off = fabs(last[0] - 1.5 * (double)value);
        worst = off <= worst ? worst : off;
        free(last);
    }
    char name[96];
    snprintf(name, sizeof name, "%s %dx%d, ending %d: mean of what was drawn", format, width,
             height, (int)how);
    // Level 0 and the last one are rounded: to a code each, of SRGB8_ALPHA8 up to 2.3 / 255.
    bool good = check_limit(name, worst, 2.5 / 255);
    end_scene(f, pass, t.name, how);
    if (how != CONTEXT)
        painter_destroy(f, &p);
    return fixture_close(f) && good;
}

void test_drawn(void **state)
{
    // One dispatch, and two.
    static const int sizes[][2] = {{128, 64}, {600, 328}};
    static const char *const formats[] = {"rgba16f", "rgba8", "srgb8", "r11g11b10f", "r32f"};
    enum { SIZES = sizeof sizes / sizeof *sizes, FORMATS = sizeof formats / sizeof *formats };
    bool good = true;
    for (int how = 0; how < ENDINGS; ++how)
        for (int i = 0; i < SIZES; ++i) {
            int k = (how * SIZES + i) % FORMATS;
            good &= check_chain(formats[k], sizes[i][0], sizes[i][1], (ending)how);
        }
    fixture_current(*state);
    CHECK(good);
}
