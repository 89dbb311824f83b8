#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much longer kernels take with each kind of checks (CALDERA_CHECK, CALDERA_ROBUST) than without. The table has
medians of ratios of the time on the device: in each round a kernel runs plainly, and at once with each kind.

usage: check_costs.py build/clrun [--device=NAME] [--items=N] [--repeat=N] [--rounds=N] [--most=KIND:RATIO ...]

--most makes it an error if a kind's geometric mean is more.
"""
import argparse
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

KERNELS = ["saxpy", "bytes", "vectors", "blur", "histogram", "reduce", "sort_of_each", "functions", "chosen"]
KINDS = ["bounds", "alignment", "barriers", "races", "uninitialised", "robust"]
SOURCE = pathlib.Path(__file__).with_name("kernels.cl")


def milliseconds(arguments, kernel, check):
    size = arguments.items * (16 if kernel == "vectors" else 4)
    command = [arguments.clrun, SOURCE, f"--kernel={kernel}", f"--global={arguments.items}", "--local=64",
               f"--repeat={arguments.repeat}", f"--arg=[{size // 4}]:=0", f"--arg=[{size // 4}]:=0",
               f"--arg={arguments.items}"]
    if arguments.device:
        command.append(f"--device={arguments.device}")
    if check:
        command.append("--robust" if check == "robust" else f"--check={check}")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CALDERA_CHECK") and
                   name != "CALDERA_ROBUST"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    text = ran.stdout + ran.stderr
    if ran.returncode != 0:
        sys.exit(f"{kernel} with {check or 'no checks'}: status {ran.returncode}\n{text}")
    found = re.search(r"([0-9.]+) (ns|us|ms)", text)
    if not found:
        sys.exit(f"{kernel}: no time in\n{text}")
    return float(found[1]) * {"ns": 1e-6, "us": 1e-3, "ms": 1}[found[2]]


def main():
    parser = argparse.ArgumentParser(description="the cost of checks")
    parser.add_argument("clrun")
    parser.add_argument("--device", default="")
    parser.add_argument("--items", type=int, default=1 << 18)
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", action="append", default=[], metavar="KIND:RATIO")
    arguments = parser.parse_args()
    ratios = {kind: [] for kind in KINDS}
    print("| kernel | plain | " + " | ".join(KINDS) + " |")
    print("|---" * (len(KINDS) + 2) + "|")
    for kernel in KERNELS:
        plain = []
        of_kernel = {kind: [] for kind in KINDS}
        for _ in range(arguments.rounds):
            for kind in KINDS:
                plain.append(milliseconds(arguments, kernel, ""))
                of_kernel[kind].append(milliseconds(arguments, kernel, kind) / plain[-1])
        for kind in KINDS:
            ratios[kind].append(statistics.median(of_kernel[kind]))
        print(f"| {kernel} | {statistics.median(plain):.3f} ms | " +
              " | ".join(f"{ratios[kind][-1]:.1f}" for kind in KINDS) + " |", flush=True)
    means = {kind: math.exp(sum(map(math.log, values)) / len(values)) for kind, values in ratios.items()}
    print("| geometric mean | | " + " | ".join(f"{means[kind]:.1f}" for kind in KINDS) + " |")
    too_much = [limit for limit in arguments.most if means[limit.split(":")[0]] > float(limit.split(":")[1])]
    if too_much:
        sys.exit(f"more than {', '.join(too_much)}")


if __name__ == "__main__":
    main()
