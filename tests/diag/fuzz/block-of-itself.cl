// OPTIONS: -cl-std=CL2.0
// A block variable that initialises itself: no literal says which block it is.
kernel void k(void) {
    void (^b)(void) = b;  // DIFFERS 1.12.3-9: clang takes the variable before it has a value
    b();
}
void (^c)(void) = (c);
