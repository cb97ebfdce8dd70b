// ladder/sat/segments.glsl - Sengupta et al.'s segmented tree in shared memory
//
//   includer  head(i)      whether element i of the vector begins a segment
//             TREE_VALUE, TREE_ELEMENTS (a power of two, two a thread)
//   cost      as ladder/sat/tree.glsl, and flags
//   source    S. Sengupta, M. Harris, Y. Zhang, J. D. Owens 2007, "Scan primitives for GPU
//             computing", Graphics Hardware, algorithms 3 and 4
//
//     data    a b c d e       exclusive   0 a 0 c c+d     A flag in a node says that a segment
//     flags   1 0 1 0 0       inclusive   a a+b c ..      begins in it: sums stop there
//   SPDX-License-Identifier: MIT
#pragma once
#if !defined(TREE_ELEMENTS) || !defined(TREE_VALUE)
#error "TREE_ELEMENTS and TREE_VALUE must be set by the host or defined by the includer"
#endif
#include "common/sync.glsl"

#define TREE_PLACE(n) ((n) + ((n) >> 5))
shared TREE_VALUE s_tree[TREE_ELEMENTS + TREE_ELEMENTS / 32];
shared uint s_flag[TREE_ELEMENTS + TREE_ELEMENTS / 32];

bool head(int i);

void set_element(int e, TREE_VALUE v, bool begins)
{
    s_tree[TREE_PLACE(e)] = v;
    s_flag[TREE_PLACE(e)] = uint(begins);
}

// Sums of nodes, up to the root, the last element.
void sweep_up(int node)
{
    sync_shared();
    for (int by = 1; by < TREE_ELEMENTS; by *= 2) {
        int last = (node + 1) * 2 * by - 1;
        int left = TREE_PLACE(last - by), right = TREE_PLACE(last);
        if (last < TREE_ELEMENTS) {
            if (s_flag[right] == 0u)
                s_tree[right] += s_tree[left];
            s_flag[right] |= s_flag[left];
        }
        sync_shared();
    }
}

// The exclusive scan; `first`: element 0 of the tree in the vector. What is before the tree begins
// at its root, in place of 0.
void sweep_down(int node, int first, TREE_VALUE before)
{
    if (node == 0)
        s_tree[TREE_PLACE(TREE_ELEMENTS - 1)] = before;
    sync_shared();
    for (int by = TREE_ELEMENTS / 2; by > 0; by /= 2) {
        int last = (node + 1) * 2 * by - 1;
        int left = TREE_PLACE(last - by), right = TREE_PLACE(last);
        if (last < TREE_ELEMENTS) {
            TREE_VALUE sum = s_tree[left];
            s_tree[left] = s_tree[right];
            if (head(first + last - by + 1))
                s_tree[right] = TREE_VALUE(0);
            else if (s_flag[left] != 0u)
                s_tree[right] = sum;
            else
                s_tree[right] += sum;
            s_flag[left] = 0u;
        }
        sync_shared();
    }
}

// Inclusive, for an element with value v.
TREE_VALUE element_sum(int e, TREE_VALUE v, bool begins)
{
    if (begins) // also of element 0, which the tree gave what is before it
        return v;
    return s_tree[TREE_PLACE(e)] + v;
}
