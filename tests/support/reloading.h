// reloading.h - a device on a folder of shaders, a small convolution on it, and edits of the folder
// SPDX-License-Identifier: MIT
//
// The convolution is the direct one: two programs, cheap to compile. One edit makes its colours
// FACTOR times as bright, so that a picture tells which edit it was made by. The clock is the
// test's: a frame is 10 ms, and nobody waits.
#ifndef AG_TEST_RELOADING_H
#define AG_TEST_RELOADING_H

#include "folder.h"
#include "jobs.h"

#define DIRECT "fft/direct.comp"
#define SUMS "fft/kernel_sum.comp"
#define LOAD "common/load.glsl"

typedef struct reloading { // do not copy
    folder d;
    fixture *f;
    ag_device_desc desc;
    test_job j;
    ag_pass *pass;
    double *plain; // the picture that unedited shaders make
} reloading;

// An embedded shader. Ends the test when there is none of that name.
const struct ag_embedded_file *reloading_embedded(const char *name);
// The embedded shaders as files.
folder reloading_folder(void);
// The line of an embedded shader that has this text first.
uint32_t reloading_line(const char *name, const char *text);
// The text of an embedded shader with `from`, which must be in it, replaced. malloc.
char *reloading_text(const char *name, const char *from, const char *to);
// Writes that text to the folder.
void reloading_edit(folder *d, const char *name, const char *from, const char *to);
// The direct convolution `factor` times as bright.
void reloading_brighten(folder *d, int factor);

// Opens device and pass, prepares and executes. `hide`: extensions with this part do not exist.
// `budget`: of a frame. Ends the test program with 77 when there is no GL.
reloading *reloading_open(const char *hide, uint32_t budget);
void reloading_close(reloading *r); // checks that nothing leaked

void reloading_frame(reloading *r);
// Frames until all is settled, at least 300 ms of them; how many. Ends the test when it never is.
int reloading_settle(reloading *r);
ag_reload reloading_status(reloading *r);
// Executes the job. Its picture is `factor` times the plain one, to the bit; 0: it is something
// else.
int reloading_factor(reloading *r);
int reloading_factor_of(reloading *r, ag_pass *pass, test_job *j, const double *plain);
double *reloading_picture(reloading *r, ag_pass *pass, test_job *j); // executes; malloc

#endif
