// hazards.h - which barrier a dispatch needs before it, from what it and those before it access
// SPDX-License-Identifier: MIT
//
// glMemoryBarrier orders what shaders wrote before it with what follows, for the kinds of access
// that its bits name. A dispatch needs one if it
//
//        reads what was written      by a unit whose bit no barrier since then had
//        writes what was read or written, the same
//
// Two exceptions: dispatches that add atomically (AG_ADD), and dispatches of one step that write
// but do not read: they share out the memory between them.
//   source  OpenGL 4.3, 7.12.2, "Shader Memory Access Synchronization"
#ifndef AG_HAZARDS_H
#define AG_HAZARDS_H

#include <glad/gl.h>
#include <stdbool.h>
#include <stdint.h>

// Beside AG_READ and AG_WRITE: adds atomically, and reads only what no AG_ADD adds to.
enum { AG_ADD = 1 << 16 };

typedef struct ag_touch { // an access to bytes, or to layers of levels, [from, to) of a memory
    uint32_t memory;
    uint32_t how;    // AG_READ | AG_WRITE, or AG_ADD
    GLbitfield unit; // the bit of a barrier that orders this access after it
    uint64_t from, to;
} ag_touch;

enum { AG_MAX_TOUCHES = 64 };

typedef struct ag_hazards { // zero it before a recording
    uint32_t count;
    struct ag_touched {
        ag_touch touch;
        GLbitfield seen; // bits of barriers since
        uint32_t step;   // that did it
    } touched[AG_MAX_TOUCHES];
} ag_hazards;

// The bits that a dispatch's accesses need of a barrier before it; 0: none.
GLbitfield ag_hazards_of(const ag_hazards *h, const ag_touch *touches, uint32_t count,
                         uint32_t step);
// Call it where a barrier of these bits is placed. Returns the bits that it shall have: all, where
// the list has become long, which then starts anew.
GLbitfield ag_hazards_barrier(ag_hazards *h, GLbitfield bits);
// The dispatch is recorded. Where no room is left, returns the bits of a barrier to place before
// it; else 0.
GLbitfield ag_hazards_add(ag_hazards *h, const ag_touch *touches, uint32_t count, uint32_t step);

#endif
