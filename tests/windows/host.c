// host.c - an engine on Windows: a WGL context, the DLL by LoadLibrary, an effect on a picture
// SPDX-License-Identifier: MIT
//
//   windows_host.exe DLL EFFECT IN.npy OUT.npy [--shaders DIR] [--reload FILE] [NAME=VALUE...]
//
// IN.npy: float32, height x width x 3 or 4; OUT.npy is of the same shape. The slot that is read
// gets IN, the slot that is written OUT, both RGBA32F; optional slots stay empty. Settings are
// found by reflection.
// --reload FILE (with --shaders) changes that shader after the first frame, so that it does not
// compile, waits for the message, changes it back, and waits until it is in use.
#include "wgl.h"

#include <afterglow/afterglow.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTURE_2D = 0x0DE1, RGBA32F = 0x8814, RGBA = 0x1908, FLOAT = 0x1406 };
enum { FRAME_MS = 16 };

typedef struct picture {
    int width, height, channels; // 3 or 4, of the file
    float *texels;               // 4 a texel, row by row; alpha is 1 where the file has none
} picture;

static struct {
    void(WGL_CALL *gen_textures)(int count, unsigned *names);
    void(WGL_CALL *bind_texture)(unsigned target, unsigned name);
    void(WGL_CALL *tex_storage)(unsigned target, int levels, unsigned format, int width,
                                int height);
    void(WGL_CALL *tex_sub_image)(unsigned target, int level, int x, int y, int width, int height,
                                  unsigned format, unsigned type, const void *data);
    void(WGL_CALL *get_tex_image)(unsigned target, int level, unsigned format, unsigned type,
                                  void *data);
    unsigned(WGL_CALL *get_error)(void);
} gl;

static char last_message[4096];

static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "windows_host: %s%s%s\n", what, detail[0] ? ": " : "", detail);
    exit(1);
}

static void say(void *user, const ag_message *message)
{
    (void)user;
    fprintf(stderr, "afterglow: %s\n", message->text);
    snprintf(last_message, sizeof last_message, "%s", message->text);
}

static void load(const char *name, void *pointer)
{
    void *address = wgl_proc(NULL, name);
    if (!address)
        fail("no GL function", name);
    memcpy(pointer, &address, sizeof address);
}

// ---- files -------------------------------------------------------------------------------------

static char *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("cannot open", path);
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *data = malloc(*bytes + 1);
    if (!data || fread(data, 1, *bytes, file) != *bytes)
        fail("cannot read", path);
    data[*bytes] = 0;
    fclose(file);
    return data;
}

static void write_file(const char *path, const void *data, size_t bytes, const char *tail)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, bytes, file) != bytes ||
        fwrite(tail, 1, strlen(tail), file) != strlen(tail) || fclose(file) != 0)
        fail("cannot write", path);
}

static picture read_npy(const char *path)
{
    size_t bytes;
    char *data = read_file(path, &bytes);
    picture out = {0};
    if (bytes < 128 || memcmp(data, "\x93NUMPY\x01", 7) != 0)
        fail("no .npy of version 1", path);
    size_t head = 10 + (unsigned char)data[8] + 256u * (unsigned char)data[9];
    const char *shape = strstr(data + 10, "'shape': (");
    if (!shape || !strstr(data + 10, "'<f4'") || !strstr(data + 10, "'fortran_order': False") ||
        sscanf(shape, "'shape': (%d, %d, %d)", &out.height, &out.width, &out.channels) != 3 ||
        out.channels < 3 || out.channels > 4)
        fail("not float32, height x width x 3 or 4", path);
    size_t texels = (size_t)out.width * (size_t)out.height, texel = 4 * (size_t)out.channels;
    out.texels = malloc(16 * texels);
    if (bytes != head + texel * texels || !out.texels)
        fail("not as long as its shape says", path);
    for (size_t i = 0; i < texels; i++) {
        out.texels[4 * i + 3] = 1;
        memcpy(out.texels + 4 * i, data + head + texel * i, texel);
    }
    free(data);
    return out;
}

static void write_npy(const char *path, picture p)
{
    char shape[118], head[128];
    int length = snprintf(shape, sizeof shape,
                          "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d), }",
                          p.height, p.width, p.channels);
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\0\x76\0", 10); // version 1.0; 118 bytes follow
    memcpy(head + 10, shape, (size_t)length);
    head[127] = '\n';
    FILE *file = fopen(path, "wb");
    size_t texels = (size_t)p.width * (size_t)p.height;
    int good = file && fwrite(head, 1, sizeof head, file) == sizeof head;
    for (size_t i = 0; good && i < texels; i++)
        good = fwrite(p.texels + 4 * i, 4 * (size_t)p.channels, 1, file) == 1;
    if (!good || fclose(file) != 0)
        fail("cannot write", path);
}

// ---- the effect --------------------------------------------------------------------------------

static const ag_effect_info *find_effect(const ag_api *ag, const char *id)
{
    uint32_t count;
    const ag_effect_info *const *effects = ag->effects(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(effects[i]->id, id) == 0)
            return effects[i];
    fail("no such effect", id);
    return NULL;
}

static const ag_slot_info *slot_info(const ag_effect_info *effect, uint32_t i)
{
    const char *rows = (const char *)effect->slots;
    return (const ag_slot_info *)(const void *)(rows + (size_t)i * effect->slot_stride);
}

static const ag_setting_info *setting_info(const ag_effect_info *effect, uint32_t i)
{
    const char *rows = (const char *)effect->settings;
    return (const ag_setting_info *)(const void *)(rows + (size_t)i * effect->setting_stride);
}

// NAME=VALUE: a number, or a name of an AG_ENUM; of several values the first.
static void set(const ag_effect_info *effect, char *settings, const char *text)
{
    const char *value = strchr(text, '=');
    if (!value)
        fail("not NAME=VALUE", text);
    size_t length = (size_t)(value++ - text);
    for (uint32_t i = 0; i < effect->setting_count; i++) {
        const ag_setting_info *row = setting_info(effect, i);
        if (strlen(row->name) != length || strncmp(row->name, text, length) != 0)
            continue;
        if (row->type == AG_FLOAT) {
            float number = strtof(value, NULL);
            memcpy(settings + row->offset, &number, sizeof number);
            return;
        }
        int32_t number = (int32_t)strtol(value, NULL, 10);
        for (uint32_t k = 0; row->type == AG_ENUM && k < row->name_count; k++)
            if (row->names[k] && strcmp(row->names[k], value) == 0)
                number = (int32_t)k;
        memcpy(settings + row->offset, &number, sizeof number);
        return;
    }
    fail("no such setting", text);
}

static unsigned make_texture(int width, int height, const float *texels)
{
    unsigned name = 0;
    gl.gen_textures(1, &name);
    gl.bind_texture(TEXTURE_2D, name);
    gl.tex_storage(TEXTURE_2D, 1, RGBA32F, width, height);
    if (texels)
        gl.tex_sub_image(TEXTURE_2D, 0, 0, 0, width, height, RGBA, FLOAT, texels);
    gl.bind_texture(TEXTURE_2D, 0);
    return name;
}

// Calls frame() until live reload is where it should be, for ten seconds at most.
static void wait_for(const ag_api *ag, ag_device *device, int failing, uint32_t generation)
{
    ag_reload state = {.struct_size = sizeof state};
    for (uint64_t i = 0; i < 10000 / FRAME_MS; i++) {
        if (ag->frame(device, i) < 0 || ag->reload_status(device, &state) < 0)
            fail("frame", last_message);
        if (failing ? state.message != NULL : !state.message && state.generation > generation)
            return;
        wgl_sleep(FRAME_MS);
    }
    fail(failing ? "a broken shader was not reported" : "a mended shader was not taken", "");
}

// A shader is broken, reported with file and line, and mended. Returns when it is in use.
static void reload(const ag_api *ag, ag_device *device, const char *folder, const char *name)
{
    char path[1024];
    size_t bytes;
    ag_reload state = {.struct_size = sizeof state};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = read_file(path, &bytes);
    ag->reload_status(device, &state);
    uint32_t generation = state.generation;
    write_file(path, text, bytes, "\nint wrong = nothing;\n");
    wait_for(ag, device, 1, generation);
    ag->reload_status(device, &state);
    if (!state.file || strcmp(state.file, name) != 0 || !state.line)
        fail("the message about the broken shader names another file",
             state.file ? state.file : "");
    printf("reload: %s, line %u, is reported\n", state.file, state.line);
    write_file(path, text, bytes, "\nconst int mended = 1;\n"); // a comment is no other program
    wait_for(ag, device, 0, generation);
    printf("reload: mended and in use\n");
    free(text);
}

int main(int count, char **words)
{
    if (count < 5)
        fail("usage: windows_host.exe DLL EFFECT IN.npy OUT.npy [OPTION...] [NAME=VALUE...]", "");
    char error[256];
    if (!wgl_create(4, 3, error, sizeof error))
        fail("no context", error);
    printf("context: %s, %s\n", wgl_string(0x1F01), wgl_string(0x1F02)); // GL_RENDERER, GL_VERSION
    load("glGenTextures", &gl.gen_textures);
    load("glBindTexture", &gl.bind_texture);
    load("glTexStorage2D", &gl.tex_storage);
    load("glTexSubImage2D", &gl.tex_sub_image);
    load("glGetTexImage", &gl.get_tex_image);
    load("glGetError", &gl.get_error);

    ag_entry_fn entry = NULL;
    void *address = wgl_module(words[1], "ag_entry_v1");
    if (!address)
        fail("no ag_entry_v1 in", words[1]);
    memcpy(&entry, &address, sizeof entry);
    const ag_api *ag = entry(AG_ABI_MINOR);
    const ag_effect_info *effect = find_effect(ag, words[2]);
    picture in = read_npy(words[3]);

    char *settings = calloc(1, effect->settings_size);
    const char *shaders = NULL, *reloaded = NULL;
    if (!settings || ag->defaults(effect->id, settings, effect->settings_size) < 0)
        fail("defaults", effect->id);
    for (int i = 5; i < count; i++) {
        if (strcmp(words[i], "--shaders") == 0 && i + 1 < count)
            shaders = words[++i];
        else if (strcmp(words[i], "--reload") == 0 && i + 1 < count)
            reloaded = words[++i];
        else
            set(effect, settings, words[i]);
    }

    ag_host host = {.struct_size = sizeof host, .gl_proc = wgl_proc, .log = say};
    ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = shaders};
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    if (ag->device_create(&host, &desc, &device) < 0 ||
        ag->pass_create(device, effect->id, &pass) < 0)
        fail("device_create", last_message);
    ag_texture slots[16] = {{0}};
    unsigned source = make_texture(in.width, in.height, in.texels);
    unsigned result = make_texture(in.width, in.height, NULL);
    int has_source = 0, has_result = 0;
    for (uint32_t i = 0; i < effect->slot_count && i < 16; i++) {
        uint32_t access = slot_info(effect, i)->access;
        slots[i].struct_size = sizeof slots[i];
        if (access & AG_OPTIONAL)
            continue;
        unsigned name = access & AG_WRITE ? result : source;
        int *has = access & AG_WRITE ? &has_result : &has_source;
        if (*has)
            fail("more slots than one picture fills", effect->id);
        slots[i] = (ag_texture){.struct_size = sizeof slots[i],
                                .name = name,
                                .target = TEXTURE_2D,
                                .format = RGBA32F,
                                .width = in.width,
                                .height = in.height};
        *has = 1;
    }
    ag_job job = {.struct_size = sizeof job,
                  .slots = slots,
                  .slot_count = effect->slot_count,
                  .settings = settings};
    if (ag->prepare(pass, &job) != AG_OK)
        fail("prepare", last_message);
    for (int i = 0; i < 2; i++) {
        if (ag->execute(pass, &job, NULL) < 0)
            fail("execute", last_message);
        if (i == 0 && reloaded)
            reload(ag, device, shaders, reloaded);
    }
    gl.bind_texture(TEXTURE_2D, result);
    gl.get_tex_image(TEXTURE_2D, 0, RGBA, FLOAT, in.texels);
    if (gl.get_error() != 0)
        fail("GL error", "");
    write_npy(words[4], in);
    ag_stats stats = {.struct_size = sizeof stats};
    for (uint64_t i = 0; i < 100 && !stats.samples; i++) {
        ag->frame(device, i);
        ag->stats(pass, AG_WHOLE_PASS, &stats);
        wgl_sleep(1);
    }
    if (!reloaded && (!stats.samples || !(stats.gpu_last > 0)))
        fail("no GPU time has arrived", "");
    printf("%s %dx%d by version %s\n", effect->id, in.width, in.height, ag->version);
    ag->device_destroy(device, 0);
    wgl_destroy();
    return 0;
}
