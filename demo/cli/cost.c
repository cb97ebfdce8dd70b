// cli/cost.c - how long a pass should take: a line through what was timed, by its plan's figures
// SPDX-License-Identifier: MIT
#include "cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATES = 3, MOST = 256 };

static void terms_of(const cost_row *row, double out[RATES])
{
    out[0] = (double)row->dispatches;
    out[1] = (double)row->bytes * 1e-6;
    out[2] = (double)row->instructions * 1e-6;
}

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
            return read_rate(read_rate(read_rate(line + length, ' ', &out->launch), ' ',
                                       &out->megabyte),
                             '\n', &out->million) != NULL;
    }
    return false;
}

double cost_of(const cost_rates *rates, uint64_t dispatches, uint64_t bytes, uint64_t instructions)
{
    return rates->launch * (double)dispatches + rates->megabyte * (double)bytes * 1e-6 +
           rates->million * (double)instructions * 1e-6;
}

// Solves `a` x = `b` of the unknowns in `set` by elimination with pivots; the others are 0. False:
// singular.
static bool solve(double a[RATES][RATES], const double b[RATES], unsigned set, double x[RATES])
{
    double m[RATES][RATES + 1];
    int at[RATES], n = 0;
    for (int i = 0; i < RATES; i++)
        if (set >> i & 1)
            at[n++] = i;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            m[i][k] = a[at[i]][at[k]];
        m[i][n] = b[at[i]];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[i][k]) > fabs(m[best][k]))
                best = i;
        if (!(fabs(m[best][k]) > 1e-9 * a[at[k]][at[k]]))
            return false;
        for (int j = 0; j <= n; j++) {
            double kept = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = kept;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j <= n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    for (int i = 0; i < RATES; i++)
        x[i] = 0;
    for (int i = 0; i < n; i++)
        x[at[i]] = m[i][n] / m[i][i];
    return true;
}

bool cost_fit(const cost_row *rows, int count, const char *effect, cost_rates *out)
{
    double a[RATES][RATES] = {{0}}, b[RATES] = {0}, least = INFINITY;
    int used = 0;
    for (int i = 0; i < count; i++) {
        double term[RATES];
        if (strcmp(rows[i].effect, effect) != 0 || !(rows[i].us > 0))
            continue;
        terms_of(&rows[i], term);
        for (int j = 0; j < RATES; j++) { // relative: each row is divided by its time
            b[j] += term[j] / rows[i].us;
            for (int k = 0; k < RATES; k++)
                a[j][k] += term[j] * term[k] / (rows[i].us * rows[i].us);
        }
        used++;
    }
    // The best with no negative rate is the best of some of them, the others 0: there are seven
    // ways to choose.
    for (unsigned set = 1; set < 1u << RATES; set++) {
        double x[RATES], sum = used;
        if (!solve(a, b, set, x) || x[0] < 0 || x[1] < 0 || x[2] < 0)
            continue;
        for (int j = 0; j < RATES; j++)
            sum -= x[j] * b[j];
        if (sum < least) {
            least = sum;
            *out = (cost_rates){x[0], x[1], x[2]};
        }
    }
    return used >= 2 && isfinite(least);
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
        double us = cost_of(rates, row->dispatches, row->bytes, row->instructions);
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
