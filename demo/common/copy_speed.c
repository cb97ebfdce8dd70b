// copy_speed.c - how fast this GPU can move memory
// SPDX-License-Identifier: MIT
#include "copy_speed.h"

#include "compute.h"

#include <stdio.h>

enum { SAMPLES = 30, TILE_WIDTH = 32, TILE_HEIGHT = 16, BUFFER_GROUP = 256, BUFFER_ROW = 32768 };
enum { FETCH, IMAGE, BUFFER }; // COPY of copy.comp

const int copy_launch_counts[COPY_LAUNCH_COUNTS] = {1, 2, 4, 8, 16};

typedef struct copy_run {
    const GladGLContext *gl;
    GLuint programs[3], empty;
    GLuint textures[2], buffers[2];
    int size;           // of the textures
    uint64_t bytes;     // of a buffer
    int kind, launches; // of the work that `record` records
} copy_run;

static bool record_textures(void *user, unsigned turn)
{
    const copy_run *run = user;
    const GladGLContext *gl = run->gl;
    (void)turn;
    gl->UseProgram(run->programs[run->kind]);
    if (run->kind == FETCH)
        gl->BindTexture(GL_TEXTURE_2D, run->textures[0]);
    else
        gl->BindImageTexture(1, run->textures[0], 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA16F);
    gl->BindImageTexture(0, run->textures[1], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    gl->DispatchCompute((GLuint)(run->size / TILE_WIDTH), (GLuint)(run->size / TILE_HEIGHT), 1);
    gl->MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    return true;
}

static bool record_buffers(void *user, unsigned turn)
{
    const copy_run *run = user;
    const GladGLContext *gl = run->gl;
    uint64_t groups = run->bytes / 16 / BUFFER_GROUP;
    GLuint columns = groups < BUFFER_ROW ? (GLuint)groups : BUFFER_ROW;
    (void)turn;
    gl->UseProgram(run->programs[BUFFER]);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, run->buffers[0]);
    gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, run->buffers[1]);
    gl->DispatchCompute(columns, (GLuint)((groups + columns - 1) / columns), 1);
    gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    return true;
}

static bool record_launches(void *user, unsigned turn)
{
    const copy_run *run = user;
    (void)turn;
    run->gl->UseProgram(run->empty);
    for (int i = 0; i < run->launches; i++) {
        run->gl->DispatchCompute(1, 1, 1);
        run->gl->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    return true;
}

static bool make_programs(copy_run *run, char *error, size_t error_size)
{
    for (int i = 0; i < 3; i++) {
        char define[32];
        snprintf(define, sizeof define, "#define COPY %d\n", i);
        run->programs[i] =
            compute_program(run->gl, ag_embedded_common, "copy.comp", define, error, error_size);
        if (!run->programs[i])
            return false;
    }
    run->empty =
        compute_program(run->gl, ag_embedded_common, "empty.comp", NULL, error, error_size);
    return run->empty != 0;
}

static bool make_textures(copy_run *run)
{
    const GladGLContext *gl = run->gl;
    while (gl->GetError() != GL_NO_ERROR)
        ; // drop errors of others: the check below is for these calls
    gl->GenTextures(2, run->textures);
    for (int i = 0; i < 2; i++) {
        gl->BindTexture(GL_TEXTURE_2D, run->textures[i]);
        gl->TexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA16F, run->size, run->size);
        gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    gl->BindTexture(GL_TEXTURE_2D, 0);
    if (gl->GetError() == GL_NO_ERROR)
        return true;
    gl->DeleteTextures(2, run->textures);
    return false;
}

static void make_buffers(copy_run *run)
{
    const GladGLContext *gl = run->gl;
    GLint64 limit = 0;
    gl->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &limit);
    run->bytes = 8u * (uint64_t)run->size * (uint64_t)run->size; // as many bytes as a texture
    while (run->bytes > (uint64_t)limit)
        run->bytes /= 2;
    gl->GenBuffers(2, run->buffers);
    for (int i = 0; i < 2; i++) {
        gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, run->buffers[i]);
        gl->BufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)run->bytes, NULL, GL_STATIC_COPY);
    }
    gl->BindBuffer(GL_SHADER_STORAGE_BUFFER, 0);
}

static void destroy(copy_run *run)
{
    const GladGLContext *gl = run->gl;
    for (GLuint i = 0; i < 2; i++) {
        gl->BindImageTexture(i, 0, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA16F);
        gl->BindBufferBase(GL_SHADER_STORAGE_BUFFER, i, 0);
    }
    gl->BindTexture(GL_TEXTURE_2D, 0);
    gl->UseProgram(0);
    gl->DeleteTextures(2, run->textures);
    gl->DeleteBuffers(2, run->buffers);
    for (int i = 0; i < 3; i++)
        gl->DeleteProgram(run->programs[i]);
    gl->DeleteProgram(run->empty);
}

static double median_us(gpu_timer *timer, copy_run *run, bool (*record)(void *, unsigned))
{
    gpu_times times;
    gpu_time_run(timer, &(gpu_work){.record = record, .user = run}, SAMPLES, &times);
    return times.median;
}

// 1e9 bytes a second, from bytes read and written and microseconds.
static double gb_s(uint64_t bytes, double us)
{
    return us > 0 ? 2.0 * (double)bytes / us * 1e-3 : 0;
}

bool copy_speed_measure(gpu_timer *timer, int size, copy_speed *out, char *error, size_t error_size)
{
    copy_run run = {.gl = timer->gl, .size = size};
    *out = (copy_speed){0};
    bool ready = make_programs(&run, error, error_size);
    while (ready && !make_textures(&run)) {
        run.size /= 2;
        ready = run.size >= TILE_WIDTH;
        snprintf(error, error_size, "GL has no memory for two textures to copy");
    }
    if (ready) {
        uint64_t bytes = 8u * (uint64_t)run.size * (uint64_t)run.size;
        out->texture_size = run.size;
        run.kind = FETCH;
        out->fetch_gb_s = gb_s(bytes, median_us(timer, &run, record_textures));
        run.kind = IMAGE;
        out->image_gb_s = gb_s(bytes, median_us(timer, &run, record_textures));
        out->gb_s = out->fetch_gb_s > out->image_gb_s ? out->fetch_gb_s : out->image_gb_s;
        make_buffers(&run);
        out->buffer_bytes = run.bytes;
        out->buffer_gb_s = gb_s(run.bytes, median_us(timer, &run, record_buffers));
        for (int i = 0; i < COPY_LAUNCH_COUNTS; i++) {
            run.launches = copy_launch_counts[i];
            out->launch_us[i] = median_us(timer, &run, record_launches);
        }
        ready = timer->gl->GetError() == GL_NO_ERROR;
        if (!ready)
            snprintf(error, error_size, "GL failed while the copy speed was measured");
    }
    destroy(&run);
    return ready;
}

double copy_speed_bytes_us(const copy_speed *speed, uint64_t bytes)
{
    return speed->gb_s > 0 ? (double)bytes / speed->gb_s * 1e-3 : 0;
}

// Interpolates linearly between the measured counts and extrapolates beyond the last.
double copy_speed_launch_us(const copy_speed *speed, int launches)
{
    int i = 0;
    while (i < COPY_LAUNCH_COUNTS - 2 && launches > copy_launch_counts[i + 1])
        i++;
    int from = copy_launch_counts[i], to = copy_launch_counts[i + 1];
    double slope = (speed->launch_us[i + 1] - speed->launch_us[i]) / (to - from);
    return speed->launch_us[i] + slope * (launches - from);
}

double copy_speed_floor_us(const copy_speed *speed, uint64_t bytes, int launches)
{
    return copy_speed_bytes_us(speed, bytes) + copy_speed_launch_us(speed, launches);
}
