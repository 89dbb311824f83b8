// As in variables.cl. `lost NAME` says that no instruction computes what the variable gets on this line, so that it is
// undefined from there on, and `value NAME OPCODE` what computes it, both for Vulkan.
typedef struct {
    int first;
} Pair;
typedef enum { Low, High } Level;

kernel void values(global int *out, int n) {    // var out int* values 0; var n int values 0
    int x = 1;                                  // var x int values 0; value x OpConstant
    out[0] = x;                                 // code
    x = n * 3;                                  // lost x
    out[1] = n;                                 // code
    bool is_large = n > 100;                    // var is_large bool values 0; value is_large OpSGreaterThan
    const bool is_odd = n & 1;                  // var is_odd const-bool values 0; value is_odd OpINotEqual
    out[2] = is_large && is_odd ? n : 2;        // code
    Pair pair = {n};                            // var pair Pair values 0
    Level level = n > 9 ? High : Low;           // var level Level values 0; value level OpSelect
    global const Pair *pairs = (global const Pair *)out;  // var pairs const Pair* values 0
    out[6] = level + pairs[pair.first].first;   // code
    uchar truth = n > 7;                        // var truth uchar values 0; lost truth
    truth = out[8];                             // value truth OpUConvert
    out[3] = truth;                             // code
    int way = 2;                                // var way int values 0; value way OpConstant
    out[4] = way;                               // code
    if (n > 5) way = 6;                         // copy
    for (int i = 0; i < n; ++i) {               // var i int values 1; code
        int fresh;                              // var fresh int values 2; lost fresh
        if (i > 3) fresh = i, out[5] += fresh;  // code; value fresh OpPhi
    }
}
