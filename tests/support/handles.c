// handles.c - simulates a driver with image handles on one with enough image units
// SPDX-License-Identifier: MIT
#include "handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device.h"

enum { UNITS = 32 }; // two textures of 16 levels

typedef struct handle {
    GLuint texture; // 0: this handle is free
    GLint level, layer;
    GLboolean layered;
    GLenum format;
    bool resident;
} handle;

// GL functions have no user pointer.
static struct {
    ag_gl real;
    handle handles[UNITS]; // a handle is its index + 1
    int units, mistakes, dispatches;
} driver;

static void mistake(const char *what, GLuint64 value)
{
    fprintf(stderr, "handles: %s, 0x%llx\n", what, (unsigned long long)value);
    ++driver.mistakes;
}

static handle *find(GLuint64 value)
{
    bool good = value >= 1 && value <= (GLuint64)driver.units && driver.handles[value - 1].texture;
    if (!good)
        mistake("no such handle", value);
    return good ? &driver.handles[value - 1] : NULL;
}

static GLuint64 GLAD_API_PTR get_handle(GLuint texture, GLint level, GLboolean layered, GLint layer,
                                        GLenum format)
{
    int unused = -1;
    if (!driver.real.IsTexture(texture))
        mistake("handle of no texture", texture);
    for (int i = driver.units - 1; i >= 0; --i) {
        const handle *h = &driver.handles[i];
        if (h->texture == texture && h->level == level && h->layered == layered &&
            h->layer == layer && h->format == format)
            return (GLuint64)i + 1;
        unused = h->texture ? unused : i;
    }
    if (unused < 0)
        return 0;
    driver.handles[unused] = (handle){texture, level, layer, layered, format, false};
    return (GLuint64)unused + 1;
}

static void GLAD_API_PTR make_resident(GLuint64 value, GLenum access)
{
    handle *h = find(value);
    if (h && h->resident)
        mistake("resident already", value);
    if (access != GL_WRITE_ONLY)
        mistake("the module only writes, access is", access);
    if (h)
        h->resident = true;
}

static void GLAD_API_PTR make_non_resident(GLuint64 value)
{
    handle *h = find(value);
    if (h && !h->resident)
        mistake("not resident", value);
    if (h)
        h->resident = false;
}

static void GLAD_API_PTR delete_textures(GLsizei count, const GLuint *names)
{
    for (GLsizei i = 0; i < count; ++i)
        for (int k = 0; k < driver.units; ++k)
            if (driver.handles[k].texture && driver.handles[k].texture == names[i]) {
                if (driver.handles[k].resident)
                    mistake("deleted while a handle is resident: texture", names[i]);
                driver.handles[k] = (handle){0};
            }
    driver.real.DeleteTextures(count, names);
}

// `text` with `from` replaced; frees it.
static char *replace(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);
    if (!at)
        return text;
    size_t size = strlen(text) + strlen(to) + 1;
    char *out = malloc(size);
    if (!out)
        abort();
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return out;
}

static void GLAD_API_PTR shader_source(GLuint shader, GLsizei count, const GLchar *const *strings,
                                       const GLint *lengths)
{
    size_t length = lengths && lengths[0] >= 0 ? (size_t)lengths[0] : strlen(strings[0]);
    char *text = malloc(length + 1), array[4096];
    if (!text || count != 1)
        abort();
    memcpy(text, strings[0], length);
    text[length] = 0;
    // Constant indices: Mesa takes that of any thread for all, also of one that does not come here.
    int used = snprintf(array, sizeof array,
                        "layout(binding = 0) writeonly uniform HANDLED_IMAGE i_handled[%d];\n"
                        "#if ARRAY\n#define PLACED ivec3\n#else\n#define PLACED ivec2\n#endif\n"
                        "void store_by_handle(int level, PLACED p, vec4 c)\n{\n"
                        "switch (b_level[u_levels.x + level].x) {\n",
                        driver.units);
    for (int i = 0; i < driver.units; ++i)
        used += snprintf(array + used, sizeof array - (size_t)used,
                         "case %du: imageStore(i_handled[%d], p, c); break;\n", i + 1, i);
    snprintf(array + used, sizeof array - (size_t)used,
             "}\n}\n#define STORE_BY_HANDLE(level, p, c) store_by_handle(level, p, c)");
    if (strstr(text, AG_BINDLESS_EXTENSION)) {
        text = replace(text, AG_BINDLESS_EXTENSION, "\n");
        text = replace(text,
                       "#define STORE_BY_HANDLE(level, p, c) "
                       "imageStore(HANDLED_IMAGE(b_level[u_levels.x + (level)]), p, c)",
                       array);
    }
    const GLchar *out = text;
    driver.real.ShaderSource(shader, 1, &out, NULL);
    free(text);
}

static void bind(bool on)
{
    for (int i = 0; i < driver.units; ++i) {
        const handle *h = &driver.handles[i];
        bool bound = on && h->texture && h->resident;
        driver.real.BindImageTexture((GLuint)i, bound ? h->texture : 0, bound ? h->level : 0,
                                     bound ? h->layered : GL_FALSE, 0, GL_WRITE_ONLY,
                                     bound ? h->format : GL_R8);
    }
}

static void GLAD_API_PTR dispatch_compute(GLuint x, GLuint y, GLuint z)
{
    GLint program = 0;
    driver.real.GetIntegerv(GL_CURRENT_PROGRAM, &program);
    bool by_handles = driver.real.GetUniformLocation((GLuint)program, "i_handled[0]") >= 0;
    driver.dispatches += by_handles;
    if (by_handles)
        bind(true);
    driver.real.DispatchCompute(x, y, z);
    if (by_handles)
        bind(false);
}

bool handles_open(fixture *f)
{
    GLint units = 0, uniforms = 0;
    f->gl.GetIntegerv(GL_MAX_IMAGE_UNITS, &units);
    f->gl.GetIntegerv(GL_MAX_COMPUTE_IMAGE_UNIFORMS, &uniforms);
    units = uniforms < units ? uniforms : units;
    memset(&driver, 0, sizeof driver);
    driver.real = f->device->gpu.gl;
    driver.units = UNITS;
    if (units < UNITS)
        return false;
    ag_gl *gl = &f->device->gpu.gl;
    gl->has_bindless = true;
    gl->GetImageHandle = get_handle;
    gl->MakeImageHandleResident = make_resident;
    gl->MakeImageHandleNonResident = make_non_resident;
    gl->DeleteTextures = delete_textures;
    gl->ShaderSource = shader_source;
    gl->DispatchCompute = dispatch_compute;
    return true;
}

void handles_close(fixture *f)
{
    f->device->gpu.gl = driver.real;
}

int handles_resident(void)
{
    int count = 0;
    for (int i = 0; i < driver.units; ++i)
        count += driver.handles[i].texture && driver.handles[i].resident;
    return count;
}

int handles_mistakes(void)
{
    return driver.mistakes;
}

int handles_dispatches(void)
{
    return driver.dispatches;
}
