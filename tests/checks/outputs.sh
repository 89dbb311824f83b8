#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# outputs.sh CLC2SPV [TOOL…]: where clc2spv writes modules and rules for make, and what it refuses to overwrite. The
# other tools, too, must tell when nothing can be written.
set -u
clc=$(realpath "$1")
shift
others=()
for tool in "$@"; do others+=("$(realpath "$tool")"); done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
passed=0 failed=0

pass() { passed=$((passed + 1)); }
fault() {
    failed=$((failed + 1))
    echo "FAILED $1; it said:"
    head -c 1000 log
}

# makes NAME FILE ARGS…: clc2spv ARGS exits with 0 and writes FILE.
makes() {
    local name=$1 file=$2
    shift 2
    rm -f "$file"
    if timeout 60 "$clc" "$@" >log 2>&1 && [ -s "$file" ]; then pass; else fault "$name"; fi
}

# says NAME FILE TEXT: FILE is TEXT.
says() { if [ "$(cat "$2")" = "$3" ]; then pass; else fault "$1: $2 is '$(head -c 300 "$2")', wanted '$3'"; fi; }

# refuses NAME TEXT ARGS…: clc2spv ARGS exits with 1, says TEXT, and changes no file.
refuses() {
    local name=$1 text=$2 before after code
    shift 2
    before=$(find . -type f ! -name log -exec md5sum {} + | sort)
    timeout 60 "$clc" "$@" >log 2>&1
    code=$?
    after=$(find . -type f ! -name log -exec md5sum {} + | sort)
    if [ $code = 1 ] && grep -qxF "clc2spv: error: $text" log && [ "$before" = "$after" ]; then pass; else
        fault "$name: exit code $code, wanted 1 and '$text'$([ "$before" = "$after" ] || echo '; files changed')"
    fi
}

mkdir build.dir other out
echo '#define N 1' >n.h
printf '#include "n.h"\nkernel void k(global int *a) { a[0] = N; }\n' >k.cl
echo 'kernel void m(global int *a) { a[0] = 2; }' >m.cl
cp m.cl other/m.cl

# The rule of -MD is beside the output, with the extension of the output's name replaced, as clang has it.
makes "an output without an extension" build.dir/out.d -MD k.cl -o build.dir/out
makes "an output in a folder with a dot" build.dir/k.d -MD k.cl -o build.dir/k.spv
makes "an output with two dots" build.dir/k.cl.d -MD k.cl -o build.dir/k.cl.spv
makes "a folder for the output" out/k.d -MD k.cl -o out/
makes "no output named" k.d -MD k.cl
says "the rule of a file" k.d 'k.spv: k.cl n.h'

# What is no module does not take the place of one.
"$clc" k.cl -o out/ >log 2>&1 || fault "a module in a folder"
cp out/k.spv module
makes "a preprocessed file in a folder" out/k.cli -E k.cl -o out/
makes "a rule alone in a folder" out/k.d -M k.cl -o out/
says "a rule in a folder" out/k.d 'k.spv: k.cl n.h'
if cmp -s module out/k.spv; then pass; else fault "-E or -M wrote over the module in the folder"; fi

# Standard input has no name that make could look for.
makes "standard input" in.d -MD -MP -MF in.d - -o in.spv <k.cl
says "the rule of standard input" in.d 'in.spv: n.h

n.h:'

# What several inputs write to one file for make.
makes "rules of two inputs" both.d -M -MF both.d k.cl m.cl
says "both rules" both.d 'k.spv: k.cl n.h
m.spv: m.cl'
makes "the rule of a linked module" all.d -MD k.cl m.cl -o all.spv
says "all that was linked" all.d 'all.spv: k.cl n.h m.cl'

# Several inputs become one module, also on standard output.
"$clc" k.cl m.cl -o both.spv >log 2>&1
if "$clc" k.cl m.cl -o - 2>log | cmp -s - both.spv; then pass; else fault "linked to standard output"; fi
if [ "$("$clc" k.cl - -o - --emit=asm <m.cl 2>log | grep -c OpEntryPoint)" = 2 ]; then pass; else fault "a linked text"; fi
if [ "$("$clc" k.cl m.cl -o - -E 2>log | grep -c '^kernel')" = 2 ]; then pass; else fault "two texts"; fi
refuses "two parts in one file" \
    "cannot specify -o when generating multiple output files (a directory, with '/' at its end, is possible)" \
    -c k.cl m.cl -o -

# What cannot be written is an error, also of what is only an answer.
if [ -w /dev/full ]; then
    for option in --help --version --list-passes --driver=help "k.cl -o -" "-M k.cl" "-E k.cl"; do
        # shellcheck disable=SC2086
        "$clc" $option >/dev/full 2>log
        code=$?
        text="clc2spv: error: unable to write output file '-': No space left on device"
        if [ $code = 1 ] && grep -qxF "$text" log; then pass; else fault "$option to a full device: $code"; fi
    done
    for tool in "${others[@]}"; do
        "$tool" --help >/dev/full 2>log
        code=$?
        if [ $code != 0 ] && grep -q "error: cannot write to standard output" log; then pass; else
            fault "$tool --help to a full device: $code"
        fi
    done
fi

# What is torn does not stay: make would take it for whole. What was there before does, unless it has another name.
for names in 1 2; do
    echo old >torn.spv
    [ $names = 1 ] || ln torn.spv torn.hard
    (trap '' XFSZ; ulimit -f 0; "$clc" m.cl -o torn.spv 2>&1 | cat >&2; exit "${PIPESTATUS[0]}") 2>/dev/null
    code=$?
    stays=$(cat torn.spv 2>/dev/null)
    if [ $code = 1 ] && [ "$stays" = "$([ $names = 2 ] || echo old)" ]; then pass; else
        fault "a file that is too large, with $names names: $code, '$stays' stays"
    fi
    if [ -z "$(find . -name '.caldera*')" ]; then pass; else fault "a part of a file: $(find . -name '.caldera*')"; fi
    rm -f torn.spv torn.hard
done

# Nor does a part of a file when the limit kills the process.
{ (ulimit -c 0; ulimit -f 0; exec "$clc" m.cl -o torn.spv) >log 2>&1; } 2>/dev/null
code=$?
if [ $code = $((128 + $(kill -l XFSZ))) ] && [ ! -e torn.spv ] && [ -z "$(find . -name '.caldera*')" ]; then pass; else
    fault "killed by the limit of files: $code, $(find . -name '.caldera*')"
fi
rm -f .caldera*

# An output that a shell has opened is written in place.
"$clc" m.cl -o /dev/stdout >by_name.spv 2>log
if "$clc" m.cl -o - 2>log | cmp -s - by_name.spv; then pass; else fault "/dev/stdout"; fi

# One that cannot be opened stays as it is. What no other file may replace is written in place. Root may do all, so it
# asks as nobody.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    echo old >kept.spv
    chmod 777 . && chmod 444 kept.spv
    setpriv --reuid=65534 --clear-groups "$clc" m.cl -o kept.spv >log 2>&1
    says "a file that is not ours" kept.spv old
    rm kept.spv
    mkdir closed && echo old >closed/m.spv && chmod 666 closed/m.spv && chmod 755 closed
    setpriv --reuid=65534 --clear-groups "$clc" m.cl -o closed/m.spv >log 2>&1
    if cmp -s by_name.spv closed/m.spv; then pass; else fault "a file in a folder that is not ours"; fi
    mkdir open && echo old >open/m.spv && chmod 666 open/m.spv && chmod 777 open
    setpriv --reuid=65534 --clear-groups "$clc" m.cl -o open/m.spv >log 2>&1
    if cmp -s by_name.spv open/m.spv && [ "$(stat -c %u open/m.spv)" = 0 ]; then pass; else
        fault "a file of another owner"
    fi
fi

# --print-to has what this command's inputs print, and no more. Its faults are told once, and in the form that is wanted.
makes "passes of two inputs" passes.txt k.cl m.cl --print-to=passes.txt --print-after=read
makes "passes again" passes.txt k.cl m.cl --print-to=passes.txt --print-after=read
says "both inputs' passes" <(grep '^;.*after pass' passes.txt) '; k.cl after pass 0, read
; m.cl after pass 0, read'
makes "no pass" m.spv m.cl --print-to=passes.txt --print-after=lower_pipes --target=opencl2.0
says "no pass" passes.txt ''
says "passes to standard output" <("$clc" m.cl -o m.spv --print-to=- --print-after=read 2>&1 | head -1) \
    '; m.cl after pass 0, read'
if [ ! -e - ]; then pass; else fault "--print-to=- is a file"; fi
if [ -w /dev/full ]; then
    for format in text json; do
        "$clc" m.cl k.cl --print-to=/dev/full --print-after=all -fdiagnostics-format=$format 2>log
        code=$?
        count=$(grep -c "unable to write output file '/dev/full': No space left on device" log)
        if [ $code = 1 ] && [ "$count" = 1 ]; then pass; else fault "passes to a full device: $code, $count times"; fi
    done
fi

# -ftime-report has what ran, whatever the command makes: a table for each input, and one for the linked module.
timed() {
    local stages
    stages=$("$clc" -ftime-report "${@:2}" 2>&1 >/dev/null | sed -n 's/.* ms of CPU time$/:/p; s/.* ms .*%  //p' | tr '\n' ' ')
    # shellcheck disable=SC2053
    if [[ $stages = $1 ]]; then pass; else fault "-ftime-report ${*:2}: $stages"; fi
}
timed ': front end ' -fsyntax-only k.cl
timed ': front end ' -M k.cl
timed ': front end output ' -E k.cl
timed ': front end output : front end output ' --emit=ast k.cl m.cl
timed ': front end output ' -c k.cl -o k.spv
timed ': front end *lower_memory* output ' k.cl -o k.spv
timed ': front end : front end : *lower_memory* output ' k.cl m.cl -o all.spv
timed ': output ' --target=opencl2.0 -x spv k.spv -o part.spv

# -E with several of the options that say what it prints, in any order.
printf '#define A 1\nint x = A;\n#undef A\n#include "n.h"\n\n\n\n\n\n\n\n\n\nint y;\n' >e.cl
for options in "-P -dD" "-dD -P"; do
    # shellcheck disable=SC2086
    makes "-E $options" e.txt -E $options e.cl -o e.txt
    says "directives without markers" <(tail -5 e.txt) '#define A 1
int x = 1;
#undef A
#define N 1
int y;'
done
for options in "-dM -dD" "-dD -dM" "-P -dM"; do
    # shellcheck disable=SC2086
    makes "-E $options" e.txt -E $options e.cl -o e.txt
    says "only macros" <(grep -v '^#define' e.txt) ''
done

# Nothing that is read is overwritten.
ln -s k.cl link.cl
ln -s . here
refuses "the source" "output 'k.cl' would overwrite 'k.cl', which is read" k.cl -o k.cl
refuses "the source by another path" "output 'here/k.cl' would overwrite './k.cl', which is read" ./k.cl -o here/k.cl
refuses "a link to the source" "output 'link.cl' would overwrite 'k.cl', which is read" k.cl -o link.cl
ln k.cl hard.spv
ln n.h hard.h
refuses "a hard link to the source" "output 'hard.spv' would overwrite 'k.cl', which is read" k.cl -o hard.spv
refuses "a hard link to a header" "output 'hard.h' would overwrite 'n.h', which is read" k.cl --emit=c-header -o hard.h
rm hard.spv hard.h
refuses "a linked source" "output 'm.cl' would overwrite 'm.cl', which is read" k.cl m.cl -o m.cl
refuses "the source by a rule" "output 'm.cl' would overwrite 'm.cl', which is read" -MD -MF m.cl m.cl -o m.spv
refuses "the source by -M" "output 'm.cl' would overwrite 'm.cl', which is read" -M -MF m.cl m.cl
refuses "the source by -E" "output 'm.cl' would overwrite 'm.cl', which is read" -E m.cl -o m.cl
refuses "the source by --print-to" "output 'm.cl' would overwrite 'm.cl', which is read" m.cl -o m.spv --print-to=m.cl
echo "-O2 'm.cl'" >args
makes "arguments in a file" m.spv @args -o m.spv
refuses "arguments in a file" "output 'args' would overwrite 'args', which is read" @args -o args
refuses "no arguments" "no such file or directory: '@none'" @none
refuses "a folder" "'out' is a folder" out
refuses "arguments in a folder" "'out' is a folder" m.cl @out
refuses "a header by --print-to" "output 'n.h' would overwrite 'n.h', which is read" \
    k.cl -o k.spv --print-to=n.h --print-after=all
refuses "a linked header by --print-to" "output 'n.h' would overwrite 'n.h', which is read" \
    m.cl k.cl -o k.spv --print-to=n.h --print-after=all
refuses "a header" "output 'n.h' would overwrite 'n.h', which is read" k.cl -o n.h
refuses "a header by a rule" "output 'n.h' would overwrite 'n.h', which is read" -MD -MF n.h k.cl -o k.spv
# Nor what another input reads, whichever comes first, and whatever is written.
mkdir headers
printf '#include "headers/m.spv"\nkernel void h(global int *a) { a[0] = N; }\n' >h.cl
cp n.h headers/m.spv
for order in "m.cl h.cl" "h.cl m.cl"; do
    # shellcheck disable=SC2086
    refuses "a header of another input: $order" \
        "output 'headers/m.spv' would overwrite 'headers/m.spv', which is read" $order -o headers/
done
for written in "-o out/ -MD -MF n.h" "-o out/ --print-to=n.h --print-after=all" "-M -MF n.h"; do
    for order in "m.cl k.cl" "k.cl m.cl"; do
        # shellcheck disable=SC2086
        refuses "a header of another input: $order $written" "output 'n.h' would overwrite 'n.h', which is read" \
            $order $written
    done
done
cp n.h m.json
printf '#include "m.json"\nkernel void j(global int *a) { a[0] = N; }\n' >j.cl
refuses "a header by a reflection" "output 'm.json' would overwrite 'm.json', which is read" \
    --emit=reflection-json m.cl j.cl
makes "the source, only checked" m.cl.ok -fsyntax-only -MD -MF m.cl.ok m.cl -o m.cl

# Nor is one output by another.
refuses "one name for two" "output 'out/m.spv' would be written twice, for 'm.cl' and for 'other/m.cl'" \
    m.cl other/m.cl -o out/
refuses "one default name for two" "output 'm.spv' would be written twice, for 'm.cl' and for 'other/m.cl'" \
    m.cl other/m.cl
refuses "the module by its rule" "output 'new.spv' would be written twice" -MD -MF new.spv m.cl -o new.spv
refuses "passes over the module" "output './new.spv' would be written twice" \
    m.cl -o ./new.spv --print-to=new.spv --print-after=all
refuses "the rule in the module" "output '-' would be written twice" -MD -MF - m.cl -o -
refuses "passes in the module" "output '-' would be written twice" m.cl -o - --print-to=- --print-after=all
refuses "the rule in the text" "output '-' would be written twice" -MD -MF - m.cl -E
says "a rule on standard output" <("$clc" -MD -MF - m.cl -o m.spv) 'm.spv: m.cl'
says "rules on standard output" <("$clc" -M k.cl m.cl) 'k.spv: k.cl n.h
m.spv: m.cl'
if "$clc" -MD -MF /dev/null m.cl -o /dev/null >log 2>&1; then pass; else fault "all to a device"; fi

# Headers may be pipes, whose bytes come once.
printf 'a\n#include "p.h"\n' >p.cl
mkfifo p.h
echo 'c' >p.h &
says "headers from pipes" <("$clc" -E -P -include <(echo '#define a b') p.cl -o -) 'b
c'
echo 'constant int c = 3;' >p.h &
echo '#include "p.h"
kernel void q(global int *p) { *p = c; }' >q.cl
cp q.cl r.cl
makes "a pipe that two sources include" r.spv q.cl r.cl
if timeout 60 "$clc" -include /dev/zero m.cl >log 2>&1; then fault "a device without end"; fi
if grep -q "error: cannot read '/dev/zero': '/dev/zero' has more than 256 MiB" log; then pass; else fault "/dev/zero"; fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
