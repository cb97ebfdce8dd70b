// abi_textures.c - textures that are not what their slots say: levels that do not exist
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "test_abi.h"

// A texture made by glTexImage, with level 0 alone.
static GLuint mutable_texture(fixture *f, const ag_texture *like)
{
    GLuint name = 0;
    f->gl.GenTextures(1, &name);
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, (GLint)like->format, like->width, like->height, 0, GL_RGBA,
                     GL_FLOAT, NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    return name;
}

// Whatever level a slot names, the texture has it or prepare says in words that it does not; GL is not asked for
// what it knows nothing of (fixture_after_test fails on any complaint of the driver's).
void test_levels(void **state)
{
    fixture *f = *state;
    uint32_t count = 0, refused = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e)
        for (int made_mutable = 0; made_mutable < 2; ++made_mutable) {
            test_job j;
            job_create(f, effects[e]->id, 9, 7, &j);
            ag_pass *pass = fixture_pass(f, effects[e]->id);
            GLuint other = made_mutable ? mutable_texture(f, &j.slots[0]) : 0;
            if (other)
                j.slots[0].name = other;
            ag_texture given = j.slots[0];
            for (int32_t level = 1; level < 32; ++level) {
                int32_t w = texture_level_size(9, level), h = texture_level_size(7, level);
                for (int same_size = 0; same_size < 2; ++same_size) {
                    j.slots[0].level = level;
                    j.slots[0].width = same_size ? given.width : w;
                    j.slots[0].height = same_size ? given.height : h;
                    host_log_clear(&f->host);
                    ag_status status = f->ag->prepare(pass, &j.job);
                    bool there = !made_mutable && level < j.textures[0].levels;
                    if (status >= 0 || there)
                        continue;
                    CHECK_F(status == AG_E_ARG || status == AG_E_SIZE, "%s, level %d: %s",
                            effects[e]->id, level, check_status_name(status));
                    refused += host_log_error(&f->host, AG_E_ARG, "level");
                    CHECK(f->ag->execute(pass, &j.job, NULL) < 0);
                }
            }
            f->ag->forget(f->device, given.name);
            f->gl.DeleteTextures(1, &other);
            f->ag->pass_destroy(pass);
            job_destroy(f, &j);
        }
    printf("  ok    %u levels refused by a sentence that names them\n", refused);
    CHECK(refused > 100);
}
