// empty.comp - a dispatch that does nothing: what a launch costs
//   SPDX-License-Identifier: MIT
#version 430 core
layout(local_size_x = 32) in;
void main() {}
