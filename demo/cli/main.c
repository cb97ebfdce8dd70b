// cli/main.c - `afterglow`: runs its command line
// SPDX-License-Identifier: MIT
#include "commands.h"
#include "file.h"
#include "report.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    file_remove_on_signals();
    int status = command_dispatch(argc, argv);
    // A full disk or a closed pipe is noticed only when the last text is flushed.
    if (fflush(stdout) != 0 && status == STATUS_OK)
        status = fail(STATUS_FAILED, "the output cannot be written");
    return status;
}
