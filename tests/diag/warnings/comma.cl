// OPTIONS: -Wcomma
#define BOTH(a, b) (a, b)
int side(void) { return 1; }
void nothing(void) {}
kernel void k(global int *o, int x) {
    int a, b;
    a = 1, b = 2;
    for (a = 1, b = 2; a < x; a++, b++) o[a] = b;
    o[0] = (a++, b);
    o[1] = ((void)a, b);
    if (side(), b) o[2] = 1;
    nothing(), o[3] = 1;
    a = 1, b = 2, x = 3;
    for (; a++, b < x;) o[b++] = 1;
    o[4] = BOTH(a++, b);
}
