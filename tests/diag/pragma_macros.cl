// #pragma push_macro, pop_macro and GCC poison.
#define SIZE 4
#pragma push_macro("SIZE")
#pragma push_macro("NONE")
#undef SIZE
#define SIZE 8
#define NONE 1
_Static_assert(SIZE == 8, "");
#pragma push_macro("SIZE")
#define SIZE 16
_Static_assert(SIZE == 16, "");
#pragma pop_macro("SIZE")
_Static_assert(SIZE == 8, "");
#pragma pop_macro("SIZE")
_Static_assert(SIZE == 4, "");
#pragma pop_macro("NONE")
#ifdef NONE
#error it is not defined
#endif
#pragma pop_macro("SIZE")
#pragma push_macro(SIZE)
#pragma push_macro("SIZE"
#pragma push_macro("SIZE") more
#define USES_BAD bad
#pragma GCC poison bad worse
int fine = USES_BAD;
int bad;
#ifdef worse
#endif
#define worse 1
#if 0
bad
#endif
#pragma GCC poison 1
#line 99999999999
kernel void k(void) {}
