// reload_main.c - `afterglow-bench reload`: what edits of shaders cost frames, and starts with and
// without a cache
// SPDX-License-Identifier: MIT
#include "child.h"
#include "cli/report.h"
#include "driver_cache.h"
#include "flags.h"
#include "reload.h"

static const flag flags[] = {{"--size", "WxH", "of the frame; default 1920x1080", FLAG_SIZE,
                              offsetof(reload_wishes, size), 0, 0},
                             {"--edits", "N", "of each kind; default 10, 0: none", FLAG_INT,
                              offsetof(reload_wishes, edits), 0, RELOAD_REPEATS},
                             {"--starts", "N", "cold and warm ones; default 10, 0: none", FLAG_INT,
                              offsetof(reload_wishes, starts), 0, RELOAD_REPEATS},
                             {"--driver-cache", NULL,
                              "leave the driver's own cache on, empty at first", FLAG_SET,
                              offsetof(reload_wishes, driver_cache), 0, 0},
                             FLAG_DEVICE(reload_wishes),
                             {.name = NULL}};

static const subcommand description = {
    .name = "afterglow-bench reload",
    .usage = "[options]",
    .help =
        "Measures by how much the worst frame exceeds the median while shaders are edited, how\n"
        "long a bloom takes to start with an empty and with a filled program cache, and what\n"
        "frames pay while a second one is prepared, with and without AG_JOB_BACKGROUND.\n",
    .flags = flags};

int reload_main(int argc, char **argv)
{
    reload_wishes wanted = {.size = {1920, 1080}, .edits = 10, .starts = 10};
    int done, status = flags_read(&description, argc, argv, &wanted, &done);
    if (status != STATUS_OK || done)
        return status;
    if (wanted.driver_cache)
        status = driver_cache_new(true);
    else
        driver_cache_off(false);
    if (status == STATUS_OK && wanted.edits)
        status = child_run(reload_edits, &wanted);
    if (status == STATUS_OK && wanted.starts)
        status = reload_starts(&wanted);
    if (status == STATUS_OK && wanted.starts)
        status = reload_background(&wanted);
    driver_cache_drop();
    return status;
}
