// plan_text.c - the last touch to a plan in words
// SPDX-License-Identifier: MIT
#include "core/plan_text.h"

#include <stdbool.h>
#include <string.h>

// How many letters the plural of a word has more than its singular.
static size_t plural_letters(const char *word, size_t length)
{
    if (length < 3 || word[length - 1] != 's' || word[length - 2] == 's')
        return 0;
    bool hisses = word[length - 2] == 'e' && length > 4 &&
                  (!strncmp(word + length - 4, "ss", 2) || !strncmp(word + length - 4, "ch", 2));
    return hisses ? 2 : 1;
}

void ag_plan_text_singular(char *text)
{
    for (char *at = text; (at = strstr(at, "1 ")) != NULL;) {
        bool alone = at == text || strchr(" ;:,(", at[-1]);
        at += 2;
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        size_t more = alone ? plural_letters(at, length) : 0;
        memmove(at + length - more, at + length, strlen(at + length) + 1);
    }
}
