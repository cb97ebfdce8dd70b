// abi_alias.c - two slots with one texture: in the same level, and in two versions
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "test_abi.h"

// Slot k gets slot i's texture. With its format, if the slot takes that, else with its own format:
// names are compared before GL is asked.
static bool refuses(fixture *f, ag_pass *pass, test_job *j, uint32_t i, uint32_t k)
{
    ag_texture kept = j->slots[k];
    j->slots[k] = j->slots[i];
    ag_status status = f->ag->prepare(pass, &j->job);
    if (status == AG_E_FORMAT && kept.format) {
        j->slots[k] = kept;
        j->slots[k].name = j->slots[i].name;
        j->slots[k].level = j->slots[i].level;
    }
    if (status != AG_E_FORMAT || kept.format) {
        host_log_clear(&f->host);
        CHECK_STATUS(f->ag->prepare(pass, &j->job), AG_E_ARG);
        CHECK_F(host_log_error(&f->host, AG_E_ARG, "are the same level of texture"),
                "%s, slots %u and %u: %s", j->info->id, i, k, host_log_last(&f->host));
    }
    CHECK(f->ag->execute(pass, &j->job, NULL) < 0);
    j->slots[k] = kept;
    return status != AG_E_FORMAT || kept.format;
}

// Every pair of a written slot with another one, optional ones included. An effect that works in
// place has one slot for that; sat alone takes src and dst as one texture, and test_sat compares
// that with the table apart.
void test_aliases(void **state)
{
    fixture *f = *state;
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e) {
        const ag_effect_info *info = effects[e];
        test_job j;
        job_create(f, info->id, JOB_WIDTH, JOB_HEIGHT, &j);
        ag_pass *pass = fixture_pass(f, info->id);
        uint32_t written = 0, refused = 0;
        for (uint32_t i = 0; i < info->slot_count; ++i) {
            if (!(job_slot_info(info, i)->access & AG_WRITE) || !j.slots[i].name)
                continue;
            ++written;
            for (uint32_t k = 0; k < info->slot_count; ++k) {
                if (i == k || (strcmp(info->id, "sat") == 0 && i + k == 1))
                    continue;
                uint32_t slot_count = j.job.slot_count;
                j.job.slot_count = info->slot_count;
                refused += refuses(f, pass, &j, i, k);
                j.job.slot_count = slot_count;
            }
        }
        printf("  ok    %-16s %u of its slots written; %u pairs refused as one texture\n", info->id,
               written, refused);
        bool one = info->slot_count == 1 || strcmp(info->id, "sat") == 0;
        CHECK_F(refused > 0 || one, "%s refuses no pair", info->id);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}

// Every pair of slots, read ones too: one texture in two versions would be prepared, and then never
// be found by execute. With one version it is whatever the effect says of the job.
void test_versions(void **state)
{
    fixture *f = *state;
    uint32_t count = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e) {
        test_job j;
        job_create(f, effects[e]->id, JOB_WIDTH, JOB_HEIGHT, &j);
        job_fill_optional(f, &j);
        ag_pass *pass = fixture_pass(f, effects[e]->id);
        uint32_t refused = 0, taken = 0;
        for (uint32_t i = 0; i < j.info->slot_count; ++i)
            for (uint32_t k = 0; k < j.info->slot_count; ++k) {
                ag_texture kept = j.slots[k];
                if (i == k || j.slots[i].format != kept.format)
                    continue;
                j.slots[k] = j.slots[i];
                if (f->ag->prepare(pass, &j.job) >= 0) {
                    ++taken;
                    CHECK_STATUS(f->ag->execute(pass, &j.job, NULL), AG_OK);
                }
                j.slots[k].version = j.slots[i].version + 1;
                host_log_clear(&f->host);
                CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_ARG);
                CHECK_F(host_log_error(&f->host, AG_E_ARG, "version") ||
                            host_log_error(&f->host, AG_E_ARG, "are the same level of texture"),
                        "%s, slots %u and %u: %s", j.info->id, i, k, host_log_last(&f->host));
                refused += host_log_error(&f->host, AG_E_ARG, "version");
                j.slots[k] = kept;
            }
        printf("  ok    %-16s %u pairs taken in one version, %u refused in two\n", j.info->id,
               taken, refused);
        CHECK(refused >= taken);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}
