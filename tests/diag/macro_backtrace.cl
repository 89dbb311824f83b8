#define MEMBER(x) x.foo
#define OUTER(x) MEMBER(x)
#define BAD(a) (a + undeclared)
kernel void k(global int *p) {
	int a = 1;
  OUTER(a);
  int b = BAD(3)
     ;
  p[0] = BAD(other);
}
