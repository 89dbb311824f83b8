// SPDX-License-Identifier: Apache-2.0
#ifdef math_errhandling
#error math_errhandling is defined
#endif
#ifdef MATH_ERREXCEPT
#error MATH_ERREXCEPT is defined
#endif
int a(void) { return math_errhandling; }  // 2.3-2
int b(void) { return MATH_ERREXCEPT; }    // 2.3-2
