// reflection.h - what a linked program asks of its host: bindings, block sizes, uniforms, local size
// SPDX-License-Identifier: MIT
//
// A plan is made for one interface: dispatch counts follow the local size, buffers the blocks, values
// the uniforms. An edited shader may use less of it, or compute something else with it; it may not ask
// for more, because nobody would bind it.
#ifndef AG_REFLECTION_H
#define AG_REFLECTION_H

#include "gl/gl.h"
#include "shader/source.h"

enum { AG_MAX_RESOURCES_A_PROGRAM = 40, AG_MAX_LOCATIONS = 64 };

typedef struct ag_program_resource {
    enum {
        AG_A_UNIFORM,
        AG_AN_IMAGE,
        AG_A_BLOCK,
        AG_A_SAMPLER,
        AG_A_STRANGER
    } kind; // stranger: UBOs...
    char name[48];
    GLint where; // location, image unit or binding; the last two without the host's bases
    GLenum type; // of a uniform or an image
    GLint size;  // bytes of a block (GL_BUFFER_DATA_SIZE), else elements
} ag_program_resource;

typedef struct ag_interface {
    GLint local_size[3];
    uint32_t count;
    ag_program_resource resources[AG_MAX_RESOURCES_A_PROGRAM];
    uint64_t ints, floats; // bit i: location i is an active ivec4, vec4
} ag_interface;

// Which uniforms an effect sets in a program, noted as it records, and when it dispatches it.
typedef struct ag_use {
    uint64_t ints, floats; // as in ag_interface
    bool in_prepare;       // the program made something that lasts, such as a kernel's spectrum
    bool seen;             // dispatched since it last began to serve
} ag_use;

// Asks GL, before ag_interface_move. A resource beyond the table's end counts as a stranger.
void ag_interface_read(const ag_gl *gl, GLuint program, ag_interface *out);
// Adds the host's slot bases to the program's image units and storage bindings.
void ag_interface_move(const ag_gl *gl, GLuint program, const ag_interface *of);

// Whether `now` asks for nothing that `plan`, the built-in program's interface, does not have; an
// effect's `use` tells of uniforms that it sets and the built-in shader leaves out. If not, the problem
// names what changed and where it stands in `source`.
bool ag_interface_fits(const ag_interface *now, const ag_interface *plan, const ag_use *use,
                       const ag_source *source, ag_problem *problem);

#endif
