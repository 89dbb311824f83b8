// `typeof` and `asm` are names, since -cl-std has no GNU keywords without underscores.
int typeof(int asm) { return asm; }
kernel void k(global int *o) {
    __typeof__(int) a = 1;
    __typeof(a) b = typeof(a);
    o[0] = b;
    __asm__("nop");
    typeof(a) c = 2;
}
