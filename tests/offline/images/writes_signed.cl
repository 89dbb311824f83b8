// SPDX-License-Identifier: Apache-2.0
// Every type of image that is written as signed integers.
// OPTIONS: -cl-std=CL2.0
// RUN: image=1d:RGBA:SIGNED_INT16:9 image=1d_buffer:RGBA:SIGNED_INT16:6 image=1d_array:RGBA:SIGNED_INT16:5x3 image=2d:RGBA:SIGNED_INT16:4x3 image=2d_array:RGBA:SIGNED_INT16:4x3x2 image=3d:RGBA:SIGNED_INT16:3x4x5
#define COLOR int4
#define WRITE write_imagei
#define STORED short
#define LEAST -3000
#include "writes.h"
