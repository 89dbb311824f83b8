// -g: the file, the names, and a line for each instruction that a line of the source made
// OPTIONS: --target=opencl2.0 -g -cl-std=CL2.0
// CHECK: debug.cl"
// CHECK: OpSource OpenCL_C 200000 %
// CHECK: OpMemberName %struct_S 0 "x"
// CHECK: OpName %p "p"
// CHECK: OpName %add "add"
// CHECK: OpName %first "first"
// CHECK: OpName %sum "sum"
int add(int first, int second) {
    int sum = first + second;
    return sum;
}
struct S { int x; float y; };
#define TWICE(a) \
    ((a) + (a))
kernel void k(global int *p, struct S s) {
    p[0] = TWICE(s.x);
    p[1] = add(p[2],
               3);
}
// CHECK: %k = OpFunction
// CHECK: 18 12
// CHECK: 18 5
// CHECK: 19 12
// CHECK: OpFunctionCall %uint %add
// CHECK: 19 5
// CHECK: %add = OpFunction
// CHECK: 11 15
// CHECK: 12 12
