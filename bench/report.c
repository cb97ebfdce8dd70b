// report.c - the figures of a run: a table on the terminal, and JSON
// SPDX-License-Identifier: MIT
#include "report.h"

#include "commit.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- terminal ----------------------------------------------------------------------------------

void report_print_names(const report_names *names)
{
    printf("%s\n%s\nafterglow %s, commit %s\n", names->renderer, names->driver, names->module,
           BENCH_COMMIT);
    if (names->software)
        puts("THIS IS A SOFTWARE RENDERER: its times mean nothing of a GPU. Do not quote them.");
}

const char *report_cell(const char *format, double value, char cell[REPORT_CELL])
{
    snprintf(cell, REPORT_CELL, isfinite(value) ? format : "-", value);
    return cell;
}

static void print_head(const report *target)
{
    const copy_speed *s = &target->speed;
    report_print_names(&target->names);
    printf("\ncopy speed, read + written: texture %d x %d RGBA16F %.0f GB/s by texelFetch, %.0f by "
           "imageLoad; buffer %.0f\n",
           s->texture_size, s->texture_size, s->fetch_gb_s, s->image_gb_s, s->buffer_gb_s);
    printf("empty dispatch + barrier, us:");
    for (int i = 0; i < COPY_LAUNCH_COUNTS; i++)
        printf("  %d: %.1f", copy_launch_counts[i], s->launch_us[i]);
    printf("\nreference: %s\n", reference_name ? reference_name : "none, nothing is checked");
    puts(
        "floor = bytes at the best texture copy's speed + empty launches; times in us\n"
        "hot = the same textures every time; cold = textures in turn, more than caches hold\n"
        "SNR in dB of the colours as timed, and of the same into RGBA32F; max error of the latter");
    printf("\n%-9s %-10s %-16s %-36s %7s %6s %15s  %23s %5s  %23s %5s %6s %6s %6s %8s\n", "effect",
           "size", "who", "variant", "MB", "B/px", "floor", "hot min/median/p95", "ratio",
           "cold min/median/p95", "ratio", "CPU", "SNR", "SNR32", "error");
}

static double ratio(const report_row *row, const gpu_times *times)
{
    return times->median / (row->floor_us + row->floor_launch_us);
}

static const char *times_text(const gpu_times *times, char buffer[64])
{
    snprintf(buffer, 64, "%.1f /%8.1f /%8.1f", times->min, times->median, times->p95);
    return buffer;
}

static void print_row(const report_row *row)
{
    char size[32], floor_text[64], hot[64], cold[64], a[REPORT_CELL], b[REPORT_CELL],
        c[REPORT_CELL];
    const double unknown = (double)NAN;
    const accuracy *timed = &row->error, *exact = &row->error_float;
    snprintf(size, sizeof size, "%dx%d", row->width, row->height);
    snprintf(floor_text, sizeof floor_text, "%.1f + %.1f", row->floor_us, row->floor_launch_us);
    printf("%-9s %-10s %-16s %-36s %7.1f %6.1f %15s  %23s %5.2f  %23s %5.2f %6.1f %6s %6s %8s\n",
           row->effect, size, row->subject, row->variant, (double)row->bytes * 1e-6,
           (double)row->bytes / row->width / row->height, floor_text,
           times_text(&row->times.hot, hot), ratio(row, &row->times.hot),
           times_text(&row->times.cold, cold), ratio(row, &row->times.cold),
           row->times.hot.cpu_median,
           report_cell("%.1f", timed->checked ? timed->snr_db : unknown, a),
           report_cell("%.1f", exact->checked ? exact->snr_db : unknown, b),
           report_cell("%.1e", exact->checked ? exact->max_error : unknown, c));
    fflush(stdout);
}

// ---- JSON --------------------------------------------------------------------------------------

void report_write_names(json *out, const char *kind, const report_names *names)
{
    json_int(out, "schema", 1);
    if (kind)
        json_text(out, "kind", kind);
    json_text(out, "commit", BENCH_COMMIT);
    json_text(out, "version", names->module);
    json_open(out, "device", '{');
    json_text(out, "renderer", names->renderer);
    json_text(out, "vendor", names->vendor);
    json_text(out, "driver", names->driver);
    json_bool(out, "software", names->software);
    json_close(out, '}');
}

static void write_times(json *out, const char *key, const gpu_times *times)
{
    json_open_flat(out, key, '{');
    json_number(out, "min", times->min);
    json_number(out, "median", times->median);
    json_number(out, "p95", times->p95);
    json_int(out, "samples", times->samples);
    json_close(out, '}');
}

// null if nothing was checked: a zero would look like a result.
static void write_accuracy(json *out, const char *key, const accuracy *error)
{
    double nothing = (double)NAN;
    json_open_flat(out, key, '{');
    json_bool(out, "checked", error->checked);
    json_number(out, "snr_db", error->checked ? error->snr_db : nothing);
    json_number(out, "max_error", error->checked ? error->max_error : nothing);
    json_close(out, '}');
}

static void write_judgement(json *out, const report_judgement *judged)
{
    json_open(out, "claim", '{');
    json_text(out, "text", judged->claim.text);
    json_text(out, "against", judged->claim.against);
    json_bool(out, "worse", judged->claim.worse);
    json_number(out, "claimed", judged->claim.claimed); // null: some
    json_number(out, "measured", judged->measured);
    json_text(out, "verdict", verdict_text(judged->verdict));
    json_close(out, '}');
}

static void write_row(json *out, const report_row *row)
{
    json_open(out, NULL, '{');
    json_text(out, "effect", row->effect);
    json_text(out, "subject", row->subject);
    json_text(out, "variant", row->variant);
    json_int(out, "width", row->width);
    json_int(out, "height", row->height);
    json_text(out, "plan", row->plan);
    json_int(out, "launches", row->launches);
    json_uint(out, "bytes", row->bytes);
    json_int(out, "dispatches", row->dispatches);
    json_number(out, "floor_copy_us", row->floor_us);
    json_number(out, "floor_us", row->floor_us + row->floor_launch_us);
    write_times(out, "gpu_hot_us", &row->times.hot);
    write_times(out, "gpu_cold_us", &row->times.cold);
    json_int(out, "cold_sets", row->times.sets);
    json_number(out, "ratio_hot", ratio(row, &row->times.hot));
    json_number(out, "ratio_cold", ratio(row, &row->times.cold));
    json_number(out, "cpu_us", row->times.hot.cpu_median);
    write_accuracy(out, "error", &row->error);
    write_accuracy(out, "error_float", &row->error_float);
    if (row->judged.claim.text)
        write_judgement(out, &row->judged);
    json_close(out, '}');
}

static void write_copy(json *out, const copy_speed *speed)
{
    json_open(out, "copy", '{');
    json_int(out, "texture_size", speed->texture_size);
    json_number(out, "texture_fetch_gb_s", speed->fetch_gb_s);
    json_number(out, "texture_image_gb_s", speed->image_gb_s);
    json_uint(out, "buffer_bytes", speed->buffer_bytes);
    json_number(out, "buffer_gb_s", speed->buffer_gb_s);
    json_number(out, "floor_gb_s", speed->gb_s);
    json_open(out, "launches", '[');
    for (int i = 0; i < COPY_LAUNCH_COUNTS; i++) {
        json_open_flat(out, NULL, '{');
        json_int(out, "count", copy_launch_counts[i]);
        json_number(out, "us", speed->launch_us[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void write_report(json *out, const void *what)
{
    const report *source = what;
    json_open(out, NULL, '{');
    report_write_names(out, NULL, &source->names);
    json_text(out, "reference", reference_name ? reference_name : "none");
    write_copy(out, &source->speed);
    json_open(out, "rows", '[');
    for (int i = 0; i < source->count; i++)
        write_row(out, &source->rows[i]);
    json_close(out, ']');
    json_open(out, "asides", '[');
    for (int i = 0; i < source->aside_count; i++) {
        const report_aside *a = &source->asides[i];
        json_open_flat(out, NULL, '{');
        json_text(out, "effect", a->effect);
        json_text(out, "name", a->name);
        json_int(out, "width", a->width);
        json_int(out, "height", a->height);
        json_number(out, "us", a->us);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

void report_save(const char *to, void (*write)(json *out, const void *source), const void *source)
{
    char path[4096];
    if (!to)
        return;
    snprintf(path, sizeof path, "%s.new", to);
    FILE *stream = fopen(path, "w");
    must(stream, "--json %s: %s", path, strerror(errno));
    json out = json_begin(stream);
    write(&out, source);
    json_end(&out);
    bool written = !ferror(stream);
    must(fclose(stream) == 0 && written, "--json %s: cannot be written", path);
    must(rename(path, to) == 0, "--json %s: %s", to, strerror(errno));
}

static void save(const report *source)
{
    report_save(source->json, write_report, source);
}

// ---- rows --------------------------------------------------------------------------------------

void report_begin(const report *target)
{
    print_head(target);
    save(target);
}

void report_add(report *target, const report_row *row)
{
    if (target->count == target->capacity) {
        int capacity = target->capacity ? 2 * target->capacity : 32;
        report_row *grown = realloc(target->rows, (size_t)capacity * sizeof *grown);
        must(grown, "out of memory");
        target->rows = grown;
        target->capacity = capacity;
    }
    report_row *added = &target->rows[target->count++];
    *added = *row;
    added->floor_us = copy_speed_bytes_us(&target->speed, row->bytes);
    added->floor_launch_us = copy_speed_launch_us(&target->speed, row->launches);
    progress_clear();
    print_row(added);
    save(target);
}

// "Some" is what is twice a run's difference from the next.
static double claimed_of(const report_claim *claim, const report_row *own, const report_row *other)
{
    if (claim->claimed_at)
        return claim->claimed_at(own->width);
    if (claim->claimed == REPORT_SOME)
        return 1 + 2 * (VERDICT_FREE - 1);
    if (claim->claimed != REPORT_BYTES)
        return claim->claimed;
    double ratio = (double)own->bytes / (double)other->bytes;
    return claim->worse ? ratio : 1 / ratio;
}

void report_judge(report *target, const report_claim *claim)
{
    report_row *own = &target->rows[target->count - 1];
    report_judgement *judged = &own->judged;
    char claimed[REPORT_CELL], here[REPORT_CELL];
    *judged = (report_judgement){*claim, (double)NAN, VERDICT_UNKNOWN};
    for (int i = 0; i + 1 < target->count; i++) {
        const report_row *other = &target->rows[i];
        if (strcmp(other->variant, claim->against) != 0 ||
            strcmp(other->effect, own->effect) != 0 || other->width != own->width ||
            other->height != own->height)
            continue;
        double ratio = own->times.hot.median / other->times.hot.median;
        judged->measured = claim->worse ? ratio : 1 / ratio;
        judged->claim.claimed = claimed_of(claim, own, other);
        if (!target->names.software)
            judged->verdict = verdict_of(judged->claim.claimed, judged->measured);
    }
    if (claim->claimed == REPORT_SOME && !claim->claimed_at)
        judged->claim.claimed = (double)NAN;
    printf("    %s: %s times; here %s: %s\n", claim->text,
           report_cell("%.2f", judged->claim.claimed, claimed),
           report_cell("%.2f", judged->measured, here), verdict_text(judged->verdict));
    save(target);
}

void report_add_aside(report *target, const report_aside *aside)
{
    must(target->aside_count < REPORT_ASIDES, "the report has no room for more asides");
    target->asides[target->aside_count++] = *aside;
    save(target);
}

void report_free(report *target)
{
    free(target->rows);
    *target = (report){0};
}
