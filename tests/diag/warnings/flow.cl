// OPTIONS: --target=opencl2.0 -Wall -Wextra -Wimplicit-fallthrough
// Where control goes.
int falls(int a) {
    int n = 0;
    switch (a) {
        case 0: n = 1;
        case 1: n = 2; break;
        case 2:
        case 3: n = 4;
            __attribute__((fallthrough));
        case 4: n = 5;
        default: n = 6;
    }
    switch (a) {
        case 0: return 1;
        case 1: if (a) return 2;
        case 2: { n = 3; }
        case 3: while (1) n++;
        case 4: n = 1; break;
    }
    return n;
}
int missing(int a) {
    if (a) return 1;
}
int nothing(int a) {}
int endless(int a) {
    while (1) a++;
}
int switched(int a) {
    switch (a) {
        case 0: return 1;
        default: return 2;
    }
}
int after_return(int a) {
    return a;
    a = 1;
}
void after_break(int a) {
    for (;;) {
        break;
        a = 1;
    }
    while (a) {
        continue;
        a--;
    }
    if (0) a = 2;
    if (1) a = 3; else a = 4;
    while (0) a = 5;
    switch (a) {
        case 1: return; break;
        default: break;
    }
    goto out;
    a = 6;
out:
    return;
}
int loops(int n) {
    int a = 0, b = 0;
    for (int i = 0; i < 3; a++) b++;
    for (int i = 0; i < 3; i++) { b++; i++; }
    for (; a < n;) b++;
    for (int i = 0, j = 3; i < j; n++) b++;
    while (a < 3) b++;
    return b;
}
void cases(int a, bool b, enum { A, B } e) {
    switch (b) { case true: break; }
    switch (a == 1) { case 1: break; default: break; }
    switch (e) { case A: break; }
    switch (e) { case A: case B: break; case 7: break; }
    switch (1) { case 2: break; }
    switch (a) { default: break; }
}
