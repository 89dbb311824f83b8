// SPDX-License-Identifier: Apache-2.0
// OPTIONS: --abi=descriptors -g
typedef struct { global int *data; int n; } View;
kernel void loads(global View *views) {
    views[0].data[1] = 0;
}
