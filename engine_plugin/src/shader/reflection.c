// reflection.c - the interface of a linked program: bindings, block sizes, uniforms, local size
// SPDX-License-Identifier: MIT
#include "shader/reflection.h"

#include <stdio.h>
#include <string.h>

// ---- queries of GL -----------------------------------------------------------------------------

static bool is_image(GLenum type)
{
    // GL_IMAGE_1D .. GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY are consecutive.
    return type >= GL_IMAGE_1D && type <= GL_UNSIGNED_INT_IMAGE_2D_MULTISAMPLE_ARRAY;
}

static bool is_sampler(GLenum type)
{
    return type == GL_SAMPLER_2D || type == GL_SAMPLER_2D_ARRAY ||
           type == GL_UNSIGNED_INT_SAMPLER_2D || type == GL_UNSIGNED_INT_SAMPLER_2D_ARRAY ||
           type == GL_SAMPLER_2D_MULTISAMPLE || type == GL_SAMPLER_2D_MULTISAMPLE_ARRAY;
}

static const char another_type[] = "another type";

// As in GLSL. All values that a uniform outside of blocks can be have a name here.
static const char *type_name(GLenum type)
{
    static const struct {
        GLenum type;
        const char *name;
    } types[] = {
        {GL_FLOAT, "float"},
        {GL_FLOAT_VEC2, "vec2"},
        {GL_FLOAT_VEC3, "vec3"},
        {GL_FLOAT_VEC4, "vec4"},
        {GL_INT, "int"},
        {GL_INT_VEC2, "ivec2"},
        {GL_INT_VEC3, "ivec3"},
        {GL_INT_VEC4, "ivec4"},
        {GL_UNSIGNED_INT, "uint"},
        {GL_UNSIGNED_INT_VEC2, "uvec2"},
        {GL_UNSIGNED_INT_VEC3, "uvec3"},
        {GL_UNSIGNED_INT_VEC4, "uvec4"},
        {GL_BOOL, "bool"},
        {GL_BOOL_VEC2, "bvec2"},
        {GL_BOOL_VEC3, "bvec3"},
        {GL_BOOL_VEC4, "bvec4"},
        {GL_FLOAT_MAT2, "mat2"},
        {GL_FLOAT_MAT3, "mat3"},
        {GL_FLOAT_MAT4, "mat4"},
        {GL_IMAGE_2D, "image2D"},
        {GL_IMAGE_2D_ARRAY, "image2DArray"},
        {GL_INT_IMAGE_2D, "iimage2D"},
        {GL_UNSIGNED_INT_IMAGE_2D, "uimage2D"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].type == type)
            return types[i].name;
    return another_type;
}

static ag_program_resource *add(ag_interface *out)
{
    static const ag_program_resource too_many = {.kind = AG_A_STRANGER, .name = "(too many)"};
    if (out->count == AG_MAX_RESOURCES_A_PROGRAM) {
        out->resources[out->count - 1] = too_many;
        return NULL;
    }
    return &out->resources[out->count++];
}

static void read_uniform(const ag_gl *gl, GLuint program, GLuint index, ag_interface *out)
{
    static const GLenum properties[] = {GL_TYPE, GL_LOCATION, GL_ARRAY_SIZE, GL_BLOCK_INDEX};
    GLint values[4] = {0};
    gl->GetProgramResourceiv(program, GL_UNIFORM, index, 4, properties, 4, NULL, values);
    if (values[3] != -1)
        return; // a member of a block
    ag_program_resource *r = add(out);
    if (!r)
        return;
    *r = (ag_program_resource){.type = (GLenum)values[0], .where = values[1], .size = values[2]};
    gl->GetProgramResourceName(program, GL_UNIFORM, index, sizeof r->name, NULL, r->name);
    if (is_image(r->type) || is_sampler(r->type)) {
        r->kind = is_image(r->type) ? AG_AN_IMAGE : AG_A_SAMPLER;
        gl->GetUniformiv(program, values[1], &r->where);
    } else if (type_name(r->type) != another_type) {
        r->kind = AG_A_UNIFORM;
        if (r->where >= 0 && r->where < AG_MAX_LOCATIONS && r->size == 1) {
            out->ints |= (uint64_t)(r->type == GL_INT_VEC4) << r->where;
            out->floats |= (uint64_t)(r->type == GL_FLOAT_VEC4) << r->where;
        }
    } else {
        r->kind = AG_A_STRANGER;
    }
}

// Blocks of storage, and those of uniforms, which passes do not bind.
static void read_block(const ag_gl *gl, GLuint program, GLenum interface, GLuint index,
                       ag_interface *out)
{
    static const GLenum properties[] = {GL_BUFFER_BINDING, GL_BUFFER_DATA_SIZE};
    GLint values[2] = {0};
    ag_program_resource *r = add(out);
    if (!r)
        return;
    gl->GetProgramResourceiv(program, interface, index, 2, properties, 2, NULL, values);
    *r = (ag_program_resource){.kind = interface == GL_SHADER_STORAGE_BLOCK ? AG_A_BLOCK
                                                                            : AG_A_STRANGER,
                               .where = values[0],
                               .size = values[1]};
    gl->GetProgramResourceName(program, interface, index, sizeof r->name, NULL, r->name);
}

void ag_interface_read(const ag_gl *gl, GLuint program, ag_interface *out)
{
    static const GLenum interfaces[] = {GL_UNIFORM, GL_SHADER_STORAGE_BLOCK, GL_UNIFORM_BLOCK};
    *out = (ag_interface){0};
    gl->GetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, out->local_size);
    for (int k = 0; k < 3; ++k) {
        GLint count = 0;
        gl->GetProgramInterfaceiv(program, interfaces[k], GL_ACTIVE_RESOURCES, &count);
        for (GLuint i = 0; i < (GLuint)count; ++i)
            if (interfaces[k] == GL_UNIFORM)
                read_uniform(gl, program, i, out);
            else
                read_block(gl, program, interfaces[k], i, out);
    }
}

void ag_interface_move(const ag_gl *gl, GLuint program, const ag_interface *of)
{
    GLuint block = 0; // GL's index of a block is its position among the blocks
    for (uint32_t i = 0; i < of->count; ++i) {
        const ag_program_resource *r = &of->resources[i];
        if (r->kind == AG_AN_IMAGE && gl->image_unit_base)
            gl->ProgramUniform1i(program, gl->GetUniformLocation(program, r->name),
                                 (GLint)gl->image_unit_base + r->where);
        if (r->kind == AG_A_SAMPLER && gl->texture_unit_base)
            gl->ProgramUniform1i(program, gl->GetUniformLocation(program, r->name),
                                 (GLint)gl->texture_unit_base + r->where);
        if (r->kind == AG_A_BLOCK && gl->ssbo_base)
            gl->ShaderStorageBlockBinding(program, block, gl->ssbo_base + (GLuint)r->where);
        block += r->kind == AG_A_BLOCK;
    }
}

// ---- comparing ---------------------------------------------------------------------------------

static const ag_program_resource *find(const ag_interface *in, int kind, GLint where)
{
    for (uint32_t i = 0; i < in->count; ++i)
        if ((int)in->resources[i].kind == kind && in->resources[i].where == where)
            return &in->resources[i];
    return NULL;
}

// Writes the reason why a resource does not fit; an empty text if it fits.
static void compare(const ag_program_resource *r, const ag_interface *plan, const ag_use *use,
                    char *why, size_t size)
{
    const ag_program_resource *had = find(plan, (int)r->kind, r->where);
    why[0] = 0;
    switch (r->kind) {
    case AG_A_BLOCK:
        if (!had)
            snprintf(why, size, "buffer %s is at binding %d, where this program has none", r->name,
                     r->where);
        else if (had->size != r->size)
            snprintf(why, size,
                     "buffer %s at binding %d has %d bytes, an unsized array counted as "
                     "one element; the plan's has %d",
                     r->name, r->where, r->size, had->size);
        break;
    case AG_AN_IMAGE:
        if (!had)
            snprintf(why, size, "image %s is at unit %d, where this program has none", r->name,
                     r->where);
        else if (had->type != r->type || had->size != r->size)
            snprintf(why, size, "image %s at unit %d is %s; the plan's is %s", r->name, r->where,
                     type_name(r->type), type_name(had->type));
        break;
    case AG_A_SAMPLER:
        if (!had || had->type != r->type || had->size != r->size)
            snprintf(why, size, "%s is a sampler at unit %d, where the plan has none like it",
                     r->name, r->where);
        break;
    case AG_A_UNIFORM:
        if (had && (had->type != r->type || had->size != r->size))
            snprintf(why, size, "uniform %s at location %d is %s; the plan's is %s", r->name,
                     r->where, type_name(r->type), type_name(had->type));
        else if (!had && (r->where < 0 || r->where >= AG_MAX_LOCATIONS || r->size != 1 ||
                          !((r->type == GL_INT_VEC4     ? use->ints
                             : r->type == GL_FLOAT_VEC4 ? use->floats
                                                        : 0) >>
                                r->where &
                            1)))
            snprintf(why, size,
                     "uniform %s (%s) is at location %d, which the effect does not set "
                     "for this program",
                     r->name, type_name(r->type), r->where);
        break;
    case AG_A_STRANGER:
        snprintf(why, size,
                 "%s is a uniform block, an atomic counter or another sampler; passes bind only "
                 "images, storage buffers and 2D textures",
                 r->name);
        break;
    }
}

bool ag_interface_fits(const ag_interface *now, const ag_interface *plan, const ag_use *use,
                       const ag_source *source, ag_problem *problem)
{
    char why[256] = "", word[48] = "local_size_x", what[400];
    if (memcmp(now->local_size, plan->local_size, sizeof now->local_size) != 0)
        snprintf(why, sizeof why, "the local size is %d x %d x %d; the plan's is %d x %d x %d",
                 now->local_size[0], now->local_size[1], now->local_size[2], plan->local_size[0],
                 plan->local_size[1], plan->local_size[2]);
    for (uint32_t i = 0; i < now->count && !why[0]; ++i) {
        compare(&now->resources[i], plan, use, why, sizeof why);
        // The name as in the source: without "[0]" and without a block's instance name.
        const char *name = now->resources[i].name;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "[."), name);
    }
    if (!why[0])
        return true;
    snprintf(what, sizeof what, "the interface does not fit the prepared plan: %s", why);
    problem->text.host = source->text.host;
    ag_source_point_at(source, word, what, problem);
    return false;
}
