// OPTIONS: -cl-std=CL2.0
global atomic_int counted = ATOMIC_VAR_INIT(3);  // 1.13.11-6
global atomic_flag taken = ATOMIC_FLAG_INIT;     // 1.13.11-44

kernel void objects(global atomic_int *p) {
    atomic_int mine = ATOMIC_VAR_INIT(5);  // 1.13.11-6
    atomic_flag flag = ATOMIC_FLAG_INIT;   // 1.13.11-44
    int y = 0;

    // 1.13.11-47
    *p = 4;
    *p += 1;
    (*p)++;
    --*p;
    y = *p;
    y = *p + 1;
    y = 1 << *p;
    y = *p == 0;
    y = *p && y;
    y = -*p;
    y = !*p;
    y = ~*p;
    p[0] = p[1];
}
