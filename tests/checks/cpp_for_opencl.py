#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The user guide's way for C++ for OpenCL: clang makes SPIR-V, and the driver runs it, the constructors first.

cpp_for_opencl.py RUN_MODULE [--clang=PROGRAM]    RUN_MODULE is the program tests/driver/run_module. The clang is that of
                                                  other_compilers.py; if there is none, the exit status is 77.
"""
import argparse
import os
import subprocess
import sys
import tempfile

import other_compilers

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "constructors.clcpp")
EXPECTED = "42 22 25 301"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run_module")
    parser.add_argument("--clang")
    args = parser.parse_args()
    clang = args.clang or other_compilers.find_clang()
    if not clang:
        print("no clang here has the target spirv64: skipped")
        return 77
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        module = os.path.join(folder, "constructors.spv")
        for level in ("-O0", "-O2"):
            subprocess.run([clang, "-target", "spirv64", "-x", "cl", "-cl-std=clc++2021", "-fno-strict-aliasing", level, "-c",
                            SOURCE, "-o", module], check=True)
            run = subprocess.run([args.run_module, module, "4"], capture_output=True, text=True, check=False)
            print(f"{level}: {run.stdout.strip()} {run.stderr.strip()}")
            failed |= run.returncode != 0 or run.stdout.strip() != EXPECTED
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
