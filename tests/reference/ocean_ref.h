// ocean_ref.h - the waves of the effect "ocean" in double precision
// SPDX-License-Identifier: MIT
//
// The definition of afterglow/ocean.h, mode by mode: amplitudes, noise, time, and eight real fields
// by FFTW, each with a transform of its own.
#ifndef AG_TEST_OCEAN_REF_H
#define AG_TEST_OCEAN_REF_H

#include <stdbool.h>

#include "afterglow/ocean.h"

enum { OCEAN_FIELDS = 9 }; // Dx, eta, Dz, dDx/dz; d eta/dx, d eta/dz, dDx/dx, dDz/dz; J

int ocean_ref_size(const ag_ocean_settings *s);
// One cascade: N * N * OCEAN_FIELDS values, with choppiness.
void ocean_ref_run(const ag_ocean_settings *s, int cascade, double *fields);
// P(k) of mode (n, m), its cell averaged as docs/ocean.md says; 0: in another cascade's ring.
double ocean_ref_variance(const ag_ocean_settings *s, int cascade, int n, int m);
// The integral of S over all frequencies.
double ocean_ref_energy(const ag_ocean_settings *s);

#endif
