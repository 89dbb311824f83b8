// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// Operands of which only the type counts, so that what they would set stays as it is.
int count(int *n);
int sizes(int n, float4 v, global int *p) {
    int sum = sizeof(n++) + sizeof n + sizeof(p[--n]);
    sum += vec_step(v = 1.0f) + vec_step(v * 2);
    sum += __alignof__(n += 2);
    sum += sizeof(count(&n)) + sizeof(count((n = 3, &n)));
    __typeof__(n--) m = 0;  // clang says nothing here
    __typeof__(n) k = 0;
    sum += _Generic(n = 4, int: 1, default: 2) + _Generic(n, int: n++, default: n--);
    sum += sizeof(sizeof(n++));
#pragma clang diagnostic ignored "-Wunevaluated-expression"
    return sum + sizeof(++n) + m + k;
}
