// SPDX-License-Identifier: Apache-2.0
// -ffp-contract=off: a product and a sum stay two operations, whatever else is allowed.
// OPTIONS: -cl-mad-enable -ffp-contract=off
kernel void k(global float *out, float a, float b, float c) { out[0] = a * b + c; }
// CHECK: NoContraction
// CHECK: OpFMul
// CHECK: OpFAdd
