// SPDX-License-Identifier: Apache-2.0
// C99 6.5: an operand is missing; the statement is given up, the next one is read as usual.
typedef float4 colour;
float f(float x, colour c) {
    x = ;
    x = x + ;
    x = f(x, );
    x = c. ;
    x = c->3;
    x = x ? 1 2;
    x = colour;
    x = sizeof int;
    x = (colour)();
    else x = 1;
    x = x);
    return x;
}
