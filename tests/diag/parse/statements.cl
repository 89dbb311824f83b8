// SPDX-License-Identifier: Apache-2.0
// C99 6.8: parts of statements that are missing.
void f(int n) {
    if n;
    while;
    for n;
    for (int i = 0; i < n) ;
    do ; while;
    do ;
    n = 1;
}
void g(int n) {
    goto;
    switch (n) {
        case 1 n = 2;
        default n = 3;
        case 2:
    }
    if (n) int x;
again:
    int y;
    switch (n) { default: }
}
void h(void) {
last:
}
