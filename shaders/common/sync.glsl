// common/sync.glsl - the barrier of every exchange through shared memory
// SPDX-License-Identifier: MIT
#pragma once

// GLSL 4.30 does not promise that barrier() alone orders shared memory. Never in divergent flow.
void sync_shared()
{
    memoryBarrierShared();
    barrier();
}
