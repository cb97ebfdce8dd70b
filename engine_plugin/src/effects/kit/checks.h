// checks.h - what several effects demand of a job and of a context
// SPDX-License-Identifier: MIT
#ifndef AG_CHECKS_H
#define AG_CHECKS_H

#include "core/effect.h"

// In a function that returns an ag_status: if `check` fails, the function returns what it returned.
#define AG_TRY(check)                 \
    do {                              \
        ag_status ag_tried = (check); \
        if (ag_tried < 0)             \
            return ag_tried;          \
    } while (0)

// All of these log a message that names the effect and the slot. An empty slot passes.

// The rectangle of a slot must have the size of that of slot `like`.
//   errors  AG_E_SIZE
ag_status ag_check_same_rect(const ag_host *host, const ag_request *request, int slot, int like);
// A slot must have as many layers as slot `like`.
//   errors  AG_E_ARG
ag_status ag_check_same_layers(const ag_host *host, const ag_request *request, int slot, int like);
// Both.
ag_status ag_check_same_size(const ag_host *host, const ag_request *request, int slot, int like);
// A slot must have one layer.
//   errors  AG_E_ARG
ag_status ag_check_one_layer(const ag_host *host, const ag_request *request, int slot);
// A slot's texture must have one sample a texel.
//   errors  AG_E_ARG
ag_status ag_check_one_sample(const ag_host *host, const ag_request *request, int slot);
// The width and the height of a slot's rectangle may be up to `limit`.
//   errors  AG_E_SIZE
ag_status ag_check_limit(const ag_host *host, const ag_request *request, int slot, int32_t limit);
// The context must have storage blocks of `bytes`, which the rectangle and the layers of a slot
// need.
//   errors  AG_E_SIZE
ag_status ag_check_block(const ag_host *host, const ag_gl *gl, const ag_request *request, int slot,
                         int64_t bytes);
// The host's base must leave as many image units as `what` in the effect needs.
//   errors  AG_E_ARG
ag_status ag_units_check(const ag_host *host, const ag_gl *gl, GLuint needed, const char *effect,
                         const char *what);

// What ag_effect.size says of a slot that is like another texture.
void ag_size_like(const ag_texture *texture, int32_t size[3]);
// Texels of the rectangle of a slot, in all its layers.
uint64_t ag_slot_texels(const ag_request *request, int slot);
bool ag_is_array(const ag_texture *texture);
bool ag_is_multisampled(const ag_texture *texture);
// Formats of floats, which can hold NaN and Inf.
bool ag_has_infinity(const ag_format *format);
// AG_SUBGROUPS_*: the driver's subgroups; or emulated ones if the tuning says so; or none, as where
// its `exchange` is by shared memory.
int32_t ag_subgroups_of(const ag_gl *gl, const ag_tuning *tuning, const int32_t *exchange);

#endif
