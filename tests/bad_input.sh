#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bad_input.sh CLC2SPV [MEMORY_KB]: every kind of broken input ends in an error with a place, exit code 1, in bounded time and memory.
set -u
clc=$(realpath "$1")
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

# The command line.
expect "an unknown option" "error: .*-fnonsense" good.cl -fnonsense
expect "an unknown target" "error: .*vulkan9" good.cl --target=vulkan9
expect "an unknown standard" "error: .*CL9" good.cl -cl-std=CL9
expect "no input" "error: no input files"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
