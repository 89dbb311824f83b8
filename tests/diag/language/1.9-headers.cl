// OpenCL C 2.0, 6.9 r6: there are no C99 headers.
#if defined(__has_include) && __has_include("limits.h")
#endif
// DIFFERS 1.9-14: clang goes on to the host's header, which fails there
#include <stdio.h>   // 1.9-14
