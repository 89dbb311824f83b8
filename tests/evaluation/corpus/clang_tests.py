#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the OpenCL tests of clang 15 (Debian's source package llvm-toolchain-15) with clc2spv and compares, for each of
their RUN lines, the lines with errors and with warnings to those of the clang-15 installed here.

Tests of one other target (amdgcn, r600, ...) and of C++ are left out; every other one is compiled for spir64. A test
declares some built-in functions itself, so clang is asked with and without its header, and agreement with either counts.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import shlex
import subprocess
import sys

import corpus

PACKAGE = "llvm-toolchain-15"
FOLDERS = ["SemaOpenCL", "CodeGenOpenCL", "Parser", "Sema", "Headers", "Lexer", "Misc", "Preprocessor", "Frontend"]
KEPT = re.compile(r"-(cl-std=|cl-ext|D.|U.|W.|w$|pedantic$|I.)")
FINDING = re.compile(r"^[^\s:][^:\n]*:(\d+):\d+: (?:fatal )?(error|warning)\b", re.M)


def fetch(folder):
    """Where clang's tests lie unpacked."""
    root = os.path.join(folder, "tree", "src-" + PACKAGE)
    if not os.path.isdir(root):
        deb = os.path.join(folder, "deb", "src-" + PACKAGE)
        os.makedirs(deb, exist_ok=True)
        command = ["apt-get", "-qq", "source", "--download-only"] + corpus.source_options(folder) + [PACKAGE]
        subprocess.run(command, cwd=deb, check=True)
        os.makedirs(root + ".part", exist_ok=True)
        parts = ["*/clang/test/%s/*" % name for name in FOLDERS]
        subprocess.run(["tar", "xf", glob.glob(deb + "/*.orig.tar.*")[0], "--strip-components=1", "-C",
                        root + ".part", "--wildcards"] + parts, check=True)
        os.rename(root + ".part", root)
    return os.path.join(root, "clang", "test")


def runs(path):
    """The options of each RUN line that calls clang's front end for a target like ours."""
    with open(path, errors="replace") as source:
        text = source.read().replace("\\\n", "")
    for line in dict.fromkeys(re.findall(r"RUN:\s*(.*%clang_cc1[^|&>\n]*)", text)):
        words = shlex.split(line.replace("%s", "").replace("%S", os.path.dirname(path)))
        target = words[words.index("-triple") + 1] if "-triple" in words else "spir64"
        other = re.search(r"amdgcn|amdgpu|r600|nvptx", os.path.basename(path)) and not target.startswith("spir")
        if not other and "-x" not in words and not re.search(r"-cl-std=clc\+\+", line, re.I) and "%t" not in line:
            yield words


def kept(words):
    """The options that say what the language is; those of clang's insides are dropped."""
    out = []
    for i, word in enumerate(words):
        if word in ("-I", "-D", "-include"):
            out += [word, words[i + 1]]
        elif KEPT.match(word):
            out.append(word)
    return out


def findings(command, limit):
    """Exit status, lines with errors, lines with warnings, text."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit)
    said = done.stderr.decode("utf-8", "replace")
    lines = {"error": set(), "warning": set()}
    for line, kind in FINDING.findall(said):
        lines[kind].add(int(line))
    return done.returncode, lines["error"], lines["warning"], said


def compare(path, words, clc):
    """'' when both agree; else what differs."""
    options = kept(words)
    reference = ["clang-15", "-cc1", "-triple", "spir64-unknown-unknown", "-ferror-limit", "0", "-fsyntax-only", "-x", "cl"]
    headers = ([w for w in words if w.startswith(("-finclude-default", "-fdeclare-opencl"))],
               ["-finclude-default-header", "-fdeclare-opencl-builtins"])
    clang = [findings(reference + header + options + [path], 120) for header in headers]
    std = next((o.split("=")[1].upper() for o in options if o.startswith("-cl-std=")), "CL1.2")
    emits = any(w.startswith(("-emit-llvm", "-S")) for w in words)
    ask = ["-c", "--validate", "-o", "/dev/null"] if emits else ["-fsyntax-only"]
    ours = findings([clc, "-ferror-limit=0", "--target=" + corpus.environment(std)] + ask + options + [path], 120)
    if ours[0] not in (0, 1) or (ours[0] == 1 and not ours[1]):
        return "exit status %d: %s" % (ours[0], ours[3].strip()[:200])
    for at, kind in ((1, "error"), (2, "warning")):
        if all(ours[at] != c[at] for c in clang):
            nearest = min((c[at] for c in clang), key=lambda lines: len(lines ^ ours[at]))
            return "%s: only clang %s, only ours %s" % (kind, sorted(nearest - ours[at]), sorted(ours[at] - nearest))
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default="build/corpus", help="where the sources are kept")
    parser.add_argument("--clc", default="build/clc2spv")
    parser.add_argument("--match", default="", help="just tests whose path contains this")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    root = fetch(os.path.abspath(args.folder))
    todo = [(path, words) for path in sorted(glob.glob(root + "/*/*.cl")) if args.match in path for words in runs(path)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda job: compare(*job, os.path.abspath(args.clc)), todo))
    for (path, words), difference in zip(todo, results):
        if difference:
            print(os.path.relpath(path, root), " ".join(kept(words)), "|", difference)
    print("%d runs, %d differ in errors, %d in warnings" %
          (len(todo), sum(1 for r in results if r and not r.startswith("warning")),
           sum(1 for r in results if r.startswith("warning"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
