// cli/cost.h - how long a pass should take: a line through what was timed, by its plan's figures
// SPDX-License-Identifier: MIT
//
//   us = launch * dispatches + megabyte * bytes / 10^6
//
// One such line an effect, of rates that are not negative and make the sum of squares of relative
// errors least. bench/predict.py has the same model, to say how far it errs on rows that it has not
// seen.
#ifndef CLI_COST_H
#define CLI_COST_H

#include <afterglow/afterglow.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cost_rates { // microseconds
    double launch;          // a dispatch
    double megabyte;        // 10^6 bytes, read and written
} cost_rates;

typedef struct cost_row {
    char effect[64];            // as cost_key
    uint64_t dispatches, bytes; // of a plan: sums over its steps
    double us;                  // that it took
} cost_row;

// What rates are of: the effect, and ".direct" where its plan is of one step of that name, which is
// another algorithm than the others. `out` has room for 64.
void cost_key(const char *effect, const ag_plan *plan, char out[64]);

// "time.KEY launch megabyte", a line of what `afterglow tune` wrote. False: there is none.
bool cost_read(const char *text, const char *key, cost_rates *out);

double cost_of(const cost_rates *rates, uint64_t dispatches, uint64_t bytes);

// Of the rows of this effect. False: there are fewer than two.
bool cost_fit(const cost_row *rows, int count, const char *effect, cost_rates *out);
// The median of |predicted - us| / us over the rows of this effect.
double cost_error(const cost_row *rows, int count, const char *effect, const cost_rates *rates);

// Where a method should change over to the next: `at[i]`, ascending, took `before[i]` by the one
// and `after[i]` by the other. Returns the last `at` for which to take the first one; 1 below all
// of them. `usual`, where it changes over so far, stays unless another place is at least 1 % faster
// on average.
int cost_change_over(const int *at, const double *before, const double *after, int count,
                     int usual);

// A plan of a job that can be planned in several ways, and what it costs: its bytes, and units of
// which each costs as much as so many bytes, the prices.
enum { COST_PRICES = 3 };
typedef struct cost_plan {
    int job;
    double us, bytes, units[COST_PRICES];
} cost_plan;

// What is lost where the cheaper of two plans of a job takes longer, as a part of the other's time:
// the sum over all pairs.
double cost_regret(const cost_plan *plans, int count, const double prices[COST_PRICES]);
// Changes the prices, each by factors, until that becomes no less.
void cost_search(const cost_plan *plans, int count, double prices[COST_PRICES]);

#endif
