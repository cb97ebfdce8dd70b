// cli/gpu.c - an OpenGL context and its functions, for one command
// SPDX-License-Identifier: MIT
#include "gpu.h"

#include "compute.h"
#include "report.h"

#include <string.h>

// glad expects a function pointer; headless.h returns an address, as ag_host expects it.
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
    // No robust context: its memory checks would change the times that `run --frames` measures.
    out->context = headless_create(&(headless_options){.device = device}, error, sizeof error);
    // A missing default device is no mistake in the command line; a missing --device N is one.
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

int gpu_program(const gpu *device, const ag_embedded_file *table, const char *path, GLuint *out)
{
    char error[1024] = "";
    *out = compute_program(&device->gl, table, path, NULL, error, sizeof error);
    return *out ? STATUS_OK : fail(STATUS_FAILED, "%s does not compile:\n%s", path, error);
}

bool gpu_is_software(const gpu *device)
{
    const char *renderer = (const char *)device->gl.GetString(GL_RENDERER);
    return renderer && (strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe"));
}
