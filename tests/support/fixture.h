// fixture.h - a headless debug context, a test host and a device: what a GL test starts from
// SPDX-License-Identifier: MIT
//
// int main(int argc, char **argv)
// {
//     const check_test tests[] = {FIXTURE_TEST(test_identity), ...};
//     return CHECK_MAIN(argc, argv, tests, fixture_setup, fixture_teardown);
// }
//
// fixture_setup opens one context and one device for the group (exits 77 when there is no GL 4.3);
// FIXTURE_TEST checks after each test that the driver reported no problem and that memory was freed
// with the right sizes; fixture_teardown destroys the device and fails on leaks.
#ifndef AG_TEST_FIXTURE_H
#define AG_TEST_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <glad/gl.h>

#include "check.h"
#include "host.h"

typedef struct fixture_options {      // all zero: a debug context of 4.3 with a device on it
    bool no_device, robust, no_error; // no_error: no debug context either
    bool quiet;                       // record what the driver says, print it only on failure
    int major, minor;
    headless *share;
    const ag_device_desc *desc;
    const char *module; // a library to load (common/module.h); NULL: the linked product
} fixture_options;

typedef struct fixture {
    headless *context;
    GladGLContext gl; // for the test's own calls: not counted by host.trace
    const ag_api *ag;
    test_host host;
    ag_device *device;
    uint32_t gl_complaints; // driver messages that fail a test; cleared after each
    uint32_t gl_messages;   // all messages
    bool threaded;          // the driver has a thread for GL calls: see mesa_glthread in fixture.c
    bool kept;              // zink: the context is not destroyed
    bool gl_ignore;         // fixture_ignore: calls are wrong on purpose
    bool gl_transfer;       // set around the tests' own transfers, which drivers report as slow
    uint32_t gl_own_note;   // fixture_own: the id of a driver's note on the tests' own calls
    char gl_last[512];      // the last complaint
} fixture;

// Returns NULL, with a line on stderr, when there is no such context. The context is current.
fixture *fixture_open(const fixture_options *options);
// Destroys device and context. Returns false (and prints) on leaks, wrong frees or complaints.
bool fixture_close(fixture *f);
// Destroys the context first (on zink it is only no longer current), then the device with
// context_gone. Returns false on leaks, wrong frees, or when that made a GL call.
bool fixture_close_gone(fixture *f);
// Creates f->device (fixture_open did unless no_device). Ends the test on failure.
void fixture_device(fixture *f, const ag_device_desc *desc);
// Makes context and trace current on this thread.
void fixture_current(fixture *f);
// Around calls that are wrong on purpose.
void fixture_ignore(fixture *f, bool ignore);
// For calls of the test itself, not of the module: performance notes with this id are then no
// complaints. 0: ends this. Ids of NVIDIA's driver:
enum { NOTE_BUFFER_MOVED = 131186, NOTE_RECOMPILED = 131218 };
void fixture_own(fixture *f, uint32_t note);
// True if since the last call the driver reported no problem, glGetError is clear, and no free was
// wrong; else prints what was wrong.
bool fixture_clean(fixture *f);
// A pass of an effect on f->device. Ends the test on failure.
ag_pass *fixture_pass(fixture *f, const char *effect);
// prepare and execute, both required to succeed; ends the test on failure. Then glFinish.
void fixture_run(fixture *f, ag_pass *pass, const ag_job *job);
// A compute program of the test's own. Ends the test, with what the driver says, if it is wrong.
GLuint fixture_program(fixture *f, const char *text);
// Whether the context has GL_QUERY_BUFFER; a host of the minimums never binds one.
bool fixture_has_query_buffer(fixture *f);
// The non-finite texels that the device has counted so far. Waits, because the count arrives some
// frames later.
uint64_t fixture_scrubbed(fixture *f);

int fixture_setup(void **state);        // *state becomes a fixture
int fixture_setup_bare(void **state);   // the same without a device
int fixture_setup_ladder(void **state); // on the second module, libafterglow_ladder
int fixture_teardown(void **state);
int fixture_after_test(void **state);
// clang-format off
#define FIXTURE_TEST(function) {#function, function, fixture_after_test, CHECK_WHOLE}
#define FIXTURE_SWEEP(function) {#function, function, fixture_after_test, CHECK_SWEEP}
#define FIXTURE_FULL(function) {#function, function, fixture_after_test, CHECK_FULL_ONLY}
// clang-format on

#endif
