// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.5.2: the local address space.
local int program_scope;  // 1.5.2-3
void helper(void) {
    local int in_function;  // 1.5.2-3
}
kernel void nested(int n) {
    local int fine;
    if (n) {
        local int in_block;  // 1.5.2-3
        in_block = 1;
    }
    for (local int i;;) break;  // 1.5.2-3
    local int value = 1;        // 1.5.2-4, 1.5.6-17
    local int values[2] = {1, 2};  // 1.5.2-4
    local int *local pointer = &fine;  // 1.5.2-4
    local float4 v = (float4)(0);  // 1.5.2-4
}
struct s {
    local int member;       // 1.5.6-15
    global int other;       // 1.5.6-15
    constant float third;   // 1.5.6-15
    private int fourth;     // 1.5.6-15
    local int *fine;
};
union u {
    global int member;  // 1.5.6-15
};
