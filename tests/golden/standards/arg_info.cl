// Types of arguments under the names that the source gives them, as the LLVM translator writes them.
// OPTIONS: --target=opencl2.0 -cl-std=CL2.0 -cl-kernel-arg-info
// CHECK: OpString "kernel_arg_type.k.uint4*,real*,V*,int*,float,uint,S,struct T,int*,uchar*,int,struct T*,S*,ulong,half*,__global int **,uchar,ushort,uchar,void*,uint*,size_t*,long,char,"
// CHECK: OpString "kernel_arg_type_qual.k.restrict const,,const,,,,,,,volatile,,,,,,,,,,,,,,,"
typedef float real;
typedef uint4 V;
typedef struct {
    int a;
} S;
struct T {
    int b;
};
typedef global int *GP;
kernel void k(global const uint4 *restrict a, global real *volatile b, constant V *c, local int *d, float e,
              unsigned int f, S s, struct T t, GP gp, global volatile unsigned char *uc, const int ci, global struct T *pt,
              global S *ps, unsigned long ul, global half *h, global int *global *pp, unsigned char uc2, ushort us,
              uchar uc3, global void *vp, global unsigned *const cp, global size_t *zp, long l, signed char sc) {
    a[0];
}
