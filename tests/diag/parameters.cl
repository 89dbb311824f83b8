// What is wrong behind a parameter ends that one alone: the body uses the others too.
kernel void no_comma(global float *o int n, int m) { o[m] = m; }
kernel void number(global float *o, int 3x, int m) { o[m] = m; }
void keywords(const global uchar *static, int if, int m) { m = 1; }
