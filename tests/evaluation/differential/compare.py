#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare.py --first=SEED --count=N [--build=FOLDER] [--input=ours|clang|both] [--vulkan=OPTIONS] [--judge=host|opencl]
[--all-forms] [--keep=FOLDER]: runs generate.py's kernels on the Vulkan device (VK_DRIVER_FILES and CALDERA_DEVICE choose) and
prints each seed whose results differ from the judge's.

A kernel is compiled as OpenCL C 1.2, or as 2.0 with generic pointers and program-scope variables. The compiler is our front
end, or clang-15 with llvm-spirv-15 at -O0 or at -O2. The seed chooses the form, or --all-forms runs all of them. The judge
compiles the 1.2 form: clang for this machine (execute_host), or the system's OpenCL. Kernels that differ, crash or hang stay
in the --keep folder, which also holds the files being worked on and the judge's answers.
"""
import argparse
import collections
import hashlib
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys

from random_kernels import Generator

FORMS = {"1.2": "-w -cl-std=CL1.2", "2.0": "-w -cl-std=CL2.0 -DGENERIC -DPROGRAM_SCOPE"}
CLANG = ["clang-15", "-cc1", "-triple", "spir64-unknown-unknown", "-finclude-default-header", "-fdeclare-opencl-builtins",
         "-no-opaque-pointers", "-ffp-contract=off", "-relaxed-aliasing", "-emit-llvm-bc"]
LEVELS = {"-O0": ["-O0", "-disable-O0-optnone"], "-O2": ["-O2"]}


def execute(program, paths, options, limit_s=60):
    """{path: verdict}: the rest of the program's line about each, or how it died there. The limit is of processor time, which
    is the same on a busy machine; who waits for ever dies after ten times that."""
    verdicts, left = {}, list(paths)
    while left:
        limit = limit_s + 2 * len(left)
        try:
            output = subprocess.run([*program, "--options=" + options, *map(str, left)], text=True, capture_output=True,
                                    timeout=10 * limit,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)))
            text, death = output.stdout, "died with status %d" % output.returncode
        except subprocess.TimeoutExpired as expired:
            text, death = (expired.stdout or b"").decode(), "hangs"
        if death.endswith(" %d" % -signal.SIGXCPU):
            death = "takes too long"
        for line in text.splitlines():
            path, _, verdict = line.partition(" ")
            verdicts[pathlib.Path(path)] = verdict
        left = [path for path in left if path not in verdicts]
        if left:
            verdicts[left.pop(0)] = death
    return verdicts


def translate_with_clang(path, form, level):
    """The kernel as LLVM's SPIR-V, or None where clang or llvm-spirv fails: llvm-spirv loses the decorations of a conversion whose
    result a phi before it takes, and leaves them to an id that there is not."""
    bitcode, words = path.with_suffix(".bc"), path.with_suffix(".%s%s.spv" % (form, level))
    for command in ([*CLANG, *FORMS[form].split(), *LEVELS[level], str(path), "-o", str(bitcode)],
                    ["llvm-spirv-15", str(bitcode), "-o", str(words)]):
        if subprocess.run(command, capture_output=True).returncode != 0:
            return None
    bitcode.unlink()
    text = subprocess.run(["spirv-dis", "--raw-id", str(words)], capture_output=True, text=True).stdout
    decorated = re.findall(r"OpDecorate (%\d+) (?:SaturatedConversion|FPRoundingMode)", text)
    return words if set(decorated) <= set(re.findall(r"^ *(%\d+) = ", text, re.M)) else None


def run_forms(arguments, vulkan, paths):
    """{form: {path: verdict}}"""
    runs = collections.defaultdict(dict)
    if arguments.input != "clang":
        for at, (form, options) in enumerate(FORMS.items()):
            mine = [path for path in paths if arguments.all_forms or int(path.stem) % 2 == at]
            runs[form].update(execute(vulkan, mine, options))
    if arguments.input != "ours":
        for at, (form, level) in enumerate((form, level) for form in FORMS for level in LEVELS):
            mine = [path for path in paths if arguments.all_forms or int(path.stem) // 2 % 4 == at]
            words = {path: translate_with_clang(path, form, level) for path in mine}
            verdicts = execute(vulkan, [w for w in words.values() if w], "")
            for path, file in words.items():
                runs["clang %s %s" % (form, level)][path] = verdicts[file] if file else "clang fails"
    return runs


class Judge:
    """Its verdicts are kept by the kernel's text, so that other modes need not ask again."""

    def __init__(self, arguments):
        program = pathlib.Path(arguments.build, "tests/evaluation/differential/execute_" + arguments.judge)
        self.program = [str(program.resolve())]
        self.options = "-O0" if arguments.judge == "host" else FORMS["1.2"]
        self.file = pathlib.Path(arguments.keep, "judged-%s.json" % arguments.judge)
        self.known = json.loads(self.file.read_text()) if self.file.exists() else {}

    def __call__(self, paths):
        keys = {path: hashlib.sha256(path.read_bytes()).hexdigest()[:20] for path in paths}
        new = execute(self.program, [path for path, key in keys.items() if key not in self.known], self.options)
        if new:
            self.known.update((keys[path], verdict) for path, verdict in new.items())
            self.file.write_text(json.dumps(self.known, indent=0))
        return {path: self.known[key] for path, key in keys.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--build", default="build", help="the build folder with tests/evaluation/differential in it")
    parser.add_argument("--input", choices=["ours", "clang", "both"], default="ours")
    parser.add_argument("--judge", choices=["host", "opencl"], default="host")
    parser.add_argument("--all-forms", action="store_true")
    parser.add_argument("--keep", default="out/differential")
    parser.add_argument("--vulkan", default="", help="options of execute_vulkan: --abi=descriptors --only-32-bits")
    parser.add_argument("--chunk", type=int, default=50, help="kernels a process")
    arguments = parser.parse_args()
    vulkan = [str(pathlib.Path(arguments.build, "tests/evaluation/differential/execute_vulkan").resolve()), *arguments.vulkan.split()]
    keep = pathlib.Path(arguments.keep)
    keep.mkdir(parents=True, exist_ok=True)
    judge = Judge(arguments)

    counts = collections.Counter()
    end = arguments.first + arguments.count
    for first in range(arguments.first, end, arguments.chunk):
        paths = []
        for seed in range(first, min(first + arguments.chunk, end)):
            paths.append(keep / ("%d.cl" % seed))
            paths[-1].write_text(Generator(seed).program())
        right = judge(paths)
        runs = run_forms(arguments, vulkan, paths)
        for path in paths:
            verdicts = {form: run[path] for form, run in runs.items() if path in run}
            judged, bad = right[path].startswith("digest"), False
            if not judged:
                print("%s: not judged: %s" % (path.stem, right[path]), flush=True)
            for form, verdict in verdicts.items():
                if "requires cl_khr_fp64" in verdict or "Float64" in verdict:
                    kind = "without doubles"
                elif not verdict.startswith("digest"):
                    kind = "refused or died"
                elif not judged:
                    kind = "not judged"
                else:
                    kind = "same" if verdict == right[path] else "differ"
                counts[kind] += 1
                if kind in ("differ", "refused or died"):
                    bad = True
                    print("%s: %s: %s, not %s" % (path.stem, form, verdict, right[path]), flush=True)
            for file in keep.glob(path.stem + ".*"):
                if not bad or file.suffix == ".spv":
                    file.unlink()
        print("... %d: %s" % (first + len(paths), dict(counts)), file=sys.stderr, flush=True)
    print("seeds %d to %d, input %s, %s: %s" % (arguments.first, end - 1, arguments.input, arguments.vulkan or "default",
                                               ", ".join("%d %s" % (count, kind) for kind, count in counts.items())))
    return 1 if counts["differ"] or counts["refused or died"] else 0


if __name__ == "__main__":
    sys.exit(main())
