// A `}` within an expression does not end the function: one error, and what follows is checked.
kernel void in_parentheses(global int *a) {
    int x = a[0] + (3 * } 4);
    int y = 5;
    a[1] = x + y;
    a[2] = undeclared;
}
kernel void before_an_operator(global int *a) {
    a[0] = a[1 + }];
    a[1] = a[2] * } / 3;
    a[2] = min(a[3], }, 4);
    a[2] = undeclared;
}

// These end what they belong to.
kernel void ends(global int *a) {
    int list[2][2] = {{1, 2 + }, {3, 4}};
    int b = ({ a[0] + });
    if (a[0]) { a[1] = 2 + }
    a[3] = undeclared;
}
kernel void after(global int *a) { a[0] = undeclared; }
