// enable_if, diagnose_if, error and warning. OPTIONS: -ferror-limit=0
#define OVERLOADED __attribute__((overloadable))
#define ENABLE_IF(condition, text) __attribute__((enable_if(condition, text)))
#define DIAGNOSE_IF(condition, text, kind) __attribute__((diagnose_if(condition, text, kind)))
int no_text(int x) ENABLE_IF(x, 5);
int one_argument(int x) __attribute__((enable_if(x)));
int undeclared(int x) ENABLE_IF(y, "text");
int three_arguments(int x) __attribute__((enable_if(1, "text", 2)));
int none(int x) __attribute__((enable_if));
ENABLE_IF(x > 1, "text") int in_front(int x);
constant int variable ENABLE_IF(1, "text") = 1;
int unknown_kind(int x) DIAGNOSE_IF(x, "text", "note");
int two_arguments(int x) __attribute__((diagnose_if(x, "text")));
int run_time(global int *p, int x) DIAGNOSE_IF(x > *p && variable, "text", "error");
global int changes;
int never(int x) DIAGNOSE_IF(x > changes, "text", "error");
struct pair { int a, b; };
int no_truth(struct pair x) DIAGNOSE_IF(x, "text", "error");
int no_message(int x) __attribute__((error));
int no_string(int x) __attribute__((error(1)));
constant int message __attribute__((error("text"))) = 1;
int both(int x) __attribute__((error("text"), warning("text")));
int twice(int x) __attribute__((error("one"), error("other")));
int late(int x);
int late(int x) __attribute__((error("text")));
int OVERLOADED small(int x) ENABLE_IF(x > 0, "is positive") ENABLE_IF(x < 10, "is small");
int OVERLOADED small(float x) ENABLE_IF(x < 10, "");
int OVERLOADED either(int x) ENABLE_IF(x > 1, "one");
int OVERLOADED either(int y) ENABLE_IF(y > 1, "the same again");
int OVERLOADED either(int x) ENABLE_IF(x > 2, "other");
int OVERLOADED either(float x);
int alone(int x) ENABLE_IF(x > 10, "is large");
int pointed(const int *p) ENABLE_IF(p, "is no null pointer");
int always(int x) DIAGNOSE_IF(1, "called at all", "warning");
int limits(int x) DIAGNOSE_IF(x > 1, "more than one", "warning") DIAGNOSE_IF(x > 2, "more than two", "warning")
    DIAGNOSE_IF(x > 3, "more than three", "error") DIAGNOSE_IF(x > 4, "more than four", "error");
int members(struct pair x) DIAGNOSE_IF(x.a == x.b, "the same twice", "error");
void calls(int n, int *p) {
    small(1), small(11), small(n), small(20.0f), small(p);
    either(2), either(3), either(n);
    alone(20), alone(2), alone(n), alone(), alone(20, 1);
    pointed(&n), pointed(0), pointed(p);
    always(n);
    limits(1), limits(2), limits(3), limits(4), limits(5), limits(n), sizeof limits(2);
    members((struct pair){1, 2}), members((struct pair){2, 2});
}
