// OPTIONS: -Wunused-macros -DFROM_THE_COMMAND_LINE=1
#define UNUSED 1
#define USED 2
#define ASKED
#ifdef ASKED
#endif
#define IN_A_CONDITION 1
#if defined(IN_A_CONDITION) && defined NOWHERE
#endif
#define FUNCTION(x) x
#define NO_CALL(x) x
#define UNDEFINED 3
#undef UNDEFINED
#define TWICE 1
#undef TWICE
#define TWICE 2
#define INNER 4
#define OUTER INNER
kernel void k(global int *out) { int NO_CALL = USED; out[0] = TWICE + OUTER + NO_CALL; }
