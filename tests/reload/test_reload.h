// test_reload.h - what the files of test_reload share
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_RELOAD_TESTS_H
#define AG_TEST_RELOAD_TESTS_H

// reload_driver.c: drivers that compile in the background, and drivers that do not
void test_edit_during_compile(void **state);
void test_one_program_a_frame(void **state);
void test_slow_frames(void **state);
void test_slow_frames_threads(void **state);
void test_saved_before_slow_frame(void **state);
void test_never_half_swapped(void **state);
void test_threads_asked_once(void **state);
void test_execute_stays_free(void **state);

// reload_interface.c: edits that change what a program binds
void test_interface_refused(void **state);
void test_interface_kept(void **state);

// reload_passes.c: effects on passes
void test_shared_include(void **state);
void test_one_pass_broken(void **state);
void test_prepare_while_broken(void **state);
void test_first_prepare(void **state);
void test_include_in_condition(void **state);
void test_same_expansion(void **state);
void test_remake(void **state);
void test_bloom_of_any_kernel(void **state);
void test_every_effect(void **state);
void test_ends_in_the_middle(void **state);
void test_out_of_memory(void **state);

// reload_random.c
void test_random_edits(void **state);

#endif
