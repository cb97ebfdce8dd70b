// test_soak.c - passes, sizes, settings and shaders that change at random: nothing grows
// SPDX-License-Identifier: MIT
//
// It runs for AG_TEST_SECONDS, 4 by default; `tests/run soak` runs it for twenty minutes with the
// sanitizers. A life is a device with a folder of shaders, on which passes are made, resized, set,
// executed and destroyed while files are edited and broken. At the end of each life all blocks of
// the host's allocator, all names of GL and all descriptors must be gone.
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random.h"
#include "reloading.h"
#include "shader/embedded.h"

enum { PASSES = 5, NAMES = 8192, FRAME_NS = 16000000 };

typedef struct soak {
    fixture *f;
    folder d;
    rng r;
    ag_pass *passes[PASSES];
    test_job jobs[PASSES];
    bool prepared[PASSES];
    uint32_t files; // embedded ones
    uint32_t executed, refused, pending, edits, broken, lives, reloads;
} soak;

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- what must not grow

// How many descriptors there are; `prints` says of what.
static int descriptors(bool prints)
{
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    CHECK(all != NULL);
    for (const struct dirent *one; (one = readdir(all));) {
        char path[300], target[200] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%s", one->d_name);
        if (prints && readlink(path, target, sizeof target - 1) > 0)
            printf("  fd    %s %s\n", one->d_name, target);
        ++count;
    }
    closedir(all);
    return count;
}

// The same once there are `most`, or after two seconds: Mesa writes its cache of shaders meanwhile.
static int descriptors_left(int most)
{
    int count = descriptors(false);
    for (int tries = 0; tries < 200 && count > most; ++tries) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        count = descriptors(false);
    }
    return count > most ? descriptors(true) : count;
}

static double resident_mib(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &all, &pages) == 2);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20);
}

static uint32_t names_alive(const fixture *f)
{
    uint32_t count = 0;
    for (GLuint name = 1; name < NAMES; ++name) {
        count += (uint32_t)f->gl.IsBuffer(name) + f->gl.IsTexture(name) + f->gl.IsQuery(name) +
                 f->gl.IsProgram(name) + f->gl.IsShader(name);
    }
    return count;
}

// ---- what changes

static void end_pass(soak *s, int i)
{
    if (!s->passes[i])
        return;
    // Also the other way round, as engines do it.
    bool first = rng_int(&s->r, 0, 1);
    if (first)
        s->f->ag->pass_destroy(s->passes[i]);
    job_destroy(s->f, &s->jobs[i]);
    if (!first)
        s->f->ag->pass_destroy(s->passes[i]);
    s->passes[i] = NULL;
}

static int random_size(rng *r)
{
    return rng_int(r, 0, 5) ? rng_int(r, 1, 40) : rng_int(r, 1, 150);
}

static void make_job(soak *s, int i, const char *effect)
{
    job_create(s->f, effect, random_size(&s->r), random_size(&s->r), &s->jobs[i]);
    if (rng_int(&s->r, 0, 3) == 0)
        job_fill_optional(s->f, &s->jobs[i]);
    s->prepared[i] = false;
}

static void begin_pass(soak *s, int i)
{
    uint32_t count = 0;
    const ag_effect_info *const *effects = s->f->ag->effects(&count);
    const char *effect = effects[rng_int(&s->r, 0, (int)count - 1)]->id;
    end_pass(s, i);
    s->passes[i] = fixture_pass(s->f, effect);
    make_job(s, i, effect);
}

static void resize(soak *s, int i)
{
    const char *effect = s->jobs[i].info->id;
    uint8_t kept[JOB_SETTINGS];
    memcpy(kept, s->jobs[i].settings, sizeof kept);
    job_destroy(s->f, &s->jobs[i]);
    make_job(s, i, effect);
    if (!job_generates(s->jobs[i].info))
        memcpy(s->jobs[i].settings, kept, sizeof kept);
}

static void set(soak *s, int i)
{
    test_job *j = &s->jobs[i];
    const ag_setting_info *row =
        job_setting_info(j->info, (uint32_t)rng_int(&s->r, 0, (int)j->info->setting_count - 1));
    uint32_t index = (uint32_t)rng_int(&s->r, 0, (int)row->count - 1);
    int value = rng_int(&s->r, 0, job_setting_values(row) - 1);
    job_set(j, row->name, index, job_setting_value(row, value));
    s->prepared[i] = s->prepared[i] && row->prepare == AG_PREPARE_NOTHING;
}

static void run(soak *s, int i)
{
    test_job *j = &s->jobs[i];
    j->job.flags = rng_int(&s->r, 0, 3) == 0 ? AG_JOB_BACKGROUND : 0;
    j->job.flags |= rng_int(&s->r, 0, 7) == 0 ? AG_JOB_TIME_STEPS : 0;
    ag_status status = s->f->ag->prepare(s->passes[i], &j->job);
    CHECK_F(status != AG_E_GL && status != AG_E_MEMORY && status != AG_E_LOST, "%s: %s",
            j->info->id, check_status_name(status));
    s->refused += status < 0;
    s->pending += status == AG_PENDING;
    if (status != AG_OK && status != AG_FALLBACK)
        return;
    CHECK_STATUS(s->f->ag->execute(s->passes[i], &j->job, NULL), AG_OK);
    ++s->executed;
}

// A file gets another comment, or a line that no compiler takes; or it is as it was.
static void edit(soak *s)
{
    const ag_embedded_file *file = &ag_embedded_shaders[rng_int(&s->r, 0, (int)s->files - 1)];
    int kind = rng_int(&s->r, 0, 3);
    char *text = malloc(file->length + 64);
    CHECK(text != NULL);
    snprintf(text, file->length + 64, "%s\n%s %d\n", file->text,
             kind == 0 ? "wrong_word" : "// edit", rng_int(&s->r, 0, 99));
    folder_put(&s->d, file->path, kind == 1 ? file->text : text);
    free(text);
    ++s->edits;
    s->broken += kind == 0;
}

static void step(soak *s)
{
    int i = rng_int(&s->r, 0, PASSES - 1), what = rng_int(&s->r, 0, 99);
    if (!s->passes[i] || what < 4)
        begin_pass(s, i);
    else if (what < 24)
        resize(s, i);
    else if (what < 54)
        set(s, i);
    else if (what < 56)
        edit(s);
    run(s, i);
    s->f->host.clock += FRAME_NS;
    CHECK_STATUS(s->f->ag->frame(s->f->device, 0), AG_OK);
}

// ---- a life

static void live(soak *s, int steps)
{
    ag_device_desc desc = {.struct_size = sizeof desc, .shader_dir = s->d.path};
    fixture_ignore(s->f, true); // drivers report what does not compile
    fixture_device(s->f, &desc);
    for (int i = 0; i < steps; ++i)
        step(s);
    ag_reload status = {.struct_size = sizeof status};
    CHECK_STATUS(s->f->ag->reload_status(s->f->device, &status), AG_OK);
    s->reloads += status.generation;
    for (int i = 0; i < PASSES; ++i)
        end_pass(s, i);
    s->f->ag->device_destroy(s->f->device, 0);
    s->f->device = NULL;
    s->f->gl.Finish();
    fixture_ignore(s->f, false);
    host_log_clear(&s->f->host);
    ++s->lives;
}

static void test_soak(void **state)
{
    (void)state;
    const char *asked = getenv("AG_TEST_SECONDS");
    double seconds = asked ? atof(asked) : 4, start = seconds_now(), middle = 0;
    soak s = {.r = rng_start("soak", 41)};
    s.f = fixture_open(&(fixture_options){.no_device = true, .quiet = true});
    if (!s.f)
        exit(77);
    s.f->host.trace.patient = true;
    s.d = reloading_folder();
    while (ag_embedded_shaders[s.files].path)
        ++s.files;
    live(&s, 12); // what Mesa allocates once
    uint32_t names = names_alive(s.f);
    int open = descriptors(false);
    while (seconds_now() - start < seconds) {
        live(&s, rng_int(&s.r, 5, 400));
        CHECK_EQ(s.f->host.block_count, 0);
        CHECK_EQ(names_alive(s.f), names);
        int left = descriptors_left(open);
        CHECK_F(left <= open, "%d descriptors, %d at first", left, open);
        if (!middle && seconds_now() - start > seconds / 2)
            middle = resident_mib();
    }
    printf("  ok    %.0f s: %u lives, %u executes, %u prepares refused, %u pending, %u edits (%u "
           "broken), %u reloads\n",
           seconds_now() - start, s.lives, s.executed, s.refused, s.pending, s.edits, s.broken,
           s.reloads);
    printf("  ok    0 blocks, %u names, %d descriptors at the end of each life; resident %.0f MiB "
           "after half of the time, %.0f at the end\n",
           names, open, middle, resident_mib());
    CHECK(s.executed > 5);
    if (seconds >= 60)
        CHECK_F(resident_mib() < 1.25 * middle + 64, "the process grows");
    CHECK(fixture_close(s.f));
    folder_destroy(&s.d);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {UNIT_TEST(test_soak)};
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
