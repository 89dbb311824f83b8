// __attribute__((deprecated)) and __attribute__((unavailable)) on all kinds of declarations.
// OPTIONS: -cl-std=CL2.0 -ferror-limit=0
#define DEPRECATED __attribute__((deprecated))
#define UNAVAILABLE(why) __attribute__((unavailable(why)))
void old_function(void) __attribute__((deprecated("call new_function")));
void new_function(void);
void no_function(void) UNAVAILABLE("there is none");
void old_function(void);
struct DEPRECATED OldStruct {
    int a;
};
enum DEPRECATED OldEnum { E };
typedef int old_int DEPRECATED;
int old_variable DEPRECATED = 1;
int no_variable __attribute__((unavailable));
enum { EA DEPRECATED = 1, EB UNAVAILABLE("gone") };
struct S {
    int old_field DEPRECATED;
    int fine;
};
int __attribute__((overloadable)) over(int x);
int __attribute__((overloadable)) over(float x) DEPRECATED;

DEPRECATED void old_too(global struct S *s) {
    old_function();
    s->old_field = old_variable + EA;
    no_function();
}
UNAVAILABLE("neither") void nothing_said(void) { no_function(); }

kernel void k(global struct S *s, int n __attribute__((deprecated))) {
    new_function();
    old_function();
    no_function();
    struct OldStruct record;
    enum OldEnum enumeration;
    old_int number = old_variable + no_variable + EA + EB;
    s->old_field = s->fine;
    over(1);
    over(1.0f);
    struct S designated = {.old_field = n};
}
