// OPTIONS: --target=opencl2.0 -Wconversion
// Implicit conversions that may change a value (-Wconversion and the groups in it).
void integers(char c, short s, int i, long l, uchar uc, ushort us, uint u, ulong ul) {
    c = i;
    s = i;
    i = l;
    uc = u;
    u = ul;
    u = l;
    i = c;
    c = s + s;
    c += i;
    c = (char)i;
    i = u;
    u = i;
    ul = i;
    l = u;
    us = s;
    s = us;
    uc = c;
    c = 'a';
    c = 200;
    uc = 300;
    i = 4294967296;
    u = -1;
    i = 3000000000u;
    c = i & 0x7f;
    c = i % 10;
    uc = i & 0xff;
    c = i ? 1 : 2;
    c = i >> 30;
    uc = ul >> 60;
    i = sizeof(int);
    s = i * 2;
}
int returns(long l) { return l; }
void takes_char(char c);
void passes(int i, long l) {
    takes_char(i);
    takes_char(l);
    int a[2] = {l, 1};
    char b = l;
}
void reals(float f, double d, int i, long l, uint u, short s) {
    f = d;
    f = i;
    f = l;
    f = s;
    d = l;
    d = i;
    i = f;
    i = d;
    i = 1.5f;
    i = 2.0f;
    u = -1.5f;
    f = 16777217;
    f = 1.0;
    f = 0.1;
    f = 1e39;
    f = 3;
    d = f;
    i = 1e20f;
    i += f;
    i *= 0.5f;
    f += d;
    f += i;
}
float result(double d) { return d; }
void booleans(bool b, int i, float f, int *p) {
    b = i;
    b = f;
    b = 2;
    b = p;
    if (2.0f) i = 1;
    i = b;
}
void indices(global int *p, int i, uint u, long l) {
    p[i] = p[l];
    p[u] = 1;
    i = u + i;
    u = i + 1;
    u = 1 + 1;
    l = i + u;
    i = i << u;
    i = u ? i : u;
    u |= i;
}
enum e { A, B };
enum f { C, D = -1 };
void enums(enum e e, enum f f, int i, uint u, char c) {
    e = i;
    i = e;
    e = f;
    c = e;
    u = f;
    e = C;
    u = e;
    i = f;
}
void vectors(float4 v, float f, double d, int i, int4 iv) {
    v = f;
    v = d;
    v = i;
    iv = 1.5f;
    iv = f;
    v.x = d;
    iv.x = f;
}
void of_constants(uint u) {
    const int known = 191, small = 3;
    const uint large = 70000;
    char c = known;
    c = small;
    short s = large;
    uint sum = u + small;
}
void of_bits(int i, float f) {
    f = __builtin_astype(0x7fc00123u, float);
    f = __builtin_astype(i, float);
    f = __builtin_nanf("0x123");
    i = __builtin_astype(f, int);
}
