// SPDX-License-Identifier: Apache-2.0
// Case ranges, short and long; local labels; attributes on statements; declarations after labels.
// OPTIONS: --target=opencl1.2
kernel void statements(global int *out, int x) {
    switch (x) {          // CHECK: OpULessThanEqual
        case 0 ... 3:     // CHECK: OpSwitch
            out[0] = 1;
            __attribute__((fallthrough));
        case 1000 ... 100000: out[1] = 2; break;
        case -5 ... -1:
        default: out[2] = 3;
    }
    {
        __label__ done;
        if (x) goto done;
        out[3] = 4;
    done:
        out[4] = 5;
    }
}
