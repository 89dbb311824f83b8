// SPDX-License-Identifier: Apache-2.0
// A bracket that is not closed leads back to the one that was opened.
int f(int n) {
    int a[4] = {1, 2 3};
    n = (n + 1;
    a[n = 2;
    if (n > 1 { n = 2; }
    n = f(f(n);  // DIFFERS 1-1: clang reports it at the end of the function
    return n;
}  // DIFFERS 1-1: see above
int g(int a, int b { return a; }
int h(int n) {
    if (n) {
        n = 2;
    return n;
}
