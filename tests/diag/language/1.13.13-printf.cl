// SPDX-License-Identifier: Apache-2.0
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
constant char format[] = "%d\n";
kernel void wrong(global char *text, constant char *unknown, int i, uint u, long l, float f, double d, float4 v,
                  int4 n, char4 c, global void *p) {
    printf("%d\n", i, i);                         // 1.13.13-4
    printf("%d %d\n", i);                         // 1.13.13-4
    printf(unknown);                              // 1.13.13-5
    // DIFFERS 1.13.13-5: a warning that clang has off
    printf(unknown, i);                           // 1.13.13-5
    printf(text);                                 // 1.13.13-5
    printf(i);
    printf();
    printf("%");                                  // 1.13.13-6
    printf("%5.3q");                              // 1.13.13-6
    printf("%.2c", i);                            // 1.13.13-9
    printf("%.3p", p);                            // 1.13.13-9
    printf("%*d", i, i);                          // 1.13.13-10
    printf("%.*f", i, f);                         // 1.13.13-10
    printf("%+ d", i);                            // 1.13.13-13
    printf("%#d", i);                             // 1.13.13-14
    printf("%-05d", i);                           // 1.13.13-15
    printf("%0s", "x");                           // 1.13.13-15
    printf("%v5hlf", v);                          // 1.13.13-17
    printf("%v4c", c);                            // 1.13.13-17
    printf("%v4f", v);                            // 1.13.13-19
    printf("%v4hhd", n);                          // 1.13.13-20
    printf("%v4hd", n);                           // 1.13.13-21
    printf("%v4hlf", n);                          // 1.13.13-22
    printf("%hld", i);                            // 1.13.13-22
    printf("%ld", i);                             // 1.13.13-23
    printf("%d", l);                              // 1.13.13-23
    printf("%lf", d);                             // 1.13.13-25
    printf("%hf", f);                             // 1.13.13-25
    printf("%v2hlf", v);                          // 1.13.13-24
    printf("%v4hlf", f);                          // 1.13.13-24
    printf("%hlf", v);                            // 1.13.13-24
    printf("%f", v);                              // 1.13.13-24
    printf("%#v2hx", (uint2)(u));                 // 1.13.13-40
    printf("%#v2hhx", (uint2)(u));                // 1.13.13-40
    printf("%d", f);                              // 1.13.13-40
    printf("%f", i);                              // 1.13.13-40
    printf("%p", i);                              // 1.13.13-36
    printf("%s", i);                              // 1.13.13-41
    printf("%s", text);                           // 1.13.13-41
    printf("%ls", "x");                           // 1.13.13-42
    printf("%lc", i);                             // 1.13.13-42
    printf("%lld %jd %zd %td %Lf", l, l, l, l, d);  // 1.13.13-43
    printf("%n", p);                              // 1.13.13-43
    printf("%y", i);
    printf("tab\t" "and %ld\n", i);
    printf("%" "ld\n", i);
    printf(format, f);
    printf(i ? "%d" : "%f", i);
    printf("nul \0 %d", i);
}
kernel void right(int i, uint u, long l, char c, short s, float f, double d, float4 v, short8 n, global void *p) {
    printf("%d %i %u %x %c %5.3d%%\n", i, u, i, u, c, i);
    printf("%hhd %hd %ld %lx %d\n", c, s, l, l, s);
    printf("%f %-8.3e %+g %#A % f\n", f, d, f, d, f);
    printf("%v4hlf %v8hd %v8hx\n", v, n, as_ushort8(n));
    printf("%s %10.3s %p\n", "text", "text", p);
    printf(format, i);
    printf(i ? "%d" : "%x", i);
    printf("");
}
kernel void unprintable(int i) {
    printf("%\n", i);
    printf("\x7f %\x80 %\t", i);
}
