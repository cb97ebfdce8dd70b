// sat_expected.h - what the benches of "sat" check tables with
// SPDX-License-Identifier: MIT
#ifndef BENCH_SAT_EXPECTED_H
#define BENCH_SAT_EXPECTED_H

#include "picture.h"

// Three colours an entry of the table in double; exact, because the source's floats have few bits.
// `largest`: of its entries. malloc; NULL: no memory, or not checked, beyond 4096 texels a row.
double *sat_expected(const picture *source, double *largest);

#endif
