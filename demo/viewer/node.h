// viewer/node.h - one effect of the module's in the chain: on or off, its settings, its place
// SPDX-License-Identifier: MIT
//
// Everything here comes from the module's own description of its effects, so an effect that a later
// module has is in the frame, the panel and the presets without a line about it.
#ifndef VIEWER_NODE_H
#define VIEWER_NODE_H

#include "graph.h"

enum { NODES_MOST = 24, NODE_STEPS = 24, NODE_FORMATS = 6, NODE_NAME = 56 };

typedef struct node {
    const ag_effect_info *info;
    char id[48];               // info->id, which outlives a module
    char name[NODE_NAME];      // bloom, bloom-2, ...: once in a chain
    uint32_t settings_size;    // as info's
    void *settings, *accepted; // as wanted; as last prepared
    bool on;
    bool
        // its dst takes the picture's place; else it is only computed, for the inspector
        in_picture;
    // What it can be, from its slots:
    bool filters;  // src to dst, both of the picture's format
    bool chains;   // makes levels
    bool works;    // in the frame as it was built
    char why[512]; // why it does not
    // In the graph as it was built:
    int pass;                  // GRAPH_NONE: not there
    int textures[GRAPH_SLOTS]; // GRAPH_NONE: left empty
    char labels[GRAPH_SLOTS][NODE_NAME + 24];
    GLuint states[GRAPH_SLOTS]; // of AG_STATE slots: kept from frame to frame
    int state_sizes[GRAPH_SLOTS][2];
    ag_pass *ag_pass;
    ag_plan plan; // steps are copied below
    ag_step steps[NODE_STEPS];
    int step_count;
} node;

bool node_open(node *n, const ag_api *ag, const ag_effect_info *info); // false: out of memory
// The folder of the effect describes it anew: what settings it still has keep their values.
bool node_describe(node *n, const ag_api *ag, const ag_effect_info *info);
bool node_copy(node *n, const ag_api *ag, const node *from); // its settings and switches
void node_close(node *n, const GladGLContext *gl);           // gl NULL: nothing was drawn
void node_reset(node *n, const ag_api *ag);                  // settings to their defaults
bool node_is_default(const node *n, const ag_api *ag);

const ag_slot_info *node_slot(const ag_effect_info *info, int index);
bool node_takes(const ag_slot_info *slot, uint32_t format);

#endif
