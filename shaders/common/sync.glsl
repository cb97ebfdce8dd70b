// common/sync.glsl - the barrier of every exchange through shared memory
// SPDX-License-Identifier: MIT
#ifndef AG_COMMON_SYNC_GLSL
#define AG_COMMON_SYNC_GLSL

// GLSL 4.30 does not promise that barrier() alone orders shared memory. Never in divergent flow.
void sync_shared()
{
    memoryBarrierShared();
    barrier();
}
#endif
