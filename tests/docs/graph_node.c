// graph_node.c - a pass of Afterglow as a node of a render graph
// SPDX-License-Identifier: MIT
#include <afterglow/afterglow.h>

typedef struct node {
    const ag_api *ag;
    ag_pass *pass;
    ag_texture slots[4];
    // Points to the slots and to the engine's settings. next_use: what follows in the graph.
    ag_job job;
    uint64_t key;
    // what the graph reads:
    uint64_t scratch_bytes, scratch_alignment;
    uint32_t barriers_before, barriers_after;
    uint64_t bytes_read, bytes_written, bytes_moved;
} node;

// Setup, on any thread, while no other thread uses the pass. Textures need formats and sizes, but
// no names yet. Returns 1: the graph must place memory again; 0: nothing changed; -1: an error.
int node_setup(node *n)
{
    const ag_plan *plan;
    if (n->ag->declare(n->pass, &n->job, &plan) < 0)
        return -1;
    if (plan->key == n->key)
        return 0;
    n->key = plan->key;
    n->scratch_bytes = plan->scratch_bytes;
    n->scratch_alignment = plan->scratch_alignment;
    n->barriers_before = plan->barriers_before;
    n->barriers_after = plan->barriers_after;
    n->bytes_read = n->bytes_written = n->bytes_moved = 0;
    // Rows may grow in later versions: step by the strides.
    const char *row = (const char *)plan->resources;
    for (uint32_t i = 0; i < plan->resource_count; i++, row += plan->resource_stride) {
        const ag_resource *r = (const ag_resource *)(const void *)row;
        // Scratch rows have offsets in the one range; they are live from first_step to last_step.
        n->bytes_read += r->access & AG_READ ? r->bytes : 0;
        n->bytes_written += r->access & AG_WRITE ? r->bytes : 0;
    }
    row = (const char *)plan->steps;
    for (uint32_t i = 0; i < plan->step_count; i++, row += plan->step_stride)
        n->bytes_moved += ((const ag_step *)(const void *)row)->bytes;
    return 1;
}

// When the graph has placed memory and named the textures (in slots): on the context's thread.
int node_prepare(node *n, uint32_t buffer, uint64_t offset)
{
    n->job.scratch.struct_size = sizeof n->job.scratch;
    n->job.scratch.name = n->scratch_bytes ? buffer : 0;
    n->job.scratch.offset = offset; // a multiple of scratch_alignment
    n->job.scratch.bytes = n->scratch_bytes;
    return n->ag->prepare(n->pass, &n->job) >= 0;
}

// In the frame, after the graph's one glMemoryBarrier for all pending bits. Adds the bits that the
// next barrier needs to `owed`. Returns 0 if nothing was recorded.
int node_execute(node *n, uint64_t frame, uint32_t *owed)
{
    uint32_t bits = 0;
    n->job.frame = frame;
    if (n->ag->execute(n->pass, &n->job, &bits) < 0)
        return 0;
    *owed |= bits;
    return 1;
}
