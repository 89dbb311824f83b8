// OPTIONS: -cl-std=CL2.0
// A type name or a member with qualifiers alone is an int, as a declaration is; one without them is none.
int f(global char *in) {
    global char *q = (global *)in;
    int n = *(const *)in + sizeof(const);
    struct { const a; b; } s = {1};
    return n + s.a + (q == 0) + sizeof(static);
}
