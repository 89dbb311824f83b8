// OPTIONS: --target=opencl2.0 -cl-std=CL2.0
// The address of a variable is asked for its truth, as clang 16 and later see it. A pointer may be null.
constant int table[2] = {1, 2};
int truths(global int *p, int argument[4], int n) {
    int array[3];
    int shared;
    array[0] = n;
    if (array) n++;
    if (&n) n++;
    while (!table) n++;
    do n++; while (!&shared);
    for (; n < 5 && array;) n++;
    for (; &array;) break;
    n += (&n) || p;
    n += array ? 1 : 2;
    bool b = &n;
    b = table;
    return b + (bool)array + n;
}
int pointers(global int *p, int argument[4], int n) {
    int array[3] = {0};
    if (p || !argument || &p[1] || &*p || &array[1]) n++;
#pragma clang diagnostic ignored "-Wpointer-bool-conversion"
    if (array) n++;
    return n + !&n;
}
