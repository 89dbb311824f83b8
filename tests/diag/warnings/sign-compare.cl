// OPTIONS: --target=opencl2.0 -Wsign-compare -Wno-tautological-compare
// Comparisons of signed with unsigned.
int compare(int i, uint u, long l, ulong ul, char c, uchar uc, short s, ushort us, size_t z) {
    int n = 0;
    n += i < u;
    n += u < i;
    n += i == u;
    n += l < u;
    n += ul > i;
    n += ul != l;
    n += c < uc;
    n += c < u;
    n += us < i;
    n += us < u;
    n += i < z;
    n += u < 1;
    n += u < -1;
    n += (i & 1) == u;
    n += (i & 0xff) < u;
    n += u < (uint)i;
    n += sizeof(int) > i;
    n += u < (i ? 1 : 2);
    n += i < (u & 7);
    n += (u >> 1) > i;
    n += i ? u : -1;
    n += i ? i : u;
    return n;
}
enum e { A, B };
int enums(enum e e, int i, uint u) {
    return (e < i) + (e == A) + (e < u) + (i < A);
}
int loop(int n) {
    int sum = 0;
    for (int i = 0; i < get_global_size(0); i++) sum += i;
    for (uint i = 0; i < n; i++) sum += i;
    return sum;
}
int constants(uint u, int i) {
    const int known = 191, minus = -1, other = i;
    int n = u > known;
    n += u < known * 2 + 1;
    n += u == minus;
    n += u > other;
    return n;
}
