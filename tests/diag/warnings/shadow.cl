// OPTIONS: --target=opencl2.0 -Wshadow
// Names that hide others.
constant int outer = 1;
void function(int parameter) {
    int local_one = 1;
    {
        int local_one = 2;
        int parameter = 3;
        int outer = 4;
        int function = 5;
    }
    for (int local_one = 0; local_one < 1; local_one++) {
        int local_one = 2;
    }
    int min = 1;
}
void parameters(int outer, int parameters) {}
typedef int type;
void types(void) {
    int type = 1;
    struct tag { int x; };
    { struct tag { int y; }; }
    enum { enumerator };
    { int enumerator = 1; }
}
void prototype(int outer);
