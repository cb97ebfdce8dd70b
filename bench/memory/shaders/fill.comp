// fill.comp - the source: word i holds value(i)
//
//   out       b_out, u_p.x words
//   dispatch  words / THREADS
//   SPDX-License-Identifier: MIT
#version 430 core

void main()
{
    uint at = thread_number();
    if (at < u_p.x)
        b_out[at] = value(at);
}
