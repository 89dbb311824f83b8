// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// Block variables, literals and calls that are refused (OpenCL C 2.0 6.12).
typedef int (^block_t)(int);

block_t file_block = ^(int x) { return x; };
int (^uninitialised)(void);                                 // 1.12.5-10
extern int (^elsewhere)(void);                              // 1.12.5-9
extern int (^defined)(void) = ^{ return 1; };               // 1.12.5-9
block_t array[2];                                           // 1.12.5-4
struct holder { block_t member; };                          // 1.12.5-5
union either { block_t member; };                           // 1.12.5-5
block_t made(void);                                         // 1.12.5-11
void pointed(block_t *p);                                   // 1.12.5-12
void variadic(int (^b)(int, ...));                          // 1.12.5-3
int ^(spelt)(int, int);                                     // 1.12.5-16

kernel void block_argument(block_t b) {}

void variables(int n) {
    int (^empty)(int);                                      // 1.12.5-10
    block_t b = ^(int x) { return x + n; };
    b = ^(int x) { return 1; };                             // 1.12.5-10
    file_block = ^(int x) { return 0; };                    // 1.12.5-10
    static block_t kept = ^(int x) { return x + n; };
    static block_t never;                                   // 1.12.5-10
    // DIFFERS 1.12.5-7: clang takes a null block, which nothing can call
    block_t null = 0;
    __block int shared = 1;                                 // 1.12.5-1
    block_t two[2];                                         // 1.12.5-4
    block_t *p;                                             // 1.12.5-12
    {
        block_t inner = b;
    }
    inner(1);                                               // 1.12.5-8
    Block_copy(b);                                          // 1.12.5-2
    Block_release(b);                                       // 1.12.5-2
}

void operators(int n) {
    block_t b = ^(int x) { return x; };
    *b;                                                     // 1.12.2-3 1.12.5-12
    &b;                                                     // 1.12.5-12
    &file_block;                                            // 1.12.5-12
    // DIFFERS 1.12.2-3: clang gives the size of a pointer
    sizeof(b);
    // DIFFERS 1.12.2-3: likewise
    sizeof(block_t);
    // DIFFERS 1.12.5-13: clang takes it (and then fails)
    block_t chosen = n ? b : file_block;
    // DIFFERS 1.12.5-13: what a block returns is no block; clang refuses the call
    int number = n ? b(1) : 2;
    b == file_block;
    !b;
    b && n;
    b++;
    b[0];
    -b;
}

void types(int n, global int *out) {
    block_t b = ^(int x) { return x; };
    b(1, 2);                                                // 1.12.2-4
    b();                                                    // 1.12.2-4
    float4 v = (float4)(1.0f);
    b(v);                                                   // 1.12.2-4
    struct s { int a; } s = b(1);                           // 1.12.2-4
    block_t f = ^(float x) { return 1; };                   // 1.12.2-4
    block_t g = ^(int x) { return 1.0f; };                  // 1.12.2-4
    block_t h = ^(int x) {};                                // 1.12.3-2
    ^{ if (n) return 1; return 2.0f; }();                   // 1.12.3-2
    ^{ if (n) return; return 2.0f; }();                     // 1.12.3-2
    ^int(int x) { return (float2)(1); }(1);                      // 1.12.3-2
    ^(int x) { if (n) return 1; }(2);                       // 1.12.3-2
    ^(int x, ...) { return 1; };                            // 1.12.5-3
    n(1);
}

void captures(int n) {
    block_t b = ^(int x) { return x; };
    struct { int a; } s = {1};
    int array[2] = {0, 1};
    ^{ n = 2; }();                                          // 1.12.3-5
    ^{ n++; }();                                            // 1.12.3-5
    ^{ s.a = 1; }();                                        // 1.12.3-5
    ^{ array[0] = 1; }();                                   // 1.12.3-5
    ^{ ^{ n = 3; }(); }();                                  // 1.12.3-8
    ^{ int *p = &n; }();
    ^{ return b(1); }();                                    // 1.12.5-14
    ^{ return file_block(1); }();                           // a global block is not captured
    block_t self = ^(int x) { return self(x); };            // 1.12.5-14
}

void control(int n) {
    for (;;) {
        ^{ break; }();                                      // 1.12.4-1
        ^{ continue; }();                                   // 1.12.4-1
        ^{ goto end; }();                                   // 1.12.4-1
    }
    switch (n) {
        case 1: ^{ case 2:; }();                            // 1.12.4-1
    }
    ^{ inside:; }();
    goto inside;                                            // 1.12.4-1
end:;
}

// DIFFERS 1.9-17: recursion by way of blocks; clang overlooks it
block_t again = ^(int x) { return again(x - 1); };
void reached(void) {
    // DIFFERS 1.9-17: likewise
    ^{ reached(); }();
}
