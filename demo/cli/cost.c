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

// Solves the normal equations of the terms in `taken`; the others are 0. False: they do not tell
// these terms apart.
static bool solve(double sums[COST_TERMS][COST_TERMS + 1], unsigned taken, double out[COST_TERMS])
{
    double m[COST_TERMS][COST_TERMS + 1];
    memcpy(m, sums, sizeof m);
    for (int i = 0; i < COST_TERMS; i++)
        for (int k = 0; k <= COST_TERMS; k++)
            if (!(taken >> i & 1) || (k < COST_TERMS && !(taken >> k & 1)))
                m[i][k] = i == k;
    for (int i = 0; i < COST_TERMS; i++) // positive definite: without pivots
        for (int row = 0; row < COST_TERMS; row++) {
            if (!(m[i][i] > 1e-9 * sums[i][i]) && taken >> i & 1)
                return false;
            double by = m[row][i] / m[i][i];
            for (int k = i; row != i && k <= COST_TERMS; k++)
                m[row][k] -= by * m[i][k];
        }
    bool good = true;
    for (int i = 0; i < COST_TERMS; i++) {
        out[i] = taken >> i & 1 ? m[i][COST_TERMS] / m[i][i] : 0;
        good = good && out[i] >= 0;
    }
    return good;
}

bool cost_fit_terms(const cost_row *rows, int count, const char *effect, int terms,
                    double out[COST_TERMS])
{
    // Relative: each row is divided by its time. Sums of products of its terms, and of each alone.
    double sums[COST_TERMS][COST_TERMS + 1] = {{0}}, most = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        const cost_row *row = &rows[i];
        if (strcmp(row->effect, effect) != 0 || !(row->us > 0))
            continue;
        const double term[COST_TERMS + 1] = {(double)row->dispatches / row->us,
                                             (double)row->bytes * 1e-6 / row->us,
                                             row->work[0] * 1e-6 / row->us,
                                             row->work[1] * 1e-6 / row->us, 1};
        for (int k = 0; k < terms; k++)
            for (int j = 0; j <= COST_TERMS; j++)
                sums[k][j] += term[k] * term[j];
        used++;
    }
    if (used < 2)
        return false;
    // Of all sets of terms whose best rates are not negative, the one that explains most.
    for (unsigned taken = 1; taken < 1u << terms; taken++) {
        double rates[COST_TERMS], explained = 0;
        if (!solve(sums, taken, rates))
            continue;
        for (int i = 0; i < terms; i++)
            explained += rates[i] * sums[i][COST_TERMS];
        if (explained > most) {
            most = explained;
            memcpy(out, rates, sizeof rates);
        }
    }
    return most > 0;
}

bool cost_fit(const cost_row *rows, int count, const char *effect, cost_rates *out)
{
    double rates[COST_TERMS] = {0};
    if (!cost_fit_terms(rows, count, effect, 2, rates))
        return false;
    *out = (cost_rates){rates[0], rates[1]};
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
