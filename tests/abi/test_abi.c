// test_abi.c - every rule of afterglow.h that needs no exact pixels
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "effect_headers.inc"
#include "jobs.h"
#include "test_abi.h"

static void test_table(void **state)
{
    fixture *f = *state;
    CHECK_EQ(f->ag->struct_size, sizeof(ag_api));
    CHECK_EQ(f->ag->abi_major, AG_ABI_MAJOR);
    CHECK_EQ(f->ag->abi_minor, AG_ABI_MINOR);
    CHECK_EQ(f->ag->reserved, 0);
    int major = -1, minor = -1, patch = -1, end = 0;
    CHECK(sscanf(f->ag->version, "%d.%d.%d%n", &major, &minor, &patch, &end) == 3);
    CHECK_EQ(f->ag->version[end], '\0');
    // Older and newer hosts get the same table in each call.
    CHECK(ag_entry_v1(0) == f->ag);
    CHECK(ag_entry_v1(AG_ABI_MINOR + 7) == f->ag);
    CHECK(f->ag->effects && f->ag->defaults && f->ag->status_text && f->ag->device_create &&
          f->ag->device_destroy && f->ag->health && f->ag->frame && f->ag->forget &&
          f->ag->pass_create && f->ag->pass_destroy && f->ag->run && f->ag->declare &&
          f->ag->prepare && f->ag->execute && f->ag->stats);
}

static void test_status_text(void **state)
{
    fixture *f = *state;
    static const struct {
        ag_status status;
        const char *text;
    } rows[] = {
#define ROW(name, value, words) {name, words},
        AG_STATUS_LIST(ROW)
#undef ROW
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const char *text = f->ag->status_text(rows[i].status);
        CHECK(text != NULL);
        CHECK_F(strcmp(text, rows[i].text) == 0, "\"%s\" for %d", text, (int)rows[i].status);
    }
    static const ag_status unknown[] = {2, -11, 1000, -1000, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i)
        CHECK(f->ag->status_text(unknown[i]) && f->ag->status_text(unknown[i])[0]);
}

static void check_slots(const ag_effect_info *e)
{
    bool writes = false;
    CHECK(e->slot_count > 0 && e->slot_count <= JOB_SLOTS);
    CHECK(e->slot_stride >= sizeof(ag_slot_info) && e->slot_stride % _Alignof(ag_slot_info) == 0);
    for (uint32_t i = 0; i < e->slot_count; ++i) {
        const ag_slot_info *slot = job_slot_info(e, i);
        CHECK(slot->name && slot->name[0] && slot->help && slot->help[0]);
        CHECK_F(!strchr(slot->help, '\n'), "%s: help is one line", slot->name);
        CHECK_F((slot->access &
                 ~(uint32_t)(AG_READ | AG_WRITE | AG_OPTIONAL | AG_STATE | AG_LEVELS)) == 0,
                "%s", slot->name);
        CHECK_F(!(slot->access & AG_STATE) ||
                    (slot->access & (AG_READ | AG_WRITE)) == (AG_READ | AG_WRITE),
                "%s is remembered, so it is read and written", slot->name);
        CHECK_F(slot->access & (AG_READ | AG_WRITE), "%s is neither read nor written", slot->name);
        writes |= (slot->access & AG_WRITE) != 0;
        CHECK_F(slot->format_count > 0 && slot->formats, "%s", slot->name);
        for (uint32_t k = 0; k < slot->format_count; ++k) {
            // the tests of these effects know depth formats
            bool depth = strcmp(slot->name, "depth") == 0 || strcmp(e->id, "depth_pyramid") == 0 ||
                         strcmp(e->id, "soft_shadow") == 0;
            CHECK_F(depth || format_find(slot->formats[k]) != NULL,
                    "%s accepts 0x%x, which no test knows", slot->name, slot->formats[k]);
            for (uint32_t n = 0; n < k; ++n)
                CHECK_F(slot->formats[n] != slot->formats[k], "%s lists 0x%x twice", slot->name,
                        slot->formats[k]);
        }
        for (uint32_t n = 0; n < i; ++n)
            CHECK_F(strcmp(job_slot_info(e, n)->name, slot->name) != 0, "%s twice", slot->name);
    }
    CHECK(writes); // one that generates, such as ocean, reads nothing
}

static void check_settings(fixture *f, const ag_effect_info *e)
{
    uint8_t used[JOB_SETTINGS] = {0}, defaults[JOB_SETTINGS] = {0};
    bool scrub = true; // an effect that reads nothing needs none
    for (uint32_t i = 0; i < e->slot_count; ++i)
        scrub = scrub && !(job_slot_info(e, i)->access & AG_READ);
    CHECK(e->settings_size > 8 && e->settings_size % 4 == 0 && e->settings_size <= JOB_SETTINGS);
    CHECK(e->setting_stride >= sizeof(ag_setting_info) &&
          e->setting_stride % _Alignof(ag_setting_info) == 0);
    CHECK_STATUS(f->ag->defaults(e->id, defaults, e->settings_size), AG_OK);
    for (uint32_t i = 0; i < e->setting_count; ++i) {
        const ag_setting_info *s = job_setting_info(e, i);
        CHECK(s->name && s->name[0] && s->help && s->help[0] && s->unit);
        CHECK_F(!strchr(s->help, '\n'), "%s: help is one line", s->name);
        CHECK_F(s->type <= AG_ENUM, "%s", s->name);
        CHECK_F(s->count >= 1 && s->count <= AG_MAX_VALUES, "%s has %u values", s->name, s->count);
        CHECK_F(s->offset % 4 == 0, "%s", s->name);
        CHECK_F(s->offset + 4 * s->count <= e->settings_size, "%s lies outside", s->name);
        CHECK_F(s->min <= s->max, "%s: %g..%g", s->name, s->min, s->max);
        for (uint32_t b = s->offset; b < s->offset + 4 * s->count; ++b)
            CHECK_F(used[b]++ == 0, "%s overlaps another setting", s->name);
        for (uint32_t k = 0; k < s->count; ++k) {
            CHECK_F(s->initial[k] >= s->min && s->initial[k] <= s->max, "%s[%u] = %g", s->name, k,
                    s->initial[k]);
            float real = 0;
            int32_t whole = 0;
            memcpy(&real, defaults + s->offset + 4 * k, 4);
            memcpy(&whole, defaults + s->offset + 4 * k, 4);
            if (s->type == AG_FLOAT)
                CHECK_F(real == (float)s->initial[k], "%s[%u]: defaults() says %g, initial %g",
                        s->name, k, (double)real, s->initial[k]);
            else
                CHECK_F((double)whole == s->initial[k], "%s[%u]: defaults() says %d, initial %g",
                        s->name, k, (int)whole, s->initial[k]);
        }
        if (s->type == AG_BOOL)
            CHECK_F(s->min == 0 && s->max == 1, "%s", s->name);
        if (s->type == AG_ENUM) {
            CHECK_F(s->names && s->min == 0 && s->max == (double)s->name_count - 1, "%s", s->name);
            for (uint32_t k = 0; k < s->name_count; ++k)
                CHECK_F(s->names[k] ? s->names[k][0] && !strchr(s->value_help[k], '\n')
                                    : k != s->initial[0],
                        "%s: name %u", s->name, k);
            CHECK_F(s->names[s->name_count - 1] != NULL, "%s ends with a value it does not take",
                    s->name);
        } else {
            CHECK_F(s->name_count == 0, "%s is no enum and has names", s->name);
        }
        scrub |= strcmp(s->name, "scrub") == 0 && s->type == AG_BOOL && s->initial[0] == 1;
        if (strcmp(s->name, "method") == 0)
            CHECK_F(strcmp(s->names[0], "auto") == 0 && s->initial[0] == 0, "%s", e->id);
        for (uint32_t n = 0; n < i; ++n)
            CHECK_F(strcmp(job_setting_info(e, n)->name, s->name) != 0, "%s twice", s->name);
    }
    for (uint32_t b = 0; b < 8; ++b)
        CHECK_F(!used[b], "byte %u of %s's settings is of the head", b, e->id);
    for (uint32_t b = 8; b < e->settings_size; ++b)
        CHECK_F(used[b], "byte %u of %s's settings belongs to no setting", b, e->id);
    CHECK_F(scrub, "%s has no setting scrub that is on", e->id);
}

static void test_effects(void **state)
{
    fixture *f = *state;
    gl_trace_reset(&f->host.trace);
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    CHECK(effects != NULL && count >= 2);
    for (uint32_t i = 0; i < count; ++i) {
        const ag_effect_info *e = effects[i];
        printf("  effect %s: %u slots, %u settings, %u bytes\n", e->id, e->slot_count,
               e->setting_count, e->settings_size);
        CHECK_EQ(e->struct_size, sizeof *e);
        CHECK(e->id[0] && e->help[0] && !strchr(e->help, '\n'));
        for (uint32_t n = 0; n < i; ++n)
            CHECK(strcmp(effects[n]->id, e->id) != 0 &&
                  effects[n]->settings_tag != e->settings_tag);
        check_slots(e);
        check_settings(f, e);
    }
    CHECK_EQ(job_effect(f->ag, "convolve")->settings_size, sizeof(ag_convolve_settings));
    CHECK_EQ(job_effect(f->ag, "bloom")->settings_size, sizeof(ag_bloom_settings));
    CHECK_EQ(job_effect(f->ag, "spectrum")->settings_size, sizeof(ag_spectrum_settings));
    CHECK(f->ag->effects(&count) == effects);
    CHECK_EQ(f->host.trace.total, 0); // touches no GL
}

// The initialisers of the headers are what defaults() fills in, and so is a list without names.
static void test_default_initialisers(void **state)
{
    fixture *f = *state;
#define SAME(effect, macro)                                                    \
    {                                                                          \
        const ag_##effect##_settings mine = macro;                             \
        ag_##effect##_settings theirs;                                         \
        CHECK_STATUS(f->ag->defaults(#effect, &theirs, sizeof theirs), AG_OK); \
        CHECK_F(memcmp(&mine, &theirs, sizeof mine) == 0, "%s", #macro);       \
        CHECK(memcmp(&mine, ag_##effect##_params(), sizeof mine) == 0);        \
        CHECK_EQ(mine.struct_size, sizeof mine);                               \
        CHECK_EQ(mine.tag, job_effect(f->ag, #effect)->settings_tag);          \
        CHECK_EQ(job_effect(f->ag, #effect)->settings_size, sizeof mine);      \
        ++seen;                                                                \
    }
    uint32_t seen = 0, count = 0;
#include "initialisers.inc" // SAME(bloom, AG_BLOOM_DEFAULTS), and so on for each public header
#undef SAME
    f->ag->effects(&count);
    CHECK_EQ(seen, count);
}

// ag_bloom_params overrides defaults by name, in an expression, too.
static void test_params(void **state)
{
    (void)state;
    ag_bloom_settings want = AG_BLOOM_DEFAULTS;
    want.size = 0.45f;
    want.tint[1] = 2;
    want.shape = AG_BLOOM_STAR;
    const ag_bloom_settings *got =
        ag_bloom_params(.shape = AG_BLOOM_STAR, .size = 0.45f, .tint = {1, 2, 1});
    CHECK(memcmp(got, &want, sizeof want) == 0);
    ag_job job = {.struct_size = sizeof job, .settings = ag_ocean_params(.time = 3)};
    CHECK(((const ag_ocean_settings *)job.settings)->time == 3);
    CHECK(((const ag_ocean_settings *)job.settings)->lengths[1] == 54.8f);
}

// Settings of another effect are refused by its name, others by the value that they must have.
static void test_settings_tag(void **state)
{
    fixture *f = *state;
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t i = 0; i < count; ++i) {
        const ag_effect_info *e = effects[i], *other = effects[(i + 1) % count];
        uint8_t theirs[JOB_SETTINGS];
        char name[64], tag[16];
        const ag_plan *plan = NULL;
        test_job j;
        job_create(f, e->id, 19, 13, &j);
        ag_pass *pass = fixture_pass(f, e->id);
        CHECK_STATUS(f->ag->defaults(other->id, theirs, other->settings_size), AG_OK);
        j.job.settings = theirs;
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_ARG);
        snprintf(name, sizeof name, "\"%s\"", other->id);
        snprintf(tag, sizeof tag, "0x%08X", e->settings_tag);
        CHECK(host_log_error(&f->host, AG_E_ARG, name));
        memset(theirs + 4, 0, 4);
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_ARG);
        CHECK(host_log_error(&f->host, AG_E_ARG, tag));
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}

// defaults() writes `size` bytes, no more; unknown effects and NULL are refused.
static void test_defaults_sizes(void **state)
{
    fixture *f = *state;
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t whole[JOB_SETTINGS], part[JOB_SETTINGS + 64];
        CHECK_STATUS(f->ag->defaults(effects[i]->id, whole, effects[i]->settings_size), AG_OK);
        CHECK_STATUS(f->ag->defaults(effects[i]->id, part, 4), AG_E_ARG); // no room for the tag
        for (uint32_t size = 8; size <= effects[i]->settings_size; size += 4) {
            memset(part, 0xee, sizeof part);
            memcpy(whole, &size, sizeof size); // struct_size says what the host knows
            CHECK_STATUS(f->ag->defaults(effects[i]->id, part, size), AG_OK);
            CHECK_F(memcmp(part, whole, size) == 0, "%s, %u bytes", effects[i]->id, size);
            CHECK_F(part[size] == 0xee, "%s: more than %u bytes written", effects[i]->id, size);
        }
        // For a newer host, defaults() sets members that this module does not know to zero.
        memset(part, 0xee, sizeof part);
        uint32_t larger = effects[i]->settings_size + 32;
        memcpy(whole, &larger, sizeof larger);
        CHECK_STATUS(f->ag->defaults(effects[i]->id, part, larger), AG_OK);
        CHECK(memcmp(part, whole, effects[i]->settings_size) == 0);
        for (uint32_t b = effects[i]->settings_size; b < larger; ++b)
            CHECK_F(part[b] == 0, "%s: byte %u beyond the known settings is 0x%x", effects[i]->id,
                    b, part[b]);
        CHECK_EQ(part[larger], 0xee);
        CHECK_STATUS(f->ag->defaults(effects[i]->id, NULL, 16), AG_E_ARG);
    }
    uint8_t some[16];
    CHECK_STATUS(f->ag->defaults("no such effect", some, sizeof some), AG_E_ARG);
    CHECK_STATUS(f->ag->defaults(NULL, some, sizeof some), AG_E_ARG);
}

// declare accepts the output sizes that slot_size states, and no GL function is called.
static void test_slot_size(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        test_job j;
        int32_t size[3] = {-1, -1, -1};
        const ag_plan *plan = NULL;
        job_create(f, (*e)->id, 19, 13, &j);
        ag_pass *pass = fixture_pass(f, (*e)->id);
        gl_trace_reset(&f->host.trace);
        for (uint32_t i = 0; i < j.info->slot_count; ++i) {
            if (!(job_slot_info(j.info, i)->access & AG_WRITE) || !j.slots[i].format)
                continue;
            ag_texture given = j.slots[i];
            uint32_t access = job_slot_info(j.info, i)->access;
            if (!(access & AG_READ) || (access & AG_STATE))
                j.slots[i] = texture_no_view(); // who asks has none yet
            CHECK_STATUS(f->ag->slot_size(pass, &j.job, i, size), AG_OK);
            j.slots[i] = given;
            j.slots[i].width = size[0] ? size[0] : given.width;
            j.slots[i].height = size[1] ? size[1] : given.height;
            printf("  ok    %s, %s: %dx%d, %d layers\n", (*e)->id, job_slot_info(j.info, i)->name,
                   size[0], size[1], size[2]);
        }
        CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
        CHECK_EQ(f->host.trace.total, 0);
        CHECK_STATUS(f->ag->slot_size(pass, &j.job, j.info->slot_count, size), AG_E_ARG);
        CHECK(host_log_error(&f->host, AG_E_ARG, "slot"));
        CHECK_STATUS(f->ag->slot_size(pass, &j.job, 0, NULL), AG_E_ARG);
        CHECK_STATUS(f->ag->slot_size(NULL, &j.job, 0, size), AG_E_ARG);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
    // A table with a row and a column of zeros has its own size, and its mean is one texel.
    test_job j;
    int32_t size[3];
    job_create(f, "sat", 19, 13, &j);
    job_set(&j, "edge", 0, 1);
    ag_pass *pass = fixture_pass(f, "sat");
    CHECK_STATUS(f->ag->slot_size(pass, &j.job, job_slot(&j, "dst"), size), AG_OK);
    CHECK(size[0] == 20 && size[1] == 14 && size[2] == 1);
    CHECK_STATUS(f->ag->slot_size(pass, &j.job, job_slot(&j, "mean"), size), AG_OK);
    CHECK(size[0] == 0 && size[1] == 0); // stays empty without offset = mean
    job_set(&j, "offset", 0, 2);
    CHECK_STATUS(f->ag->slot_size(pass, &j.job, job_slot(&j, "mean"), size), AG_OK);
    CHECK(size[0] == 1 && size[1] == 1);
    CHECK_STATUS(f->ag->slot_size(pass, &j.job, job_slot(&j, "src"), size), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "src"));
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
    // A chain of one level is half as large as its source: declare takes what slot_size says.
    const ag_plan *plan = NULL;
    job_create(f, "depth_pyramid", 19, 13, &j);
    job_set(&j, "levels", 0, 1);
    pass = fixture_pass(f, "depth_pyramid");
    CHECK_STATUS(f->ag->slot_size(pass, &j.job, 1, size), AG_OK);
    CHECK(size[0] == 9 && size[1] == 6);
    j.slots[1].width = size[0];
    j.slots[1].height = size[1];
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
    // The plan does not depend on who provides scratch memory.
    uint64_t key = plan->key;
    j.job.scratch.struct_size = sizeof j.job.scratch;
    j.job.scratch.name = 1;
    j.job.scratch.bytes = 1 << 30;
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
    CHECK(plan->key == key);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

// Reserved members of embedded structs must be 0, so that later versions can use them.
static void test_reserved_words(void **state)
{
    fixture *f = *state;
    test_job j;
    const ag_plan *plan = NULL;
    job_create(f, "bloom", 19, 13, &j);
    ag_pass *pass = fixture_pass(f, "bloom");
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
    j.slots[AG_BLOOM_SRC].reserved = 1;
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "reserved"));
    j.slots[AG_BLOOM_SRC].reserved = 0;
    ag_gl_state restore = {.struct_size = sizeof restore, .textures[7].reserved = 1};
    j.job.restore = &restore;
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_ARG);
    restore = (ag_gl_state){.struct_size = sizeof restore, .ssbos[0].reserved = 1};
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_E_ARG);
    CHECK(host_log_error(&f->host, AG_E_ARG, "restore"));
    restore.ssbos[0].reserved = 0;
    CHECK_STATUS(f->ag->declare(pass, &j.job, &plan), AG_OK);
    ag_sat_question q = {.struct_size = 8, .width = 8, .height = 8, .min_box = 1, .max_value = 1};
    CHECK(f->ag->sat_error(&q, AG_SAT_FLOAT32) > 1e30 && f->ag->sat_fraction_bits(&q, 1) == -1);
    CHECK_EQ(f->ag->sat_choose(&q, 1, 0), 0);
    q.struct_size = sizeof q;
    CHECK(f->ag->sat_error(&q, AG_SAT_FLOAT32) < 1);
    f->ag->pass_destroy(pass);
    job_destroy(f, &j);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        FIXTURE_TEST(test_table),
        FIXTURE_TEST(test_status_text),
        FIXTURE_TEST(test_effects),
        FIXTURE_TEST(test_default_initialisers),
        FIXTURE_TEST(test_params),
        FIXTURE_TEST(test_settings_tag),
        FIXTURE_TEST(test_defaults_sizes),
        FIXTURE_TEST(test_slot_size),
        FIXTURE_TEST(test_reserved_words),

        FIXTURE_TEST(test_device_growth),
        FIXTURE_TEST(test_job_growth),
        FIXTURE_TEST(test_texture_growth),
        FIXTURE_TEST(test_settings_growth),
        FIXTURE_TEST(test_output_growth),

        FIXTURE_TEST(test_null_arguments),
        FIXTURE_TEST(test_host_arguments),
        FIXTURE_TEST(test_desc_arguments),
        FIXTURE_TEST(test_shader_dir),
        FIXTURE_TEST(test_context_found),
        FIXTURE_TEST(test_format_words),
        FIXTURE_TEST(test_job_arguments),
        FIXTURE_TEST(test_slot_arguments),
        FIXTURE_TEST(test_setting_arguments),
        FIXTURE_TEST(test_scratch_arguments),
        FIXTURE_TEST(test_effect_arguments),

        FIXTURE_TEST(test_declare),
        FIXTURE_TEST(test_execute_before_prepare),
        FIXTURE_TEST(test_failed_prepare_keeps_plan),
        FIXTURE_SWEEP(test_execute_records_only),
        FIXTURE_TEST(test_barriers),
        FIXTURE_TEST(test_other_thread),
        FIXTURE_TEST(test_lost),
        FIXTURE_TEST(test_context_gone),
        FIXTURE_TEST(test_forget),
        FIXTURE_SWEEP(test_without),
        FIXTURE_TEST(test_run),
        FIXTURE_TEST(test_simple),
        FIXTURE_TEST(test_simple_frames),
        FIXTURE_TEST(test_simple_errors),

        FIXTURE_TEST(test_destroy_elsewhere),
        FIXTURE_TEST(test_host_garbage),
        FIXTURE_TEST(test_aliases),
        FIXTURE_TEST(test_texture),
        FIXTURE_TEST(test_texture_errors),
        FIXTURE_TEST(test_texture_without_dsa),
        FIXTURE_TEST(test_levels),
        FIXTURE_TEST(test_validate),
    };
    return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
}
