// SPDX-License-Identifier: Apache-2.0
// Structures that are kernel parameters may hold addresses that a host knows, from 2.0 on.
// OPTIONS: -cl-std=CL2.0
typedef struct { global float *data; int n; } span;
typedef struct { span inner[2]; constant int *weights; } spans;
typedef struct { int *anywhere; } generic_inside;
typedef struct { struct { private int *own; } inner; } private_inside;
kernel void fine(span s, spans both) { if (s.n) s.data[0] = both.weights[0]; }
kernel void generic_pointer(generic_inside s) {}
kernel void private_pointer(private_inside s) {}
