// OPTIONS: -Wall -Wextra -Wtype-limits
enum e returned(int x);
int compared(enum e e, int i) {
    int n = e < 0;
    n += e == 5000000000;
    return n + e;
}
int local_variable(void) {
    enum f v = 300;
    return v >> 40;
}
