// common/interface_store.h - values of STORE (common/store.glsl), for C and GLSL
// SPDX-License-Identifier: MIT
#pragma once

#define AG_STORE_32F 0
#define AG_STORE_16F 1
#define AG_STORE_11_11_10F 2
#define AG_STORE_UNORM8 3
#define AG_STORE_SRGB8 4
#define AG_STORE_10_10_10_2 5
#define AG_STORE_32UI 6 // tables only
#define AG_STORE_SRGB_10_10_10_2 7
#define AG_STORE_UNORM16 8
#define AG_STORE_SRGB16 9
