// OPTIONS: -cl-std=CL2.0
// Declarations of built-in functions whose parameters have no type: no overload has a pointer to take one from.
__builtin_memset(out, value, n);
to_global(p);
int vload4(q);
