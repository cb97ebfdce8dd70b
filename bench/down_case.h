// down_case.h - what the benches of images made smaller share: exact results, and ways that draw
// SPDX-License-Identifier: MIT
#ifndef BENCH_DOWN_CASE_H
#define BENCH_DOWN_CASE_H

#include "baselines/down_ways.h"
#include "pass.h"

// The area average of an image in double precision, row by row; the caller frees. NULL: no memory.
double *area_average(const double *from, int channels, int width, int height, int to_width,
                     int to_height);
// The same of the colours of a picture, RGB.
double *down_exact(const picture *source, int width, int height);
// A texture with all levels, filtered linearly, of which the first holds the picture. 0: no memory.
GLuint down_chain(const GladGLContext *gl, GLenum format, const picture *source);
// The colours of a level against what they should be; `scale` as reference_compare has it.
accuracy down_compare(const GladGLContext *gl, GLuint texture, int level, int width, int height,
                      const double *exact, double scale);

typedef struct drawn { // a way that draws, on as many chains as a cold run needs
    bench *owner;
    down_ways ways;
    down_way way;
    GLuint sources[MEASURE_MAX_SETS];
    int sets;
} drawn;

extern const char *const down_subjects[DOWN_WAYS]; // names in reports

// `levels` halvings of `source`: fills the row's times. drawn_close afterwards, also of what
// failed. Returns a STATUS_*; errors are printed.
int drawn_measure(bench *owner, GLenum format, const picture *source, down_way way, int levels,
                  report_row *row, drawn *out);
void drawn_close(drawn *target);

// The document's table, remade: downsample_document.c.
int down_document(bench *owner);

#endif
