// cli/stream_options.h - the options of `afterglow run` for frames of a video
// SPDX-License-Identifier: MIT
#ifndef CLI_STREAM_OPTIONS_H
#define CLI_STREAM_OPTIONS_H

#include "run.h"

// All return a STATUS_*; errors are printed.
int stream_parse_raw(const char *text, video_format *out); // "640x360:rgb24"
int stream_parse_matrix(const char *text, int *bt709);
// Sets request->stream if an input or the output is a stream, and checks what streams ask for.
int stream_check(run_request *request);

#endif
