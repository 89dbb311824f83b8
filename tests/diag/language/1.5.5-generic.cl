// OPTIONS: -cl-std=CL2.0
// OpenCL C 2.0, 6.5.5: the generic address space.
void convert(global int *gp, local int *lp, private int *pp, constant int *cp) {
    int *any;
    generic int *word;
    any = gp;
    any = lp;
    any = pp;
    word = any;
    gp = any;   // 1.5.5-1, 1.5.5-7
    lp = any;   // 1.5.5-1, 1.5.5-7
    pp = any;   // 1.5.5-1, 1.5.5-7
    lp = word;  // 1.5.5-7
    any = cp;   // 1.5.5-3
    cp = any;   // 1.5.5-3
    any = (int *)cp;           // 1.5.5-3
    any = (generic int *)cp;   // 1.5.5-3
    cp = (constant int *)any;  // 1.5.5-3
    gp = (global int *)any;
    lp = (local int *)any;
    pp = (private int *)any;
}
void takes_generic(int *p);
int *gives_generic(void);
void pass(constant int *cp) {
    takes_generic(cp);                 // 1.5.5-3
    global int *gp = gives_generic();  // 1.5.5-7
}
generic int program_scope;  // 1.5.5: no object lies in the generic space
void object(void) {
    generic int automatic;
}
