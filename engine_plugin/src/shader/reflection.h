// reflection.h - the interface of a linked program: bindings, block sizes, uniforms, local size
// SPDX-License-Identifier: MIT
//
// A plan is made for one interface: the numbers of groups depend on the local size, buffers on the
// blocks, values on the uniforms. An edited shader may use less of the interface or compute
// something else. It must not need more, because the plan would not bind it.
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

// The uniforms that an effect sets in a program, and when it dispatches it; written while it
// records.
typedef struct ag_use {
    uint64_t ints, floats; // as in ag_interface
    bool in_prepare;       // it computed data that the state keeps, such as a kernel's spectrum
    bool seen;             // it was dispatched since it came into use
} ag_use;

// Reads the interface from GL, before ag_interface_move. If there are too many resources, the last
// one is an AG_A_STRANGER.
void ag_interface_read(const ag_gl *gl, GLuint program, ag_interface *out);
// Adds the host's slot bases to the program's image units and storage bindings.
void ag_interface_move(const ag_gl *gl, GLuint program, const ag_interface *of);

// Whether `now` needs nothing that `plan`, the embedded program's interface, does not have. `use`
// adds the uniforms that the effect sets and the embedded shader lacks. If not, `problem` names the
// difference and its place in `source`.
bool ag_interface_fits(const ag_interface *now, const ag_interface *plan, const ag_use *use,
                       const ag_source *source, ag_problem *problem);

#endif
