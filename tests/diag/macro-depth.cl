// A fault below many macros: the innermost and the outermost are shown.
#define A1(x) x + missing
#define A2(x) A1(x)
#define A3(x) A2(x)
#define A4(x) A3(x)
#define A5(x) A4(x)
#define A6(x) A5(x)
#define A7(x) A6(x)
#define A8(x) A7(x)
int f(void) { return A8(1); }
