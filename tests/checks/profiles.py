#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profiles.py CLC2SPV [--table]: compiles kernels for real devices.

tests/profiles/devices has what Vulkan says of phones, Macs, laptops and cards (tests/profiles/reduce.py makes such a file).
For each of them every kernel here becomes a valid module, or is declined with an error that names what the device lacks.
tests/profiles/devices.md says how many are declined, and why; --table writes it anew.

CALDERA_TEST_PART chooses a quarter of the devices; without it the test takes all.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from kernel_files import options_of  # noqa: E402  (found by the line above)

TABLE = ROOT / "tests" / "profiles" / "devices.md"
# Beside the examples: types, atomics, sub-groups, local memory, narrow and wide memory, pointers in memory, images, printf.
EXEC = ["atomics_c11", "atomics_float", "bit_fields", "conversions", "divisions_long", "fma_double", "generic_pointers",
        "half_storage", "images_samplers", "integer_dot", "local_arguments", "pointers_in_buffers", "printf",
        "sub_group_functions", "vector_memory", "work_group_functions"]
# What an error says of a device or of the form. Anything else is a fault of the compiler.
REASON = re.compile(r"needs the feature (\w+)|has (Vulkan 1\.\d)|requires (cl_khr_\w+)|the required (work-group size)|"
                    r"needs (device addresses)|has \d+ \((maxPerStageDescriptorStorageBuffers)\)|(images?)\b")
ABIS = ("addresses", "descriptors")
HEAD = """# Real devices

<!-- Made by tests/checks/profiles.py --table. Do not edit. -->

What Vulkan says of these devices was given to clc2spv with {count} files of kernels, of examples and tests/exec. A number
counts files that became valid modules. Behind it is what the others need and the device, or the form, does not have.

| device | by addresses | by descriptors |
|---|---|---|
"""


def files():
    # hgemm.cl takes the size of the device's sub-groups as a macro.
    examples = [file for file in (ROOT / "examples").glob("*.cl") if file.stem != "hgemm"]
    return sorted(examples) + [ROOT / "tests" / "exec" / f"{name}.cl" for name in EXEC]


def compile_one(clc2spv, profile, abi, file, folder):
    """What the file needs and the device does not have: None if it compiles, and False if the compiler failed."""
    module = folder / f"{profile.stem}.{abi}.{file.stem}.spv"
    run = subprocess.run([clc2spv, "-w", "--validate", f"--device-profile={profile}", f"--abi={abi}",
                          "--no-clspv-reflection", str(file),
                          *options_of(file), "-o", str(module)], capture_output=True, text=True, timeout=120, check=False)
    if run.returncode == 0:
        return None
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    reason = REASON.search(errors[0]) if run.returncode == 1 and errors else None
    if not reason:
        print(f"{profile.stem}: --abi={abi} {file.name}: status {run.returncode}\n{run.stderr}")
        return False
    return next(group for group in reason.groups() if group)


def cell(results):
    lacks = collections.Counter(result for result in results if result)
    text = str(sum(result is None for result in results))
    if lacks:
        text += "; " + ", ".join(f"{what} ({number})" for what, number in sorted(lacks.items()))
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clc2spv", metavar="CLC2SPV")
    parser.add_argument("--table", action="store_true", help="write tests/profiles/devices.md")
    arguments = parser.parse_args()
    profiles = sorted((ROOT / "tests" / "profiles" / "devices").glob("*.json"))
    part = os.environ.get("CALDERA_TEST_PART")
    if part and not arguments.table:
        profiles = profiles[int(part) % 4::4]
    failed = False
    rows = {}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for profile in profiles:
            cells = []
            for abi in ABIS:
                results = list(pool.map(lambda file: compile_one(arguments.clc2spv, profile, abi, file, pathlib.Path(folder)),
                                        files()))
                failed |= False in results
                cells.append(cell(results))
            rows[profile.stem] = f"| {profile.stem.replace('_', ' ')} | {cells[0]} | {cells[1]} |\n"
    if arguments.table:
        TABLE.write_text(HEAD.format(count=len(files())) + "".join(rows.values()), encoding="utf-8")
        return failed
    expected = TABLE.read_text(encoding="utf-8")
    for row in rows.values():
        if row not in expected:
            failed = True
            print(f"{TABLE.relative_to(ROOT)} does not have this row (--table writes it):\n{row}", end="")
    print(f"{len(rows)} devices, {len(files())} files, {len(ABIS)} forms")
    return failed


if __name__ == "__main__":
    sys.exit(main())
