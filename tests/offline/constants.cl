// Tables of program scope are part of the module: the program binds the kernel's arguments alone.
// RUN: --in=1,2,3 --out=8
// WANT: 9 6 -3 21 4 0.5 100 1
constant float squares[4] = {0, 1, 4, 9};
constant short small[3] = {5, -3, 21};
constant uchar weights[5] = {1, 2, 3, 0, 4};
typedef struct {
    char tag;
    float value;
} entry;
constant entry entries[2] = {{1, 0.25f}, {100, 0.5f}};
float sum(constant uchar *from, int count) {
    float total = 0;
    for (int i = 0; i < count; ++i) total += from[i];
    return total;
}
kernel void test(global const float *in, global float *out) {
    const int one = (int)in[0], two = (int)in[1], three = (int)in[2];
    out[0] = squares[three];
    out[1] = sum(weights, three);
    out[2] = small[one];
    out[3] = small[two];
    out[4] = (one ? weights : weights + two)[4 * one];
    out[5] = entries[one].value;
    out[6] = entries[one].tag;
    out[7] = sin(in[0] * 1e9f) != 0;  // the reduction of large arguments has a table
}
