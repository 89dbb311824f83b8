#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""alone.py FOLDER: compiles each source file by itself, as a build that is not a unity build does.

FOLDER has a list for each room: first the compiler and its options, then the files. CALDERA_TEST_PART=K takes the K-th
eighth of the files. Exits with 1 and the compiler's messages if a file lacks an #include."""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

PARTS = 8


def lists(folder):
    for path in sorted(pathlib.Path(folder).glob("*.txt")):
        command, files = ([line for line in block.splitlines() if line]
                          for block in path.read_text(encoding="utf-8").split("--\n", 1))
        yield from ((command, file) for file in files)


def compile_one(job):
    command, file = job
    return subprocess.run([*command, file], capture_output=True, text=True, check=False)


def main():
    jobs = sorted(lists(sys.argv[1]), key=lambda job: job[1])
    part = os.environ.get("CALDERA_TEST_PART")
    if part:
        jobs = jobs[int(part) - 1::PARTS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        failed = [run.stderr for run in pool.map(compile_one, jobs) if run.returncode]
    print("".join(failed) + f"{len(jobs)} files compiled alone, {len(failed)} failed")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
