// SPDX-License-Identifier: Apache-2.0
// ALWAYS: descriptors
// Vectors of every length and element: loaded from and stored to private, local and global memory whole and
// by component (1.1.2-1, 1.1.2-3, 1.1.2-4), with their sizes and alignment (1.1.5-1, 1.1.5-2), in structs (1.1.5-4).
#include "vector_memory.h"
TYPE(char) TYPE(uchar) TYPE(short) TYPE(ushort) TYPE(int) TYPE(uint) TYPE(long) TYPE(ulong) TYPE(float)
ALIGNMENT(char) ALIGNMENT(short) ALIGNMENT(uint) ALIGNMENT(long) ALIGNMENT(float)
