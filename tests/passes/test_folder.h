// test_folder.h - the tests of passes from folders that are in files of their own
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_FOLDER_TESTS_H
#define AG_TEST_FOLDER_TESTS_H

// folder_reload.c
void test_edits(void **state);
void test_interface(void **state);
void test_broken(void **state);
void test_random_edits(void **state);

// folder_errors.c
void test_left_out(void **state);
void test_refusals(void **state);
void test_memory(void **state);
void test_strangers(void **state);
void test_names(void **state);

#endif
