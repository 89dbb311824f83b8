// OPTIONS: -cl-std=CL2.0 -cl-ext=+cl_khr_subgroups -ferror-limit=0
// Pipes that are refused (OpenCL C 2.0 6.13.16), and the built-in functions' arguments.
typedef struct { int a; } packet_t;
typedef pipe int pipe_t;

pipe int file_pipe;                                         // 1.13.16-6 1.13.16-8
global pipe int global_pipe;                                // 1.13.16-8
// DIFFERS 1.13.16-8: clang takes a pipe as a member
struct holder { pipe int member; };
pipe int made(void);                                        // 1.13.16-8
void pointed(pipe int *p);                                  // 1.13.16-8
// DIFFERS 1.13.16-8: clang decays it
void several(pipe int p[2]);
void reads(pipe int p);
void writes(write_only pipe int p);

kernel void both(read_write pipe int p) {}                  // 1.13.16-4
kernel void twice(read_only write_only pipe int p) {}       // 1.13.16-5
kernel void of_typedef(write_only pipe_t p) {}              // 1.13.16-5
kernel void pointer_packets(pipe int *p) {}                 // 1.13.16-1
kernel void in_space(global pipe int p) {}                  // 1.13.16-8
kernel void no_type(pipe p) {}                              // 1.13.16-1
kernel void behind(int pipe p) {}                           // 1.13.16-1
// DIFFERS 1.13.16-1: packets are scalars, vectors and structures; clang takes everything that is no pointer
kernel void images(pipe image2d_t p) {}
// DIFFERS 1.13.16-1: likewise
kernel void samplers(pipe sampler_t p) {}
// DIFFERS 1.13.16-1: likewise
kernel void nothing(pipe void p) {}
// DIFFERS 1.13.16-1: likewise
kernel void queues(pipe queue_t p) {}

kernel void operators(pipe int p, int n) {
    pipe int local_pipe;                                    // 1.13.16-8
    p + 1;                                                  // 1.13.16-7
    p = p;                                                  // 1.13.16-7
    &p;                                                     // 1.13.16-7
    *p;                                                     // 1.13.16-7
    p[0];                                                   // 1.13.16-7
    p == p;                                                 // 1.13.16-7
    !p;                                                     // 1.13.16-7
    -p;                                                     // 1.13.16-7
    p++;                                                    // 1.13.16-7
    p && n;                                                 // 1.13.16-7
    (int)p;                                                 // 1.13.16-7
    n ? p : p;                                              // 1.13.16-7
    if (p) {}                                               // 1.13.16-7
}

kernel void access(pipe int r, write_only pipe int w) {
    int x;
    read_pipe(w, &x);                                       // 1.13.16-5
    write_pipe(r, &x);                                      // 1.13.16-5
    reserve_read_pipe(w, 3);
    reserve_write_pipe(r, 3);
    work_group_reserve_read_pipe(w, 1);
    sub_group_reserve_write_pipe(r, 1);
    reads(w);
    writes(r);
}

kernel void arguments(pipe int r, write_only pipe int w, pipe uint unsigned_packets, int n) {
    int x;
    float f;
    uint u;
    reserve_id_t id = reserve_read_pipe(r, 1);
    read_pipe(r);
    read_pipe(r, id, 1);
    read_pipe(n, &x);
    read_pipe(r, x);
    read_pipe(r, &f);
    read_pipe(r, &u);
    read_pipe(r, id, n, &f);
    read_pipe(r, 1, id, &x);
    read_pipe(r, id, 1.5f, &x);
    read_pipe(r, id, &x, &x);
    // DIFFERS 1.5.5-2: a constant pointer is no generic one
    write_pipe(w, (constant int *)0);
    reserve_read_pipe(r);
    reserve_read_pipe(r, 3.0f);
    commit_read_pipe(r, 1);
    commit_read_pipe(w, id);
    commit_write_pipe(w);
    work_group_commit_write_pipe(r, id);
    sub_group_commit_read_pipe(w, id);
    get_pipe_num_packets(n);
    get_pipe_max_packets();
    is_valid_reserve_id(n);
    reads(unsigned_packets);
    reads(n);
}

// 1.13.16-31, 1.9-25: reserve_id_t
reserve_id_t file_id;                                       // 1.9-25
kernel void id_argument(reserve_id_t id) {}                 // 1.9-25
void ids(reserve_id_t id, int n) {
    reserve_id_t zero = 0;
    id = 0;
    id == id;
    !id;
    id + 1;
    (int)id;
    n ? id : id;
    if (id) {}
}
