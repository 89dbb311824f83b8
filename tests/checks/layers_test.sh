#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# layers_test.sh: layers.cmake finds includes that the map of the rooms forbids.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) failed=0
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

# file PATH INCLUDED...: writes a file that includes others.
file() {
  mkdir -p "$root/$(dirname "$1")"
  printf '#include "%s"\n' "${@:2}" > "$root/$1"
}
# finds TEXT: the check fails and says TEXT, however its lines break. Without TEXT: it passes.
finds() {
  log=$(cmake -DROOT="$root" -P "$here/layers.cmake" 2>&1 | tr -s ' \n' ' ') || true
  if [ "${1:-}" ] && [[ $log != *"$1"* ]] || [ ! "${1:-}" ] && [ "$log" ]; then
    echo "expected: ${1:-nothing}; got: $log"
    failed=1
  fi
  rm -rf "${root:?}"/*
}

file spirv/module.h spirv/support/check.h
file spirv/support/check.h
file vulkan/translate/support/fold.h spirv/module.h
file vulkan/translate/optimize/promote.cpp vulkan/translate/optimize/promote.h vulkan/translate/pass.h
file vulkan/translate/optimize/promote.h vulkan/translate/support/fold.h vulkan/translate/flow/unroll.h
file vulkan/translate/translate.cpp vulkan/translate/pipeline.h vulkan/translate/import/foreign.h
finds

file spirv/module.h frontend/compile.h
finds "spirv/module.h includes frontend/compile.h: spirv/ may not"
file frontend/lex/lexer.h frontend/check/checker.h
finds "frontend/lex stands before frontend/check"
file frontend/parse/parser.h frontend/compile.h
finds "which is above the folders of frontend"
file vulkan/translate/support/fold.cpp vulkan/translate/flow/unroll.h
finds "vulkan/translate/support may not"
file vulkan/translate/lower/lower_math.cpp vulkan/translate/link/divide.h
finds "vulkan/translate/lower may not"
file vulkan/translate/flow/unroll.cpp vulkan/translate/translate.h
finds "which is above the folders of vulkan/translate"
file vulkan/translate/newroom/pass.cpp vulkan/translate/support/fold.h
finds "no row says what vulkan/translate/newroom may include"
file frontend/compile.cpp tools/clc2spv/passes.h
finds "frontend/compile.cpp includes tools/clc2spv/passes.h: frontend/ may not"
file tools/clc2spv/main.cpp frontend/compile.h vulkan/runtime/queue.h
finds "tools/clc2spv/main.cpp includes vulkan/runtime/queue.h: tools/clc2spv/ may not"
# Two units, by way of a .cpp, and of a file that belongs to another.
file vulkan/translate/memory/access.cpp vulkan/translate/memory/helpers.h
file vulkan/translate/memory/helpers.h vulkan/translate/memory/access.h
finds "vulkan/translate/memory/access -> vulkan/translate/memory/helpers -> vulkan/translate/memory/access: a circle"
file spirv/read_impl.h spirv/module.h
file spirv/module.cpp spirv/read.h
finds ": a circle of includes"
# A circle that is known, and one beside it that is not.
file vulkan/runtime/pipe.cpp vulkan/runtime/queue.h
file vulkan/runtime/queue.h vulkan/runtime/pipe.h
finds
file vulkan/runtime/copier.cpp vulkan/runtime/queue.h
file vulkan/runtime/queue.h vulkan/runtime/copier.h
finds "vulkan/runtime/copier -> vulkan/runtime/queue -> vulkan/runtime/copier: a circle"
file vulkan/icd/unload.cpp vulkan/icd/device.h
file vulkan/icd/device.h vulkan/icd/unload.h
finds ": a circle of includes"
exit $failed
