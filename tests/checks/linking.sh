#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# linking.sh CLC2SPV [CLRUN]: tests separate compilation. Everything that links is validated for OpenCL and for
# Vulkan, and runs if CLRUN is given. Where linking fails, the message must name the reason. Objects of clang 15 and
# llvm-spirv 15 are linked with ours where these are installed.
set -u
clc=$(realpath "$1")
clrun=${2:+$(realpath "$2")}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0

# accept NAME ARGS…: clc2spv ARGS must exit with 0.
accept() {
    local name=$1
    shift
    if timeout 60 "$clc" "$@" >log 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $name; it said:"
        cat log
    fi
}

# refuse NAME TEXT ARGS…: clc2spv ARGS must exit with 1 and say TEXT, a line of its own.
refuse() {
    local name=$1 text=$2
    shift 2
    timeout 60 "$clc" "$@" >log 2>&1
    local code=$?
    if [ $code = 1 ] && grep -qxF "$text" log; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $name: exit code $code, wanted 1 and '$text'; it said:"
        cat log
    fi
}

# runs NAME MODULE: the kernel of kernel.cl gives the numbers that it should.
runs() {
    [ -z "$clrun" ] && return
    local out
    out=$(timeout 60 "$clrun" "$2" --global=4 --arg=i32[4] --arg=i32:1,10,100,1000 --print=0 2>/dev/null)
    if [ "$out" = "6 31 222 2037" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $1: $2 gave $out"
    fi
}

# shows NAME FILE TEXT, hides NAME FILE TEXT: whether a module's text holds TEXT.
shows() { "$clc" "$2" --target=opencl2.0 --emit=asm -o - | grep -qF "$3" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED $1: no '$3' in $2"; }; }
hides() { "$clc" "$2" --target=opencl2.0 --emit=asm -o - | grep -qF "$3" && { failed=$((failed + 1)); echo "FAILED $1: '$3' in $2"; } || passed=$((passed + 1)); }

cat >shared.h <<'EOF'
struct pair { int a; float b; };
extern constant int weights[4];
union bits { float f; int i; short s[3]; };
int weigh(struct pair p, int i);
struct pair swap(struct pair p, union bits u, int i);
union bits bits_of(float f);
inline int twice(int x) { return 2 * x; }
EOF
cat >kernel.cl <<'EOF'
#include "shared.h"
static int helper(int x) { return twice(x); }
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0);
    struct pair p = {helper(i), in[i]};
    struct pair q = swap(p, bits_of(i), 2);  // {in[i], 2 * i + bits of i + 2}
    out[i] = weigh(p, i & 3) + weights[0] + (p.a == twice(i)) + q.a + (q.b > 1);
}
EOF
cat >weigh.cl <<'EOF'
#include "shared.h"
constant int weights[4] = {1, 2, 3, 4};
static int helper(int x) { return x + 1; }
int weigh(struct pair p, int i) {
    p.a = helper(p.a);  // the caller's stays
    return p.a * weights[i] + (int)p.b + twice(i);
}
struct pair swap(struct pair p, union bits u, int i) {
    if (i < 0) return p;
    return (struct pair){(int)p.b, p.a + (u.i >> 16) + i};
}
union bits bits_of(float f) {
    union bits u = {.f = f};
    return u;
}
EOF
cat >again.cl <<'EOF'
int weigh(int x) { return x; }
EOF
cat >wrong.cl <<'EOF'
float weigh(float x, int i) { return x; }
constant int weights[4] = {0};
EOF

# Objects
accept "an object" -c kernel.cl -o kernel.spv --validate
accept "another" -c weigh.cl -o weigh.spv --validate
shows "a function is imported" kernel.spv 'LinkageAttributes "weigh" Import'
shows "a variable is imported" kernel.spv 'LinkageAttributes "weights" Import'
shows "a function is exported" weigh.spv 'LinkageAttributes "weigh" Export'
shows "struct arguments are pointers" weigh.spv 'FuncParamAttr ByVal'
shows "struct results are pointers" kernel.spv 'FuncParamAttr Sret'
shows "a variable is exported" weigh.spv 'LinkageAttributes "weights" Export'
hides "what is static stays" weigh.spv '"helper" Export'
hides "what is inline stays" weigh.spv '"twice" Export'
cat >inline.cl <<'EOF'
inline int alone(int x) { return x; }
extern inline int exported(int x) { return alone(x); }
inline int declared(int x);
int declared(int x) { return x; }
extern inline int before(int x);
inline int before(int x) { return x; }
inline int after(int x) { return x; }
int after(int x);
static inline int internal(int x) { return x; }
__attribute__((always_inline)) int expanded(int x) { return internal(x); }
EOF
accept "inline functions" -c inline.cl -o inline.spv --validate
for name in exported declared before after expanded; do shows "C99 6.7.4p6" inline.spv "\"$name\" Export"; done
for name in alone internal; do hides "C99 6.7.4p6" inline.spv "\"$name\" Export"; done

# Programs
accept "objects to OpenCL" kernel.spv weigh.spv -o linked.spv --target=opencl2.0 --validate
hides "nothing is left to link" linked.spv LinkageAttributes
accept "the program goes on to Vulkan" linked.spv -o vulkan.spv --validate
runs "linked objects" linked.spv
accept "objects to Vulkan" kernel.spv weigh.spv -o vulkan.spv --validate
accept "sources to Vulkan" kernel.cl weigh.cl -o vulkan.spv --validate
accept "a source and an object" weigh.spv kernel.cl -o vulkan.spv --target=vulkan1.3 --validate
accept "and how to call it" kernel.cl weigh.cl -o interface.json --emit=reflection-json
accept "a library" weigh.spv --create-library -o library.spv
shows "a library exports" library.spv 'LinkageAttributes "weigh" Export'
accept "a program from a library" kernel.spv library.spv -o with_library.spv --target=opencl2.0 --validate
runs "a program from a library" with_library.spv
accept "half a program" kernel.spv --allow-partial-linkage -o half.spv
shows "half a program imports" half.spv 'LinkageAttributes "weigh" Import'

# Objects of another compiler. At -O0 clang imports what is inline (C99 6.7.4p7).
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
    echo 'int twice(int x) { return 2 * x; }' >twice.cl
    accept "an object" -c twice.cl -o twice.spv
    for part in kernel weigh; do
        clang-15 -cc1 -triple spir64-unknown-unknown -finclude-default-header -no-opaque-pointers -cl-std=CL1.2 -O0 \
            -emit-llvm-bc $part.cl -o $part.bc -disable-llvm-passes && llvm-spirv-15 $part.bc -o $part.clang.spv
    done
    accept "our kernel, clang's function" kernel.spv weigh.clang.spv twice.spv -o mixed.spv --target=opencl2.0 --validate
    runs "our kernel, clang's function" mixed.spv
    accept "clang's kernel, our function" kernel.clang.spv weigh.spv twice.spv -o mixed.spv --target=opencl2.0 --validate
    runs "clang's kernel, our function" mixed.spv
fi

# Structs that point to themselves, to each other, and to what only has a name.
cat >list.h <<'EOF'
struct other;
struct list { struct list *next; global struct list *here; struct other *o; struct hidden *h; int value; };
struct other { struct list lists[2], *first; union either *either; };
union either { struct other *other; union either *kids[2]; long l; };
int sum(global struct list *l, global struct other *o, global union either *e, struct hidden *h);
EOF
cat >sum.cl <<'EOF'
#include "list.h"
int sum(global struct list *l, global struct other *o, global union either *e, struct hidden *h) {
    return l->next->value + o->either->kids[1]->other->first->here->value + (e->l != 0) + (h == l->h);
}
EOF
cat >call.cl <<'EOF'
#include "list.h"
kernel void k(global struct list *l, global struct other *o, global union either *e) { l->value = sum(l, o, e, 0); }
EOF
for part in sum call; do accept "$part of lists" -c $part.cl -cl-std=CL2.0 -o $part.spv --validate; done
shows "what only has a name" sum.spv 'OpTypeOpaque "struct.hidden"'
accept "objects with lists" call.spv sum.spv -o lists.spv --target=opencl2.0 --validate
accept "objects with lists go on to Vulkan" lists.spv -o vulkan.spv --validate
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
    for part in sum call; do
        clang-15 -cc1 -triple spir64-unknown-unknown -finclude-default-header -no-opaque-pointers -cl-std=CL2.0 -O0 \
            -emit-llvm-bc $part.cl -o $part.bc -disable-llvm-passes && llvm-spirv-15 $part.bc -o $part.clang.spv
    done
    accept "our kernel, clang's function: lists" call.spv sum.clang.spv -o mixed.spv --target=opencl2.0 --validate
    accept "clang's kernel, our function: lists" call.clang.spv sum.spv -o mixed.spv --target=opencl2.0 --validate
fi

# clang's -S and -v
accept "assembly" -S weigh.cl --target=spirv64 -o weigh.spvasm
accept "assembly read again" weigh.spvasm -x spvasm --target=opencl2.0 -o weigh_again.spv
timeout 60 "$clc" -v kernel.spv weigh.cl -I include -o told.spv >log 2>&1
for line in "target: vulkan1.2, --abi=addresses; no device profile" " include" "weigh.cl: OpenCL C, linked into told.spv"; do
    if grep -qxF "$line" log; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED -v: no '$line' in"; cat log; fi
done

# Declarations that say less than definitions, or more.
cat >declares.cl <<'EOF'
struct hidden;
extern constant int numbers[];
extern constant uchar bytes[16] __attribute__((aligned(16)));
int first(const global struct hidden *p);
kernel void k(global int *a) { a[0] = numbers[a[0]] + ((constant int4 *)bytes)->x + first((global struct hidden *)a); }
EOF
cat >states.cl <<'EOF'
struct hidden { int a, b; };
constant int numbers[] = {1, 2, 3};
constant uchar bytes[16] = {1};
int first(const global struct hidden *p) { return p->b; }
EOF
for target in opencl2.0 vulkan1.2; do
    accept "unlike declarations" declares.cl states.cl -o unlike.spv --target=$target --validate
    accept "unlike declarations, later" states.cl declares.cl -o unlike.spv --target=$target --validate
done

# Faults
refuse "a miss" "clc2spv: error: undefined symbol 'weigh', used in 'kernel.spv'" kernel.spv again.cl -o x.spv -Dweigh=other
refuse "a missing variable" "clc2spv: error: undefined symbol 'weights', used in 'kernel.spv'" kernel.spv again.cl -o x.spv -Dweigh=other
refuse "a double" "clc2spv: error: duplicate symbol 'weigh', in 'weigh.spv' and in 'again.cl'" weigh.spv again.cl -o x.spv
refuse "a double kernel" "clc2spv: error: duplicate kernel 'k', in 'kernel.spv' and in 'kernel.cl'" kernel.spv kernel.cl -o x.spv
refuse "another type" "clc2spv: error: the types of 'weigh' differ: 'i32 ({2 members} *, i32)' in 'kernel.spv', 'f32 (f32, i32)' in 'wrong.cl'" kernel.spv wrong.cl -o x.spv
refuse "no module" "clc2spv: error: no such file or directory: 'none.spv'" kernel.spv none.spv -o x.spv
cat >long.cl <<'EOF'
#define TEN(...) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__
static constant int own[] = { TEN(TEN(TEN(TEN(1, 2, 3, 4, 5, 6, 7,)))) };
EOF
{ cat long.cl; echo 'kernel void k(global int *p) { *p = own[*p]; }'; } >own.cl
accept "a long constant of one module" -c own.cl -o own.spv --validate
echo 'constant int known[] = { TEN(TEN(TEN(TEN(1, 2, 3, 4, 5, 6, 7,)))) };' >>long.cl  # known by its type
refuse "a long constant of all modules" "long.cl:3:14: error: an initializer with more than 65532 elements for a variable that is not 'static' is not supported" -c long.cl -o x.spv
head -c 100 weigh.spv >cut.spv
timeout 60 "$clc" kernel.spv cut.spv -o x.spv >log 2>&1
[ $? = 1 ] && grep -q "^clc2spv: error: cut.spv: " log && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED a truncated module"; cat log; }
refuse "nowhere to write" "clc2spv: error: linking needs -o OUT" kernel.spv weigh.spv --create-library

echo "$passed passed, $failed failed"
[ $failed = 0 ]
