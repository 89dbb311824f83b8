// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-ext=-cl_khr_fp64,-cl_khr_fp16
float5 a(void);       // 1.1.2-1: no such type
int1 b(void);         // 1.1.2-1
uchar32 c(void);      // 1.1.2-1
bool2 d(void);        // 1.1.2-1
size_t4 e(void);      // 1.1.2-1
double f(void);       // 1.1.1-9: optional
double2 g(void);      // 1.1.2-2
void h(double16 *p);  // 1.1.2-2
