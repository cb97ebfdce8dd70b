// sat_ladder_networks.c - how often each network adds, on an array, an addition at a time
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_sat_ladder.h"

// The networks of the methods: docs/ladder.md has their sums.
typedef enum network { DOUBLING, HALVES, TREE } network;

// Each adds right, and so often: an inclusive scan of n elements, n a power of two.
static uint64_t count_network(network kind, int radix, int n)
{
    uint64_t *v = check_allocate((size_t)n * sizeof *v), *w = check_allocate((size_t)n * sizeof *w);
    uint64_t *src = check_allocate((size_t)n * sizeof *src), count = 0, sum = 0;
    for (int i = 0; i < n; ++i)
        v[i] = src[i] = (uint64_t)(i * i % 97 + 1);
    for (int by = 1; kind == DOUBLING && by < n; by *= radix) {
        for (int i = 0; i < n; ++i) {
            w[i] = v[i];
            for (int k = 1; k < radix && i - k * by >= 0; ++k, ++count)
                w[i] += v[i - k * by];
        }
        memcpy(v, w, (size_t)n * sizeof *v);
    }
    for (int by = 1; kind == HALVES && by < n; by *= 2)
        for (int i = 0; i < n; ++i)
            if (i & by) {
                v[i] += v[(i & ~(2 * by - 1)) + by - 1];
                ++count;
            }
    for (int by = 1; kind == TREE && by < n; by *= 2)
        for (int last = 2 * by - 1; last < n; last += 2 * by, ++count)
            v[last] += v[last - by];
    if (kind == TREE)
        v[n - 1] = 0;
    for (int by = n / 2; kind == TREE && by > 0; by /= 2)
        for (int last = 2 * by - 1; last < n; last += 2 * by, ++count) {
            uint64_t left = v[last - by];
            v[last - by] = v[last];
            v[last] += left;
        }
    for (int i = 0; kind == TREE && i < n; ++i, ++count)
        v[i] += src[i];
    for (int i = 0; i < n; ++i) {
        sum += src[i];
        CHECK(v[i] == sum);
    }
    free(v);
    free(w);
    free(src);
    return count;
}

// An algorithm is work-efficient if it adds O(n) times: the documents' definition. The least is the
// serial scan's n - 1.
void test_work(void **state)
{
    static const struct {
        const char *name;
        network kind;
        int radix;
        uint64_t of_8, of_32; // by the documents' formulas
    } rows[] = {
        {"hensley, kogge_stone", DOUBLING, 2, 17, 129}, // n log2 n - n + 1
        {"hensley_radix4", DOUBLING, 4, 22, 178},
        {"hensley_radix16", DOUBLING, 16, 28, 376},
        {"ladner_fischer, scanrow_brlt, scanrowcolumn", HALVES, 2, 12, 80}, // n / 2 log2 n
        {"blelloch, segmented, scan_transpose_scan", TREE, 2, 22, 94},      // 3 n - 2
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); ++i) {
        printf("  note  %s: %d additions of 32 elements\n", rows[i].name, (int)rows[i].of_32);
        CHECK_EQ(count_network(rows[i].kind, rows[i].radix, 8), rows[i].of_8);
        CHECK_EQ(count_network(rows[i].kind, rows[i].radix, 32), rows[i].of_32);
    }
}
