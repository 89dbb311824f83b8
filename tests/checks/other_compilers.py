#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the execution tests from SPIR-V that clang's own SPIR-V back end makes of them, at -O0 and -O2.

other_compilers.py RUNNER [--clang=PROGRAM] [--translator[=PROGRAM]] [--extensions] [--abi=descriptors] [--level=-O2]
                   [--match=TEXT] [--keep=FOLDER]

RUNNER is the program tests/runner; CALDERA_DEVICE chooses the device. Without --clang, the program is $CALDERA_SPIRV_CLANG, else
the newest clang here that has the target spirv64. If there is none, the exit status is 77.

--translator has llvm-spirv make the SPIR-V, with all extensions, of what clang emits: PROGRAM, or $CALDERA_LLVM_SPIRV, or the
one of clang's version here. --extensions allows clang's back end all of them too. Otherwise it gets them only where a module
cannot do without.

What clang does not compile is counted, and is no failure. A file in DIFFERS must build, and its values are not looked at. One
in DECLINED may build.
"""
import argparse
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "exec")
SECONDS = 240  # for a file; llvmpipe takes minutes for some that clang has not optimised

# Why values differ with clang 15, 22 or 23.
DIFFERS = {
    "alignment": "__attribute__((aligned)) is the largest alignment of the target, 16 for clang",
    "alignment_large": "clang lays local objects out in another order, and the lower half of the first address is zero",
    "bools": "clang converts a bool to a vector of ones",
    "conversions": "the back end saturates signed integers to signed ones by OpSatConvertUToS",
    "denormal_constants": "clang folds sums of constants with denormals",
    "generic_pointers": "the back end makes a variable of one pointer of an array of four",
    "images_formats": "the back end returns SPIR-V's number of the channel data type instead of OpenCL's",
    "images_integers": "as conversions and images_formats",
    "images_level_writes": "as images_formats",
    "images_levels": "as images_formats",
    "images_saturated": "as images_formats",
    "integer_functions": "as conversions",
    "loads_stores": "the back end makes vload_halfn of vloada_half3, which steps by three",
    "log_relaxed": "clang assumes that no float is infinite",
    "long_loops": "llvmpipe before Mesa 25.0.7 ends loops of that form early",
    "pointers_before": "clang assumes that no pointer points before its array",
    "printf": "as conversions, with clang 22",
    "restrict_arguments": "clang assumes that a barrier leaves the memory of restrict pointers alone",
    "sub_group_image_blocks": "as images_formats",
    "vectors": "clang counts an index into chosen components from the first of them on, as in v.odd[1]",
}
# Why a module is declined.
DECLINED = {
    "long_tables": "llvm-spirv 15 continues a constant by SPV_INTEL_long_composites",
    "pipes": "llvm-spirv 15 declares a type twice",
}
OPTION = re.compile(r"-(cl-std=\S+|cl-(?!ext)\S+|D\S+|I\S+|ffp-\S+)$")
NEEDED = re.compile(r"SPV_\w+")


def is_spirv_compiler(clang):
    try:
        run = subprocess.run([clang, "--print-targets"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return "spirv64" in run.stdout


def find_clang():
    wanted = os.environ.get("CALDERA_SPIRV_CLANG")
    names = [wanted] if wanted else [f"clang-{version}" for version in range(40, 17, -1)] + ["clang"]
    for name in names:
        path = shutil.which(name)
        if path and is_spirv_compiler(path):
            return path
    return None


def find_translator(clang):
    wanted = os.environ.get("CALDERA_LLVM_SPIRV")
    version = re.search(r"version (\d+)", subprocess.run([clang, "--version"], capture_output=True, text=True, check=True).stdout)
    return shutil.which(wanted or f"llvm-spirv-{version.group(1)}") if version else None


def translated(translator, command, output):
    """'' or why there is no module."""
    code = output + ".bc"
    for step in (command + ["-emit-llvm", "-o", code], [translator, "--spirv-ext=+all", code, "-o", output]):
        try:
            run = subprocess.run(step, capture_output=True, text=True, timeout=SECONDS, cwd=TESTS, check=False)
        except subprocess.TimeoutExpired:
            return "the compiler takes too long"
        if run.returncode != 0:
            if os.path.exists(output):
                os.remove(output)
            return next((line for line in run.stderr.splitlines() if "error" in line), run.stderr.strip()[:200])
    return ""


def compiled(args, path, level, output):
    """'' or why there is no module."""
    with open(path, encoding="utf-8") as file:
        lines = re.findall(r"^// OPTIONS: (.*)$", file.read(), re.M)
    options = [word for line in lines for word in line.split() if OPTION.match(word)]
    # OpenCL C knows no rule of aliasing by types that a cast could break. The runner knows some arguments by their names.
    command = [args.clang, "-target", "spir64" if args.translator else "spirv64", "-x", "cl", "-Xclang",
               "-finclude-default-header", "-w", "-fno-strict-aliasing", "-fno-discard-value-names", level,
               "-I", TESTS, *options, "-c", path]
    if args.translator:
        return translated(args.translator, command, output)
    said = ""
    every = ["-mllvm", "-spirv-ext=all"]
    for more in ([every] if args.extensions else ([], every)):
        try:
            run = subprocess.run(command + ["-o", output] + more, capture_output=True, text=True, timeout=SECONDS, cwd=TESTS, check=False)
        except subprocess.TimeoutExpired:
            return "clang takes too long"
        if run.returncode == 0:
            return ""
        said = next((line for line in run.stderr.splitlines() if "error" in line), run.stderr.strip()[:200])
        if not NEEDED.search(said):
            break
    if os.path.exists(output):
        os.remove(output)
    return said


def ran(args, name, folder):
    """The runner's exit status and text; None if it takes too long."""
    command = [args.runner, "exec", TESTS, f"/{name}.cl", f"--modules={folder}"] + ([f"--abi={args.abi}"] if args.abi else [])
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return run.returncode, run.stdout + run.stderr


def judge(args, name, folder):
    status, said = ran(args, name, folder)
    if status is None:
        return "took too long", ""
    if status == 0:
        return "passed", ""
    text = " ".join(line for line in said.splitlines() if "device:" not in line and " passed, " not in line).strip()
    if "did not build" in said:
        return ("declined" if name in DECLINED else "FAILED"), text[:400]
    return ("differ" if name in DIFFERS else "FAILED"), text[:400]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runner")
    parser.add_argument("--clang")
    parser.add_argument("--translator", nargs="?", const="", help="llvm-spirv makes the SPIR-V")
    parser.add_argument("--extensions", action="store_true", help="clang's back end may use all")
    parser.add_argument("--abi", help="the runner's")
    parser.add_argument("--level", action="append", help="both when left out")
    parser.add_argument("--match", default="", help="only files whose name contains this")
    parser.add_argument("--keep", help="where the modules are to stay")
    args = parser.parse_args()
    args.clang = args.clang or find_clang()
    if not args.clang:
        print("no clang here has the target spirv64: skipped")
        return 77
    if args.translator is not None:
        args.translator = args.translator or find_translator(args.clang)
        if not args.translator:
            print("there is no llvm-spirv of clang's version here: skipped")
            return 77
    print(subprocess.run([args.clang, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0])
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for level in args.level or ("-O0", "-O2"):
            folder = os.path.join(args.keep or scratch, level.strip("-"))
            os.makedirs(folder, exist_ok=True)
            counts, notes = collections.Counter(), []
            for path in sorted(glob.glob(os.path.join(TESTS, "*.cl"))):
                name = os.path.basename(path)[:-3]
                if args.match not in name:
                    continue
                why = compiled(args, path, level, os.path.join(folder, name + ".spv"))
                kind, text = ("not compiled", why) if why else judge(args, name, folder)
                counts[kind] += 1
                if kind != "passed":
                    notes.append(f"  {kind}: {name}: {DIFFERS[name] if kind == 'differ' else text}")
                failed |= kind == "FAILED"
            print(f"{level}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), *notes, sep="\n",
                  flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
