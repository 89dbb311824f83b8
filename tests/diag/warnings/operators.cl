// OPTIONS: --target=opencl2.0 -Wall -Wextra -Wfloat-equal -Wbitwise-op-parentheses -Wunsequenced
// Operators on values that make them mistakes.
void shifts(int i, uint u, long l, char c) {
    i << 32;
    i = 1 << 32;
    i = 1 << 31;
    i = 3 << 31;
    i = 1 << -1;
    i = -1 << 2;
    l = 1l << 64;
    u = 1u << 32;
    i = i >> 40;
    c = c << 9;
    i <<= 33;
    l = i << 33;
}
void division(int i, float f, uint u) {
    i = i / 0;
    i = i % 0;
    i /= 0;
    i %= 0;
    f = f / 0;
    u = u / 0u;
    i = 1 / 0;
    i = i / (1 - 1);
}
void overflow(int i, long l) {
    i = 2147483647 + 1;
    i = 65536 * 65536;
    l = 1000000 * 1000000;
    i = -2147483648 - 1;
    l = 24 * 60 * 60 * 1000000;
    i = 4294967295u + 1;
    i = 2147483647 * 2 + i;
}
void sequence(int i, int a[4], int j) {
    i = i++;
    i = i++ + 1;
    a[i] = i++;
    a[i++] = i;
    i = i + i++;
    i++ + i++;
    j = i++ * i++;
    i += i++;
    j = i-- - --i;
    j = (i = 1) + (i = 2);
    j = (i++, i);
    j = i++ && i++;
    j = i ? i++ : i--;
}
void floats(float f, float g, int i, double d) {
    i = f == g;
    i = f != 0.5f;
    i = f == 0;
    i = d == 0.1f;
    i = f == 0.1;
    i = f == 1;
}
void strings(int i) {
    constant char *s = "abc" + i;
    constant char *t = "abc" + 1;
    constant char *u = &"abc"[i];
    i = "abc" == s;
    i = "abc"[5];
    if ("abc") i = 1;
    i = s == "x";
}
void chars(int a[4], char c) {
    a[c] = 1;
    a['a'] = 1;
}
void commas(int i, int j) {
    i++, j++;
    i == 1, j++;
    for (i = 0, j = 1; i < j; i++, j--) ;
}
void memory(int a[2], int b) {
    b = -b;
    b = b ^ 2;
    b = 2 ^ 8;
    b = 10 ^ 3;
}
