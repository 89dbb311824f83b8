// OPTIONS: --target=opencl2.0 -Wall -Wextra -Wtautological-unsigned-zero-compare -Wtautological-unsigned-char-zero-compare -Wtype-limits -Wtautological-unsigned-enum-zero-compare
// Comparisons whose result is known.
enum e { A, B };
int unsigned_zero(uint u, uchar c, ulong l, ushort s, enum e e, bool b, int i) {
    int n = 0;
    n += u < 0;
    n += u >= 0;
    n += 0 > u;
    n += 0 <= l;
    n += c < 0;
    n += s >= 0;
    n += e < 0;
    n += u > 0;
    n += u <= 0;
    n += b < 0;
    n += b > 1;
    n += b == 2;
    n += i < 0;
    return n;
}
int out_of_range(char c, uchar uc, short s, ushort us, int i, uint u, long l) {
    int n = 0;
    n += c == 200;
    n += c > 127;
    n += c < 128;
    n += uc > 255;
    n += uc == 256;
    n += uc < 256;
    n += uc == -1;
    n += s == 40000;
    n += us == 70000;
    n += us != -1;
    n += i > 4294967296L;
    n += i == 2147483648;
    n += u == 4294967296;
    n += u > 4294967295;
    n += i <= 2147483647;
    n += l > 9223372036854775807;
    n += (c & 0xff) == 200;
    n += s > 32767;
    return n;
}
int self(int i, float f, int a[2]) {
    int n = 0;
    n += i == i;
    n += i != i;
    n += i < i;
    n += i <= i;
    n += f == f;
    n += f != f;
    n += a[0] == a[0];
    n += a == a;
    return n;
}
int bitwise(int i) {
    int n = 0;
    n += (i & 8) == 4;
    n += (i & 8) != 4;
    n += (i | 4) == 3;
    n += (i | 4) != 3;
    n += (i | 1) ? 1 : 2;
    if (i | 2) n++;
    n += (8 & i) == 8;
    return n;
}
int overlap(int x, int y) {
    int n = 0;
    n += x > 2 && x < 1;
    n += x < 3 || x > 1;
    n += x == 1 && x == 2;
    n += x != 1 || x != 2;
    n += x > 1 && x < 5;
    n += x > y && x < y;
    return n;
}
int pointers(global int *p, int n) {
    int array[3];
    local int *q = 0;
    n += array == 0;
    n += array != NULL;
    n += &n == 0;
    if (array) n++;
    if (&n) n++;
    n += !array;
    n += p == 0;
    return n + array[0] + (q == 0);
}
int logical(int x) {
    int n = 0;
    n += !x == 1;
    n += !x < 3;
    n += !(x > 1) == 2;
    n += (x > 1) > 5;
    n += (x > 1) == 2;
    n += (x == 1) != -1;
    return n;
}
int4 vectors(int4 v, uchar2 u, float4 f, int4 w) {
    int4 n = v == v;
    n += v != v;
    n += v < v;
    n += v <= w;
    n += f == f;
    n.xy += convert_int2(u >= u);
    return n;
}
