#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py --first=SEED --count=N [--build=FOLDER] [--input=ours|clang] [--keep=FOLDER] [--vulkan=OPTIONS]: runs
generate.py's kernels on the Vulkan device (CALDERA_DEVICE chooses) and on the system's OpenCL, and prints each seed whose
results differ.

Each kernel runs on Vulkan twice from our front end, as OpenCL C 1.2 and as 2.0 with generic pointers and program-scope
variables; with --input=clang once more, from clang-15 and llvm-spirv-15 at -O0 and at -O2. The OpenCL side judges the
1.2 form. Kernels that differ, crash or hang stay in the --keep folder, which also holds what is being worked on.
"""
import argparse
import pathlib
import subprocess
import sys

import generate

HERE = pathlib.Path(__file__).parent
OPTIONS_20 = "-w -cl-std=CL2.0 -DGENERIC -DPROGRAM_SCOPE"
CLANG = ["clang-15", "-cc1", "-triple", "spir64-unknown-unknown", "-finclude-default-header", "-no-opaque-pointers",
         "-cl-std=CL1.2", "-ffp-contract=off", "-Wno-everything", "-emit-llvm-bc"]


def execute(program, paths, options, timeout_s=60):
    """{path: verdict}: the rest of the program's line about each, or how it died there."""
    verdicts, left = {}, list(paths)
    while left:
        try:
            output = subprocess.run([*program, "--options=" + options, *map(str, left)], text=True, capture_output=True,
                                    timeout=timeout_s + 2 * len(left))
            text, death = output.stdout, "died with status %d" % output.returncode
        except subprocess.TimeoutExpired as expired:
            text, death = (expired.stdout or b"").decode(), "hangs"
        for line in text.splitlines():
            path, _, verdict = line.partition(" ")
            verdicts[pathlib.Path(path)] = verdict
        left = [path for path in left if path not in verdicts]
        if left:
            verdicts[left.pop(0)] = death
    return verdicts


def translate_with_clang(path, level):
    """The kernel as LLVM's SPIR-V, or None where clang or llvm-spirv fails."""
    bitcode, words = path.with_suffix(".bc"), path.with_suffix(".O%d.spv" % level)
    optimise = ["-O0", "-disable-O0-optnone"] if level == 0 else ["-O%d" % level]
    for command in ([*CLANG, *optimise, str(path), "-o", str(bitcode)], ["llvm-spirv-15", str(bitcode), "-o", str(words)]):
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
    bitcode.unlink()
    return words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--build", default="build", help="the build folder with tests/differential in it")
    parser.add_argument("--input", choices=["ours", "clang"], default="ours")
    parser.add_argument("--keep", default="out/differential")
    parser.add_argument("--vulkan", default="", help="options of execute_vulkan: --abi=descriptors --only-32-bits")
    parser.add_argument("--chunk", type=int, default=25, help="kernels a process")
    arguments = parser.parse_args()
    vulkan = [str(pathlib.Path(arguments.build, "tests/differential/execute_vulkan").resolve()), *arguments.vulkan.split()]
    opencl = [str(pathlib.Path(arguments.build, "tests/differential/execute_opencl").resolve())]
    keep = pathlib.Path(arguments.keep)
    keep.mkdir(parents=True, exist_ok=True)

    same, differing, declined, unjudged = 0, 0, 0, 0
    for first in range(arguments.first, arguments.first + arguments.count, arguments.chunk):
        paths = []
        for seed in range(first, min(first + arguments.chunk, arguments.first + arguments.count)):
            paths.append(keep / ("%d.cl" % seed))
            paths[-1].write_text(generate.Generator(seed).program())
        judge = execute(opencl, paths, "-cl-std=CL1.2")
        runs = {"1.2": execute(vulkan, paths, "-w -cl-std=CL1.2"), "2.0": execute(vulkan, paths, OPTIONS_20)}
        if arguments.input == "clang":
            for level in (0, 2):
                words = {path: translate_with_clang(path, level) for path in paths}
                run = execute(vulkan, [w for w in words.values() if w], "")
                runs["clang -O%d" % level] = {path: run[w] for path, w in words.items() if w}
        for path in paths:
            verdicts = {name: run[path] for name, run in runs.items() if path in run}
            if not judge[path].startswith("digest"):
                unjudged += 1
                print("%s: not judged: %s" % (path.stem, judge[path]))
                judge[path] = verdicts["1.2"]
            bad = {name: verdict for name, verdict in verdicts.items() if verdict != judge[path]}
            same += len(verdicts) - len(bad)
            for name, verdict in bad.items():
                declined += verdict.startswith("error")
                differing += not verdict.startswith("error")
                print("%s: %s: %s, not %s" % (path.stem, name, verdict, judge[path]), flush=True)
            if not bad:
                for file in keep.glob(path.stem + ".*"):
                    file.unlink()
    print("%d runs the same, %d differ, %d refused, %d kernels not judged" % (same, differing, declined, unjudged))
    return 1 if differing or declined else 0


if __name__ == "__main__":
    sys.exit(main())
