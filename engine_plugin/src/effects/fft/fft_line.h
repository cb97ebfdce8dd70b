// fft_line.h - plans the FFT of one line: radices, threads, shared memory, cost. Pure C, no GL
// SPDX-License-Identifier: MIT
//
// Source: register-tiled Stockham stages as in Govindaraju et al. 2008, "High Performance Discrete
// Fourier Transforms on Graphics Processors".
#ifndef AG_FFT_LINE_H
#define AG_FFT_LINE_H

#include "shaders/fft/interface.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AG_FFT_MAX_LENGTH = 8192, // points a line
    AG_FFT_MAX_STAGES = 5,
    AG_FFT_EXACT = 8,           // columns that compact storage keeps as floats
    AG_FFT_SHARED_BYTES = 32768 // what GL 4.3 promises a work group
};

typedef struct ag_fft_line { // how one line is transformed
    int32_t length;          // points, 2^a 3^b 5^c 7^d
    int32_t stages;
    int32_t radix[AG_FFT_MAX_STAGES]; // product = length; the inverse runs them from last to first
    int32_t threads;                  // of one line
    int32_t elements;                 // complex values a thread holds
    int32_t lines;                    // lines a work group transforms at once
    bool row;                         // the last stage holds mirrored frequencies (fft/line.glsl)
    bool split;                       // real and imaginary parts take turns in shared memory
    bool narrow;   // rows of few frequencies: the last radix is any number (fft/rows_store.glsl)
    bool in_place; // by columns_band_limited.comp: a head, then stages of radix 4, in shared memory
    int32_t stride; // places of shared memory a line
    // Exchanges after each stage but the last, in order and reversed: element j lies at
    // j + j / block * pad.
    int32_t block[2][AG_FFT_MAX_STAGES - 1], pad[2][AG_FFT_MAX_STAGES - 1];
    int64_t cost; // of one line, in instructions, with idle threads and waits: selects schedules
} ag_fft_line;

// Plans a line of exactly `length` points, a row (an even number) or a column. Short lines share a
// group, columns come two by two where they fit. False: not smooth, too long, odd, or too many
// threads.
bool ag_fft_plan_line(int32_t length, bool row, int32_t max_invocations, ag_fft_line *line);
// Plans a row of which the first `kept` frequencies are stored, with twice as many threads. False:
// too many of them.
bool ag_fft_plan_narrow(int32_t length, int32_t kept, int32_t max_invocations, ag_fft_line *line);
// Plans a line of `length` points for shaders/fft/lines.glsl, whose threads hold `channels` complex
// values an element: fewer elements, and at most 512 threads.
bool ag_fft_plan_texels(int32_t length, int32_t channels, int32_t max_invocations,
                        ag_fft_line *line);
// The same for shaders/fft/spread.comp: `lines` counts each channel of a line. False, too:
// the group would have too many threads or too much memory.
bool ag_fft_plan_spread(int32_t length, int32_t channels, int32_t max_invocations,
                        ag_fft_line *line);
// Plans a column of `length` points, a line a group, for shaders/fft/columns_band_limited.comp.
// False: the length is no 2 .. 16 times a power of 4, or too long.
bool ag_fft_plan_in_place(int32_t length, int32_t max_invocations, ag_fft_line *line);
// Whether there is such a line, of ag_fft_plan_line.
bool ag_fft_has_line(int32_t length, bool row, int32_t max_invocations);
// Picks paddings and the stride of lines for the fewest bank conflicts within the promised memory,
// once lines and split are chosen. False: the lines do not fit.
bool ag_fft_plan_shared(ag_fft_line *line);
// Bytes of shared memory of a group.
int32_t ag_fft_shared_bytes(const ag_fft_line *line);

// The length to pad a line of `minimum` points to (an even one for rows), or 0 when none is long
// enough: the next of a list with at most eight an octave, at most 1/7 (below 64: 1/3)
// apart.
int32_t ag_fft_good_length(int32_t minimum, bool row, int32_t max_invocations);

// Entries (four floats each) of the twiddle table of a line: those of the stages in order, then
// (if reverse) in the reversed order.
int32_t ag_fft_twiddle_count(const ag_fft_line *line, bool reverse);
// Fills it, both orders, in double precision: with w(m) = exp(-2 pi i m / (former radices *
// radix)), stage after stage, for m = 0 .. former radices - 1: w(m), w(2m), and for radices above 4
// also w(4m), w(8m).
void ag_fft_twiddles(const ag_fft_line *line, float *table);

// "2048 = 16 x 16 x 8, 128 threads x 16 points, 2 lines a group"
void ag_fft_describe(const ag_fft_line *line, char *text, size_t size);

#endif
