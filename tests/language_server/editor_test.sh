#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Neovim, without a screen, as a client of `clc2spv --lsp`: editor_test.sh CLC2SPV. It prints what was said. Exit code 77:
# there is no Neovim.
set -euo pipefail
clc2spv=$(realpath "$1")
tests=$(dirname "$(realpath "$0")")
command -v nvim >/dev/null || { echo "no nvim here: skipped"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/.caldera.toml" <<'TOML'
options = ["-cl-std=CL2.0", "-Wall"]
TOML
cat >"$folder/shared.h" <<'CL'
float weight(float x);
CL
cat >"$folder/move.cl" <<'CL'
#include "shared.h"
float weight(float x) { return x * 2; }
kernel void move(global float *out, int n) {
    int unused;
    out[get_global_id(0)] = weight(n) + wieght(1);
}
CL
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder XDG_DATA_HOME=$folder XDG_STATE_HOME=$folder CLC2SPV=$clc2spv
timeout 120 nvim --headless -u NONE -i NONE -n move.cl -c "luafile $tests/editor.lua" 2>&1
grep -q '^float heaviness(float x);$' shared.h
grep -q '    out\[get_global_id(0)\] = heaviness(n) + heaviness(1);' move.cl
