// SPDX-License-Identifier: Apache-2.0
// Texels as up to four words of memory, and channels in words.
#pragma once
#include "image.h"

static inline bool is_srgb(uint order) { return order >= CLK_sRGB && order <= CLK_sBGRA; }

// The first channel of a packed format is in the highest bits.
#define SHIFTS_565 (uint4)(11, 5, 0, 0)
#define MOST_565 (uint4)(31, 63, 31, 0)
#define SHIFTS_555 (uint4)(10, 5, 0, 0)
#define MOST_555 (uint4)(31, 31, 31, 0)
#define SHIFTS_101010 (uint4)(20, 10, 0, 0)
#define MOST_101010 (uint4)(1023, 1023, 1023, 0)
#define SHIFTS_101010_2 (uint4)(22, 12, 2, 0)
#define MOST_101010_2 (uint4)(1023, 1023, 1023, 3)
