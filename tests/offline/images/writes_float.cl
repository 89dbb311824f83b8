// SPDX-License-Identifier: Apache-2.0
// Every type of image that is written as floats.
// OPTIONS: -cl-std=CL2.0
// RUN: image=1d:RGBA:FLOAT:9 image=1d_buffer:RGBA:FLOAT:6 image=1d_array:RGBA:FLOAT:5x3 image=2d:RGBA:FLOAT:4x3 image=2d_array:RGBA:FLOAT:4x3x2 image=3d:RGBA:FLOAT:3x4x5
#define COLOR float4
#define WRITE write_imagef
#define STORED float
#define LEAST -3.5f
#include "writes.h"
