// OPTIONS: --target=opencl2.0 -Wall
// Comments that may be longer or shorter than they look.
// one \
two \
three
void after_three(void);
// a \
// b \
  // none of the three lines is code
// blanks behind the backslash \ 
void swallowed(void);
/* a /* b /* c */
#if 0
// skipped \
text
#endif
#define MACRO 1 // in a directive \
more of it
// a path C:\dir\file
