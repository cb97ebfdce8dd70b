// cli/gpu.c - an OpenGL context with its functions, for the time of one command
// SPDX-License-Identifier: MIT
#include "gpu.h"

#include "report.h"

#include <string.h>

// glad wants a function pointer where ag_host, which headless.h serves, wants an address.
static GLADapiproc load(void *user, const char *name)
{
    void *address = headless_proc(user, name);
    GLADapiproc function;
    memcpy(&function, &address, sizeof function);
    return function;
}

int gpu_open(gpu *out, int device)
{
    char error[1024];
    *out = (gpu){0};
    // Not robust: checked memory accesses would change the times that `run --frames` measures.
    out->context = headless_create(&(headless_options){.device = device}, error, sizeof error);
    // The default device may be missing through no fault of the command line; another was named.
    int failure = device ? STATUS_USAGE : STATUS_FAILED;
    if (!out->context)
        return fail(failure, "no OpenGL 4.3 on device %d: %s", device, error);
    if (!gladLoadGLContextUserPtr(&out->gl, load, out->context) || !out->gl.VERSION_4_3) {
        gpu_close(out);
        return fail(failure, "device %d has no OpenGL 4.3", device);
    }
    return STATUS_OK;
}

void gpu_close(gpu *target)
{
    headless_destroy(target->context);
    *target = (gpu){0};
}

bool gpu_is_software(const gpu *device)
{
    const char *renderer = (const char *)device->gl.GetString(GL_RENDERER);
    return renderer && (strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe"));
}
