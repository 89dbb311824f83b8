// OPTIONS: --target=opencl2.0 -Wall -Wextra
// Operators that bind otherwise than they look.
int precedence(int a, int b, int c) {
    int n = 0;
    n += a & b == c;
    n += a == b & c;
    n += a | b < c;
    n += a << b + c;
    n += a - b << c;
    n += a && b || c;
    n += a || b && c;
    n += a & b | c;
    n += a ^ b | c;
    n += a & b ^ c;
    n += !a == b;
    n += !a < b;
    n += !a & b;
    n += a < b < c;
    n += a == b == c;
    n += a < b == c;
    n += a + b ? 1 : 2;
    n += a | b ? 1 : 2;
    n += a & b ? 1 : 2;
    n += a - (b < c) ? 1 : 2;
    n += a >> b >> c;
    n += a << b << c;
    n += a << b == c;
    n += a ? b : c + 1 ? 2 : 3;
    n = +n;
    n =- a;
    n =! a;
    n =& a ? 1 : 2;
    return n;
}
int bool_operation(bool x, int a) {
    int n = ~x;
    n += ~(a > 1);
    n += (a > 1) & (a < 5);
    n += (a > 1) | (a < 5);
    n += x * x;
    if (a << 1) n++;
    if (a * 2) n++;
    n += (a << 2) ? 1 : 2;
    n += 4 << 2 && a;
    n += a ? 3 : 4 ? 1 : 2;
    n += a && 4;
    n += a || 8;
    n += a & 4 && 8;
    n += 1 && a;
    n += a && 1;
    n += a || 0;
#define IS_FAST 1
    n += a && IS_FAST;
    n += a && true;
    return n;
}
void dangling(int a, int b) {
    if (a)
        if (b) a = 1;
        else a = 2;
    for (int i = 0; i < 2; i++)
        if (a)
            if (b) a = 1;
            else a = 2;
}
void empty(int a) {
    if (a);
    for (int i = 0; i < 3; i++);
    {
        a = 1;
    }
    while (a);
    {
        a = 1;
    }
    if (a) {} else;
    switch (a);
}
void misleading(int a, int b) {
    if (a)
        b = 1;
        b = 2;
    for (; a;)
        a--;
        b--;
    if (a) b = 1; b = 2;
    while (a)
        a--;
        a++;
    if (a)
        a = 1;
    else
        a = 2;
        b = 3;
}
// The operator of an assignment binds as it looks.
void assigned(int a, int b, int n) {
    n |= a & b;
    n ^= a & b;
    n &= a | b;
    n <<= a + b;
    n >>= a - b;
    n |= a & b | 1;
}
void before_declarations(int a) {
    while (a--);
    int left = a;
    while (a++);

    int right = a;
    if (left)
        a = 1;
        int deep = a;
    for (; a; --a); int same_line = deep + right;
    a = same_line;
}
