# SPDX-License-Identifier: Apache-2.0
"""What compare.py and linearity.py share: one measured run of one command."""
import collections
import os
import statistics
import subprocess
import sys

Run = collections.namedtuple("Run", "wall_ms cpu_ms peak_mb status")


def find_measure(clc):
    """The helper that the build puts beside clc2spv's tests."""
    path = os.path.join(os.path.dirname(os.path.abspath(clc)), "tests", "evaluation", "bench", "compile", "measure")
    if not os.access(path, os.X_OK):
        sys.exit("%s is missing: build the target compile_measure in clc2spv's build folder" % path)
    return path


def measure(helper, command, cwd=None):
    words = subprocess.run([helper] + command, stdout=subprocess.PIPE, check=True, cwd=cwd).stdout.split()
    wall_us, cpu_us, peak_kb, status = map(int, words)
    return Run(wall_us / 1e3, cpu_us / 1e3, peak_kb / 1024, status)


def median_run(runs):
    """Field by field."""
    return Run(*(statistics.median(values) for values in zip(*runs)))
