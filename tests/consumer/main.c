// main.c - what stands in for the engine around host.c: a context, two textures, and a look at them
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>
#include <headless.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef CONSUMER_DLOPEN
#include <dlfcn.h>
#endif

int glow_start(ag_entry_fn entry, const ag_host *host);
int glow_draw(uint32_t frame, uint32_t bloomed);
void glow_forget(uint32_t texture);
void glow_stop(void);

enum { WIDTH = 160, HEIGHT = 120, TEXELS = WIDTH * HEIGHT };
enum { TEXTURE_2D = 0x0DE1, RGBA16F = 0x881A, RGBA = 0x1908, FLOAT = 0x1406 };

static struct {
    void (*gen_textures)(int count, unsigned *names);
    void (*bind_texture)(unsigned target, unsigned name);
    void (*tex_storage)(unsigned target, int levels, unsigned format, int width, int height);
    void (*tex_sub_image)(unsigned target, int level, int x, int y, int width, int height,
                          unsigned format, unsigned type, const void *data);
    void (*get_tex_image)(unsigned target, int level, unsigned format, unsigned type, void *data);
    void (*delete_textures)(int count, const unsigned *names);
} gl;

static int expect(int condition, const char *what)
{
    if (!condition)
        fprintf(stderr, "consumer: failed: %s\n", what);
    return condition;
}

static void say(void *user, const ag_message *message)
{
    (void)user;
    fprintf(stderr, "afterglow: %s\n", message->text);
}

static void load(headless *context, const char *name, void *pointer)
{
    void *address = headless_proc(context, name);
    if (!expect(address != NULL, name))
        exit(1);
    memcpy(pointer, &address, sizeof address);
}

static ag_entry_fn find_entry(void)
{
#ifdef CONSUMER_DLOPEN
    ag_entry_fn entry = NULL;
    void *module = dlopen(CONSUMER_DLOPEN, RTLD_NOW | RTLD_LOCAL);
    void *address = module ? dlsym(module, "ag_entry_v1") : NULL;
    if (!address)
        fprintf(stderr, "consumer: %s\n", dlerror());
    memcpy(&entry, &address, sizeof entry);
    return entry;
#else
    return ag_entry_v1;
#endif
}

static unsigned make_texture(const float *texels)
{
    unsigned name = 0;
    gl.gen_textures(1, &name);
    gl.bind_texture(TEXTURE_2D, name);
    gl.tex_storage(TEXTURE_2D, 1, RGBA16F, WIDTH, HEIGHT);
    if (texels)
        gl.tex_sub_image(TEXTURE_2D, 0, 0, 0, WIDTH, HEIGHT, RGBA, FLOAT, texels);
    gl.bind_texture(TEXTURE_2D, 0);
    return name;
}

// One lamp of 1000 in the middle: the bloom takes 30 % of it, and gives it to its neighbours.
static int run(ag_entry_fn entry)
{
    static float before[TEXELS][4], after[TEXELS][4];
    const int lamp = HEIGHT / 2 * WIDTH + WIDTH / 2;
    const ag_host host = {.struct_size = sizeof host, .log = say};
    if (!expect(glow_start(entry, &host), "glow_start"))
        return 0;
    for (int i = 0; i < TEXELS; i++)
        before[i][3] = 1.0f;
    before[lamp][0] = before[lamp][1] = before[lamp][2] = 1000.0f;
    unsigned textures[2] = {make_texture(before[0]), make_texture(NULL)};
    int good = 1;
    for (int i = 0; good && i < 3; i++)
        good = expect(glow_draw(textures[0], textures[1]), "glow_draw");

    gl.bind_texture(TEXTURE_2D, textures[1]);
    gl.get_tex_image(TEXTURE_2D, 0, RGBA, FLOAT, after);
    double sum = 0;
    for (int i = 0; i < TEXELS; i++)
        sum += after[i][1];
    printf("light before 1000, after %.2f; the lamp %.2f, beside it %.4f\n", sum, after[lamp][1],
           after[lamp + 2][1]);
    good = good && expect(fabs(sum - 1000) < 5, "light is moved, not made") &&
           expect(after[lamp][1] > 699 && after[lamp][1] < 1000, "the lamp gives light away") &&
           expect(after[lamp + 2][1] > 0, "its neighbours get some") &&
           expect(after[0][3] == 1.0f, "alpha is copied");
    glow_forget(textures[0]);
    glow_forget(textures[1]);
    glow_stop();
    gl.delete_textures(2, textures);
    return good;
}

int main(void)
{
    char error[512];
    ag_entry_fn entry = find_entry();
    headless *context = headless_create(NULL, error, sizeof error);
    if (!context) {
        fprintf(stderr, "consumer: no context: %s\n", error);
        return 1;
    }
    load(context, "glGenTextures", &gl.gen_textures);
    load(context, "glBindTexture", &gl.bind_texture);
    load(context, "glTexStorage2D", &gl.tex_storage);
    load(context, "glTexSubImage2D", &gl.tex_sub_image);
    load(context, "glGetTexImage", &gl.get_tex_image);
    load(context, "glDeleteTextures", &gl.delete_textures);
    int good = entry && run(entry);
    headless_destroy(context);
    return good ? 0 : 1;
}
