// test_abi.h - the tests of test_abi, by file
// SPDX-License-Identifier: MIT
#ifndef AG_TEST_ABI_TESTS_H
#define AG_TEST_ABI_TESTS_H

// abi_structs.c: older and newer hosts
void test_device_growth(void **state);
void test_job_growth(void **state);
void test_texture_growth(void **state);
void test_settings_growth(void **state);
void test_output_growth(void **state);

// abi_host.c: wrong members of the host and of the device's description
void test_host_arguments(void **state);
void test_desc_arguments(void **state);
void test_shader_dir(void **state);
void test_context_found(void **state);
void test_format_words(void **state);

// abi_arguments.c: one wrong argument at a time
void test_null_arguments(void **state);
void test_job_arguments(void **state);
void test_slot_arguments(void **state);
void test_setting_arguments(void **state);
void test_scratch_arguments(void **state);
void test_effect_arguments(void **state);

// abi_mistakes.c: wrong hosts
void test_destroy_elsewhere(void **state);
void test_host_garbage(void **state);

// abi_textures.c: textures that their slots describe wrongly
void test_levels(void **state);
void test_validate(void **state);

// abi_texture.c: what GL says of a texture
void test_texture(void **state);
void test_texture_errors(void **state);
void test_texture_without_dsa(void **state);

// abi_alias.c: two slots that are one texture
void test_aliases(void **state);

// abi_without.c: features of the driver that a device does not use
void test_without(void **state);

// abi_simple.c: one call a frame, and simple.h
void test_run(void **state);
void test_simple(void **state);
void test_simple_frames(void **state);
void test_simple_errors(void **state);

// abi_lifetime.c: order, threads, loss
void test_declare(void **state);
void test_execute_before_prepare(void **state);
void test_failed_prepare_keeps_plan(void **state);
void test_execute_records_only(void **state);
void test_barriers(void **state);
void test_other_thread(void **state);
void test_lost(void **state);
void test_context_gone(void **state);
void test_forget(void **state);

#endif
