// SPDX-License-Identifier: Apache-2.0
// Jumps into statement expressions, which gcc refuses and clang miscompiles.
kernel void jumps(global int *out, int n) {
    goto in;  // DIFFERS GNU: clang jumps into the middle of an expression
    out[0] = ({ in: 3; });
    out[1] = ({ goto other; 1; });  // DIFFERS GNU: likewise
    out[2] = ({ other: 2; });
    out[3] = ({ goto inner; ({ inner: 2; }); });  // DIFFERS GNU: likewise
    out[4] = ({ again: if (n++ < 3) goto again; ({ if (n) goto again; goto done; }); n; });
done:
    switch (n) {
        case 1: out[5] = ({ case 2: 5; n; }); break;  // DIFFERS GNU: likewise
        default: ({ default: n = 3; });
    }
    out[6] = ({ case 9: n; });
    out[7] = ({ switch (n) { case 1: n = 2; default: n = 3; } n; });
    ({ break; });
    switch (({ break; n; })) { case 1: n++; }
}
