#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each shape of generate.py in two sizes, one ten times the other: time and memory must grow tenfold, not more.

    linearity.py build/clc2spv [SHAPE…] [--lines 10000] [--runs 3] [--instructions] [--target vulkan1.2]
    linearity.py build/clc2spv --modules [SHAPE…] [--lines 100000]     SPIR-V of so many instructions (modules.py) to Vulkan's

A Vulkan target measures the translator too; the size of the output is listed with it. The CPU time (or, with
--instructions, what valgrind counts) and memory of a process that compiles nothing are taken off
first. With --modules it is the translator's own time or instructions, without SPIRV-Tools' validator. More than 12 times as
much is marked; less than 8 times is no fault: the small size was too small.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import generate
import modules
from measuring import find_measure, measure, median_run


def instructions(command, scratch):
    """In millions, without those of SPIRV-Tools' validator."""
    said = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + scratch + "/callgrind",
                           "--toggle-collect=caldera::spirv::validate*", "--collect-atstart=yes"] + command,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1)) / 1e6


def own_ms(command):
    said = subprocess.run(command + ["-ftime-report"], stderr=subprocess.PIPE, text=True).stderr
    stages = re.findall(r"^ +([0-9.]+) ms +[0-9.]+%  (.*)$", said, re.MULTILINE)
    return sum(float(ms) for ms, stage in stages if not stage.startswith("SPIRV-Tools"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clc")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    parser.add_argument("--lines", type=int, default=10000)
    parser.add_argument("--modules", action="store_true", help="SPIR-V modules; --lines counts instructions")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--target", default="opencl1.2")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of CPU time")
    args = parser.parse_intermixed_args()
    known = modules.SHAPES if args.modules else generate.SHAPES
    if unknown := set(args.shapes) - set(known):
        parser.error("no such shape: %s (there are %s)" % (", ".join(unknown), ", ".join(known)))
    target = "vulkan1.2" if args.modules and args.target == "opencl1.2" else args.target
    helper, clc = find_measure(args.clc), os.path.abspath(args.clc)
    slow = []
    with tempfile.TemporaryDirectory() as scratch:

        def compile_lines(shape, lines):
            path = os.path.join(scratch, shape + (".spv" if args.modules else ".cl"))
            if args.modules:
                modules.write(shape, lines, path)
            else:
                with open(path, "w") as out:
                    out.writelines(line + "\n" for line in generate.SHAPES[shape](lines))
            command = [clc, "--target=" + target, "-ferror-limit=0", path, "-o", scratch + "/out.spv"]
            runs = median_run([measure(helper, command) for _ in range(args.runs)])
            if runs.status != 0:
                sys.exit("%s of %d lines does not compile" % (shape, lines))
            if args.instructions:
                runs = runs._replace(cpu_ms=instructions(command, scratch))
            elif args.modules:
                runs = runs._replace(cpu_ms=own_ms(command))
            return runs, os.path.getsize(scratch + "/out.spv") / 1e6

        unit = "M instr." if args.instructions else "ms CPU"
        empty, _ = compile_lines("block" if args.modules else "statements", 0)
        print("%-18s %12s %12s %7s %9s %9s %7s %9s %7s" % ("", "%d lines" % args.lines, unit, "ratio", "MB", "MB", "ratio",
                                                          "out MB", "ratio"))
        for shape in args.shapes or known:
            small, small_mb = compile_lines(shape, args.lines)
            large, large_mb = compile_lines(shape, args.lines * 10)
            time_ratio = (large.cpu_ms - empty.cpu_ms) / max(small.cpu_ms - empty.cpu_ms, 1e-3)
            memory_ratio = (large.peak_mb - empty.peak_mb) / max(small.peak_mb - empty.peak_mb, 1e-3)
            size_ratio = large_mb / small_mb
            fault = max(time_ratio, memory_ratio, size_ratio) > 12
            slow += [shape] if fault else []
            print("%-18s %12.1f %12.1f %7.1f %9.1f %9.1f %7.1f %9.2f %7.1f%s" %
                  (shape, small.cpu_ms, large.cpu_ms, time_ratio, small.peak_mb, large.peak_mb, memory_ratio, large_mb,
                   size_ratio, "  superlinear" if fault else ""), flush=True)
    sys.exit(1 if slow else 0)


main()
