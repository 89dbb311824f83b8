// A variable of type bool is the comparison that it was made of.
// CHECK: %choose = OpFunction
// CHECK: OpFOrdGreaterThan %bool
// CHECK-NOT: OpINotEqual
// CHECK: OpSelect %float
kernel void choose(global float *f, float a, float b) {
    bool is_large = f[0] > 1.0f;
    f[1] = is_large ? a : b;
}
