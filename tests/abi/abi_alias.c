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

// One texture in two versions would be prepared, and then never be found by execute.
static bool takes_two_versions(fixture *f, ag_pass *pass, test_job *j, uint32_t i, uint32_t k)
{
    ag_texture kept = j->slots[k];
    j->slots[k] = j->slots[i];
    j->slots[k].version = j->slots[i].version + 1;
    host_log_clear(&f->host);
    CHECK_STATUS(f->ag->prepare(pass, &j->job), AG_E_ARG);
    bool named = host_log_error(&f->host, AG_E_ARG, "version");
    CHECK_F(named || host_log_error(&f->host, AG_E_ARG, "are the same level of texture"),
            "%s, slots %u and %u: %s", j->info->id, i, k, host_log_last(&f->host));
    j->slots[k] = kept;
    return !named;
}

// Every pair of slots, optional ones included. An effect that works in place has one slot for that;
// sat alone takes src and dst as one texture, and test_sat compares that with the table apart.
void test_aliases(void **state)
{
    fixture *f = *state;
    for (const ag_effect_info *const *e = job_effects(f->ag); *e; ++e) {
        const ag_effect_info *info = *e;
        bool sat = strcmp(info->id, "sat") == 0;
        uint32_t refused = 0, versions = 0;
        test_job j;
        job_create(f, info->id, JOB_WIDTH, JOB_HEIGHT, &j);
        job_fill_optional(f, &j);
        ag_pass *pass = fixture_pass(f, info->id);
        for (uint32_t i = 0; i < info->slot_count; ++i)
            for (uint32_t k = 0; k < info->slot_count; ++k) {
                bool written = job_slot_info(info, i)->access & AG_WRITE;
                if (i != k && written && !(sat && i + k == 1))
                    refused += refuses(f, pass, &j, i, k);
                if (i != k && j.slots[i].format == j.slots[k].format)
                    versions += !takes_two_versions(f, pass, &j, i, k);
            }
        printf("  ok    %-16s %u pairs refused as one texture, %u in two versions\n", info->id,
               refused, versions);
        CHECK_F(refused > 0 || info->slot_count == 1 || sat, "%s refuses no pair", info->id);
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
}
