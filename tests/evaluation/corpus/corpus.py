#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the OpenCL C found in Debian's packages (corpus.list) with clang-15 and with clc2spv, and prints which compiler accepts what.

Everything lies in one folder: deb/ (packages), tree/ (unpacked), text/ (extracted strings), units.tsv (every unit),
accepted.tsv (those that clang accepts: -cl-std, file, options as a shell would read them), clang.tsv (clang's verdicts,
kept from run to run), failures.txt (what of accepted.tsv fails with us, and how).
"""
import argparse
import collections
import concurrent.futures
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
Unit = collections.namedtuple("Unit", "package std path options")
KERNEL = re.compile(rb"(^|[\s;}])(__)?kernel\s")


def run(command, seconds, **more):
    """Exit status and all output; a command that takes too long fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, **more)
        return done.returncode, done.stdout.decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        return 124, "error: took more than %d seconds" % seconds


def fetch(package, folder):
    """Unpacks a package below tree/; returns where, or None when Debian's archive does not give it."""
    package, _, part = package.partition("#")
    root = os.path.join(folder, "tree", package.replace("src:", "src-") + part)
    if os.path.isdir(root):
        return root
    deb = os.path.join(folder, "deb", package.replace("src:", "src-"))
    os.makedirs(deb, exist_ok=True)
    source = package.startswith("src:")
    if not os.listdir(deb):
        command = ["apt-get", "-qq", "source", "--download-only"] if source else ["apt-get", "-qq", "download"]
        options = source_options(folder) if source else []
        status, said = run(command + options + [package.removeprefix("src:")], 900, cwd=deb)
        if status != 0:
            print("corpus: no %s: %s" % (package, said.strip().splitlines()[-1:]), file=sys.stderr)
    os.makedirs(root + ".part", exist_ok=True)
    for path in glob.glob(os.path.join(deb, "*.orig%s.tar.*" % part if source else "*.deb")):
        if not path.endswith(".asc"):
            subprocess.run(["tar", "xf", path, "--strip-components=1", "-C", root + ".part"] if source
                           else ["dpkg", "-x", path, root + ".part"], check=True)
            os.rename(root + ".part", root)
            return root
    return None


def source_options(folder):
    """apt's options for a private list of source packages: the machine's own lists stay as they are."""
    private = os.path.join(folder, "sources")
    options = ["-oDir::Etc::sourcelist=%s/list.sources" % private, "-oDir::Etc::sourceparts=/dev/null",
               "-oDir::State::Lists=%s/lists" % private]
    if not os.path.isdir(private + "/lists"):
        os.makedirs(private + "/lists/partial")
        with open(private + "/list.sources", "w") as out:
            out.write("Types: deb-src\nURIs: http://deb.debian.org/debian\nSuites: bookworm\nComponents: main\n"
                      "Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n")
        run(["apt-get", "-qq"] + options + ["update"], 600)
    return options


def elf_strings(data):
    """The NUL-terminated texts with a kernel, each once."""
    return [s for s in dict.fromkeys(re.findall(rb"[\t\n\r\x20-\x7e\x80-\xff]{40,}(?=\0)", data)) if KERNEL.search(s)]


def raw_strings(data):
    return [m.group(2) for m in re.finditer(rb'R"(\w*)\((.*?)\)\1"', data, re.S) if KERNEL.search(m.group(2))]


def literals(data):
    """Runs of adjacent "..." literals, joined and unescaped."""
    texts = []
    for match in re.finditer(rb'(?:"(?:[^"\\\n]|\\.)*"\s*)+', data, re.S):
        pieces = re.findall(rb'"((?:[^"\\\n]|\\.)*)"', match.group(0), re.S)
        text = b"".join(pieces).decode("latin-1").encode("latin-1").decode("unicode_escape").encode("latin-1", "replace")
        if KERNEL.search(text):
            texts.append(text)
    return texts


def piglit_config(text):
    """The std and the options that a piglit file asks for; None when its build is to fail."""
    config = dict(re.findall(r"^\s*(\w+)\s*:\s*(.*?)\s*(?:#.*)?$", text.split("[test]")[0], re.M))
    if config.get("expect_build_fail", "").lower() == "true":
        return None
    version = int(config.get("clc_version_min", "10"))
    std = "CL%d.%d" % (max(version, 12) // 10, max(version, 12) % 10)
    return std, config.get("build_options", "")


def extract(row, root, folder):
    """The units of one row of the list."""
    package, rule, where, std, options = row
    if rule == "capture":
        yield from capture(package, os.path.join(HERE, "capture", where), std, options, root, folder)
        return
    if rule == "library":
        return
    if rule == "around":
        program, where = where.split(":")
        program = os.path.join(HERE, "around", program)
    found = sorted(p for p in set(glob.glob(os.path.join(root, where), recursive=True)) if os.path.isfile(p))
    for path in found:
        stem = os.path.splitext(os.path.basename(path))[0]
        number = re.search(r"\d+", stem)
        places = {"dir": os.path.dirname(path), "root": root, "file": path,
                  "number": str(int(number.group())) if number else "0",
                  "Words": "".join(word[:1].upper() + word[1:] for word in stem.split("_"))}
        passed = re.sub(r"\{(\w+)\}", lambda m: places[m.group(1)], options).split()
        if rule in ("file", "around"):
            yield Unit(package, std, path if rule == "file" else program, passed)
            continue
        with open(path, "rb") as source:
            data = source.read()
        if rule == "piglit":
            text = data.decode("utf-8", "replace")
            config = piglit_config(text)
            if config is None:
                continue
            section = re.search(r"^\[program source\]\n(.*?)(?=^\[|\Z)", text, re.M | re.S)
            extra = passed + shlex.split(config[1])
            if not path.endswith(".program_test"):
                yield Unit(package, config[0], path, extra)
            elif section:
                yield Unit(package, config[0], keep(folder, package, path, 0, section.group(1).encode()), extra)
            continue
        texts = {"elf": elf_strings, "raw": raw_strings, "literal": literals}[rule](data)
        for index, text in enumerate(texts):
            yield Unit(package, std, keep(folder, package, path, index, text), passed)


def capture(package, program, std, options, root, folder):
    """What a host program gives to clBuildProgram: it is linked with a libOpenCL that writes that down."""
    place = os.path.join(folder, "capture", package)
    if not os.path.isdir(place):
        library = os.path.join(folder, "capture", "lib")
        os.makedirs(library, exist_ok=True)
        stub, host = os.path.join(library, "libOpenCL.so.1"), os.path.join(library, package)
        link = options.replace("{tree}", os.path.join(folder, "tree")).split()
        for command in (["gcc", "-shared", "-fPIC", "-Wl,-soname,libOpenCL.so.1", "-o", stub,
                         os.path.join(HERE, "capture", "opencl_stub.c")],
                        ["g++", "-w", "-Wl,--allow-shlib-undefined", "-I", os.path.join(root, "usr/include"), program,
                         "-o", host, stub] + link):
            status, said = run(command, 600)
            if status != 0:
                print("corpus: %s: %s" % (program, said), file=sys.stderr)
                return
        os.makedirs(place + ".part", exist_ok=True)
        paths = [library] + [o[2:] for o in link if o.startswith("-L")]
        shutil.copyfile(stub, stub.removesuffix(".1"))  # some hosts open it by this name
        run([host], 120, env=dict(os.environ, CORPUS_CAPTURE=place + ".part", LD_LIBRARY_PATH=":".join(paths)))
        os.rename(place + ".part", place)
    for path in sorted(glob.glob(place + "/*.cl")):
        with open(path.removesuffix(".cl") + ".options") as passed:
            yield Unit(package, std, path, shlex.split(passed.read()))


def keep(folder, package, path, index, text):
    """Writes an extracted text to a file named after where it was found."""
    place = os.path.join(folder, "text", package.replace("src:", "src-"))
    os.makedirs(place, exist_ok=True)
    name = os.path.join(place, "%s-%03d.cl" % (re.sub(r"[^\w.-]", "_", os.path.basename(path)), index))
    with open(name, "wb") as out:
        out.write(text)
    return name


def line_of(unit):
    return "%s\t%s\t%s\n" % (unit.std, unit.path, shlex.join(unit.options))


def key_of(unit):
    with open(unit.path, "rb") as source:
        return hashlib.sha1(source.read() + repr((unit.std, unit.path, unit.options)).encode()).hexdigest()


def clang(unit):
    """What clang-15 says: 'yes' or its first error."""
    status, said = run_clang(unit, ["-O0", "-c"], "/dev/null")
    return "yes" if status == 0 else first_error(said)


def run_clang(unit, more, result):
    """A name that clang's table of built-ins lacks may be in its header."""
    command = ["clang-15", "-target", "spir64", "-x", "cl", "-cl-std=" + unit.std, "-emit-llvm", "-o", result] + more
    command += [o for o in unit.options if not o.startswith("-cl-std")] + [unit.path]
    status, said = run(command, 120, cwd=os.path.dirname(unit.path))
    if status != 0 and "undeclared identifier 'intel_" in said:
        status, said = run(command + ["-cl-no-stdinc", "-include", "opencl-c.h"], 120, cwd=os.path.dirname(unit.path))
    return status, said


def first_error(said):
    for line in said.splitlines():
        if "error:" in line:
            return re.sub(r"^.*?(?=(fatal )?error:)", "", line).strip()
    return (said.strip().splitlines() or ["died without a word"])[0]


def environment(std):
    return {"CL2.0": "opencl2.0", "CL3.0": "opencl2.2"}.get(std, "opencl1.2")


def ours(unit, clc, scratch):
    """Which step fails, and with which message; 'yes' when none does."""
    module = os.path.join(scratch, hashlib.sha1(repr(unit).encode()).hexdigest() + ".spv")
    command = [clc, "--validate", "--target=" + environment(unit.std), "-cl-std=" + unit.std] + unit.options
    try:
        status, said = run(command + [unit.path, "-o", module], 60, cwd=os.path.dirname(unit.path))
        if status != 0:
            return "compile", place_and_error(said)
        status, said = run(["spirv-val", "--target-env", environment(unit.std), module], 60)
        if re.search(r"Capability \w+ is not allowed by OpenCL", said):  # those of extensions; clc2spv checks the rest
            status, said = run(["spirv-val", module], 60)
        if status != 0:
            return "validate", first_error(said)
        back = ["llvm-spirv-15", "-r"] + (["--spirv-target-env=CL2.0"] if unit.std >= "CL2.0" else [])
        status, said = run(back + [module, "-o", "/dev/null"], 60)
        return ("yes", "") if status == 0 else ("llvm-spirv", first_error(said))
    finally:
        if os.path.exists(module):
            os.remove(module)


def place_and_error(said):
    for line in said.splitlines():
        if "error" in line:
            return line.strip()
    return first_error(said)


def read_list(path, only):
    for line in open(path):
        line = line.rstrip("\n")
        if line and not line.startswith("#"):
            row = (line.split("\t") + [""] * 3)[:5]
            if not only or row[0] in only:
                yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default="build/corpus", help="where everything is kept")
    parser.add_argument("--clc", default="build/clc2spv")
    parser.add_argument("--list", default=os.path.join(HERE, "corpus.list"))
    parser.add_argument("--only", action="append", help="just this package")
    parser.add_argument("--match", default="", help="just units whose path contains this")
    parser.add_argument("--every", type=int, default=1, help="just each Nth unit of a package")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reference-only", action="store_true", help="stop after clang")
    args = parser.parse_args()
    folder, clc = os.path.abspath(args.folder), os.path.abspath(args.clc)
    os.makedirs(folder, exist_ok=True)

    units, seen = [], collections.Counter()
    for row in read_list(args.list, args.only):
        root = fetch(row[0], folder)
        for unit in extract(row, root, folder) if root else []:
            seen[unit.package] += 1
            if args.match in unit.path and seen[unit.package] % args.every == 0:
                units.append(unit)

    with open(os.path.join(folder, "units.tsv"), "w") as out:
        out.writelines(line_of(u) for u in units)
    verdicts = reference(units, folder, args.jobs)
    if args.reference_only:
        return 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = list(pool.map(lambda u: ours(u, clc, folder), units))
    return report(units, [verdicts[key_of(u)] == "yes" for u in units], results, folder)


def reference(units, folder, jobs):
    """clang's verdict for each unit; those already known are not asked for again. accepted.tsv grows meanwhile."""
    path = os.path.join(folder, "clang.tsv")
    verdicts = dict(line.rstrip("\n").split("\t", 1) for line in open(path)) if os.path.exists(path) else {}
    todo = [u for u in units if key_of(u) not in verdicts]
    with open(path, "a") as known, open(os.path.join(folder, "accepted.tsv"), "w") as out:
        out.writelines(line_of(u) for u in units if verdicts.get(key_of(u)) == "yes")
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for unit, verdict in zip(todo, pool.map(clang, todo)):
                verdicts[key_of(unit)] = verdict
                known.write("%s\t%s\n" % (key_of(unit), verdict))
                known.flush()
                if verdict == "yes":
                    out.write(line_of(unit))
                    out.flush()
    return verdicts


def report(units, accepted, results, folder):
    columns = ["units", "clang", "both", "compile", "validate", "llvm-spirv", "only ours"]
    table = collections.defaultdict(collections.Counter)
    with open(os.path.join(folder, "failures.txt"), "w") as failures:
        for unit, by_clang, (step, message) in zip(units, accepted, results):
            for row in (unit.package, "sum"):
                table[row]["units"] += 1
                if by_clang:
                    table[row]["clang"] += 1
                    table[row]["both" if step == "yes" else step] += 1
                elif step == "yes":
                    table[row]["only ours"] += 1
            if by_clang and step != "yes":
                failures.write("%s\t%s\t%s\t-cl-std=%s %s\n" %
                               (step, unit.path, message, unit.std, shlex.join(unit.options)))
    print("%-26s" % "package", *("%10s" % c for c in columns))
    for row in [r for r in table if r != "sum"] + ["sum"]:
        print("%-26s" % row, *("%10d" % table[row][c] for c in columns))
    print("clang: accepted by clang-15; compile, validate, llvm-spirv: of those, the step that fails with clc2spv; see",
          os.path.join(folder, "failures.txt"))
    return 0 if table["sum"]["both"] == table["sum"]["clang"] else 1


if __name__ == "__main__":
    sys.exit(main())
