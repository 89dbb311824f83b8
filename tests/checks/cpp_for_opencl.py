#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The user guide's way for C++ for OpenCL: clang makes SPIR-V, and the driver runs it, the constructors first.

cpp_for_opencl.py RUN_MODULE [--clang=PROGRAM]    RUN_MODULE is the program tests/driver/run_module. The clang is that of
                                                  other_compilers.py. The newest clang that has an llvm-spirv of its version
                                                  makes modules too. If there is neither, the exit status is 77.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import other_compilers

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "constructors.clcpp")
EXPECTED = "42 22 25 301"


# What clang 15 takes for C++ for OpenCL too; spir64 is llvm-spirv's target.
OPTIONS = ["-x", "cl", "-cl-std=clc++2021", "-fno-strict-aliasing", "-w", "-c", SOURCE]


def find_translated_clang():
    """A clang and the llvm-spirv of its version."""
    for name in [f"clang-{version}" for version in range(40, 14, -1)] + ["clang"]:
        clang = shutil.which(name)
        translator = other_compilers.find_translator(clang) if clang else None
        if translator:
            return clang, translator
    return None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run_module")
    parser.add_argument("--clang")
    args = parser.parse_args()
    clang = args.clang or other_compilers.find_clang()
    translated_clang, translator = find_translated_clang()
    if not clang and not translator:
        print("no clang here has the target spirv64, and none has an llvm-spirv: skipped")
        return 77
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        module = os.path.join(folder, "constructors.spv")

        def check(what, said):
            run = None if said else subprocess.run([args.run_module, module, "4"], capture_output=True, text=True, check=False)
            print(f"{what}: {said or run.stdout.strip() + ' ' + run.stderr.strip()}")
            return run is None or run.returncode != 0 or run.stdout.strip() != EXPECTED

        for level in ("-O0", "-O2"):
            if clang:
                subprocess.run([clang, "-target", "spirv64", *OPTIONS, level, "-o", module], check=True)
                failed |= check(f"{clang} {level}", "")
            # llvm-spirv 15 declines the empty list of constructors that LLVM's optimiser leaves.
            if translator and level == "-O0":
                command = [translated_clang, "-target", "spir64", *OPTIONS, level]
                failed |= check(f"{translator} {level}", other_compilers.translated(translator, command, module))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
