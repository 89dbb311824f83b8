#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bad_input.sh CLC2SPV [MEMORY_KB]: every kind of broken input must end in an error message with a position and exit
# code 1, within limits of time and memory.
set -u
clc=$(realpath "$1")
hostile=$(dirname "$(realpath "$0")")/hostile_spirv.py
profiles=$(dirname "$(realpath "$0")")/../profiles
memory_kb=${2:-4000000}  # address sanitizers want "unlimited"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0

# expect NAME TEXT ARGS…: clc2spv ARGS must exit with 1 and say TEXT (a regular expression).
expect() {
    local name=$1 text=$2 code
    shift 2
    (ulimit -v "$memory_kb"; timeout 60 "$clc" "$@" -o out.spv) >log 2>&1
    code=$?
    if [ $code = 1 ] && grep -qE "$text" log; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $name: exit code $code, wanted 1 and /$text/; it said:"
        head -c 1000 log
    fi
}

# accept NAME ARGS…: must compile.
accept() {
    local name=$1 code
    shift
    (ulimit -v "$memory_kb"; timeout 60 "$clc" "$@" -o out.spv) >log 2>&1
    code=$?
    if [ $code = 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $name: exit code $code; it said:"
        head -c 1000 log
    fi
}

repeat() { head -c "$2" /dev/zero | tr '\0' "$1"; }

kernel='kernel void k(global float *a) { a[get_global_id(0)] = sqrt(a[0]) * 2.0f; }'
echo "$kernel" >good.cl
accept "a good kernel" good.cl

# Every truncation of a kernel.
for length in $(seq 1 7 $((${#kernel} - 2))); do
    echo "${kernel:0:length}" >cut.cl
    expect "cut after $length bytes" '^cut\.cl:[0-9]+:[0-9]+: error: ' cut.cl
done

echo 'kernel void k() { /* never closed' >comment.cl
expect "an unterminated comment" '^comment\.cl:1:19: error: unterminated /\* comment' comment.cl
echo '#include "nowhere.h"' >missing.cl
expect "a missing include" "^missing\.cl:1:10: fatal error: 'nowhere.h' file not found" missing.cl
echo '#include "cycle.cl"' >cycle.cl
expect "an include cycle" 'error: #include nested too deeply' cycle.cl
expect "a missing file" "error: no such file or directory: 'nothing.cl'" nothing.cl
limit="has more than 256 MiB, the most that is read from standard input, a pipe or a device"
expect "a device without end" "error: '/dev/zero' $limit" -x cl /dev/zero
expect "a pipe without end" "error: '-' $limit" -x cl - < <(yes)
expect "a pipe without end, by name" "error: '/dev/fd/[0-9]+' $limit" -x spv <(yes)
expect "arguments without end" "error: '/dev/zero' $limit" @/dev/zero
{ echo 'kernel void many('; for i in $(seq 16); do echo "global int *a$i,"; done; echo 'int v) { a1[0] = a16[v]; }'; } >many.cl
accept "16 pointers where a device has 16 storage buffers" --abi=descriptors --device-profile="$profiles/old_card.json" many.cl
expect "16 pointers where a device has 15 storage buffers" \
    "^many\.cl: error: kernel 'many': it needs 16 storage buffers with --abi=descriptors, .* and old card has 15 " \
    --abi=descriptors --device-profile="$profiles/old_card.json" --max-storage-buffers=15 many.cl
sed 's/int v/global int *a17, int v/' many.cl >more.cl
accept "17 pointers that are addresses" --device-profile="$profiles/old_card.json" more.cl
printf 'kernel void p(global int *o, constant char *f) {\n    printf(f, o[0]);\n}\n' >declined.cl
expect "what is declined has a place without -g" "^declined\.cl: error: kernel 'p' \(declined\.cl:2:5\): the format string of printf" declined.cl
phone=$profiles/devices/raspberry_pi_v3dv.json
echo 'kernel void k(global atomic_long *a) { atomic_fetch_add(a, 1L); }' >atomic_type.cl
expect "a type of a feature that a device lacks" \
    '^note: cl_khr_int64_base_atomics needs the features shaderInt64, shaderBufferInt64Atomics, shaderSharedInt64Atomics, which' \
    -cl-std=CL2.0 --device-profile="$phone" atomic_type.cl
echo 'kernel void k(global half *a) { half2 pair = vload_half2(0, a); }' >half_type.cl
expect "vectors of half on a device without half" '^note: cl_khr_fp16 needs the feature shaderFloat16, which' \
    --device-profile="$profiles/old_card.json" half_type.cl
expect "no device profile" "cannot read the device profile 'no\.json': No such file" good.cl --device-profile=no.json
expect "a profile that is no JSON" "device profile 'good\.cl': it is not JSON" good.cl --device-profile=good.cl
{ repeat '[' 100000; repeat ']' 100000; } >nested.json
expect "a profile of nothing" "it describes no device" good.cl --device-profile=nested.json
{ printf 'int f() { return '; repeat '(' 100000; printf 1; repeat ')' 100000; echo '; }'; } >deep.cl
expect "100,000 parentheses" '^deep\.cl:1:[0-9]+: (fatal )?error: ' deep.cl
{ printf 'int f() '; repeat '{' 100000; } >braces.cl
expect "100,000 braces" '^braces\.cl:1:[0-9]+: (fatal )?error: ' braces.cl
{ printf 'int f(int x) { return '; repeat '-' 100000; echo 'x; }'; } >minus.cl
expect "100,000 decrements" '^minus\.cl:1:[0-9]+: (fatal )?error: ' minus.cl
{ printf 'int '; repeat '*' 100000; echo 'p;'; } >stars.cl
expect "100,000 stars" '^stars\.cl:1:[0-9]+: (fatal )?error: ' stars.cl
{ printf '#if '; repeat '(' 100000; echo; echo '#endif'; } >if.cl
expect "100,000 parentheses in #if" '^if\.cl:1:[0-9]+: (fatal )?error: ' if.cl
{
    echo '#define A0 x x x x x x x x x x'
    for i in $(seq 1 12); do echo "#define A$i A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1)) A$((i - 1))"; done
    echo 'A12'
} >laughs.cl
expect "a macro that grows without end" '(fatal )?error: ' laughs.cl
# Whatever nests 100,000 deep: NAME@BEFORE@OPEN@MIDDLE@CLOSE@AFTER.
times() { yes "$1" | head -n "$2" | tr -d '\n'; }
while IFS=@ read -r name before open middle close after; do
    { printf %s "$before"; times "$open" 100000; printf %s "$middle"; times "$close" 100000; echo "$after"; } >nested.cl
    expect "100,000 $name" '^nested\.cl:1:[0-9]+: fatal error: (bracket )?nesting level exceeded maximum of' nested.cl -cl-std=CL2.0
done <<'EOF'
blocks@void f() { @^{@@};@ }
statement expressions@int f(int x) { return @({@x@;})@; }
conditional operators@int f(int x) { return @x ? @x@ : x@; }
conditional operators to the right@int f(int x) { return @x ? x : @x@@; }
assignments@int f(int x) { return @x = @x@@; }
casts@int f(int x) { return @(int)@x@@; }
vector literals@int4 f(int x) { return @(int4)(@x@)@; }
calls@int f(int x) { return @f(@x@)@; }
subscripts in subscripts@int f(int *x) { return @x[@0@]@; }
subscripts@int f(int *x) { return x@[0]@@@; }
members@int f(int4 x) { return x@.x@@@; }
sizeofs@int f(int x) { return @sizeof @x@@; }
_Generics@int f(int x) { return @_Generic(x, int: @1@)@; }
typeofs@void f(int x) { @typeof(@x@)@ y; }
initialisers@constant int x[1] = @{@1@}@;
structs@@struct { @int a;@} x;@
declarators@int @(*@x@)(int)@;
arrays of arrays@extern constant int x@[1]@@@;
attribute arguments@constant int x __attribute__((@aligned(@8@)@)) = 1;
ifs@kernel void k(global int *a) { @if (a[0]) @a[1] = 1;@@ }
whiles@kernel void k(global int *a) { @while (a[0]) @a[1] = 1;@@ }
dos@kernel void k(global int *a) { @do @a[1] = 1;@ while (a[0]);@ }
switches@kernel void k(global int *a) { @switch (a[0]) @a[1] = 1;@@ }
labels of one statement@kernel void k(global int *a) { switch (a[0]) @case 1: @a[1] = 1;@@ }
EOF
{ yes '#if 1' | head -n 100000; yes '#endif' | head -n 100000; } >ifs.cl
accept "100,000 #ifs" ifs.cl --target=opencl1.2

# Macros that double with each of 60 levels.
while IFS=@ read -r name definition before after; do
    { echo "$definition"; printf %s "$before"; times 'D(' 60; printf x; times ')' 60; echo "$after"; } >doubled.cl
    expect "$name" '^doubled\.cl:[0-9]+:[0-9]+: fatal error: macro (expansion produces too many tokens|invocations are nested)' doubled.cl
done <<'EOF'
a macro that doubles@#define D(x) x x@@
a macro that doubles its rest@#define D(...) __VA_ARGS__, __VA_ARGS__@@
a macro that doubles in #if@#define D(x) x + x@#if @
EOF

# What a target has no room for, and an option or a profile may have.
profile=$(dirname "$hostile")/../profiles/lavapipe.json
echo 'kernel void k(global float *v) { local float t[12288]; t[get_local_id(0)] = v[0]; barrier(1); v[0] = t[1]; }' >local_48k.cl
accept "48 KiB of local memory" local_48k.cl
expect "48 KiB of 32" "kernel 'k' \(local_48k\.cl:1:13\): it declares 49152 bytes of local memory, but vulkan1.2 has 32768" \
    local_48k.cl --max-local-memory=32768
expect "48 KiB of a profile's 32" 'it declares 49152 bytes .* has 32768' local_48k.cl --device-profile="$profile" --max-local-memory=65536
echo '__attribute__((reqd_work_group_size(1, 1, 1024))) kernel void k(global float *v) { v[get_global_id(2)] = 1; }' >deep.cl
accept "1,024 work-items in the third dimension" deep.cl
expect "1,024 work-items of 512" 'the required work-group size \(1,1,1024\) is larger than vulkan1.2 allows' deep.cl --max-work-group-size=512
echo '__attribute__((reqd_work_group_size(1536, 1, 1))) kernel void k(global float *v) { v[get_global_id(0)] = 1; }' >wide.cl
expect "1,536 work-items" 'the required work-group size \(1536,1,1\) is larger than vulkan1.2 allows' wide.cl
accept "1,536 work-items of 1,536" wide.cl --max-work-group-size=1536
expect "a limit that is no number" "error: invalid value '48k' in '--max-local-memory=48k'; expected a number from 1 to 2147483647" \
    local_48k.cl --max-local-memory=48k

# Things that are too large: the error must name the right place.
numbered() { seq -f "$1" -s "$2" 1 "$3"; }
{ printf 'int f('; numbered 'int a%.0f' ', ' 300; printf ') { return a1; } kernel void k(global int *p) { p[0] = f('; numbered %.0f ', ' 300; echo '); }'; } >parameters.cl
expect "300 parameters for OpenCL" "^parameters\.cl: error: function 'f' has 300 parameters, but SPIR-V allows at most 255" parameters.cl --target=opencl2.0
accept "300 parameters for Vulkan" parameters.cl --validate
accept "300 parameters to link" parameters.cl -c
cp out.spv parameters.spv
accept "300 parameters from elsewhere" parameters.spv --validate
expect "300 parameters from elsewhere, for OpenCL" "function 'f' has 300 parameters" parameters.spv --target=opencl2.0
{ printf 'struct S {'; numbered 'int a%.0f;' ' ' 20000; echo '}; kernel void k(global struct S *p) { p[0] = p[1]; }'; } >members.cl
expect "20,000 members" '^members\.cl:1:8: error: a type with more than 16383 members is not supported' members.cl
{ echo 'kernel void k(global int *p) { switch (*p) {'; numbered 'case %.0f: break;' ' ' 20000; echo '} }'; } >cases.cl
{ echo 'kernel void k(global int *p) {'; numbered 'l%.0f:' ' ' 20000; echo '*p = 1; }'; } >labels.cl
accept "20,000 labels of one statement of a block" labels.cl
expect "20,000 cases" '^cases\.cl:1:32: error: a switch with more than 16383 case values is not supported' cases.cl
{ printf 'kernel void '; repeat k 300000; echo '() { }'; } >name.cl
expect "a name of 300,000 letters" 'error: the program is too large: SPIR-V allows 65535 words per instruction' name.cl
while IFS=@ read -r name text source; do
    echo "$source" >large.cl
    expect "$name" "^large\\.cl:1:[0-9]+: error: $text" large.cl
done <<'EOF'
a huge array@array is too large@kernel void k() { int x[0x7fffffffffffffff]; }
a huge array of arrays@array is too large@kernel void k() { int x[0xffffffff][0xffffffff]; }
a huge index@an array designator index of 1048576 or more@constant int x[1000000000] = { [999999999] = 1 }; kernel void k(global int *a) { a[0] = x[5]; }
a huge range@an array designator index of 1048576 or more@kernel void k(global int *a) { int x[] = { [0 ... 999999999] = a[0] }; a[0] = x[a[1]]; }
ranges of ranges@an initializer with more than 1048576 elements@constant int x[99][99][99][99] = { [0 ... 98][0 ... 98][0 ... 98][0 ... 98] = 1 }; kernel void k(global int *a) { a[0] = x[a[1]][1][1][1]; }
a huge constant@an initializer with this many elements@constant char x[1u << 31] = "abc"; kernel void k(global int *a) { a[0] = x[a[1]]; }
a huge private constant@an initializer with more than 65532 elements@kernel void k(global int *a) { int x[100000000] = { 1 }; a[0] = x[a[1]]; }
a huge private string@an initializer with more than 65532 elements@kernel void k(global int *a) { char x[100000000] = "abc"; a[0] = x[a[1]]; }
a huge member@an initializer with more than 65532 elements@kernel void k(global int *a) { struct { char c[300000000]; } x = { 1 }; a[0] = x.c[a[1]]; }
a huge vector@invalid vector type@typedef int v __attribute__((ext_vector_type(1000000000))); kernel void k(global v *p) { p[0] = p[1]; }
EOF
{ printf 'constant char s[] = "'; repeat s 2000000; echo '"; kernel void k(global int *a) { a[0] = s[a[1]]; }'; } >longstring.cl
expect "a string of 2,000,000 characters" '^longstring\.cl:1:21: error: an initializer with more than 1048576 elements' longstring.cl

{
    echo 'struct S0 { int a; };'
    seq -f 'struct S%.0f {' -s ' ' 100000 | awk '{ n = split($0, w, /[{]/); for (i = 1; i < n; ++i) print w[i] "{ struct S" i - 1 " a; };" }'
} >structs.cl
expect "100,000 levels of nested structs" '^structs\.cl:[0-9]+:[0-9]+: error: type is nested too deeply' structs.cl
{
    echo 'typedef struct { char a[0x8000000000]; } T0;'
    for i in $(seq 9); do echo "typedef struct { T$((i - 1)) a, b, c, d, e, f, g, h, i, j; } T$i;"; done
    echo 'kernel void k(global T9 *p) { p[0] = p[1]; }'
} >sizes.cl
expect "structs of huge structs" '^sizes\.cl:2:9: error: type .* is too large' sizes.cl

# Inputs that would take exponential time if each use were examined anew.
{
    echo 'constant int x0 = 1;'
    for i in $(seq 60); do echo "constant int x$i = x$((i - 1)) + x$((i - 1));"; done
    echo 'kernel void k(global int *p) { p[0] = x60; }'
} >chain.cl
accept "constants of constants" chain.cl
{
    echo 'int f0(int x) { return x; }'
    for i in $(seq 60); do echo "int f$i(int x) { return f$((i - 1))(x) + f$((i - 1))(x); }"; done
    echo 'kernel void k(global int *p) { p[0] = f60(1); }'
} >calls.cl
accept "calls of calls" calls.cl --target=opencl1.2
{
    echo 'typedef struct { int a; } T0;'
    for i in $(seq 9); do echo "typedef struct { T$((i - 1)) a, b, c, d, e, f, g, h, i, j; } T$i;"; done
} >structs.cl
{ cat structs.cl; echo 'void f(global T9 *p, T3 t) { p[1] = p[0]; }'; } >definition.cl
{ cat structs.cl; echo 'void f(global T9 *p, T3 t); kernel void k(global T9 *p, global T3 *t) { f(p, *t); }'; } >use.cl
expect "linking structs of structs of structs" "definition.cl: the module's structs have too many members, counting nested ones" definition.cl use.cl --target=opencl1.2

# Long chains of structs linked by pointers, which no walk over types may follow by recursion.
chain() { echo 'struct S0 { int v; };'; seq 10000 | awk '{ print "struct S" $1 " { '"$1"' struct S" $1 - 1 " *p; int v; };" }'; }
{ chain global; echo 'kernel void k(global struct S10000 *p) { p->v = p->p->p->v; }'; } >linked.cl
accept "10,000 structs linked by pointers" linked.cl -Wall -Wextra -g -cl-kernel-arg-info
accept "10,000 structs linked by pointers, -cl-std=CL2.0" linked.cl -cl-std=CL2.0 -O2
{ chain ''; echo 'kernel void k(global struct S10000 *p, global int *o) { *o = p->p->v; }'; } >private.cl
accept "10,000 structs linked by private pointers" private.cl
accept "10,000 structs linked by generic pointers" private.cl -cl-std=CL2.0
{ chain global; echo 'int f(global struct S10000 *p) { return p->v; }'; } >f.cl
{ chain global; echo 'int f(global struct S10000 *p); kernel void k(global struct S10000 *p) { p->v = f(p); }'; } >k.cl
expect "linking 10,000 structs linked by pointers" "'f.cl' has more than 128 structs that point to structs" f.cl k.cl --target=opencl1.2

printf '"never closed\nint x = "also' >string.cl
expect "unterminated strings" '^string\.cl:1:1: (warning|error): ' string.cl
head -c 20000 /dev/urandom >random.cl
expect "random bytes" '^random\.cl:[0-9]+:[0-9]+: (fatal )?error: ' random.cl
printf '\0\0\0kernel\0' >nul.cl
expect "nul bytes" '^nul\.cl:1:[0-9]+: error: ' nul.cl
: >empty.cl
accept "an empty file" empty.cl --target=opencl1.2

# Long chains that are no nesting.
{ printf 'kernel void k(global int *a) { a[0] = 0'; for _ in $(seq 20000); do printf ' + a[1]'; done; echo '; }'; } >chain.cl
accept "20,000 additions" chain.cl
{ echo 'kernel void k(global int *a) { int x = a[0];'; for i in $(seq 2000); do echo "if (x == $i) a[$i] = $i; else"; done; echo 'a[0] = 1; }'; } >elseif.cl
accept "2,000 else-ifs" elseif.cl

# A long kernel: 200 functions of 25 statements, all inlined into one. Memory must not grow with the square of it.
{
    for f in $(seq 200); do
        echo "float4 f$f(global const float4 *p, int n, float s) { float4 a = p[n], b = (float4)(s, 1, 2, 3);"
        for line in $(seq 5); do
            echo "a = a * b + p[n + $line]; if (n > $line) b.zw = a.xy; else b = a.wzyx;"
            echo 'for (int i = 0; i < n; ++i) { a.x += b.y * s; if (a.x > 9.0f) break; }'
            echo 'switch (n & 3) { case 0: a += 1.0f; break; case 1: b -= 1.0f; default: a *= 0.5f; }'
        done
        echo 'return a + b; }'
    done
    echo 'kernel void k(global float4 *p, int n, float s) { float4 r = 0.0f;'
    for f in $(seq 200); do echo "r += f$f(p, n + $f, s);"; done
    echo 'p[get_global_id(0)] = r; }'
} >long.cl
whole_kb=$memory_kb
[ "$memory_kb" = unlimited ] || memory_kb=1000000
accept "a long kernel in 1 GB, -O1" long.cl
accept "a long kernel in 1 GB, -O2" long.cl -O2
memory_kb=$whole_kb

# SPIR-V.
"$clc" good.cl --target=opencl1.2 -o good.spv
size=$(stat -c %s good.spv)
for length in 0 3 19 20 21 40 $((size / 2)) $((size / 2 / 4 * 4)) $((size - 4)); do
    head -c "$length" good.spv >cut.spv
    expect "SPIR-V cut after $length bytes" '^cut\.spv: error: ' cut.spv
done
head -c 4096 /dev/urandom >random.spv
expect "random SPIR-V" '^random\.spv: error: ' random.spv
for seed in $(seq 1 60); do
    cp good.spv flip.spv
    printf "\\x$(printf %02x $((seed * 37 % 256)))" | dd of=flip.spv bs=1 seek=$((20 + seed * 7919 % (size - 20))) conv=notrunc 2>/dev/null
    (ulimit -v "$memory_kb"; timeout 20 "$clc" flip.spv -o out.spv) >log 2>&1
    code=$?
    if [ $code -le 1 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED SPIR-V with byte $seed changed: exit code $code"
        head -c 500 log
    fi
done
echo 'OpNonsense' >bad.spvasm
expect "bad assembly" '^bad\.spvasm:1:1: error: ' bad.spvasm

# Modules with too much of one thing: accepted or declined, in bounded time and memory.
hostile() {  # WANTED SHAPE SIZE; WANTED: a regular expression for the error, or "accept"
    python3 "$hostile" "$2" "$3" >hostile.spvasm
    if [ "$1" = accept ]; then accept "hostile SPIR-V: $3 $2" hostile.spvasm; else
        expect "hostile SPIR-V: $3 $2" "^hostile\\.spvasm: error: .*$1" hostile.spvasm
    fi
}
hostile accept loops 3000
hostile accept gotos 3000
hostile accept switch 9000
hostile accept phis 10000
hostile 'calls itself' recursion 1000
hostile accept calls 1000
hostile 'calls nest deeper' calls 20000
hostile accept doubling 10
hostile 'instructions after inlining' doubling 40
hostile "too large for private" array 4000000000000
hostile 'an object of 4000000000 bytes is too large for private' value 1000000000
hostile 'too many members' structs 40
hostile 'nests deeper' nested 1500
hostile 'too many members' nested 50000
hostile accept cycle 1000
hostile accept unreachable 10000
hostile accept variables 3000
hostile 'Int64 capability' capability 1
hostile '(not valid|no body)' bodiless 1
printf '\003\002\043\007\000\000\001\000\000\000\000\000\377\377\377\377\000\000\000\000' >bound.spv
expect "an id bound of 4 billion" '^bound\.spv: error: the id bound is 0 or above' bound.spv
cp good.spv bound.spv
printf '\377\377\077\000' | dd of=bound.spv bs=1 seek=12 conv=notrunc 2>/dev/null
whole_kb=$memory_kb
[ "$memory_kb" = unlimited ] || memory_kb=400000
accept "an id bound of 4 million in 400 MB" bound.spv
memory_kb=$whole_kb

# The command line.
expect "an unknown option" "error: .*-fnonsense" good.cl -fnonsense
expect "an unknown target" "error: .*vulkan9" good.cl --target=vulkan9
expect "an unknown standard" "error: .*CL9" good.cl -cl-std=CL9
expect "no input" "error: no input files"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
