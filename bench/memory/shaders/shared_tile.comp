// shared_tile.comp - the columns of a tile in shared memory, whose rows are padded, swizzled or
// neither
//
//   host sets TILE   16 or 32: rows and columns
//   in        u_p    words from row to row; mask of the swizzle, 0 or TILE - 1; rounds
//   out       b_out  of each thread the sum of what it read: neighbours read neighbouring rows of
//             one column
//   dispatch  any number of groups, all alike
//   why       32 banks take one word each at a time, word i in bank i mod 32:
//
//        pitch 32: column c is bank c in every row, all conflict     pitch 33: row r has it in bank
//        (r + c) mod 32 pitch 32, place c ^ r: row r has column c in bank c ^ r, each another one,
//        and no word is lost
//   SPDX-License-Identifier: MIT
#version 430 core
shared uint s_tile[TILE * (TILE + 1)];

void main()
{
    uint local = gl_LocalInvocationID.x, sum = 0u, pitch = u_p.x, mask = u_p.y;
    for (uint i = local; i < uint(TILE * TILE); i += uint(THREADS)) {
        uint row = i / uint(TILE), column = i % uint(TILE);
        s_tile[row * pitch + (column ^ (row & mask))] = value(i);
    }
    memoryBarrierShared();
    barrier();
    uint row = local % uint(TILE), column = local / uint(TILE);
    uint start = row * pitch, swizzle = row & mask;
    for (uint round = 0u; round < u_p.z; ++round) {
        for (uint j = 0u; j < 16u; ++j)
            sum += s_tile[start + (((column + j) & uint(TILE - 1)) ^ swizzle)];
        ++column;
    }
    give(thread_number(), sum);
}
