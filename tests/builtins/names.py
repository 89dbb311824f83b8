#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mangled names of every overload of builtins.tsv, as clang writes them for SPIR-V.

names.py --print [PATTERN]              the names with the values of constant arguments; PATTERN chooses rows
names.py BUILTINS_BY_NAME [PATTERN]     asks the program whether modules may call all of them by name
"""
import re
import subprocess
import sys

import calls

SCALARS = {"void": "v", "bool": "b", "char": "c", "uchar": "h", "short": "s", "ushort": "t", "int": "i", "uint": "j", "long": "l",
           "ulong": "m", "half": "Dh", "float": "f", "double": "d", "size_t": "m", "uintptr_t": "m", "ptrdiff_t": "l",
           "intptr_t": "l", "cl_mem_fence_flags": "j"}
NAMED = {"sampler_t": "ocl_sampler", "event_t": "ocl_event", "queue_t": "ocl_queue", "clk_event_t": "ocl_clkevent",
         "reserve_id_t": "ocl_reserveid", "memory_order": "memory_order", "memory_scope": "memory_scope"}
SPACES = {"private": "", "global": "U3AS1", "constant": "U3AS2", "local": "U3AS3", "generic": "U3AS4"}
ACCESS = {"read_only": "ro", "write_only": "wo", "read_write": "rw"}
VALUES = {"memory_order_relaxed": 0, "memory_order_acquire": 2, "memory_order_release": 3, "memory_order_acq_rel": 4,
          "memory_order_seq_cst": 5, "memory_scope_work_item": 0, "memory_scope_work_group": 1, "memory_scope_device": 2,
          "memory_scope_all_svm_devices": 3, "memory_scope_all_devices": 3, "memory_scope_sub_group": 4,
          "CLK_LOCAL_MEM_FENCE": 1, "CLK_GLOBAL_MEM_FENCE": 2, "CLK_IMAGE_MEM_FENCE": 4}
# Their arguments or results are blocks, pipes, structs, types, or any number of arguments. Compilers have other names for these.
# link_builtins has copies of boxes.
WITHOUT_NAME = re.compile(r"pipe|\bprintf\b|enqueue_|ndrange|get_kernel_|\(\^|clk_profiling_info|queue_t|clk_event_t|vec_step|"
                          r"async_work_group_copy_[23]D")


class Mangler:
    """Itanium C++ ABI 5.1, with clang's address spaces. An entry of the table is the text without substitutions."""

    def __init__(self):
        self.entries = []

    def substituted(self, whole, write):
        if whole in self.entries:
            index = self.entries.index(whole) - 1
            digits = ""
            while index >= 0:
                digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index % 36] + digits
                index = index // 36 - 1 if index >= 36 else -1
            return f"S{digits}_"
        text = write()
        self.entries.append(whole)
        return text

    def value(self, name, access):
        if name in SCALARS:
            return SCALARS[name]
        if name.startswith("atomic_") and name != "atomic_flag":
            return self.substituted(name, lambda: "U7_Atomic" + self.value(name[7:], None))
        if name == "atomic_flag":
            return self.substituted(name, lambda: "U7_Atomici")
        image = re.match(r"(image\w+)_t$", name)
        if image:
            named = f"ocl_{image.group(1)}_{ACCESS[access or 'read_only']}"
            return self.substituted(named, lambda: f"{len(named)}{named}")
        if name in NAMED:
            return self.substituted(name, lambda: f"{len(NAMED[name])}{NAMED[name]}")
        vector = re.match(r"([a-z]+)(\d+)$", name)
        element, lanes = vector.groups()
        return self.substituted(name, lambda: f"Dv{lanes}_{SCALARS[element]}")

    def param(self, text):
        words = text.replace("*", " * ").split()
        access = next((word for word in words if word in ACCESS), None)
        name = next(word for word in words if word not in ACCESS and word not in SPACES and word not in ("const", "volatile", "*"))
        if "*" not in words:
            return self.value(name, access)
        space = next((word for word in words if word in SPACES), "private")
        qualifiers = ("V" if "volatile" in words else "") + ("K" if "const" in words else "")
        pointee = f"{space} {qualifiers} {name}"
        return self.substituted(f"{pointee} *", lambda: "P" + self.substituted(
            pointee, lambda: SPACES[space] + qualifiers + self.value(name, access)))


def names(pattern="."):
    """(row, name, values) of each call, once."""
    seen = set()
    for row, text in calls.calls(pattern):
        if WITHOUT_NAME.search(text):
            continue
        head, body = re.match(r"^(.*?)\{(.*)\}$", text).groups()
        called = re.search(r"(\w+)\((.*)\);", body)
        if not called:  # a macro or an enumerator
            continue
        function, args = called.group(1), calls.split(called.group(2))
        declared = dict(re.match(r"(.*?)\s*(a\d+)$", p.strip()).groups()[::-1]
                        for p in calls.split(re.search(r"f\d+\((.*)\) $", head).group(1)) if p.strip() != "void")
        mangler, params, values = Mangler(), [], []
        for arg in args:
            if arg in declared:
                params.append(mangler.param(declared[arg]))
                values.append("-")
            elif arg in VALUES or "CLK_" in arg:
                kind = next((kind for kind in ("memory_order", "memory_scope") if arg.startswith(kind)), "uint")
                params.append(mangler.param(kind))
                values.append(str(VALUES[arg] if arg in VALUES else sum(VALUES[flag.strip()] for flag in arg.split("|"))))
            elif arg.isdigit():
                params.append(mangler.param("uint"))
                values.append(arg)
            else:
                params = None
                break
        if params is None:
            yield row, None, text
            continue
        name = f"_Z{len(function)}{function}{''.join(params) or 'v'}"
        if (name, *values) not in seen:
            seen.add((name, *values))
            yield row, name, values


def main():
    made = list(names(*sys.argv[2:3]))
    odd = [text for _, name, text in made if name is None]
    lines = [" ".join([name, *values]) for _, name, values in made if name]
    if sys.argv[1] == "--print":
        print("\n".join(lines))
        return 0
    run = subprocess.run([sys.argv[1]], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    print(f"{len(lines)} names, {len(run.stdout.split())} of them not defined")
    print(run.stdout + run.stderr + "".join(f"no name for: {text}\n" for text in odd))
    return 1 if run.returncode or odd else 0


if __name__ == "__main__":
    sys.exit(main())
