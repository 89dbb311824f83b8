// Declarations that must not follow a list of parameter names (C99 6.9.1p6).
int with_assertion(a) _Static_assert(1, "here"); { return a; }
