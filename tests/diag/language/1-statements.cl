// SPDX-License-Identifier: Apache-2.0
// Constraints of C99 6.8: all of them 1-1. OPTIONS: -ferror-limit=0
struct s { int a; };
void jumps(int x, float f, int4 v, int *p, struct s s) {
    goto nowhere;
    a: x = 1; a: x = 2;
    break;
    continue;
    case 1: ;
    default: ;
    switch (x) { case 1: case 1: ; }
    switch (x) { case 1 ... 5: ; case 3: ; }
    switch (x) { case x: ; }
    switch (x) { case 1.5f: ; }
    switch (x) { default: default: ; }
    switch (x) { case 1: continue; }
    switch (f) { default: ; }
    switch (v) { default: ; }
    switch (p) { default: ; }
    switch (s) { default: ; }
    if (s) ;
    if (v) ;
    while (s) ;
    do ; while (v);
    for (; s; ) ;
    if (x) int y;
    while (x) int y;
    for (;;) int y;
    label: int z;
    for (static constant int i = 0; i < 2; ) ;
    for (typedef int T; x; ) ;
    for (x) ;
    while () ;
    if () ;
    do x--; until (x);
    x = = 1;
    x =;
    (x;
    x[1;
    x x;
    int 1y;
    else x = 1;
    return x;
}
int value(int x) { return; }
int wrong_value(int *x) { return x; }
int *wrong_pointer(int x) { return x; }
struct s wrong_struct(int x) { return x; }
int label_at_end(int x) { end: }
