#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh preprocess|frontend [libFuzzer option]…: fuzzes one door with the seeds that the repository has. Build first:
#   cmake --preset fuzz && cmake --build --preset fuzz
# CALDERA_FUZZ_SEEDS names folders with more .cl files (tests/corpus unpacks one). The corpus grows in build-fuzz/; a
# finding is left there as crash-…, timeout-… or oom-…: reduce it, mend the fault, and make it a test in tests/diag or
# tests/golden. Its `// OPTIONS:` line means there what it means here.
set -euo pipefail
cd "$(dirname "$0")/../.."
door=${1:?preprocess or frontend}
shift
work=$PWD/build-fuzz/$door
mkdir -p "$work/corpus" "$work/seeds"

# Seeds: the tests, the examples, and what CALDERA_FUZZ_SEEDS adds; libFuzzer leaves out what is too long.
# shellcheck disable=SC2086  # a list of folders
find tests examples builtins ${CALDERA_FUZZ_SEEDS:-} -name '*.cl' -size -64k -print0 |
  while IFS= read -r -d '' file; do cp "$file" "$work/seeds/$(echo "$file" | tr / _)"; done

# The dictionary: opencl.dict, and every spelling in the tables.
{
  cat tests/fuzz/opencl.dict
  sed -nE 's/.*[A-Z]\((Kw[A-Za-z]+, )?"([A-Za-z_][A-Za-z0-9_#]*)".*/\2/p' frontend/builtin/builtins.def frontend/lex/tokens.def \
    frontend/types/images.def | tr '#' 4 | sort -u | sed 's/.*/"&"/'
  grep -ohE 'Kw[A-Za-z]+, "[a-z_A-Z]+"' frontend/lex/tokens.def | sed -E 's/.*, //' | sort -u
  sed -nE 's/^(ENUMERATOR|PREDEFINED|PREDEFINED_FUNCTION|DYNAMIC)\(([A-Za-z_0-9]+).*/"\2"/p' \
    frontend/builtin/enumerators.def frontend/preprocess/predefined.def | sort -u
} >"$work/dict"

cd "$work"
# The standard library and SPIRV-Tools are not instrumented, so ASan cannot know which part of a vector is in use.
export ASAN_OPTIONS=detect_container_overflow=0:detect_leaks=1:allocator_may_return_null=0
exec nice -n 19 "../tests/fuzz/${door}_fuzzer" -dict=dict -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
  -print_final_stats=1 "$@" corpus seeds
