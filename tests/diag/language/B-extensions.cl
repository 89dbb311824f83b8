// SPDX-License-Identifier: Apache-2.0
// What an extension brings is missing without it.
// OPTIONS: -cl-std=CL2.0 -cl-ext=-cl_khr_fp16,-cl_khr_int64_base_atomics,-cl_khr_int64_extended_atomics,-cl_khr_subgroups,-cl_khr_fp64
#ifdef cl_khr_fp16
#error 
#endif
half4 a(void);                   // B-1
half b(void);                    // B-1
#ifdef cl_khr_int64_base_atomics
#error 
#endif
void c(global atomic_long *p);   // B-2
void d(global atomic_ulong *p);  // B-2
#ifdef cl_khr_subgroups
#error 
#endif
uint e(void) { return get_sub_group_size(); }  // B-5
#ifdef cl_khr_fp64
#error 
#endif
double f(void);                  // B-6
