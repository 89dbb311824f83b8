#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""find_pass_test.py BUILD: tests/checks/find_pass.py finds faults that are planted, and says where there is none.

A command that gives a wrong result whenever certain passes run stands for a kernel, so that any pass can be at fault on any
device. One real kernel runs too: lavapipe ends loops after 65,535 back edges, and the pass repeat_loops works around that.
"""
import os
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.abspath(__file__))
FAKE = """import sys
left_out = {arg.split("=")[1] for arg in sys.argv[1:] if arg.startswith("--disable-pass=")}
print("wrong" if %s else "right")
"""
KERNEL = """kernel void count(global uint *a) {
    uint n = 0;
    for (uint x = 1; n < a[0]; x = x * 1664525 + 1013904223) n += 1 + (x & 0);
    a[1] = n;
}
"""


def main():
    build = os.path.abspath(sys.argv[1])
    failures = 0

    def check(name, command, status, text, options=()):
        nonlocal failures
        done = subprocess.run([sys.executable, os.path.join(TESTS, "find_pass.py"), "--build=" + build, *options] + command,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != status or text not in done.stdout:
            failures += 1
            print(f"FAILED {name}: expected status {status} and '{text}', got status {done.returncode} and:\n{done.stdout}")

    with tempfile.TemporaryDirectory() as folder:
        def planted(condition):
            path = os.path.join(folder, "fake.py")
            with open(path, "w") as file:
                file.write(FAKE % condition)
            return [sys.executable, path]

        listed = subprocess.run([os.path.join(build, "clc2spv"), "--list-passes"], stdout=subprocess.PIPE, check=True,
                                text=True).stdout
        optional = [row[1] for row in map(str.split, listed.splitlines()) if row[2] in ("optimization", "precaution")]
        for name in optional:
            check(name, planted(f"'{name}' not in left_out"), 0, f"changes after {name} (")
        optimizations = [row[1] for row in map(str.split, listed.splitlines()) if row[2] == "optimization"]
        first, second = optimizations[0], optimizations[-1]
        check("two at fault", planted(f"'{first}' not in left_out and '{second}' not in left_out"), 0,
              f"changes after {second} (")
        check("a pass that is needed", planted(f"'{second}' in left_out"), 0, f"changes after {second} (")
        check("no pass", planted("True"), 1, "No optional pass changes the result")
        check("a pass that is kept", planted(f"'{first}' not in left_out"), 1, "No optional pass", ["--keep=" + first])
        check("chance", [sys.executable, "-c", "import os; print(os.getpid())"], 2, "differs from run to run")
        check("no compiler", planted("True"), 2, f"find_pass.py: error: cannot run '{folder}/clc2spv': No such file",
              ["--build=" + folder])
        check("no such pass to keep", planted("True"), 2, "'lower_memory' is no optional pass", ["--keep=lower_memory"])

        kernel = os.path.join(folder, "k.cl")
        with open(kernel, "w") as file:
            file.write(KERNEL)
        clrun = [os.path.join(build, "clrun"), kernel, "--global=1", "--arg=u32:100000,7", "--print=0"]
        whole = subprocess.run(clrun, stdout=subprocess.PIPE, text=True).stdout
        ended = subprocess.run(clrun + ["--disable-pass=repeat_loops"], stdout=subprocess.PIPE, text=True).stdout
        if "100000" not in whole:
            failures += 1
            print(f"FAILED a kernel that counts to 100000: it printed '{whole}'")
        elif whole == ended:
            print("the device ends no loops: no kernel to look at")
        else:
            check("a kernel", clrun, 0, "changes after repeat_loops (precaution")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
