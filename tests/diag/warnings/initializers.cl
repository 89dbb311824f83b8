// OPTIONS: --target=opencl2.0 -Wall -Wextra
// Initialisers.
struct s { int x, y; };
struct t { struct s s; int z; };
void function(int n) {
    int a[3] = {[0] = 1, [0] = 2};
    int b[3] = {1, 2, [1] = 3};
    struct s c = {.x = 1, .x = 2};
    struct s d = {1};
    struct s e = {.x = 1};
    struct s f = {0};
    struct s g = {};
    struct t h = {1, 2, 3};
    struct t i = {{1}, 2};
    int j[2][2] = {1, 2, 3, 4};
    int k[2] = {1, 2, 3};
    struct s l = {1, 2, 3};
    int m = {1, 2};
    int o = {1};
    char p[2] = "abc";
    char q[3] = "abc";
    struct t r = {.s.x = 1, .z = 2};
    struct t s = {.s = {1, 2}, .s.y = 3, 4};
    struct s u[2] = {1, 2, 3, 4};
    int v = {{1}};
    int x[] = {n++, n++};
    struct t y = {0};
    struct t z = {1};
    struct whole { char s[4]; struct s in; } aa = {.s = "abc", .s[1] = 'x', .in = c, .in.x = 5};
    struct s bb[3] = {[0 ... 2] = {1, 2}, [1].y = 3};
}
