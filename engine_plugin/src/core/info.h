// info.h - the counters that an effect's shaders write, in a buffer of its state (common/info.glsl)
// SPDX-License-Identifier: MIT
#ifndef AG_INFO_H
#define AG_INFO_H

#include "core/effect.h"

// Makes the buffer, as a copy of that of `old` if there is one. Afterwards, when nothing can fail
// any more, call ag_info_end with what prepare returns: it commits on success, else it abandons.
ag_status ag_info_make(ag_gpu *gpu, const ag_state *old, ag_state *state);
ag_status ag_info_end(ag_gpu *gpu, ag_state *old, ag_state *state, ag_status status);
void ag_info_commit(ag_state *old, ag_state *state);
void ag_info_abandon(ag_gpu *gpu, const ag_state *old, ag_state *state);
void ag_info_free(ag_gpu *gpu, ag_state *state, bool with_gl);

#endif
