// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -pedantic
// C2x in the preprocessor: __VA_OPT__, #elifdef, #elifndef.
#define FINE(a, ...) a __VA_OPT__(, ) __VA_ARGS__
#define OPEN(a, ...) __VA_OPT__ a
#define UNCLOSED(a, ...) __VA_OPT__(a (b)
#define NESTED(a, ...) __VA_OPT__(a __VA_OPT__(b))
#define AT_START(a, ...) __VA_OPT__(## a)
#define AT_END(a, ...) __VA_OPT__(a ##)
#define NO_REST(a) __VA_OPT__(a)
#define A
#if 0
#elifdef A extra
int a;
#elifndef A
#error not here
#elifdef 3
#else
#endif
#ifdef A
#elifdef 3
#endif
#if 0
#elifndef
#elifndef A
#elifdef B
#else
int b;
#elifdef A
#endif
#elifdef A
