// OPTIONS: -cl-std=CL2.0
// What clang folds of addresses is no integer constant expression (C99 6.6p6): the size of an array must be one.
constant int c = 3;
constant int table[3] = {1, 2, 3};
kernel void k(global int *out) {
    int a[&c + 3 - &c];
    int b[&table[2] == &table[2]];
    int d[sizeof(int[&table[2] - table])];
    int e[!&c + 1];
    _Static_assert(&c + 3 - &c == 3, "");
    // These are
    int f[c], h[sizeof(&c)];
    _Static_assert(sizeof(f) == 12 && sizeof(h) == 32, "");
    // clang folds them where it is asked for a value
    switch (out[0]) {
        case &c + 2 - &c: break;
    }
    enum { E = &c + 2 - &c };
    _Static_assert(E == 2, "");
}
