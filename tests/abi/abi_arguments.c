// abi_arguments.c - one wrong argument at a time: a code, a message that names it, no texel changed
// SPDX-License-Identifier: MIT
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "afterglow/bloom.h"
#include "afterglow/convolve.h"
#include "jobs.h"
#include "test_abi.h"

enum { DECLARE = 1, PREPARE = 2, EXECUTE = 4, ALL = 7 };

typedef struct subject {
    fixture *f;
    ag_pass *pass; // prepared for `j`
    test_job j;
    uint32_t cases, failures;
} subject;

static void subject_open(fixture *f, const char *effect, uint32_t variant, subject *s)
{
    *s = (subject){.f = f};
    job_create(f, effect, JOB_WIDTH, JOB_HEIGHT, &s->j);
    CHECK(job_variant(&s->j, variant));
    job_tune(f->device, &s->j);
    s->pass = fixture_pass(f, effect);
    fixture_run(f, s->pass, &s->j.job);
    texture_poison(f, job_output(&s->j));
}

// Every case passed, no refusal touched the output, and the pass still works.
static void subject_close(subject *s)
{
    CHECK_F(s->failures == 0, "%u cases", s->failures);
    CHECK(texture_is_poison(s->f, job_output(&s->j)));
    CHECK_STATUS(s->f->ag->execute(s->pass, &s->j.job, NULL), AG_OK);
    s->f->gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
    CHECK_EQ(texture_poison_count(s->f, job_output(&s->j), 0, 0, 0, 0, 0), 0);
    printf("  ok    %s: %u refusals\n", s->j.info->id, s->cases);
    s->f->ag->pass_destroy(s->pass);
    job_destroy(s->f, &s->j);
}

// Whether each message is a line of its own, and one has this code and one of the names.
static bool explains(const test_host *h, ag_status code, const char *const names[2])
{
    bool ended = true;
    for (uint32_t i = 0; i < h->message_count; ++i) {
        size_t length = strlen(h->messages[i].text);
        ended = ended && length > 0 && h->messages[i].text[length - 1] != '\n';
    }
    return ended &&
           (host_log_error(h, code, names[0]) || (names[1] && host_log_error(h, code, names[1])));
}

// All calls in `calls` refuse `job` with one of two codes and names. A job that prepare accepts by
// mistake is not executed, because it might crash.
static void refuse(subject *s, const char *name, const ag_job *job, uint32_t calls, ag_status code,
                   ag_status other_code, const char *part, const char *other_part)
{
    const char *const parts[2] = {part, other_part};
    const ag_api *ag = s->f->ag;
    ag_status got = AG_OK;
    for (uint32_t call = DECLARE; call <= EXECUTE && !(call == EXECUTE && got > 0); call *= 2) {
        const ag_plan *plan = NULL;
        uint32_t barriers = 0xabcdu;
        if (!(calls & call))
            continue;
        host_log_clear(&s->f->host);
        gl_trace_reset(&s->f->host.trace);
        got = call == DECLARE   ? ag->declare(s->pass, job, &plan)
              : call == PREPARE ? ag->prepare(s->pass, job)
                                : ag->execute(s->pass, job, &barriers);
        bool untouched = !plan && barriers == 0xabcdu;
        if (call != PREPARE)
            untouched = untouched && s->f->host.trace.total == 0;
        bool right = (got == code || (other_code && got == other_code)) && untouched &&
                     explains(&s->f->host, got, parts);
        if (!right)
            printf("  FAIL  %s of %s: %s for %s, \"%s\" for \"%s\", %u GL calls\n",
                   call == DECLARE   ? "declare"
                   : call == PREPARE ? "prepare"
                                     : "execute",
                   name, check_status_name(got), check_status_name(code),
                   host_log_last(&s->f->host), part, (unsigned)s->f->host.trace.total);
        s->failures += !right;
        ++s->cases;
        if (got >= 0)
            return;
    }
}

#define REFUSED(call, word)                                                               \
    do {                                                                                  \
        host_log_clear(&f->host);                                                         \
        CHECK_STATUS(call, AG_E_ARG);                                                     \
        CHECK_F(host_log_error(&f->host, AG_E_ARG, word), "%s", host_log_last(&f->host)); \
    } while (0)

void test_null_arguments(void **state)
{
    fixture *f = *state;
    ag_device *device = NULL;
    ag_pass *pass = NULL;
    const ag_plan *plan = NULL;
    ag_stats stats = {.struct_size = sizeof stats};
    CHECK_STATUS(f->ag->device_create(NULL, NULL, &device), AG_E_ARG);
    CHECK(device == NULL);
    REFUSED(f->ag->device_create(&f->host.host, NULL, NULL), "device");
    f->ag->device_destroy(NULL, 0);
    f->ag->device_destroy(NULL, 1);
    f->ag->pass_destroy(NULL);
    f->ag->forget(NULL, 1);
    CHECK_STATUS(f->ag->health(NULL, NULL), AG_E_ARG);
    CHECK_STATUS(f->ag->health(f->device, NULL), AG_OK);
    ag_reload reload = {.struct_size = sizeof reload};
    CHECK_STATUS(f->ag->reload_status(NULL, &reload), AG_E_ARG);
    CHECK_STATUS(f->ag->reload_status(f->device, NULL), AG_E_ARG);
    CHECK_STATUS(f->ag->reload_status(f->device, &reload), AG_OK);
    CHECK(!reload.generation && !reload.pending && !reload.failed && !reload.watched &&
          !reload.message && !reload.file);
    CHECK_STATUS(f->ag->frame(NULL, 1), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_create(NULL, "bloom", &pass), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_create(f->device, NULL, &pass), AG_E_ARG);
    CHECK_STATUS(f->ag->pass_create(f->device, "bloom", NULL), AG_E_ARG);
    REFUSED(f->ag->pass_create(f->device, "glow", &pass), "glow");
    CHECK(pass == NULL && host_log_has(&f->host, "convolve") && host_log_has(&f->host, "bloom"));

    test_job j;
    job_create(f, "convolve", JOB_WIDTH, JOB_HEIGHT, &j);
    pass = fixture_pass(f, "convolve");
    CHECK_STATUS(f->ag->declare(NULL, &j.job, &plan), AG_E_ARG);
    CHECK_STATUS(f->ag->prepare(NULL, &j.job), AG_E_ARG);
    CHECK_STATUS(f->ag->execute(NULL, &j.job, NULL), AG_E_ARG);
    CHECK_STATUS(f->ag->stats(NULL, AG_WHOLE_PASS, &stats), AG_E_ARG);
    REFUSED(f->ag->declare(pass, NULL, &plan), "job");
    REFUSED(f->ag->prepare(pass, NULL), "job");
    REFUSED(f->ag->execute(pass, NULL, NULL), "job");
    REFUSED(f->ag->declare(pass, &j.job, NULL), "plan");
    REFUSED(f->ag->stats(pass, AG_WHOLE_PASS, NULL), "stats");
    REFUSED(f->ag->stats(pass, 1000, &stats), "step");
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

// ---- jobs

typedef struct member_row {
    const char *name;
    size_t offset; // of a 4-byte member
    uint32_t value;
    ag_status code, other;
    uint32_t calls;
    const char *part, *other_part; // of ag_texture's members NULL
} member_row;

#define MEMBER(type, member, value, ...)                                             \
    {                                                                                \
#member " = " #value, offsetof(type, member), (uint32_t)(value), __VA_ARGS__ \
    }
#define JOB(member, value, ...) MEMBER(ag_job, member, value, __VA_ARGS__)
#define SLOT(member, value, ...) MEMBER(ag_texture, member, value, __VA_ARGS__, NULL, NULL)

static const member_row job_rows[] = {
    JOB(struct_size, 0, AG_E_ABI, 0, ALL, "job", NULL),
    JOB(slot_count, 0, AG_E_ARG, 0, ALL, "slot_count", "src"),
    JOB(slot_count, UINT32_MAX, AG_E_ARG, AG_E_ABI, ALL, "slot_count", "slots"),
    JOB(flags, 0x40000000u, AG_E_ARG, AG_E_ABI, ALL, "flags", NULL),
    JOB(next_use, 0x100, AG_E_ARG, AG_E_ABI, ALL, "next_use", NULL),
    JOB(reserved, 1, AG_E_ARG, AG_E_ABI, ALL, "reserved", NULL),
};

void test_job_arguments(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        subject s;
        ag_gl_state restore = {.struct_size = 0};
        subject_open(f, (*e)->id, 0, &s);
        ag_texture more[JOB_SLOTS + 1];
        for (size_t i = 0; i < sizeof job_rows / sizeof job_rows[0]; ++i) {
            const member_row *row = &job_rows[i];
            ag_job job = s.j.job;
            memcpy((char *)&job + row->offset, &row->value, sizeof row->value);
            refuse(&s, row->name, &job, row->calls, row->code, row->other, row->part,
                   row->other_part);
        }
        ag_job job = s.j.job;
        job.slots = NULL;
        refuse(&s, "slots NULL", &job, ALL, AG_E_ARG, 0, "slots", "src");
        memcpy(more, s.j.slots, sizeof s.j.slots);
        more[s.j.info->slot_count] = s.j.slots[0];
        job.slots = more;
        job.slot_count = s.j.info->slot_count + 1;
        refuse(&s, "slot_count + 1", &job, ALL, AG_E_ARG, AG_E_ABI, "slot_count", "slots");
        job = s.j.job;
        job.restore = &restore;
        refuse(&s, "restore.struct_size 0", &job, ALL, AG_E_ABI, 0, "restore", NULL);
        subject_close(&s);
    }
}

static const member_row slot_rows[] = {
    SLOT(struct_size, 0, AG_E_ABI, AG_E_ARG, ALL),
    SLOT(struct_size, 4, AG_E_ABI, 0, ALL),
    SLOT(name, 0, AG_E_ARG, 0, PREPARE | EXECUTE),
    SLOT(target, 0, AG_E_ARG, 0, ALL),
    SLOT(target, GL_TEXTURE_3D, AG_E_ARG, 0, ALL),
    SLOT(target, GL_TEXTURE_2D_MULTISAMPLE, AG_E_ARG, 0, ALL),
    SLOT(format, 0, AG_E_ARG, AG_E_FORMAT, ALL),
    SLOT(format, 0x1234, AG_E_FORMAT, 0, ALL),
    SLOT(format, GL_RGBA, AG_E_FORMAT, 0, ALL), // not a sized format
    SLOT(format, GL_DEPTH_COMPONENT32F, AG_E_FORMAT, 0, ALL),
    SLOT(format, GL_RGBA16I, AG_E_FORMAT, 0, ALL),
    SLOT(format, GL_RGB16F, AG_E_FORMAT, 0, ALL), // no image load or store
    SLOT(width, 0, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(width, INT_MIN, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(width, INT_MAX, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(height, 0, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(height, INT_MAX, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(level, -1, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(level, 1000, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(first_layer, -1, AG_E_ARG, 0, ALL),
    SLOT(first_layer, 1, AG_E_ARG, 0, ALL), // a GL_TEXTURE_2D has one layer
    SLOT(layers, -1, AG_E_ARG, 0, ALL),
    SLOT(layers, 2, AG_E_ARG, 0, ALL),
    SLOT(layers, INT_MAX, AG_E_ARG, 0, ALL),
    // With rect_width = width, rect_height = height below. Coefficients have a texel more.
    SLOT(rect_x, -1, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_x, 1, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_x, INT_MAX, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_y, -1, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_y, 1, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_width, -1, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_width, JOB_WIDTH + 2, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_width, INT_MAX, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_height, INT_MIN, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_height, 0, AG_E_ARG, AG_E_SIZE, ALL),
    SLOT(rect_height, JOB_HEIGHT + 2, AG_E_ARG, AG_E_SIZE, ALL),
};

static uint32_t first_written(const ag_effect_info *info)
{
    uint32_t slot = 0;
    while (!(job_slot_info(info, slot)->access & AG_WRITE))
        ++slot;
    return slot;
}

void test_slot_arguments(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        subject s;
        subject_open(f, (*e)->id, 0, &s);
        for (uint32_t slot = 0; slot < s.j.info->slot_count; ++slot) {
            const ag_slot_info *info = job_slot_info(s.j.info, slot);
            if (info->access & AG_OPTIONAL)
                continue;
            for (size_t i = 0; i < sizeof slot_rows / sizeof slot_rows[0]; ++i) {
                const member_row *row = &slot_rows[i];
                bool taken = false; // what no colour slot takes, a depth slot may
                for (uint32_t k = 0; k < info->format_count; ++k)
                    taken |= row->offset == offsetof(ag_texture, format) &&
                             info->formats[k] == (uint32_t)row->value;
                if (taken)
                    continue;
                ag_texture good = s.j.slots[slot];
                s.j.slots[slot].rect_width = good.width;
                s.j.slots[slot].rect_height = good.height;
                memcpy((char *)&s.j.slots[slot] + row->offset, &row->value, sizeof row->value);
                char name[96];
                snprintf(name, sizeof name, "%s.%s.%s", (*e)->id, info->name, row->name);
                // struct_size of the first row also is the stride: the message may name the array
                refuse(&s, name, &s.j.job, row->calls, row->code, row->other, info->name,
                       row->offset == 0 ? "slots" : NULL);
                s.j.slots[slot] = good;
            }
        }
        if (s.j.lower.name || job_generates(s.j.info)) { // in place: nothing to compare with
            subject_close(&s);
            continue;
        }
        uint32_t src = job_slot(&s.j, "src"), dst = first_written(s.j.info);
        const char *name = job_slot_info(s.j.info, dst)->name; // "dst", or a state's
        ag_texture good = s.j.slots[dst];
        s.j.slots[dst].name = s.j.slots[src].name;
        if (strcmp((*e)->id, "sat") != 0) // that one works in place: sat_contract.c
            refuse(&s, "the output is src", &s.j.job, ALL, AG_E_ARG, 0, name, NULL);
        s.j.slots[dst] = good;
        int32_t size[3] = {0}; // 0: any will do
        CHECK_STATUS(s.f->ag->slot_size(s.pass, &s.j.job, dst, size), AG_OK);
        s.j.slots[dst].rect_width = good.width - 1;
        s.j.slots[dst].rect_height = good.height;
        if (size[0])
            refuse(&s, "the output is narrower than it has to be", &s.j.job, ALL, AG_E_ARG,
                   AG_E_SIZE, name, NULL);
        s.j.slots[dst] = good;
        s.j.slots[dst].target = GL_TEXTURE_2D_ARRAY;
        s.j.slots[dst].layers = 2;
        refuse(&s, "the output has more layers", &s.j.job, ALL, AG_E_ARG, AG_E_SIZE, name,
               "layers");
        s.j.slots[dst] = good;
        subject_close(&s);
    }
}

void test_setting_arguments(void **state)
{
    fixture *f = *state;
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e) {
        subject s;
        subject_open(f, effects[e]->id, 0, &s);
        for (uint32_t i = 0; i < s.j.info->setting_count; ++i) {
            const ag_setting_info *setting = job_setting_info(s.j.info, i);
            bool real = setting->type == AG_FLOAT;
            const double wrong[] = {
                real ? (double)nextafterf((float)setting->min, -INFINITY) : setting->min - 1,
                real ? (double)nextafterf((float)setting->max, INFINITY) : setting->max + 1,
                real ? (double)INFINITY : (double)INT32_MAX,
                real ? -(double)INFINITY : (double)INT32_MIN,
                real ? (double)NAN : setting->max + 256,
            };
            for (uint32_t k = 0; k < setting->count; ++k) {
                for (size_t v = 0; v < sizeof wrong / sizeof wrong[0]; ++v) {
                    if (wrong[v] >= setting->min && wrong[v] <= setting->max)
                        continue;
                    char name[96];
                    snprintf(name, sizeof name, "%s[%u] = %g", setting->name, k, wrong[v]);
                    double good = job_get(&s.j, setting->name, k);
                    job_set(&s.j, setting->name, k, wrong[v]);
                    refuse(&s, name, &s.j.job, ALL, AG_E_ARG, 0, setting->name, NULL);
                    job_set(&s.j, setting->name, k, good);
                }
            }
            for (uint32_t k = 0; k < setting->name_count; ++k) { // values that only others take
                if (setting->names[k])
                    continue;
                char name[96], list[64];
                snprintf(name, sizeof name, "%s.%s = %u", effects[e]->id, setting->name, k);
                snprintf(list, sizeof list, "is %u; the valid values are ", k);
                job_set(&s.j, setting->name, 0, k);
                refuse(&s, name, &s.j.job, ALL, AG_E_ARG, 0, setting->name, NULL);
                CHECK(host_log_has(&f->host, list));
                CHECK(host_log_has(&f->host, setting->names[setting->name_count - 1]));
                job_set(&s.j, setting->name, 0, setting->initial[0]);
            }
        }
        subject_close(&s);
    }
}

// Scratch memory of the host is refused unless it is large enough and aligned.
void test_scratch_arguments(void **state)
{
    fixture *f = *state;
    subject s;
    subject_open(f, "convolve", AG_CONVOLVE_FFT, &s);
    const ag_plan *plan = NULL;
    CHECK_STATUS(f->ag->declare(s.pass, &s.j.job, &plan), AG_OK);
    uint64_t bytes = plan->scratch_bytes, alignment = plan->scratch_alignment;
    CHECK_F(bytes > 0, "%s", plan->text);
    CHECK_F(alignment > 0 && (alignment & (alignment - 1)) == 0, "alignment %u",
            (unsigned)alignment);
    GLuint buffer = 0;
    f->gl.GenBuffers(1, &buffer);
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    f->gl.BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(bytes + alignment), NULL,
                     GL_DYNAMIC_COPY);
    f->gl.BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
    ag_job good = s.j.job;
    good.scratch = (ag_buffer){sizeof good.scratch, buffer, alignment, bytes};
    fixture_run(f, s.pass, &good);
    CHECK_EQ(texture_poison_count(f, job_output(&s.j), 0, 0, 0, 0, 0), 0);
    texture_poison(f, job_output(&s.j));
    ag_job job = good;
    job.scratch.bytes = bytes - 1;
    refuse(&s, "scratch.bytes - 1", &job, PREPARE | EXECUTE, AG_E_SIZE, AG_E_ARG, "scratch", NULL);
    job.scratch.bytes = 0;
    refuse(&s, "scratch.bytes 0", &job, PREPARE | EXECUTE, AG_E_SIZE, AG_E_ARG, "scratch", NULL);
    job = good;
    job.scratch.offset = alignment / 2;
    refuse(&s, "scratch.offset unaligned", &job, PREPARE | EXECUTE, AG_E_ARG, 0, "scratch", NULL);
    job.scratch.offset = UINT64_MAX - alignment + 1; // the end overflows
    refuse(&s, "scratch.offset huge", &job, PREPARE | EXECUTE, AG_E_ARG, AG_E_SIZE, "scratch",
           NULL);
    job = good;
    job.scratch.struct_size = sizeof job.scratch + 8; // more of the job, and then not even that
    refuse(&s, "scratch.struct_size too large", &job, DECLARE | PREPARE | EXECUTE, AG_E_ABI, 0,
           "scratch", NULL);
    job.scratch.struct_size = 65536;
    refuse(&s, "scratch.struct_size 65536", &job, DECLARE | PREPARE | EXECUTE, AG_E_ABI, 0,
           "scratch", NULL);
    job.scratch.struct_size = 4;
    refuse(&s, "scratch.struct_size 4", &job, PREPARE | EXECUTE, AG_E_ABI, 0, "scratch", NULL);
    CHECK_STATUS(f->ag->prepare(s.pass, &s.j.job), AG_OK); // scratch of its own again
    subject_close(&s);
    f->gl.DeleteBuffers(1, &buffer);
}

// Errors that only one effect has.
void test_effect_arguments(void **state)
{
    fixture *f = *state;
    subject s;
    subject_open(f, "convolve", 0, &s);
    uint32_t src = job_slot(&s.j, "src"), kernel = job_slot(&s.j, "kernel");
    uint32_t dst = job_slot(&s.j, "dst");
    ag_texture good = s.j.slots[kernel], old_src = s.j.slots[src], old_dst = s.j.slots[dst];
    s.j.slots[kernel].format = GL_RG32F;
    refuse(&s, "kernel of 2 channels", &s.j.job, ALL, AG_E_FORMAT, 0, "kernel", NULL);
    s.j.slots[kernel] = good;
    s.j.slots[kernel].width = 256;
    job_set(&s.j, "method", 0, AG_CONVOLVE_DIRECT);
    refuse(&s, "direct, kernel of 256", &s.j.job, DECLARE | PREPARE, AG_E_SIZE, 0, "kernel", NULL);
    refuse(&s, "direct, kernel of 256", &s.j.job, DECLARE | PREPARE, AG_E_SIZE, 0, "255", NULL);
    s.j.slots[kernel] = good;
    job_set(&s.j, "method", 0, AG_CONVOLVE_FFT);
    s.j.slots[src].width = s.j.slots[dst].width = 8192; // + 2 for the kernel
    refuse(&s, "fft, a line above 8192", &s.j.job, DECLARE, AG_E_SIZE, 0, "8192", NULL);
    s.j.slots[src] = old_src;
    s.j.slots[dst] = old_dst;
    s.j.slots[src].height = s.j.slots[dst].height = 8192;
    refuse(&s, "fft, a column above 8192", &s.j.job, DECLARE, AG_E_SIZE, 0, "8192", NULL);
    s.j.slots[src] = old_src;
    s.j.slots[dst] = old_dst;
    job_set(&s.j, "method", 0, AG_CONVOLVE_AUTO);

    double *zero = calloc(15, sizeof *zero);
    CHECK(zero != NULL);
    zero[3] = 1;
    zero[11] = -1;
    texture_upload(f, &s.j.textures[kernel], 0, zero);
    free(zero);
    ++s.j.slots[kernel].version;
    job_set(&s.j, "normalize", 0, AG_NORMALIZE_SUM);
    refuse(&s, "normalize, kernel of sum 0", &s.j.job, PREPARE, AG_E_ARG, 0, "kernel", "normalize");
    job_set(&s.j, "normalize", 0, AG_NORMALIZE_NONE);
    --s.j.slots[kernel].version;
    subject_close(&s);

    subject_open(f, "bloom", 0, &s);
    job_set(&s.j, "shape", 0, AG_BLOOM_TEXTURE);
    refuse(&s, "shape = texture without one", &s.j.job, ALL, AG_E_ARG, 0, "kernel_image", NULL);
    job_set(&s.j, "shape", 0, AG_BLOOM_GAUSSIAN);
    subject_close(&s);
}
