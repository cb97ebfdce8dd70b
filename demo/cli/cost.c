// cli/cost.c - how long a pass should take: a line through what was timed, by its plan's figures
// SPDX-License-Identifier: MIT
#include "cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 512 };

void cost_key(const char *effect, const ag_plan *plan, char out[64])
{
    bool direct = plan->step_count == 1 && strcmp(plan->steps->name, "direct") == 0;
    snprintf(out, 64, "%s%s", effect, direct ? ".direct" : "");
}

// A number of a line, ended by `end`; the end of a line is also that of the text, or "\r". Returns
// what follows it; NULL: it is none, or no time.
static const char *read_rate(const char *at, char end, double *out)
{
    const double most = 1e9; // us: a quarter of an hour
    char *after;
    if (!at || *at < '0' || *at > '9') // strtod takes spaces, line ends, inf and nan
        return NULL;
    *out = strtod(at, &after);
    bool ended = *after == end || (end == '\n' && (!*after || *after == '\r'));
    return ended && *out >= 0 && *out <= most ? after + (*after == end) : NULL;
}

bool cost_read(const char *text, const char *key, cost_rates *out)
{
    char wanted[96];
    size_t length = (size_t)snprintf(wanted, sizeof wanted, "time.%s ", key);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, wanted, length) == 0)
            return read_rate(read_rate(line + length, ' ', &out->launch), '\n', &out->megabyte) !=
                   NULL;
    }
    return false;
}

double cost_of(const cost_rates *rates, uint64_t dispatches, uint64_t bytes)
{
    return rates->launch * (double)dispatches + rates->megabyte * (double)bytes * 1e-6;
}

bool cost_fit(const cost_row *rows, int count, const char *effect, cost_rates *out)
{
    // Relative: each row is divided by its time. Sums of squares and products of both terms.
    double dd = 0, db = 0, bb = 0, d = 0, b = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(rows[i].effect, effect) != 0 || !(rows[i].us > 0))
            continue;
        double x = (double)rows[i].dispatches / rows[i].us,
               y = (double)rows[i].bytes * 1e-6 / rows[i].us;
        dd += x * x;
        db += x * y;
        bb += y * y;
        d += x;
        b += y;
        used++;
    }
    if (used < 2)
        return false;
    double determinant = dd * bb - db * db;
    cost_rates both = {(d * bb - b * db) / determinant, (b * dd - d * db) / determinant};
    if (determinant > 1e-9 * dd * bb && both.launch >= 0 && both.megabyte >= 0) {
        *out = both;
        return true;
    }
    // Of one rate alone, the better one: the error is `used` less what it explains.
    if (!(dd > 0) && !(bb > 0))
        return false;
    bool launches = dd > 0 && (!(bb > 0) || d * d / dd >= b * b / bb);
    *out = launches ? (cost_rates){d / dd, 0} : (cost_rates){0, b / bb};
    return true;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cost_error(const cost_row *rows, int count, const char *effect, const cost_rates *rates)
{
    double errors[MOST];
    int used = 0;
    for (int i = 0; i < count && used < MOST; i++) {
        const cost_row *row = &rows[i];
        if (strcmp(row->effect, effect) != 0 || !(row->us > 0))
            continue;
        double us = cost_of(rates, row->dispatches, row->bytes);
        errors[used++] = fabs(us - row->us) / row->us;
    }
    qsort(errors, (size_t)used, sizeof *errors, compare);
    return used ? (errors[(used - 1) / 2] + errors[used / 2]) / 2 : (double)NAN;
}

// The mean of the logarithms: each size counts alike, whatever it takes.
static double mean_time(const int *at, const double *before, const double *after, int count,
                        int last)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += log(at[i] <= last ? before[i] : after[i]);
    return sum / count;
}

int cost_change_over(const int *at, const double *before, const double *after, int count, int usual)
{
    const double worth = 0.01;
    double stays = mean_time(at, before, after, count, usual), least = stays - worth;
    int best = usual;
    for (int i = -1; i < count; i++) {
        int last = i < 0 ? 1 : at[i];
        double mean = mean_time(at, before, after, count, last);
        if (mean < least) {
            least = mean;
            best = last;
        }
    }
    return best;
}

static double price_of(const cost_plan *plan, const double prices[COST_PRICES])
{
    double sum = plan->bytes;
    for (int i = 0; i < COST_PRICES; i++)
        sum += plan->units[i] * prices[i];
    return sum;
}

double cost_regret(const cost_plan *plans, int count, const double prices[COST_PRICES])
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (plans[i].job == plans[k].job && plans[i].us > plans[k].us &&
                price_of(&plans[i], prices) < price_of(&plans[k], prices))
                sum += plans[i].us / plans[k].us - 1;
    return sum;
}

void cost_search(const cost_plan *plans, int count, double prices[COST_PRICES])
{
    static const double factors[] = {0.5, 0.7, 0.85, 0.95, 1.05, 1.2, 1.4, 2};
    enum { FACTORS = sizeof factors / sizeof *factors, ROUNDS = 40 };
    double least = cost_regret(plans, count, prices);
    bool better = true;
    for (int round = 0; better && round < ROUNDS; round++) {
        double best[COST_PRICES];
        better = false;
        for (int i = 0; i < FACTORS * FACTORS * COST_PRICES; i++) { // one or two at a time
            double tried[COST_PRICES];
            int at = i % COST_PRICES, first = i / COST_PRICES % FACTORS,
                second = i / COST_PRICES / FACTORS;
            memcpy(tried, prices, sizeof tried);
            tried[at] *= factors[first];
            tried[(at + 1) % COST_PRICES] *= first == second ? 1 : factors[second];
            double regret = cost_regret(plans, count, tried);
            if (regret < least) {
                least = regret;
                memcpy(best, tried, sizeof best);
                better = true;
            }
        }
        if (better)
            memcpy(prices, best, sizeof best);
    }
}
