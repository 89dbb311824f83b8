// Warnings and sentences as clang has them. OPTIONS: -Wswitch
enum order { C = 2, A = 0, B = 1, MINUS = -1 };
void unordered(enum order x) {
    switch (x) { case B: case A: case MINUS: case C: break; }
    switch (x) { case C: break; case MINUS: break; }
    switch (x) { case B: ; }
}
extern constant int initialised = 1;
struct pair { int a; };
int texts(struct pair s, int n) {
    _Static_assert(sizeof(int) == 3 + 1, "holds");
    _Static_assert(0, "a message");
    int of_void = _Generic(n, void: 1, int: 2), of_array = _Generic(n, int[]: 1, default: 2);
    return s->a;
}
