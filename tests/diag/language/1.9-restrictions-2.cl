// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// OpenCL C 2.0, 6.9: restrictions r15 and following.
int restrict not_pointer;                 // 1.9-23
float4 restrict vector;                   // 1.9-23
void qualified(const int c, volatile int v, global int *restrict r, int *const k) {
    c = 1;                                // 1.9-23
    k = 0;                                // 1.9-23
    *k = 1;
}
event_t program_event;                    // 1.9-24
kernel void argument(event_t e) {}        // 1.9-24
struct with_event { event_t e; };         // 1.9-24
union with_event_2 { event_t e; };        // 1.9-24
kernel void event_space(void) {
    local event_t l;                      // 1.9-24
    constant event_t c = 0;               // 1.9-24
    static global event_t g;              // 1.9-24
}
kernel void clk(clk_event_t e) {}         // DIFFERS 1.9-25: clang takes it
kernel void range(ndrange_t r) {}         // 1.9-25
kernel void id(reserve_id_t r) {}         // 1.9-25
clk_event_t program_clk;                  // 1.9-25
reserve_id_t program_id;                  // 1.9-25
kernel void unnamed_space(int *p) {}      // 1.9-27
kernel void unnamed_array(int p[]) {}     // 1.9-27
void main(void) {}                        // 1.9-28
kernel void undeclared(void) {
    missing(1);                           // 1.9-29
    int x = absent();                     // 1.9-29
}
void empty();                             // 1.9-30
void call_empty(void) { empty(1); }       // 1.9-30
