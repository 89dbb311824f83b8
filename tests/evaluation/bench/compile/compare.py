#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times clc2spv against clang-15 followed by llvm-spirv-15: the whole process, start to end, and its peak memory.

    compare.py build/clc2spv                               the .cl files of tests/ and examples/
    compare.py build/clc2spv --units build/corpus/accepted.tsv   the corpus (tests/evaluation/corpus/corpus.py makes the list)
    compare.py build/clc2spv kernel.cl -- -I include       one file and its options
    compare.py build/clc2spv --target vulkan1.2            our side translates for Vulkan as well, clang's does not

Each file is compiled by both sides in turn, as often as --runs says, and the medians count. Clang runs as
`clang-15 -cc1 -O0 -emit-llvm-bc`, without its driver, and declares its built-ins in the way that is faster for it
(-fdeclare-opencl-builtins with the short header; --full-header for the 17,000 lines of opencl-c.h). Its time is the sum
of both programs, its memory the larger of the two. Files that one side refuses are left out and counted.
"""
import argparse
import glob
import os
import shlex
import shutil
import statistics
import sys
import tempfile

from measuring import find_measure, measure, median_run

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))


def own_units():
    """The repository's own kernels: those of the test suites with the options that they name."""
    for path in sorted(glob.glob(ROOT + "/examples/*.cl") + glob.glob(ROOT + "/tests/**/*.cl", recursive=True)):
        lines = [line.split("OPTIONS:", 1)[1] for line in open(path, errors="replace") if "// OPTIONS:" in line]
        options = [word for word in shlex.split(" ".join(lines)) if not word.startswith("--")]
        std = next((word[8:] for word in options if word.startswith("-cl-std=")), "CL1.2")
        yield std, path, [word for word in options if not word.startswith("-cl-std=")] + ["-I", ROOT + "/tests/exec"]


def listed_units(path):
    for line in open(path):
        std, source, options = line.rstrip("\n").split("\t")
        yield std, source, shlex.split(options)


def clang_options(options):
    """-cc1 knows all of clBuildProgram's options but these, which only the driver translates."""
    return [word for word in options if word not in ("-cl-no-subgroup-ifp", "-cl-denorms-are-zero")]


def commands(unit, clc, scratch, full_header, target):
    std, path, options = unit
    target = target or {"CL2.0": "opencl2.0", "CL3.0": "opencl2.2"}.get(std, "opencl1.2")
    ours = [clc, "--target=" + target, "-cl-std=" + std] + options + [path, "-o", scratch + "/ours.spv"]
    builtins = ["-finclude-default-header"] + ([] if full_header else ["-fdeclare-opencl-builtins"])
    # llvm-spirv-15 knows images, samplers and events only behind typed pointers.
    clang = ["clang-15", "-cc1", "-triple", "spir64-unknown-unknown", "-O0", "-emit-llvm-bc", "-no-opaque-pointers",
             "-cl-std=" + std] + builtins + clang_options(options) + [path, "-o", scratch + "/clang.bc"]
    convert = ["llvm-spirv-15", scratch + "/clang.bc", "-o", scratch + "/clang.spv"]
    return ours, clang, convert


def compare(unit, clc, helper, scratch, runs, full_header, target):
    """(ours, theirs) as median runs, or None when one side fails."""
    ours, clang, convert = commands(unit, clc, scratch, full_header, target)
    cwd = os.path.dirname(unit[1])
    measured, reference = [], []
    for _ in range(runs):
        steps = [measure(helper, command, cwd) for command in (ours, clang, convert)]
        if any(step.status != 0 for step in steps):
            return None
        measured.append(steps[0])
        first, second = steps[1:]
        reference.append(first._replace(wall_ms=first.wall_ms + second.wall_ms, cpu_ms=first.cpu_ms + second.cpu_ms,
                                        peak_mb=max(first.peak_mb, second.peak_mb)))
    return median_run(measured), median_run(reference)


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        options = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clc", help="a release build of clc2spv")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--units", help="lines of: -cl-std TAB file TAB options")
    parser.add_argument("--every", type=int, default=1, help="just each Nth unit")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--target", help="of our side; a Vulkan one adds the translator")
    parser.add_argument("--full-header", action="store_true", help="clang parses opencl-c.h")
    args = parser.parse_args(arguments)
    for tool in ("clang-15", "llvm-spirv-15"):
        if not shutil.which(tool):
            sys.exit("%s is missing; on Debian: apt install clang-15 llvm-spirv-15" % tool)
    helper, clc = find_measure(args.clc), os.path.abspath(args.clc)
    std = next((word[8:] for word in options if word.startswith("-cl-std=")), "CL1.2")
    units = ([(std, os.path.abspath(path), options) for path in args.files] or
             list(listed_units(args.units) if args.units else own_units()))[::args.every]

    rows, left_out = [], []
    print("%9s %9s %7s %9s %7s %8s %8s %7s" %
          ("ours ms", "clang ms", "ratio", "cpu ratio", "bytes", "ours MB", "clang MB", "ratio"))
    with tempfile.TemporaryDirectory() as scratch:
        for unit in units:
            both = compare(unit, clc, helper, scratch, args.runs, args.full_header, args.target)
            if not both:
                left_out.append(unit[1])
                continue
            rows.append(both)
            ours, theirs = both
            print("%9.2f %9.2f %7.1f %9.1f %7d %8.1f %8.1f %7.1f  %s" %
                  (ours.wall_ms, theirs.wall_ms, theirs.wall_ms / ours.wall_ms, theirs.cpu_ms / max(ours.cpu_ms, 1e-3),
                   os.path.getsize(unit[1]), ours.peak_mb, theirs.peak_mb, theirs.peak_mb / ours.peak_mb,
                   os.path.relpath(unit[1], ROOT)), flush=True)
    if not rows:
        sys.exit("no file compiled on both sides")
    summary(rows, left_out)


def summary(rows, left_out):
    print("\n%d files on both sides, %d left out" % (len(rows), len(left_out)))
    for path in left_out:
        print("  left out: " + path)
    print("%-12s %10s %10s %12s %16s" % ("", "median", "of totals", "least file", "ours / clang"))
    for name, field, unit in (("wall time", "wall_ms", "ms"), ("CPU time", "cpu_ms", "ms"), ("peak memory", "peak_mb", "MB")):
        pairs = [(getattr(ours, field), getattr(theirs, field)) for ours, theirs in rows]
        ratios = [theirs / max(ours, 1e-3) for ours, theirs in pairs]
        totals = [sum(side) for side in zip(*pairs)]
        print("%-12s %9.1fx %9.1fx %11.1fx   %.1f / %.1f %s" %
              (name, statistics.median(ratios), totals[1] / totals[0], min(ratios), totals[0], totals[1], unit))


main()
