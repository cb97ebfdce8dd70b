// cli/plan.c - the plan of a pass, with predicted and measured times
// SPDX-License-Identifier: MIT
#include "plan.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

static void print_row(const char *name, const ag_step *step, double predicted_us,
                      const stats_row *measured)
{
    char groups[48] = "";
    if (step->groups[0])
        snprintf(groups, sizeof groups, "%ux%ux%u", (unsigned)step->groups[0],
                 (unsigned)step->groups[1], (unsigned)step->groups[2]);
    printf("%-20s %10u %16s %14" PRIu64 " %12.1f", name, (unsigned)step->dispatches, groups,
           step->bytes, predicted_us);
    if (measured && measured->samples)
        printf(" %12.1f %8.2f", measured->gpu.median / 1e3,
               measured->gpu.median / 1e3 / predicted_us);
    else if (measured)
        printf(" %12s %8s", "-", "-");
    putchar('\n');
}

static double predict(const copy_speed *speed, const cost_rates *rates, const ag_step *step,
                      double launch_us)
{
    return rates ? cost_of(rates, step->dispatches, step->bytes)
                 : copy_speed_bytes_us(speed, step->bytes) + launch_us * step->dispatches;
}

static void print_head(bool measured)
{
    printf("%-20s %10s %16s %14s %12s", "step", "dispatches", "groups", "bytes", "predicted us");
    puts(measured ? "  measured us    ratio" : "");
}

static void print_steps(const ag_plan *plan, const copy_speed *speed, const cost_rates *rates,
                        const stats_row *rows, plan_total *total)
{
    print_head(rows);
    ag_step whole = {0};
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step = stats_plan_step(plan, i);
        whole.dispatches += step->dispatches;
        whole.bytes += step->bytes;
    }
    // Successive launches cost less than single ones, so each step gets its share of the whole.
    double launches_us = copy_speed_launch_us(speed, (int)whole.dispatches);
    double launch_us = whole.dispatches ? launches_us / whole.dispatches : 0;
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const ag_step *step = stats_plan_step(plan, i);
        print_row(step->name, step, predict(speed, rates, step, launch_us), rows ? &rows[i] : NULL);
    }
    double predicted = predict(speed, rates, &whole, launch_us);
    print_row("whole pass", &whole, predicted, rows ? &rows[plan->step_count] : NULL);
    total->dispatches += whole.dispatches;
    total->bytes += whole.bytes;
    total->predicted_us += predicted;
    if (rates)
        printf("predicted: by --tuning, %.2f us a dispatch, %.3f a megabyte\n", rates->launch,
               rates->megabyte);
    else
        printf("predicted: bytes at this device's copy speed of %.1f GB/s, and %.2f us a launch\n",
               speed->gb_s, launch_us);
}

void plan_print(const session_pass *pass, const copy_speed *speed, const cost_rates *rates,
                const stats_row *rows, plan_total *total)
{
    const ag_plan *plan = pass->plan;
    puts(plan->text);
    print_steps(plan, speed, rates, rows, total);
    printf("scratch %" PRIu64 " bytes (alignment %" PRIu64 "), persistent %" PRIu64 " bytes\n",
           plan->scratch_bytes, plan->scratch_alignment, plan->persistent_bytes);
}

void plan_print_total(const plan_total *total, const stats_row *row)
{
    const ag_step whole = {.dispatches = total->dispatches, .bytes = total->bytes};
    print_head(row);
    print_row("whole chain", &whole, total->predicted_us, row);
}
