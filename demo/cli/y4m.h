// cli/y4m.h - headers of YUV4MPEG2 streams (.y4m), as ffmpeg, mpv and x264 write and read them
// SPDX-License-Identifier: MIT
//
// A stream is a line "YUV4MPEG2 W640 H360 F25:1 Ip A1:1 C420jpeg", then of each frame a line
// "FRAME" and its planes.
#ifndef CLI_Y4M_H
#define CLI_Y4M_H

#include "video.h"

enum { Y4M_LINE = 256 }; // bytes of a line at most, with its end

typedef struct y4m_header {
    video_format format;
    double rate;         // frames a second
    char kept[Y4M_LINE]; // tags of F, A and X, which the output repeats
    char colours[32];    // the tag C, or ""
} y4m_header;

// `line` is the first one, without its end. `bt709` says the matrix: 1 BT.709, 0 BT.601, -1 by the
// size, as players do: BT.709 from 1280 texels of a row, or above 576 rows. Returns a STATUS_*;
// errors are printed.
int y4m_parse(const char *path, const char *line, int bt709, y4m_header *out);
// The line of a stream of another size, with its end.
void y4m_print(const y4m_header *header, int width, int height, char out[2 * Y4M_LINE]);

#endif
