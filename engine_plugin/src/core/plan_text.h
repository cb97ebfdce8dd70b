// plan_text.h - the last touch to a plan in words
// SPDX-License-Identifier: MIT
#ifndef AG_PLAN_TEXT_H
#define AG_PLAN_TEXT_H

// Effects count with "%d levels". After a 1 the word loses its plural: "1 levels" becomes
// "1 level", "1 dispatches" "1 dispatch". Numbers that a letter, digit, point or sign precedes are
// no counts.
void ag_plan_text_singular(char *text);

#endif
