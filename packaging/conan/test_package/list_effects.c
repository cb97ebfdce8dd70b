// list_effects.c - links the package, and prints what its module says
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>
#include <stdio.h>

int main(void)
{
    const ag_api *ag = ag_entry_v1(AG_ABI_MINOR);
    uint32_t count;
    const ag_effect_info *const *effects = ag->effects(&count);
    printf("afterglow %s:", ag->version);
    for (uint32_t i = 0; i < count; i++)
        printf(" %s", effects[i]->id);
    printf("\n");
    return count > 0 ? 0 : 1;
}
