// OPTIONS: -cl-std=CL2.0
// 1.13.11-48
kernel void unsupported(void) {
    atomic_bool a;
    atomic_char b;
    atomic_uchar c;
    atomic_short d;
    atomic_ushort e;
    atomic_intmax_t f;
    atomic_uintmax_t g;
}
_Atomic int specifier;                  // 1.13.11-49
void qualified(global _Atomic(int) *p); // 1.13.11-49
void local_one(void) { int _Atomic x; } // 1.13.11-49
