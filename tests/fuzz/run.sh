#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh preprocess|frontend|translate [libFuzzer option]…: fuzzes one entry point (DOOR), with everything in the
# repository that can serve as a seed. Build first:
#   cmake --preset fuzz && cmake --build --preset fuzz
# 30 minutes with the seeds of two more folders:
#   CALDERA_FUZZ_SEEDS="build/corpus more" tests/fuzz/run.sh frontend -max_total_time=1800
# CALDERA_FUZZ_SEEDS names folders with more .cl files (tests/evaluation/corpus unpacks one) and, for the translator, .spv files;
# CALDERA_FUZZ_CORPUS a folder of inputs that an earlier run found (build-fuzz/DOOR/corpus, where what is found is kept). A
# finding is left in build-fuzz/DOOR as crash-…, timeout-… or oom-…: reduce it, mend the fault, and make it a test in tests/diag
# or tests/golden. Its `// OPTIONS:` line means there what it means here.
set -euo pipefail
cd "$(dirname "$0")/../.."
door=${1:?preprocess, frontend or translate}
shift
work=$PWD/build-fuzz/$door
mkdir -p "$work/corpus" "$work/seeds"

# The seeds are the tests, the examples and the files that CALDERA_FUZZ_SEEDS adds; libFuzzer ignores seeds that are too long.
# shellcheck disable=SC2086  # a list of folders
find tests examples builtins ${CALDERA_FUZZ_SEEDS:-} \( -name '*.cl' -size -5k -o -name '*.spv' -size -32k \) -print0 |
  while IFS= read -r -d '' file; do cp "$file" "$work/seeds/$(echo "$file" | tr / _)"; done
# Further seeds call every overload of every built-in function, 20 calls in each.
# shellcheck disable=SC2016  # split sets $FILE
tests/builtins/calls.py --print | tail -n +2 |
  split -l 20 -a 4 --filter='{ echo "// OPTIONS: -c -cl-std=CL2.0"; echo "#pragma OPENCL EXTENSION cl_khr_fp16 : enable"; cat; } >$FILE' \
    - "$work/seeds/calls_"

# The dictionary: phrases.def, and every spelling in the tables.
{
  sed -nE 's/^PHRASE\((.*)\)$/\1/p' tests/fuzz/phrases.def
  sed -nE 's/.*[A-Z]\((Kw[A-Za-z]+, )?"([A-Za-z_][A-Za-z0-9_#]*)".*/\2/p' frontend/builtin/*.def frontend/lex/tokens.def \
    frontend/types/images.def | tr '#' 4 | sort -u | sed 's/.*/"&"/'
  grep -ohE 'Kw[A-Za-z]+, "[a-z_A-Z]+"' frontend/lex/tokens.def | sed -E 's/.*, //' | sort -u
  sed -nE 's/^(ENUMERATOR|PREDEFINED|PREDEFINED_FUNCTION|DYNAMIC)\(([A-Za-z_0-9]+).*/"\2"/p' \
    frontend/builtin/enumerators.def frontend/preprocess/predefined*.def | sort -u
  sed -nE 's/^ATTRIBUTE\("([a-z_0-9]+)".*/"\1"/p' frontend/check/attributes.def
} >"$work/dict"

max_len=4096
[ "$door" = translate ] && max_len=32768
found=${CALDERA_FUZZ_CORPUS:+$(realpath "$CALDERA_FUZZ_CORPUS")}
fuzzer=$work/../tests/fuzz/${door}_fuzzer
cd "$work"
# -timeout counts wall-clock seconds: on a busy machine, an input that needs one second may take ten.
# The standard library and SPIRV-Tools are not instrumented, so ASan cannot know which part of a vector is in use.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=1:allocator_may_return_null=0:quarantine_size_mb=64
exec nice "$fuzzer" -dict=dict -max_len=$max_len -timeout=60 -rss_limit_mb=2048 -entropic=0 -print_final_stats=1 "$@" \
  corpus ${found:+"$found"} seeds
