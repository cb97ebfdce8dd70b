// empty.comp - a dispatch that does nothing, to measure the cost of a launch
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 32) in;
void main() {}
