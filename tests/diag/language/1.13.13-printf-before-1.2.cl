// SPDX-License-Identifier: Apache-2.0
// printf came with 1.2. 1.13.13-1
// OPTIONS: -cl-std=CL1.1
kernel void print(int i) {
    printf("%d", i);                              // 1.13.13-1
}
