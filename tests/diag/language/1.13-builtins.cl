// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
// OpenCL C 2.0, 6.13: how calls of built-ins are refused.
void widening(float f, float4 v, int i, int4 iv, float3 w) {
    v = fma(v, f, f);      // 1.13-2
    v = mad(f, v, v);      // 1.13-2
    iv = mad24(iv, i, iv); // 1.13-2
    v = select(v, f, iv);  // 1.13-2
    v = fmax(v, w);        // 1.13-2
    v = pow(v, i);         // 1.13-2
    v = atan2(v, f);       // 1.13-2
    f = dot(v, f);         // 1.13-2
}
struct s { int i; };
void takes_float4(float4 v);
void takes_pointer(global float *p);
void user(struct s s, float3 w, int i, float f, global int *p) {
    takes_float4(w);     // 1.13-3
    takes_float4(s);     // 1.13-3
    takes_pointer(i);    // 1.13-3
    takes_pointer(f);    // 1.13-3
    takes_pointer(p);    // 1.13-3: a warning
    takes_float4(1);
}
void selection(float4 v, int4 iv, uint4 uv, long4 lv, int3 w, float f, int i, long l, char c, short4 sv) {
    v = select(v, v, lv);  // 1.13.6-9
    v = select(v, v, w);   // 1.13.6-9
    v = select(v, v, i);   // 1.13.6-9
    v = select(v, v, v);   // 1.13.6-9
    f = select(f, f, l);   // 1.13.6-9
    iv = select(iv, iv, sv);  // 1.13.6-9
    v = select(v, v, iv);
    v = select(v, v, uv);
}
void barriers(float f, local int *p) {
    work_group_barrier();                     // 1.13.8-8
    work_group_barrier(f, f, f);              // 1.13.8-8
    work_group_barrier(p);                    // 1.13.8-8
    work_group_barrier(CLK_LOCAL_MEM_FENCE, p);  // 1.13.8-8
    barrier();                                // 1.13.8-8
}
void shuffles(float4 v, float8 v8, uint4 m, uint8 m8, ushort4 hm, short16 s, short8 s8, int4 im, uint3 m3, float3 w) {
    v = shuffle(v, m);
    v8 = shuffle(v, m8);
    v = shuffle(v, hm);        // 1.13.12-4
    v = shuffle(v, im);        // 1.13.12-4
    v = shuffle(v, m3);        // 1.13.12-4
    v = shuffle(w, m);         // 1.13.12-4
    s8 = shuffle(s, m8);       // 1.13.12-4
    v = shuffle2(v, v8, m);    // 1.13.12-4
    v = shuffle2(v, v, m8);    // 1.13.12-4
    v8 = shuffle2(v, v, hm);   // 1.13.12-4
}
