// OPTIONS: -cl-std=CL3.0
struct Later later;
static struct Later hidden;
enum Later_enum number;
struct Never never;
static struct Never hidden_never;
struct Later array[2];
constant struct Later constant_later;
struct Later {
    int x;
};
enum Later_enum { A, B };
kernel void k(global int *o) {
    struct Never inside;
    *o = later.x + hidden.x + number;
}
