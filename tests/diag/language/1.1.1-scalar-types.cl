// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0
void v;  // 1.1.1-14
int f(void a);
struct s { void member; };
kernel void k(global int *out) {
    void local_void;           // 1.1.1-14
    out[0] = sizeof(void);     // 1.1.1-14
    void many[3];              // 1.1.1-14
    out[1] = (int)(void)1;     // 1.1.1-14: no value
}
