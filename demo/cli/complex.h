// cli/complex.h - slots of real and imaginary parts, and files that hold both
// SPDX-License-Identifier: MIT
//
// A slot NAME may have a slot NAME_imag beside it. A complex .npy file fills both, and a complex
// result of both becomes one such file; in a folder each slot has a file of its own.
#ifndef CLI_COMPLEX_H
#define CLI_COMPLEX_H

#include "run.h"

// The slot NAME_imag of slot NAME, or -1.
int complex_slot(const ag_effect_info *effect, int slot);
// The slot of imaginary parts that is written together with `slot`, or -1: the result is not
// complex, or the output is a picture or a folder.
int complex_partner(const run_request *request, int slot);
// Whether the results are complex, as the settings have it; of an effect with such slots.
bool complex_result(const run_request *request);
// Whether a slot of imaginary parts is an output with a file of its own.
bool complex_output(const run_request *request, int slot);
// The format of an output of an effect on complex images: floats; NULL: the effect has none.
const format_info *complex_format(const run_request *request, int slot, const format_info *source);
// Joins the two images: `real` gets the floats of `imag`, which is emptied. Returns a STATUS_*.
int complex_join(image *real, image *imag);
// The real parts above the imaginary parts, as one image of real numbers. Returns a STATUS_*.
int complex_stack(const image *source, image *out);

#endif
