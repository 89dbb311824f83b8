// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.11: attributes.
struct __attribute__((aligned(3))) three { int i; };       // 1.11.1-2
struct __attribute__((aligned(0))) zero { int i; };
struct __attribute__((aligned(-4))) negative { int i; };   // 1.11.1-2
int n;
struct __attribute__((aligned(n))) run_time { int i; };    // 1.11.1-2
struct __attribute__((aligned(8, 8))) two { int i; };
typedef int packed_int __attribute__((packed));            // 1.11.1-9, 1.11.3-3
struct plain { char c; int i; };
typedef struct plain packed_plain __attribute__((packed)); // 1.11.1-9
struct plain __attribute__((packed)) variable;             // 1.11.1-9
int __attribute__((packed)) scalar;                        // 1.11.1-9
int __attribute__((endian(host))) not_pointer;             // DIFFERS 1.11.3-6: clang 15 ignores endian with a warning, and so do we
kernel void endian(global int *a __attribute__((endian(host))), global int *b __attribute__((endian(device)))) {
    a = b;                                                 // DIFFERS 1.11.3-7: endian is ignored, as in clang 15, and both ends are little
}
int __attribute__((some_vendor)) vendor;                   // 1.11-3
void __attribute__((some_vendor(1, 2))) vendor_2(void);    // 1.11-3
int __attribute__(()) empty_1;                             // 1.11-1
int __attribute__((,,aligned(8),,)) empty_2;               // 1.11-1
int __attribute__((aligned(8)) missing_1;                  // 1.11-1
