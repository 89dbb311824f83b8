// Misspelt names: what was meant, where it is declared, and no second error for it.
struct point { float horizontal, vertical; };
constant int threshold = 3;
float distance_to(float x) { return x; }
kernel void k(global float *result, struct point p) {
    int counter = 0;
    result[0] = p.horizontl;
    result[1] = p.other;
    result[2] = countr + treshold;
    result[3] = distanse_to(1);
    result[4] = sqrtt(2.0f);
    size_t i = get_globl_id(0);
    flaot4 v = 1;
    unit n = 1;
    completely = unknown(1);
}
