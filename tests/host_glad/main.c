// main.c - a host with its own glad (4.6, global pointers) blooms a frame beside our static library
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>
#include <afterglow/bloom.h>
#include <glad/gl.h>
#include <headless.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 33, H = 21 };

static headless *context;

static GLADapiproc load(const char *name)
{
    void *address = headless_proc(context, name);
    GLADapiproc function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

static void log_message(void *user, const ag_message *message)
{
    (void)user;
    fprintf(stderr, "afterglow: %s\n", message->text);
}

static GLuint make(const float *texels)
{
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, W, H);
    if (texels)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, W, H, GL_RGBA, GL_FLOAT, texels);
    glBindTexture(GL_TEXTURE_2D, 0);
    return name;
}

static bool expect(bool condition, const char *what)
{
    printf("  %s  %s\n", condition ? "ok  " : "FAIL", what);
    return condition;
}

int main(void)
{
    char error[512];
    static float texels[H][W][4], bloomed[H][W][4];
    context = headless_create(NULL, error, sizeof error);
    if (!context || !gladLoadGL(load)) {
        fprintf(stderr, "no OpenGL 4.3: %s\n", error);
        return 77;
    }
    // The host's glad has more pointers than ours; all must stay as they are.
    PFNGLDISPATCHCOMPUTEPROC before = glDispatchCompute;
    texels[10][16][0] = texels[10][16][1] = texels[10][16][2] = 100;
    const GLuint source = make(&texels[0][0][0]), target = make(NULL);
    const ag_api *ag = ag_entry_v1(AG_ABI_MINOR);
    const ag_host host = {
        .struct_size = sizeof host, .user = context, .gl_proc = headless_proc, .log = log_message};
    ag_bloom_settings look;
    ag_texture slots[3] = {{sizeof slots[0], source, GL_TEXTURE_2D, GL_RGBA32F, W, H, .version = 1},
                           {.struct_size = sizeof slots[1]},
                           {sizeof slots[2], target, GL_TEXTURE_2D, GL_RGBA32F, W, H,
                            .version = 1}};
    const ag_job job = {.struct_size = sizeof job,
                        .slots = slots,
                        .slot_count = 3,
                        .settings = &look,
                        .next_use = AG_USE_COPY};
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    bool passed = expect(ag->device_create(&host, NULL, &device) == AG_OK, "device") &&
                  expect(ag->pass_create(device, "bloom", &pass) == AG_OK, "pass") &&
                  expect(ag->defaults("bloom", &look, sizeof look) == AG_OK, "defaults") &&
                  expect(ag->prepare(pass, &job) == AG_OK, "prepare") &&
                  expect(ag->execute(pass, &job, NULL) == AG_OK, "execute");
    glBindTexture(GL_TEXTURE_2D, target);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_FLOAT, bloomed);
    double sum = 0;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            sum += (double)bloomed[y][x][0];
    printf("  light %g of 100, %g where it came from\n", sum, (double)bloomed[10][16][0]);
    passed = expect(bloomed[10][16][0] > 89 && bloomed[10][16][0] < 100, "the light is spread") &&
             passed;
    passed = expect(bloomed[9][16][0] > 0 && sum <= 100.001 && sum > 90, "and not lost") && passed;
    passed =
        expect(before == glDispatchCompute && glGetError() == GL_NO_ERROR, "the host's glad") &&
        passed;
    ag->device_destroy(device, 0);
    glDeleteTextures(1, &source);
    glDeleteTextures(1, &target);
    headless_destroy(context);
    return passed ? 0 : 1;
}
