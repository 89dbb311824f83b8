// SPDX-License-Identifier: Apache-2.0
// A source that ends too soon is one fault.
kernel void f(global int *p) {
    for (int i = 0; i < 4; ++i) {
        p[i] = (i + 1
