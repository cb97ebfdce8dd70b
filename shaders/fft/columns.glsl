// fft/columns.glsl - the body of columns.comp and columns_compact.comp
//   SPDX-License-Identifier: MIT
#include "fft/columns_load.glsl"
#include "fft/kernel_read.glsl"

void multiply(int column, uint thread)
{
    kernel_column kernel = column_to_read(column);
    if (KERNEL_FORM == AG_KERNEL_COMPLEX)
        for (int i = 0; i < ROUNDS(LAST, false); ++i) {
            int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
            for (int k = 0; k < LAST; ++k)
                v[i * LAST + k] = cmul(v[i * LAST + k], complex_value(kernel, b + k * LAST_STEP));
        }
    else
        for (int i = 0; i < ROUNDS(LAST, false); ++i) {
            int b = min(int(thread) + i * THREADS, LAST_STEP - 1);
            for (int k = 0; k < LAST; ++k)
                v[i * LAST + k] *= kernel_value(kernel, b + k * LAST_STEP);
        }
}

// Whether a thread stores an element: a row of the image, in a butterfly that it has.
#define STORED(i, k) \
    (HAS_BUTTERFLY(i, FIRST_STEP, false) && (PADDED == 0 || b + (k) * FIRST_STEP < rows))

// The entry defines both.
void load_exact(int column, uint thread);
void store_column(int column, uint thread, uint line, bool alive);

void main()
{
    uint line = LINE, thread = THREAD;
    int column = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = column < KEPT;
    column = min(column, KEPT - 1);

    load_column(column, thread);
    load_exact(column, thread);
#include "fft/transform.glsl"
    multiply(column, thread);
    for (int i = 0; i < ELEMENTS; ++i)
        v[i] = v[i].yx;
#include "fft/transform_back.glsl"
    store_column(column, thread, line, alive);
}
