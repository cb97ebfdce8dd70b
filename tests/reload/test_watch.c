// test_watch.c - when a changed file is taken, and when it is not; hashes
// SPDX-License-Identifier: MIT
//
// No GL and no waiting: the test controls the host's clock.
#define _DEFAULT_SOURCE // alarm, mkfifo, usleep
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "check.h"
#include "folder.h"
#include "host.h"
#include "shader/watch.h"

enum { MS = 1000000 };

// Every bit of every length matters, and so does the length.
static void test_hash_bits(void **state)
{
    (void)state;
    unsigned char bytes[40] = {0};
    for (size_t length = 0; length < sizeof bytes; ++length) {
        ag_hash128 zero = ag_hash128_of(bytes, length);
        CHECK(!ag_hash128_equal(zero, ag_hash128_of(bytes, length + 1)));
        for (size_t bit = 0; bit < 8 * length; ++bit) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            CHECK(!ag_hash128_equal(zero, ag_hash128_of(bytes, length)));
            bytes[bit / 8] = 0;
        }
    }
}

// ---- watching ----------------------------------------------------------------------------------

typedef struct watching {
    test_host h;
    folder d;
    ag_watch *watch;
} watching;

static watching *open_watch(void)
{
    watching *w = malloc(sizeof *w);
    CHECK(w != NULL);
    host_init(&w->h, NULL);
    w->d = folder_create();
    CHECK_STATUS(ag_watch_create(&w->h.host, w->d.path, &w->watch), AG_OK);
    return w;
}

static void close_watch(watching *w)
{
    ag_watch_free(w->watch);
    folder_destroy(&w->d);
    CHECK(host_finish(&w->h));
    free(w);
}

// Frames of 10 ms each; the number of times that contents changed.
static int frames(watching *w, int count)
{
    int changes = 0;
    for (int i = 0; i < count; ++i) {
        w->h.clock += 10 * MS;
        changes += ag_watch_poll(w->watch, w->h.clock, w->h.clock + 10 * MS);
    }
    return changes;
}

static const char *text_of(watching *w, const char *name)
{
    ag_watch_file file;
    CHECK_STATUS(ag_watch_read(w->watch, name, false, &file), AG_OK);
    return file.text;
}

static bool is(watching *w, const char *name, const char *expected)
{
    const char *text = text_of(w, name);
    bool same = expected ? text && strcmp(text, expected) == 0 : text == NULL;
    if (!same)
        printf("  note  %s is %s%s%s\n", name, text ? "\"" : "", text ? text : "missing",
               text ? "\"" : "");
    return same;
}

static void test_saves(void **state)
{
    (void)state;
    watching *w = open_watch();
    folder_put(&w->d, "a", "one");
    folder_put(&w->d, "sub/b", "first");
    CHECK(is(w, "a", "one") && is(w, "sub/b", "first"));
    CHECK_EQ(frames(w, 100), 0);

    folder_put(&w->d, "a", "two two");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("in-place write", is(w, "a", "two two") && is(w, "sub/b", "first")));

    folder_put(&w->d, "a", "too too");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("in-place write of the same size", is(w, "a", "too too")));

    folder_put_unseen(&w->d, "a", "tow tow");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(
        check_case("of the same size, within one tick of the files' clock", is(w, "a", "tow tow")));

    folder_replace(&w->d, "a", "three");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("rename save", is(w, "a", "three")));

    folder_touch(&w->d, "a");
    CHECK_EQ(frames(w, 40), 0);
    CHECK(check_case("touch without change", is(w, "a", "three")));

    folder_put(&w->d, "a", "");
    CHECK_EQ(frames(w, 40), 0);
    CHECK(check_case("an empty file is ignored", is(w, "a", "three")));
    folder_put(&w->d, "a", "four");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("empty then full", is(w, "a", "four")));

    folder_drop(&w->d, "a");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("deleted", is(w, "a", NULL)));
    folder_put(&w->d, "a", "four");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("restored", is(w, "a", "four")));

    folder_put(&w->d, "a", "five");
    folder_put(&w->d, "a", "four");
    CHECK_EQ(frames(w, 40), 0);
    CHECK(check_case("changed and changed back", is(w, "a", "four")));

    CHECK(is(w, "c", NULL));
    CHECK_EQ(frames(w, 40), 0);
    folder_put(&w->d, "c", "new");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("missing, then created", is(w, "c", "new")));

    folder_put(&w->d, "a", "A");
    folder_put(&w->d, "sub/b", "B");
    folder_put(&w->d, "c", "C");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(check_case("three files at once, one change",
                     is(w, "a", "A") && is(w, "sub/b", "B") && is(w, "c", "C")));
    CHECK_EQ(ag_watch_paths(w->watch), 3);
    CHECK_EQ(ag_watch_unsettled(w->watch), 0);
    close_watch(w);
}

// While writes continue, nothing is taken; 80 ms after the last write all is taken.
static void test_quiet_period(void **state)
{
    (void)state;
    watching *w = open_watch();
    char text[32] = "";
    folder_put(&w->d, "a", "0");
    folder_put(&w->d, "b", "0");
    CHECK(is(w, "a", "0") && is(w, "b", "0"));
    CHECK_EQ(frames(w, 20), 0);
    for (int i = 1; i <= 20; ++i) { // a second of saves, 50 ms apart, to two files in turn
        snprintf(text, sizeof text, "%d, %0*d", i, i, i);
        folder_put(&w->d, i % 2 ? "a" : "b", text);
        CHECK_EQ(frames(w, 5), 0);
    }
    CHECK(is(w, "a", "0") && is(w, "b", "0"));
    CHECK(ag_watch_unsettled(w->watch) == 2);
    CHECK_EQ(frames(w, 20), 1);
    CHECK(is(w, "b", text));

    // Two files saved together, of which one has just been looked at.
    CHECK(is(w, "z", NULL));
    CHECK_EQ(frames(w, 9), 0); // the others are due now, z is not
    folder_put(&w->d, "a", "together");
    folder_put(&w->d, "z", "together");
    int changes = 0;
    for (int i = 0; i < 40 && !changes; ++i)
        changes += frames(w, 1);
    CHECK(check_case("two files saved together are taken together",
                     is(w, "a", "together") && is(w, "z", "together")));

    // The latest moment: a look every 100 ms, then 80 ms of quiet.
    folder_put(&w->d, "a", "last");
    int late = 0;
    while (!frames(w, 1))
        ++late;
    printf("  ok    taken after %d ms <= 200 ms\n", 10 * (late + 1));
    CHECK(late + 1 <= 20);
    close_watch(w);
}

// Polls half a second apart: a file that its own time says was complete is taken in the first one,
// one that was written just now in the second.
static void test_seldom(void **state)
{
    (void)state;
    watching *w = open_watch();
    folder_put(&w->d, "a", "one");
    folder_put(&w->d, "b", "one");
    CHECK(is(w, "a", "one") && is(w, "b", "one"));
    for (int wait = 0; wait < 2; ++wait) {
        w->h.clock += 500 * (uint64_t)MS;
        CHECK(!ag_watch_poll(w->watch, w->h.clock, w->h.clock + 10 * MS));
        char text[16];
        snprintf(text, sizeof text, "two, %d", wait);
        folder_put(&w->d, "a", text);
        folder_put(&w->d, "b", text);
        if (wait)
            usleep(1000 * (AG_WATCH_QUIET_NS / MS + 20));
        int polls = 0;
        bool taken = false;
        for (; !taken && polls < 5; ++polls) {
            w->h.clock += 500 * (uint64_t)MS;
            taken = ag_watch_poll(w->watch, w->h.clock, w->h.clock + 10 * MS);
            CHECK(is(w, "a", taken ? text : wait ? "two, 0" : "one"));
        }
        printf("  ok    %s: taken in poll %d\n", wait ? "100 ms old" : "new", polls);
        CHECK(is(w, "a", text) && is(w, "b", text));
        CHECK_EQ(polls, wait ? 1 : 2);
    }
    close_watch(w);
}

// Which files changed, for programs that are made of some of them.
static void test_changed(void **state)
{
    (void)state;
    watching *w = open_watch();
    ag_watch_file a, b;
    folder_put(&w->d, "a", "one");
    folder_put(&w->d, "b", "one");
    CHECK_STATUS(ag_watch_read(w->watch, "a", false, &a), AG_OK);
    CHECK_STATUS(ag_watch_read(w->watch, "b", false, &b), AG_OK);
    const uint32_t both[] = {a.number, b.number};
    CHECK_EQ(ag_watch_changes(w->watch), 0);
    folder_put(&w->d, "b", "two");
    CHECK_EQ(frames(w, 40), 1);
    CHECK_EQ(ag_watch_changed(w->watch, both, 1), 0);
    CHECK_EQ(ag_watch_changed(w->watch, both, 2), 1);
    folder_put(&w->d, "a", "two");
    CHECK_EQ(frames(w, 40), 1);
    CHECK_EQ(ag_watch_changes(w->watch), 2);
    CHECK_EQ(ag_watch_changed(w->watch, both, 1), 2);
    CHECK_EQ(ag_watch_changed(w->watch, both + 1, 1), 1);
    close_watch(w);
}

// With a budget of zero, each frame does one thing, and all is done in the end.
static void test_no_time(void **state)
{
    (void)state;
    watching *w = open_watch();
    for (int i = 0; i < 20; ++i) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        folder_put(&w->d, name, "old");
        CHECK(is(w, name, "old"));
    }
    for (int i = 0; i < 20; ++i) {
        char name[16];
        snprintf(name, sizeof name, "f%d", i);
        folder_put(&w->d, name, "new!");
    }
    int changes = 0, count = 0;
    for (; count < 500 && !changes; ++count) {
        w->h.clock += 3 * MS;
        changes += ag_watch_poll(w->watch, w->h.clock, 0);
        for (int i = 0; i < 20; ++i) { // never some of them
            char name[16];
            snprintf(name, sizeof name, "f%d", i);
            CHECK(is(w, name, changes ? "new!" : "old"));
        }
    }
    printf("  ok    20 files taken at once after %d frames without time\n", count);
    CHECK_EQ(changes, 1);
    close_watch(w);
}

// A file becomes a FIFO, or too large, while frames run: nothing waits, and a good file is taken
// again.
static void test_special(void **state)
{
    (void)state;
    char path[256];
    ag_watch_file file;
    watching *w = open_watch();
    snprintf(path, sizeof path, "%s/a", w->d.path);
    folder_put(&w->d, "a", "one");
    CHECK(is(w, "a", "one"));
    alarm(60);
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0);
    CHECK_EQ(frames(w, 40), 1);
    CHECK_STATUS(ag_watch_read(w->watch, "a", false, &file), AG_OK);
    CHECK(check_case("a FIFO", !file.text && file.why && strstr(file.why, "regular")));
    CHECK_EQ(frames(w, 40), 0);
    unlink(path);
    folder_put(&w->d, "a", "two");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(is(w, "a", "two"));
    CHECK(truncate(path, (off_t)1 << 33) == 0);
    CHECK_EQ(frames(w, 40), 1);
    CHECK_STATUS(ag_watch_read(w->watch, "a", false, &file), AG_OK);
    CHECK(check_case("8 GiB", !file.text && file.why && strstr(file.why, "16 MiB")));
    folder_put(&w->d, "a", "three");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(is(w, "a", "three"));
    alarm(0);
    close_watch(w);
}

// The host's clock is set back by an hour between an edit and the moment when it would be taken.
static void test_clock_set_back(void **state)
{
    (void)state;
    watching *w = open_watch();
    w->h.clock = (uint64_t)7200 * 1000 * MS;
    folder_put(&w->d, "a", "one");
    folder_put(&w->d, "b", "one");
    CHECK(is(w, "a", "one") && is(w, "b", "one"));
    CHECK_EQ(frames(w, 20), 0);
    folder_put(&w->d, "a", "two");
    while (!ag_watch_unsettled(w->watch))
        CHECK_EQ(frames(w, 1), 0);
    w->h.clock -= (uint64_t)3600 * 1000 * MS;
    CHECK_EQ(frames(w, 40), 1);
    CHECK(is(w, "a", "two"));
    folder_put(&w->d, "b", "three");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(is(w, "b", "three"));
    close_watch(w);
}

static void test_good(void **state)
{
    (void)state;
    watching *w = open_watch();
    ag_watch_file file;
    folder_put(&w->d, "a", "one");
    CHECK(is(w, "a", "one"));
    CHECK(!ag_watch_has_good(w->watch));
    ag_watch_accept(w->watch);
    folder_put(&w->d, "a", "bad");
    CHECK_EQ(frames(w, 40), 1);
    folder_put(&w->d, "a", "worse");
    CHECK_EQ(frames(w, 40), 1);
    CHECK(ag_watch_has_good(w->watch));
    CHECK_STATUS(ag_watch_read(w->watch, "a", true, &file), AG_OK);
    CHECK(strcmp(file.text, "one") == 0 && is(w, "a", "worse"));
    ag_watch_accept(w->watch);
    CHECK(!ag_watch_has_good(w->watch));
    CHECK_STATUS(ag_watch_read(w->watch, "a", true, &file), AG_OK);
    CHECK(strcmp(file.text, "worse") == 0);
    close_watch(w);
}

int main(int argc, char **argv)
{
    const check_test tests[] = {
        UNIT_TEST(test_hash_bits), UNIT_TEST(test_saves),   UNIT_TEST(test_quiet_period),
        UNIT_TEST(test_no_time),   UNIT_TEST(test_good),    UNIT_TEST(test_seldom),
        UNIT_TEST(test_changed),   UNIT_TEST(test_special), UNIT_TEST(test_clock_set_back),
    };
    return CHECK_MAIN(argc, argv, tests, NULL, NULL);
}
