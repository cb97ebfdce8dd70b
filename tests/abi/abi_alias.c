// abi_alias.c - two slots that are the same level of one texture: refused by every effect but sat
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "jobs.h"
#include "test_abi.h"

// Every pair of a written slot with another one. An effect that works in place has one slot for
// that; sat alone takes src and dst as one texture, and test_sat compares that with the table apart.
void test_aliases(void **state)
{
    fixture *f = *state;
    uint32_t count = 0, refused = 0;
    const ag_effect_info *const *effects = f->ag->effects(&count);
    for (uint32_t e = 0; e < count; ++e) {
        test_job j;
        job_create(f, effects[e]->id, 9, 7, &j);
        ag_pass *pass = fixture_pass(f, effects[e]->id);
        for (uint32_t i = 0; i < effects[e]->slot_count; ++i)
            for (uint32_t k = 0; k < effects[e]->slot_count; ++k) {
                bool writes = job_slot_info(effects[e], i)->access & AG_WRITE;
                bool taken = strcmp(effects[e]->id, "sat") == 0 && i + k == 1;
                ag_texture kept = j.slots[i];
                if (!writes || i == k || !j.slots[i].name || !j.slots[k].name || taken)
                    continue;
                j.slots[i].name = j.slots[k].name;
                j.slots[i].level = j.slots[k].level;
                host_log_clear(&f->host);
                CHECK_STATUS(f->ag->prepare(pass, &j.job), AG_E_ARG);
                CHECK_F(host_log_error(&f->host, AG_E_ARG, "are the same level of texture"),
                        "%s, slots %u and %u: %s", effects[e]->id, i, k, host_log_last(&f->host));
                CHECK(f->ag->execute(pass, &j.job, NULL) < 0);
                ++refused;
                j.slots[i] = kept;
            }
        f->ag->pass_destroy(pass);
        job_destroy(f, &j);
    }
    printf("  ok    %u pairs of slots refused as one texture\n", refused);
    CHECK(refused >= count);
}
