// OPTIONS: -cl-std=CL1.2
// OpenCL C 1.2: no generic address space.
void takes_private(int *p);  // 1.5.4-3
void pass(global int *gp, local int *lp, constant int *cp, private int *pp) {
    takes_private(gp);  // 1.5.4-3
    takes_private(lp);  // 1.5.4-3
    takes_private(cp);  // 1.5.4-3
    takes_private(pp);
}
void word(generic int *p);    // 1.5-5
void word2(__generic int *p); // 1.5-5
