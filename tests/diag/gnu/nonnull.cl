// OPTIONS: -cl-std=CL3.0
__attribute__((nonnull)) void all(int *p, int q, int *r);
__attribute__((nonnull(1))) void first(int *p, int *q);
__attribute__((nonnull(2))) void no_pointer(int *p, int q);
__attribute__((nonnull(1, 7))) void too_far(int *p, int q);
__attribute__((nonnull(0))) void from_zero(int *p, int q);
__attribute__((nonnull("a"))) void no_number(int *p, int q);
__attribute__((nonnull)) void no_pointers(int q);
void of_parameter(int *p __attribute__((nonnull)), int *q);
void of_integer(int p __attribute__((nonnull)));
void with_arguments(int *p __attribute__((nonnull(1))));
void later(int *p, int *q);
void later(int *p, int *q) __attribute__((nonnull(2)));
void calls(int *p) {
    all(0, 0, p), all(p, 0, 0), all(p, 0, p), all(0, 0, 0);
    first(0, 0), first(p, 0), first((int *)0, p), first(NULL, p);
    of_parameter(0, 0), of_parameter(p, 0), later(0, 0), later(0, p);
    int unevaluated[sizeof(*(first(0, 0), p))];
}
