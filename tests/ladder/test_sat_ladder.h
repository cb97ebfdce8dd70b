// test_sat_ladder.h - the tests of the documents' scans, in files by what they hold
// SPDX-License-Identifier: MIT
#ifndef AG_SAT_LADDER_TESTS_H
#define AG_SAT_LADDER_TESTS_H

#include <afterglow/ladder_sat.h>

#include "folder.h"
#include "random.h"
#include "trial.h"
#include "values.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
enum { METHODS = AG_SCAN_LOOKBACK + 1 };

// test_sat_ladder.c: a scan of values, with the effect's defaults. trial_check holds entries of
// integers (scan_of_integers) to their bits, and others to the bound that the plan states.
trial scan_of(fixture *f, ag_pass *pass, int method, const char *format, int width, int height,
              const double *src, ag_sat_ladder_settings *s);
trial scan_of_integers(fixture *f, ag_pass *pass, int method, const char *format, int width,
                       int height, const double *src, ag_sat_ladder_settings *s);
bool scan_check(trial *t); // and frees it

// sat_ladder_files.c: the text of a shader; malloc. And a folder of the shaders in these folders
// (NULL ends them), where `from` became `to` in one of them.
char *shader_text(const char *path);
folder shader_folder(const char *const *names, const char *edited, const char *from,
                     const char *to);

void test_golden(void **state);       // sat_ladder_trees.c
void test_work(void **state);         // sat_ladder_networks.c
void test_silent_tiles(void **state); // sat_ladder_lookback.c
void test_narrow(void **state);
void test_expired(void **state);
void test_indirect_binding(void **state);

#endif
