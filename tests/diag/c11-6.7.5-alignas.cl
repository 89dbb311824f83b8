// OPTIONS: -cl-std=CL3.0
_Alignas(0) int none;
_Alignas(8) _Alignas(0) int eight;
_Alignas(1) int small;
_Alignas(1) int larger __attribute__((aligned(8)));
_Alignas(char) float4 vector;
_Alignas(3) int three;
_Alignas(16) typedef int type;
_Alignas(16) void function(void);
void parameter(_Alignas(16) int a);
struct S {
    _Alignas(1) int small;
    _Alignas(0) int none;
    _Alignas(double) char large;
    _Alignas(char) long longs[2];
};
kernel void k(global int *o) {
    _Alignas(2) int small = 1;
    _Alignas(32) int large = 2;
    *o = small + large;
}
