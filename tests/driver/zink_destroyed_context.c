// zink_destroyed_context.c - Mesa's zink reads memory that it freed with a context
// SPDX-License-Identifier: MIT
//
//   zink_destroyed_context       the read, below upload()
//   zink_destroyed_context keep  the same calls, but the first context stays: no read
//
// EGL and GL only, no Afterglow: tests/README.md says how to see it in valgrind. All calls are
// legal; the program exits with 1 if GL reports an error. The two contexts share no objects.
//
// Read in the sources of Mesa 22.3.6 (src/gallium/drivers/zink): each part of memory has two
// pointers, `reads` and `writes`, into the batch that used it last. A buffer that is bound gets
// them without being on that batch's list of what it uses; it is put on the list of a later batch
// when it is unbound (check_resource_for_batch_ref). That sets only one of the two again: if the
// buffer was written since, `writes`. So `reads` still points into the older batch, which does not
// know the buffer, and the batch is freed with its context. Memory of up to 1 MiB is given out
// again by the display, to all contexts. Before it does so, it looks whether `reads` is idle: the
// read of freed memory (bo_can_reclaim).
#define GL_GLEXT_PROTOTYPES
#define EGL_NO_X11
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

enum { BYTES = 4096, UPLOADS = 64 }; // small memory; more of it than was given out at once

static EGLDisplay display;

static EGLContext create(void)
{
    static const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION,
                                    4,
                                    EGL_CONTEXT_MINOR_VERSION,
                                    3,
                                    EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                    EGL_NONE};
    return eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wanted);
}

static void use(EGLContext context)
{
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
        return;
    fprintf(stderr, "eglMakeCurrent failed: EGL error 0x%04x\n", (unsigned)eglGetError());
    exit(77);
}

static void check(const char *where)
{
    GLenum error = glGetError();
    if (!error)
        return;
    fprintf(stderr, "%s: GL error 0x%04x\n", where, error);
    exit(1);
}

// A buffer that a dispatch reads in one batch, and that a copy writes in the next one.
static void read_then_write(void)
{
    static const char *const text =
        "#version 430 core\n"
        "layout(local_size_x = 64) in;\n"
        "layout(std430, binding = 0) readonly buffer A { uint a[]; };\n"
        "layout(std430, binding = 1) writeonly buffer B { uint b[]; };\n"
        "void main() { b[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x]; }\n";
    static const unsigned char bytes[BYTES];
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    for (GLuint i = 0; i < 2; ++i) {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, BYTES, bytes, GL_STATIC_DRAW);
    }
    glUseProgram(glCreateShaderProgramv(GL_COMPUTE_SHADER, 1, &text));
    glFinish(); // a batch ends
    glDispatchCompute(BYTES / 4 / 64, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glFinish(); // another one
    glBindBuffer(GL_COPY_READ_BUFFER, buffers[1]);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffers[0]);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, BYTES);
    glFinish();
    check("the first context");
}

static void upload(void)
{
    static const unsigned char texels[BYTES];
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 32, BYTES / 4 / 32);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 32, BYTES / 4 / 32, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    check("an upload of the second context");
}

int main(int argc, char **argv)
{
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    display = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                          : EGL_NO_DISPLAY;
    if (!display || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API)) {
        fprintf(stderr, "no display of Mesa's surfaceless platform\n");
        return 77;
    }
    EGLContext first = create(), second = create();
    use(first);
    printf("%s, %s\n", (const char *)glGetString(GL_RENDERER),
           (const char *)glGetString(GL_VERSION));
    read_then_write();
    use(second);
    if (argc < 2 || strcmp(argv[1], "keep") != 0)
        eglDestroyContext(display, first);
    for (int i = 0; i < UPLOADS; ++i)
        upload();
    puts("done");
    return 0;
}
