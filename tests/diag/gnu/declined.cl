// SPDX-License-Identifier: Apache-2.0
// What we decline, by name, and what clang does.
kernel void declined(global int *out, int x) {
    __asm__("nop");  // DIFFERS GNU: SPIR-V has no place for assembly
    __asm__ volatile("" : : : "memory");  // DIFFERS GNU: SPIR-V has no place for assembly
    out[0] = __builtin_no_such_thing(x);
    out[1] = __builtin_expect(x);
    __auto_type y;
    __auto_type i = 1, f = 2.0f;
    global int *p = 5;
}
