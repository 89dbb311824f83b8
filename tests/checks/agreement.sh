#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# agreement.sh [CLC2SPV] [FILE.cl…]: compares the lines in which clang 15 and clc2spv (default build/clc2spv) report
# errors in the tests. Without files it takes every .cl of tests/diag, tests/golden and tests/exec, each with its
# OPTIONS. It prints every difference that no comment explains, then the rate of agreement. The exit code is 1 when
# there is a difference.
#
#   // DIFFERS 1.2.3-4: why     explains its own line, or the next one when it stands alone
#
# It needs clang-15, so ctest does not run it.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
command -v clang-15 >/dev/null || { echo "agreement.sh: needs clang-15 (apt-get install clang-15)" >&2; exit 2; }
clc=$root/build/clc2spv
if [ $# -gt 0 ] && [[ $1 != *.cl ]]; then clc=$(realpath "$1"); shift; fi
[ -x "$clc" ] || { echo "agreement.sh: no compiler at $clc" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# options FILE: the OPTIONS of the file that choose the language; the others (-W…, -O2, --target=…) change no error.
options() {
    grep -oP '// OPTIONS:\K.*' "$1" | tr ' ' '\n' | grep -E '^-(cl-|[DUI])' || true
}

# error_lines NAME LOG: the numbers of the lines of the file NAME that have an error in LOG, sorted as text.
error_lines() {
    grep -F "$1:" "$2" | grep -oP ':\K\d+(?=:\d+: (fatal )?error: )' | sort -u || true
}

# explained FILE: the numbers of the lines that a DIFFERS comment speaks of.
explained() {
    awk '/^ *\/\// { if (/\/\/ DIFFERS [^ ]+: ./) pending = 1; next }
         { if (pending || /\/\/ DIFFERS [^ ]+: ./) print FNR; pending = 0 }' "$1" | sort -u
}

# compare FILE: prints its differences; counts its lines with errors.
files=0 agreeing=0 lines=0 same=0
compare() {
    local file=$1 suite name arguments status clang ours
    suite=$root/tests/$(realpath --relative-to="$root/tests" "$file" | cut -d/ -f1)
    name=$(basename "$file")
    mapfile -t arguments < <(options "$file")
    arguments+=(-I "$suite" -w -fsyntax-only -ferror-limit)
    clang=$scratch/clang ours=$scratch/ours
    status=0
    clang-15 -cc1 -triple spir64-unknown-unknown -finclude-default-header "${arguments[@]}" 0 "$file" \
        2>"$clang.log" || status=$?
    [ $status -le 1 ] || { echo "$file: clang-15 exits with $status"; return 1; }
    arguments[-1]=-ferror-limit=0
    status=0
    timeout 60 "$clc" "${arguments[@]}" "$file" 2>"$ours.log" || status=$?
    [ $status -le 1 ] || { echo "$file: clc2spv exits with $status"; return 1; }

    explained "$file" >"$scratch/explained"
    error_lines "$name" "$clang.log" | comm -23 - "$scratch/explained" >"$clang"
    error_lines "$name" "$ours.log" | comm -23 - "$scratch/explained" >"$ours"
    lines=$((lines + $(sort -u "$clang" "$ours" | wc -l)))
    same=$((same + $(comm -12 "$clang" "$ours" | wc -l)))
    cmp -s "$clang" "$ours" && return 0
    local line
    for line in $(comm -23 "$clang" "$ours" | sort -n); do
        echo "$file:$line: only clang: $(grep -P ":$line:\d+: (fatal )?error" "$clang.log" | head -1 | sed 's/.*error: //')"
    done
    for line in $(comm -13 "$clang" "$ours" | sort -n); do
        echo "$file:$line: only clc2spv: $(grep -P ":$line:\d+: (fatal )?error" "$ours.log" | head -1 | sed 's/.*error: //')"
    done
    return 1
}

if [ $# -eq 0 ]; then
    mapfile -t tests < <(cd "$root" && find tests/diag tests/golden tests/exec -name '*.cl' | sort)
    cd "$root"
    set -- "${tests[@]}"
fi
for file in "$@"; do
    files=$((files + 1))
    if compare "$file"; then agreeing=$((agreeing + 1)); fi
done
percent() { awk -v part="$1" -v all="$2" 'BEGIN { printf "%.2f%%", all ? 100 * part / all : 100 }'; }
echo "$agreeing of $files files agree ($(percent $agreeing $files)), $same of $lines lines with errors ($(percent $same $lines))"
[ $agreeing = $files ]
