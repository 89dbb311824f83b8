# SPDX-License-Identifier: Apache-2.0
# Caldera's sources, those that this file lies in: nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:
let
  header = builtins.readFile ../../include/caldera/version.h;
  number = part: builtins.head (builtins.match ".*#define CALDERA_VERSION_${part} ([0-9]+).*" header);
in
pkgs.stdenv.mkDerivation {
  pname = "caldera";
  version = "${number "MAJOR"}.${number "MINOR"}.${number "PATCH"}";
  src = pkgs.lib.cleanSource ../..;
  nativeBuildInputs = with pkgs; [ cmake ninja python3 glslang pkg-config ];
  buildInputs = with pkgs; [ spirv-tools spirv-headers vulkan-headers vulkan-loader opencl-headers cli11 nlohmann_json ];
  cmakeFlags = [ "-DCALDERA_BUILD_TESTS=OFF" "-DCALDERA_BUILD_EXAMPLES=OFF" ];
  meta = {
    description = "OpenCL C on every Vulkan GPU";
    license = pkgs.lib.licenses.asl20;
    platforms = [ "x86_64-linux" "aarch64-linux" ];
    mainProgram = "clc2spv";
  };
}
