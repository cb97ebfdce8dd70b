// ladder/sat/tree.glsl - Blelloch's balanced tree in shared memory: up-sweep and down-sweep
//
//   includer  TREE_VALUE   type of an element; TREE_ELEMENTS, a power of two; TREE_COLUMNS trees
//             side by side, of which element e of tree c lies at TREE_AT(e, c)
//   cost      2 (N - 1) additions and N - 1 moves for N elements, 2 log2 N stages with a barrier
//             each. A thread has two elements
//   why       31 of 32 elements of a stage would lie in few banks: a place is left free after 32
//             (TREE_PADDED 1)
//   source    G. E. Blelloch 1990, "Prefix sums and their applications"; M. Harris et al. 2007,
//             GPU Gems 3, chapter 39
//
//     3 1 7 0 4 1 6 3      up by 1, 2, 4:    3 4 7 11 4 5 6 25     (the root has the sum)
//                          root := 0
//                          down by 4, 2, 1:  0 3 4 11 11 15 16 22  (exclusive)
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(TREE_COLUMNS) || !defined(TREE_ELEMENTS) || !defined(TREE_PADDED) || \
    !defined(TREE_VALUE)
#error "TREE_COLUMNS, TREE_ELEMENTS, TREE_PADDED and TREE_VALUE must be defined"
#endif
#include "common/sync.glsl"

#define TREE_PLACES (TREE_ELEMENTS * TREE_COLUMNS)
#define TREE_PLACE(n) (TREE_PADDED == 1 ? (n) + ((n) >> 5) : (n))
#define TREE_AT(e, c) TREE_PLACE((e) * TREE_COLUMNS + (c))
shared TREE_VALUE s_tree[TREE_PLACES + TREE_PLACES / 32];

// The pair of a node: its last element, and the last one of its left half.
bool tree_node(int node, int by, int column, out int left, out int right)
{
    int last = (node + 1) * 2 * by - 1;
    left = TREE_AT(last - by, column);
    right = TREE_AT(last, column);
    return last < TREE_ELEMENTS;
}

void up_stage(int node, int by, int column)
{
    int left, right;
    if (tree_node(node, by, column, left, right))
        s_tree[right] += s_tree[left];
}

void down_stage(int node, int by, int column)
{
    int left, right;
    if (tree_node(node, by, column, left, right)) {
        TREE_VALUE sum = s_tree[left];
        s_tree[left] = s_tree[right];
        s_tree[right] += sum;
    }
}

// From a tree that is filled, by a barrier too, to its exclusive scan. Returns the root's sum.
TREE_VALUE scan_tree(int node, int column)
{
    for (int by = 1; by < TREE_ELEMENTS; by *= 2) {
        up_stage(node, by, column);
        sync_shared();
    }
    TREE_VALUE root = s_tree[TREE_AT(TREE_ELEMENTS - 1, column)];
    sync_shared();
    if (node == 0)
        s_tree[TREE_AT(TREE_ELEMENTS - 1, column)] = TREE_VALUE(0);
    sync_shared();
    for (int by = TREE_ELEMENTS / 2; by > 0; by /= 2) {
        down_stage(node, by, column);
        sync_shared();
    }
    return root;
}
