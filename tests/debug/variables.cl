// Each comment says what debug information has to say of its line: `var NAME TYPE SCOPE` of a variable, where SCOPE is
// the function and the number of blocks around the declaration, `code` where the line has instructions, and `copy` where
// only modules for OpenCL have some.
// `inlined FUNCTION` says that code of that function is inlined at a call on this line, for Vulkan.
#define LIMIT 3

typedef float Weight;
enum Mode { Add, Multiply = 5 };

struct Node {
    int value;
    struct Node *next;
};

union Bits {
    float number;
    uint word;
};

constant int table[4] = {1, 2, 3, 4};  // var table int[4] global

int read(global const int *from, int index) {  // var from const int* read 0; var index int read 0
    int loaded = from[index] + table[index & 3];  // var loaded int read 0; code
    return loaded;                                // copy
}

void twice(int *cell) {  // var cell int* twice 0
    *cell *= 2;          // code
}

kernel void walk(global const int *in, global int *out, int count) {  // var in const int* walk 0; var out int* walk 0; var count int walk 0
    local int shared[64];                                             // var shared int[64] walk 0
    size_t id = get_global_id(0);                                     // var id size_t=ulong walk 0; copy
    Weight weight = 0.5f;                                             // var weight Weight=float walk 0
    float4 corners = (float4)(id, 1, 2, 3);                           // var corners float4 walk 0; code
    enum Mode mode = id & 1 ? Add : Multiply;                         // var mode Mode walk 0; code
    int sum = 0;                                                      // var sum int walk 0
    for (int i = 0; i < count; ++i) {                                 // var i int walk 1; code
        int element = read(in, i);                                    // var element int walk 2; copy
        if (element > LIMIT) {                                        // code
            int scaled = element * 3;                                 // var scaled int walk 3; code
            sum += scaled;                                            // code
        } else {
            sum -= element;  // code
        }
    }
    twice(&sum);  // inlined twice
    struct Node node = {sum, 0};                 // var node Node walk 0
    union Bits bits;                             // var bits Bits walk 0
    bits.number = weight * corners.x;            // code
    shared[get_local_id(0)] = (int)bits.word;    // code
    barrier(CLK_LOCAL_MEM_FENCE);                // code
    int cells[8];                                // var cells int[8] walk 0
    for (int i = 0; i < 8; ++i)                  // var i int walk 1; code
        cells[i] = shared[i] + mode;             // code
    out[id] = node.value + cells[count & 7];     // code
}
