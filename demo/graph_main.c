// graph_main.c - `afterglow-graph MODULE`: a frame of several passes, with and without sharing
// SPDX-License-Identifier: MIT
#include "graph.h"
#include "headless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1920, HEIGHT = 1080, SOFTWARE_DIVISOR = 8, FRAMES = 3 };

static GLADapiproc load(void *user, const char *name)
{
    void *address = headless_proc(user, name);
    GLADapiproc function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    fprintf(stderr, "afterglow: %s\n", message->text);
}

static GLuint make_source(const GladGLContext *gl, int width, int height)
{
    float *texels = malloc((size_t)width * (size_t)height * 4 * sizeof *texels);
    GLuint name = 0;
    if (!texels)
        abort();
    for (int i = 0; i < width * height * 4; i++)
        texels[i] = i % 4 == 3 ? 1 : i / 4 % 997 == 0 ? 40 : (float)(i / 4 * 7 % 61) / 122;
    gl->GenTextures(1, &name);
    gl->BindTexture(GL_TEXTURE_2D, name);
    gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, width, height);
    gl->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_FLOAT, texels);
    gl->BindTexture(GL_TEXTURE_2D, 0);
    free(texels);
    return name;
}

// scene -> bloom -> glow -> bloom -> more (wanted); scene -> spectrum -> view (wanted); glow ->
// bloom -> unseen, which nothing uses.
static void fill(graph *g, int width, int height, GLuint scene)
{
    enum { SCENE, GLOW, MORE, VIEW, UNSEEN, TEXTURES };
    static const char *const labels[] = {"scene", "glow", "more", "view", "unseen"};
    for (int i = 0; i < TEXTURES; i++)
        g->textures[i] = (graph_texture){.label = labels[i],
                                         .format = GL_RGBA16F,
                                         .width = width,
                                         .height = height,
                                         .scales = true,
                                         .imported = i == SCENE ? scene : 0,
                                         .wanted = i == MORE || i == VIEW ? AG_USE_SAMPLE : 0};
    const graph_pass passes[] = {
        {.label = "glow",
         .effect = "bloom",
         .slots = {SCENE, -1, GLOW, -1},
         .slot_count = 4,
         .outputs = 4},
        {.label = "more",
         .effect = "bloom",
         .slots = {GLOW, -1, MORE, -1},
         .slot_count = 4,
         .outputs = 4},
        {.label = "view",
         .effect = "spectrum",
         .slots = {SCENE, VIEW, -1, -1},
         .slot_count = 4,
         .outputs = 2},
        {.label = "unseen",
         .effect = "bloom",
         .slots = {GLOW, -1, UNSEEN, -1},
         .slot_count = 4,
         .outputs = 4},
    };
    memcpy(g->passes, passes, sizeof passes);
    g->texture_count = TEXTURES;
    g->pass_count = sizeof passes / sizeof *passes;
}

int main(int argc, char **argv)
{
    char error[512];
    GladGLContext gl;
    graph g;
    if (argc != 2) {
        fputs("usage: afterglow-graph MODULE: for example lib/libafterglow.so.1\n", stderr);
        return 2;
    }
    headless *context = headless_create(NULL, error, sizeof error);
    if (!context || !gladLoadGLContextUserPtr(&gl, load, context)) {
        fprintf(stderr, "no OpenGL 4.3: %s\n", error);
        return 77;
    }
    const ag_host host = {
        .struct_size = sizeof host, .user = context, .gl_proc = headless_proc, .log = log_message};
    const char *renderer = (const char *)gl.GetString(GL_RENDERER);
    int divisor = strstr(renderer, "llvmpipe") ? SOFTWARE_DIVISOR : 1;
    int width = WIDTH / divisor, height = HEIGHT / divisor;
    bool done = graph_open(&g, &gl, argv[1], &host, NULL);
    GLuint scene = done ? make_source(&gl, width, height) : 0;
    if (done) {
        fill(&g, width, height, scene);
        done = graph_compile(&g, true);
    }
    for (uint64_t frame = 1; frame <= FRAMES && done; frame++)
        done = graph_execute(&g, frame);
    if (done) {
        printf("%s, frames of %dx%d\n", renderer, width, height);
        graph_print(&g);
    }
    gl.DeleteTextures(1, &scene);
    graph_close(&g);
    headless_destroy(context);
    return done ? 0 : 1;
}
