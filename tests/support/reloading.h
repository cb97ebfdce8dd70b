// reloading.h - a device on a folder of shaders, a small convolution on it, and edits of the folder
// SPDX-License-Identifier: MIT
//
// The convolution uses the direct method: two programs, which compile fast. An edit multiplies its
// colours by a factor, so the picture shows which edit was used. The test controls the clock: a
// frame is 10 ms unless the test sets another time, and nothing waits.
#ifndef AG_TEST_RELOADING_H
#define AG_TEST_RELOADING_H

#include "folder.h"
#include "jobs.h"

#define DIRECT "fft/direct.comp"
#define SUMS "fft/kernel_sum.comp"
#define LOAD "common/source.glsl"

typedef struct reloading { // do not copy
    folder d;
    fixture *f;
    ag_device_desc desc;
    test_job j;
    ag_pass *pass;
    double *plain;     // the picture of the unedited shaders
    uint64_t frame_ns; // that the clock advances by, before each frame
} reloading;

// An embedded shader. Ends the test when there is none of that name.
const struct ag_embedded_file *reloading_embedded(const char *name);
// Writes the embedded shaders as files.
folder reloading_folder(void);
// The first line of an embedded shader with this text.
uint32_t reloading_line(const char *name, const char *text);
// The text of an embedded shader with `from`, which must be in it, replaced. malloc.
char *reloading_text(const char *name, const char *from, const char *to);
// Writes that text to the folder.
void reloading_edit(folder *d, const char *name, const char *from, const char *to);
// Edits the direct convolution to be `factor` times as bright.
void reloading_brighten(folder *d, int factor);

// Opens device and pass, prepares and executes. `hide`: extensions with this part are hidden.
// `budget`: of a frame. Ends the test program with 77 if there is no GL.
reloading *reloading_open(const char *hide, uint32_t budget);
void reloading_close(reloading *r); // checks that nothing leaked

void reloading_frame(reloading *r);
// Runs frames until nothing is pending, at least 300 ms; returns how many. Ends the test if
// something stays pending.
int reloading_settle(reloading *r);
ag_reload reloading_status(reloading *r);
// Executes the job. Returns the factor by which its picture differs exactly from the plain one; 0:
// it is another picture.
int reloading_factor(reloading *r);
int reloading_factor_of(reloading *r, ag_pass *pass, test_job *j, const double *plain);
double *reloading_picture(reloading *r, ag_pass *pass, test_job *j); // executes; malloc

#endif
