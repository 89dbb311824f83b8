#if 1 +
#endif
#if (1
#endif
#if 1/0
#endif
#if foo(
#endif
#else
#define
#define f(a,a) a
#define g(a) #b
#define h a ##
#ifdef x y
#endif
#line a
#nonsense
#warning this is a warning
#error "this" is an error
#define x 1
#define x 2
#define two(a, b) a b
two(1)
two(1, 2, 3)
#pragma nobody knows this
#undef __FILE__
#if 1
