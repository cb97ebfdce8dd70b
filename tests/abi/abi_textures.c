// abi_textures.c - textures that their slots describe wrongly: missing levels, deleted, changed
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "test_abi.h"

// A texture made by glTexImage, with level 0 only.
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

// If a slot names a level that the texture does not have, prepare refuses it with a message. GL
// must not be queried about such a level: fixture_after_test fails on any message of the driver.
void test_levels(void **state)
{
    fixture *f = *state;
    uint32_t refused = 0;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e)
        for (int made_mutable = 0; made_mutable < 2; ++made_mutable) {
            test_job j;
            job_create(f, (*e)->id, JOB_WIDTH, JOB_HEIGHT, &j);
            ag_pass *pass = fixture_pass(f, (*e)->id);
            GLuint other = made_mutable ? mutable_texture(f, &j.slots[0]) : 0;
            if (other)
                j.slots[0].name = other;
            ag_texture given = j.slots[0];
            for (int32_t level = 1; level < 32; ++level) {
                int32_t w = texture_level_size(JOB_WIDTH, level);
                int32_t h = texture_level_size(JOB_HEIGHT, level);
                for (int same_size = 0; same_size < 2; ++same_size) {
                    j.slots[0].level = level;
                    j.slots[0].width = same_size ? given.width : w;
                    j.slots[0].height = same_size ? given.height : h;
                    host_log_clear(&f->host);
                    ag_status status = f->ag->prepare(pass, &j.job);
                    bool there = !made_mutable && level < j.textures[0].levels;
                    if (status >= 0 || there)
                        continue;
                    CHECK_F(status == AG_E_ARG || status == AG_E_SIZE, "%s, level %d: %s", (*e)->id,
                            level, check_status_name(status));
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

static void expect(fixture *f, ag_pass *pass, test_job *j, ag_status status, const char *part,
                   const char *what)
{
    GLint before = 0, after = 0;
    host_log_clear(&f->host);
    f->gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    ag_status got = f->ag->execute(pass, &j->job, NULL);
    f->gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &after);
    bool right = got == status && before == after && (!part || host_log_error(&f->host, got, part));
    CHECK_F(right, "%s, %s: %s, \"%s\"", j->info->id, what, check_status_name(got),
            host_log_last(&f->host));
}

// Each texture of each effect is deleted in turn, without forget. execute refuses the job, and
// accepts it again when the host has put another texture in its place.
static void check_deleted(fixture *f, const char *effect)
{
    test_job j;
    job_create(f, effect, JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, effect);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    for (uint32_t i = 0; i < j.info->slot_count; ++i) {
        if (!j.textures[i].name)
            continue;
        expect(f, pass, &j, AG_OK, NULL, "as prepared");
        GLuint gone = j.textures[i].name;
        texture made = j.textures[i];
        made.name = 0;
        f->gl.DeleteTextures(1, &gone);
        expect(f, pass, &j, AG_E_STATE, "deleted after prepare", job_slot_info(j.info, i)->name);
        f->ag->forget(f->device, gone);
        made = texture_create_array(f, made.format->name, made.width, made.height, made.layers,
                                    made.levels, NULL);
        for (uint32_t k = 0; k < j.info->slot_count; ++k)
            if (j.slots[k].name == gone)
                j.slots[k].name = made.name;
        j.textures[i] = made;
        CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    }
    expect(f, pass, &j, AG_OK, NULL, "all anew");
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

static void respecify(fixture *f, GLuint name, GLint format, GLsizei width)
{
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexImage2D(GL_TEXTURE_2D, 0, format, width, JOB_HEIGHT, 0, GL_RGBA, GL_FLOAT, NULL);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
}

void test_validate(void **state)
{
    fixture *group = *state;
    const ag_device_desc desc = {.struct_size = sizeof desc, .flags = AG_DEVICE_VALIDATE};
    fixture *f = fixture_open(&(fixture_options){.desc = &desc, .quiet = true});
    CHECK(f != NULL);
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e)
        check_deleted(f, (*e)->id);
    CHECK(check_case("deleted textures", true));

    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    ag_pass *pass = fixture_pass(f, "convolve");
    GLuint name = mutable_texture(f, &j.slots[0]), scratch = 0;
    j.slots[0].name = name;
    f->gl.GenBuffers(1, &scratch);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, scratch);
    f->gl.BufferData(GL_COPY_WRITE_BUFFER, 1 << 20, NULL, GL_DYNAMIC_COPY);
    f->gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    job_set(&j, "method", 0, 2); // fft, which needs some
    j.job.scratch = (ag_buffer){sizeof j.job.scratch, scratch, 0, 1 << 20};
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    expect(f, pass, &j, AG_OK, NULL, "as prepared");
    respecify(f, name, GL_RGBA32F, 8);
    expect(f, pass, &j, AG_E_ARG, "8x21 in GL, not 33x21", "another size");
    respecify(f, name, GL_RGBA16F, JOB_WIDTH);
    expect(f, pass, &j, AG_E_ARG, "format", "another format");
    respecify(f, name, GL_RGBA32F, JOB_WIDTH);
    expect(f, pass, &j, AG_OK, NULL, "as before");
    f->gl.BindTexture(GL_TEXTURE_2D, name);
    f->gl.TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA32F, JOB_WIDTH, JOB_HEIGHT);
    f->gl.BindTexture(GL_TEXTURE_2D, 0);
    expect(f, pass, &j, AG_E_STATE, "not the one that prepare saw", "made immutable");
    f->ag->forget(f->device, name);
    CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_OK);
    expect(f, pass, &j, AG_OK, NULL, "prepared again");
    f->gl.DeleteBuffers(1, &scratch);
    expect(f, pass, &j, AG_E_ARG, "scratch", "scratch that was deleted");
    CHECK(check_case("textures and scratch that change", true));
    f->ag->forget(f->device, name);
    f->gl.DeleteTextures(1, &name);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
    CHECK(fixture_close(f));
    fixture_current(group);
}
