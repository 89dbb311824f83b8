// SPDX-License-Identifier: Apache-2.0
// blocks.cl for images whose descriptors are rows of the argument table (image.h).
// OPTIONS: -cl-std=CL2.0 -DBY_TABLE
#include "builtins/image/blocks.cl"
