// fft/bloom_rows_r2c.glsl - the body of bloom_rows_r2c.comp and bloom_rows_r2c_compact.comp
//   SPDX-License-Identifier: MIT
#include "common/info.glsl"
#include "bloom/filter.glsl"
#include "fft/rows_columns.glsl"

int column_of(int place, out bool inside) { return column_in_order(place, inside); }

#define FILTERABLE 1
#include "fft/rows_texels.glsl"

void main()
{
    uint line = LINE, thread = THREAD;
    int pair = int(gl_WorkGroupID.x * uint(LINES) + line);
    bool alive = LINES == 1 || pair < ROW_PAIRS;
    pair = min(pair, ROW_PAIRS - 1); // so that every load is from inside

    int begin = PER_CHANNEL == 1 ? int(gl_WorkGroupID.y) : 0, end = begin + CHANNELS + NEVER;
    // Not unrolled: one copy of the transform stays in the instruction cache (docs/decisions.md,
    // D48).
    for (int c = begin; c < end; ++c) {
        if (c == begin || PAIRS_ARE_FLOATS == 0 && FILTERS) {
            uint bad = load_rows(c, c == begin, pair, thread, alive);
            if (c == 0 && alive && SCRUBS != 0)
                count_bad(bad);
        } else {
            unpack_next_channel();
        }
#include "fft/transform.glsl"
        store_spectra(c, line, thread, pair, alive);
    }
}
