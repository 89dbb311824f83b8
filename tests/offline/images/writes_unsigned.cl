// SPDX-License-Identifier: Apache-2.0
// Every type of image that is written as unsigned integers.
// OPTIONS: -cl-std=CL2.0
// RUN: image=1d:RGBA:UNSIGNED_INT16:9 image=1d_buffer:RGBA:UNSIGNED_INT16:6 image=1d_array:RGBA:UNSIGNED_INT16:5x3 image=2d:RGBA:UNSIGNED_INT16:4x3 image=2d_array:RGBA:UNSIGNED_INT16:4x3x2 image=3d:RGBA:UNSIGNED_INT16:3x4x5
#define COLOR uint4
#define WRITE write_imageui
#define STORED ushort
#define LEAST 65000
#include "writes.h"
