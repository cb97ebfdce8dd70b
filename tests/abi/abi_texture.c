// abi_texture.c - ag_api.texture: what GL says of a texture, from its bare name
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "minimums.h"
#include "test_abi.h"

static ag_status ask(fixture *f, ag_device *device, uint32_t name, int32_t level, ag_texture *t)
{
    host_log_clear(&f->host);
    return f->ag->texture(device, name, level, t);
}

static bool equal(const ag_texture *a, const ag_texture *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Every format, size, level and layer count comes back as it was made.
void test_texture(void **state)
{
    fixture *f = *state;
    static const int sizes[][2] = {{1, 1}, {7, 5}, {64, 1}, {1, 33}, {300, 200}};
    uint32_t asked = 0;
    for (int i = 0; i < FORMAT_COUNT; ++i)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s)
            for (int layers = 0; layers < 4; layers += 3) {
                int w = sizes[s][0], h = sizes[s][1], levels = texture_full_levels(w, h);
                texture t = texture_create_array(f, format_at(i)->name, w, h, layers, levels, NULL);
                for (int level = 0; level < levels; ++level) {
                    const format_info *format = format_at(i);
                    ag_texture want = {.struct_size = sizeof want,
                                       .name = t.name,
                                       .target = t.target,
                                       .format = format->internal,
                                       .width = texture_level_size(w, level),
                                       .height = texture_level_size(h, level),
                                       .level = level,
                                       .layers = layers ? layers : 1,
                                       .version = 77};
                    ag_texture got = {.struct_size = sizeof got,
                                      .target = minimums_wanted() ? t.target : 0, // no 4.5
                                      .rect_width = 3,
                                      .version = 77};
                    CHECK_STATUS(ask(f, f->device, t.name, level, &got), AG_OK);
                    CHECK_F(equal(&got, &want), "%s %dx%d level %d, %d layers", format->name, w, h,
                            level, layers);
                    ++asked;
                }
                ag_texture same = {.struct_size = sizeof same, .target = t.target, .width = 5};
                const ag_texture former = same;
                CHECK_STATUS(ask(f, f->device, t.name, levels, &same), AG_E_ARG);
                CHECK(host_log_error(&f->host, AG_E_ARG, "level") && equal(&same, &former));
                CHECK_STATUS(ask(f, f->device, t.name, -1, &same), AG_E_ARG);
                CHECK_STATUS(ask(f, f->device, t.name, 31, &same), AG_E_ARG);
                CHECK_STATUS(ask(f, f->device, t.name, 1000000, &same), AG_E_ARG);
                texture_destroy(f, &t);
            }
    printf("  ok    %u levels described as they were made\n", asked);
}

static GLuint make(fixture *f, GLenum target)
{
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(target, name);
    return name;
}

// Targets and formats that no effect takes, names that are no textures, other struct sizes.
void test_texture_errors(void **state)
{
    fixture *f = *state;
    ag_texture t = {.struct_size = sizeof t}, former = t;
    CHECK_STATUS(f->ag->texture(NULL, 1, 0, &t), AG_E_ARG);
    CHECK_STATUS(ask(f, f->device, 1, 0, NULL), AG_E_ARG);
    const uint32_t nothing[] = {0, 123456};
    for (int i = 0; i < 2; ++i) {
        CHECK_STATUS(ask(f, f->device, nothing[i], 0, &t), AG_E_ARG);
        CHECK(host_log_error(&f->host, AG_E_ARG, "is no texture"));
    }
    GLuint unbound = 0;
    f->gl.GenTextures(1, &unbound);
    CHECK_STATUS(ask(f, f->device, unbound, 0, &t), AG_E_ARG);

    GLuint empty = make(f, GL_TEXTURE_2D); // no level yet
    CHECK_STATUS(ask(f, f->device, empty, 0, &t), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "has no level 0"));
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGB16F, 4, 4, 0, GL_RGB, GL_FLOAT, NULL);
    CHECK_STATUS(ask(f, f->device, empty, 0, &t), AG_E_FORMAT);
    CHECK(host_log_error(&f->host, AG_E_FORMAT, "RGB16F; use RGBA16F"));
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, 9, 4, 0, GL_RGBA, GL_FLOAT, NULL);
    f->gl.TexImage2D(GL_TEXTURE_2D, 2, GL_RGBA16F, 2, 1, 0, GL_RGBA, GL_FLOAT, NULL);
    CHECK(equal(&t, &former));
    CHECK_STATUS(ask(f, f->device, empty, 0, &t), AG_OK);
    CHECK(t.width == 9 && t.height == 4 && t.format == GL_RGBA16F && t.layers == 1);
    CHECK_STATUS(ask(f, f->device, empty, 1, &t), AG_E_ARG); // missing between two levels
    CHECK_STATUS(ask(f, f->device, empty, 2, &t), AG_OK);
    CHECK(t.width == 2 && t.height == 1 && t.level == 2);
    GLuint cube = make(f, GL_TEXTURE_CUBE_MAP);
    f->gl.TexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, 4, 4);
    GLuint samples = make(f, GL_TEXTURE_2D_MULTISAMPLE);
    f->gl.TexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_DEPTH_COMPONENT32F, 5, 3, 1);
    f->gl.BindTexture(GL_TEXTURE_CUBE_MAP, 0);
    f->gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, 0);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    bool knows = f->gl.GetString && gl_trace_has_asked(&f->host.trace, "glGetTextureParameteriv");
    if (knows) {
        CHECK_STATUS(ask(f, f->device, cube, 0, &t), AG_E_ARG);
        CHECK(host_log_error(&f->host, AG_E_ARG, "0x8513"));
    }
    t.target = GL_TEXTURE_2D_MULTISAMPLE;
    CHECK_STATUS(ask(f, f->device, samples, 0, &t), AG_OK);
    CHECK(t.target == GL_TEXTURE_2D_MULTISAMPLE && t.format == GL_DEPTH_COMPONENT32F &&
          t.width == 5 && t.height == 3);
    CHECK_STATUS(ask(f, f->device, samples, 1, &t), AG_E_ARG);

    // older and newer hosts
    char bytes[sizeof t + 8] = {0};
    for (uint32_t size = 0; size <= sizeof bytes; size += 4) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, &size, sizeof size);
        ag_status status = ask(f, f->device, empty, 0, (ag_texture *)(void *)bytes);
        CHECK_F(status == (size < 8 ? AG_E_ABI : AG_OK), "%u bytes: %s", size,
                check_status_name(status));
        for (uint32_t i = size < 8 ? 8 : size; i < sizeof bytes; ++i)
            CHECK_F(bytes[i] == 0, "byte %u of %u was written", i, size);
    }
    GLuint all[] = {unbound, empty, cube, samples};
    f->gl.DeleteTextures(4, all);
}

// In a plain context of 4.3 GL cannot be asked for the target: it is the host's, or 2D.
void test_texture_without_dsa(void **state)
{
    fixture *f = *state;
    test_host h;
    host_init(&h, f->context);
    h.trace.major = 4;
    h.trace.minor = 3;
    h.trace.hide_extension = "GL_ARB_direct_state_access";
    ag_device *device = NULL;
    CHECK_STATUS(f->ag->device_create(&h.host, NULL, &device), AG_OK);
    CHECK(!gl_trace_has_asked(&h.trace, "glGetTextureParameteriv"));
    texture plain = texture_create(f, "rgba16f", 6, 4, NULL);
    texture array = texture_create_array(f, "rgba8", 6, 4, 5, 1, NULL);
    ag_texture t = {.struct_size = sizeof t};
    gl_trace_use(&h.trace);
    CHECK_STATUS(f->ag->texture(device, plain.name, 0, &t), AG_OK);
    CHECK(t.target == GL_TEXTURE_2D && t.width == 6 && t.layers == 1);
    t.target = GL_TEXTURE_2D_ARRAY;
    CHECK_STATUS(f->ag->texture(device, array.name, 0, &t), AG_OK);
    CHECK(t.target == GL_TEXTURE_2D_ARRAY && t.layers == 5);
    t.target = 0;
    fixture_ignore(f, true); // binding it as 2D is an error of GL
    CHECK_STATUS(f->ag->texture(device, array.name, 0, &t), AG_E_ARG);
    CHECK(host_log_error(&h, AG_E_ARG, "set texture->target"));
    fixture_ignore(f, false);
    CHECK_EQ(f->gl.GetError(), GL_INVALID_OPERATION);
    f->ag->device_destroy(device, 0);
    texture_destroy(f, &plain);
    texture_destroy(f, &array);
    CHECK(host_finish(&h));
    fixture_current(f);
}
