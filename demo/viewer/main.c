// viewer/main.c - `afterglow-viewer`: a small engine around Afterglow
// SPDX-License-Identifier: MIT
#include "command.h"
#include "file.h"
#include "frames_mode.h"
#include "report.h"
#include "window_mode.h"

int main(int argc, char **argv)
{
    viewer_command wanted;
    file_remove_on_signals();
    int status = command_read(argc, argv, &wanted);
    if (status != STATUS_OK)
        return status;
    if (wanted.help) {
        command_help();
        return STATUS_OK;
    }
    return wanted.frames ? frames_mode(&wanted) : window_mode(&wanted);
}
