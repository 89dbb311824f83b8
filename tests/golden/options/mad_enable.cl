// SPDX-License-Identifier: Apache-2.0
// -cl-mad-enable: a product and a sum may be one operation across statements too.
// OPTIONS: -cl-mad-enable
kernel void k(global float *out, float a, float b, float c) {
    float product = a * b;
    out[0] = product + c;
}
// CHECK: Fma %
// CHECK-NOT: OpFAdd
