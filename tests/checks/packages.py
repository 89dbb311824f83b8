#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what packaging/ holds: packages.py BUILD.

- The manual pages and the completions are those that packaging/make_pages.py makes of the tools in BUILD.
- bash completes options, their words, passes and files.
- The copyright file names each project whose code is linked, and has the text of each licence.
- Recipes name the version and the targets that there are, and are well-formed, as far as that shows without their tools.
- A program builds as packaging/meson says, where Meson is installed.
"""
import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
faults = []


def expect(condition, what):
    """Notes a fault."""
    if not condition:
        faults.append(what)


LINKED = {"spirv_tools": "SPIRV-Tools", "spirv_headers": "SPIRV-Headers", "vulkan": "Vulkan-Headers",
          "opencl_headers": "OpenCL-Headers", "cli11": "CLI11", "nlohmann_json": "nlohmann-json"}


def check_copyright():
    """As https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/ has it."""
    linked = set(re.findall(r"third_party::(\w+)", (ROOT / "CMakeLists.txt").read_text()))
    for target in sorted(linked - LINKED.keys()):
        expect(False, f"packages.py does not know which project third_party::{target} is")
    paragraphs = (PACKAGING / "copyright").read_text().split("\n\n")
    files = {re.match(r"Files: (.*)", text)[1]: text for text in paragraphs if text.startswith("Files: ")}
    for project in ["", *(LINKED[target] for target in sorted(linked & LINKED.keys()))]:
        expect(f"{project}/*".lstrip("/") in files, f"copyright does not name {project or 'the project itself'}")
    texts = {text.split("\n")[0] for text in paragraphs if text.startswith("License: ") and "\n" in text}
    for name, text in files.items():
        found = re.search(r"^License: .*", text, re.MULTILINE)
        expect(found and found[0] in texts, f"copyright has no text of the licence of {name}")
        expect("\nCopyright: " in text, f"copyright names no holder of {name}")


def complete(build, folder, tool, *words):
    """What bash offers for the last word, in a folder."""
    script = f"""
source {PACKAGING}/pages/{tool}.bash
compopt() {{ :; }}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_{tool.replace('-', '_')}
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", script, "bash", tool, *words], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "PATH": f"{build}:{os.environ['PATH']}"}, check=False)
    expect(not done.stderr, f"completion of {words}: {done.stderr}")
    return set(done.stdout.splitlines())


def check_completions(build, folder):
    """bash splits '--emit=asm' into three words."""
    for name in ("a.cl", "b.spv", "c.txt", "my kernel.cl", "my notes.txt"):
        (folder / name).touch()
    (folder / "sub").mkdir()
    (folder / "my folder").mkdir()
    for words, wanted, unwanted in (
            (["--em"], {"--emit=", "--emulate-doubles"}, {"--abi="}),
            (["--emit", "=", ""], {"asm", "cpp-header"}, {"--emit="}),
            (["--emit", "=", "c"], {"c-header", "cpp-header"}, {"asm"}),
            (["--emit", "="], {"asm"}, {"a.cl"}),
            (["--abi", "=", "d"], {"descriptors"}, {"addresses"}),
            (["-cl-std", "=", "CL3"], {"CL3.0", "CL3.1"}, {"CL1.2"}),
            (["--stop-after", "=", "lower_m"], {"lower_memory", "lower_memory_model"}, {"clean_up"}),
            (["-O"], {"-O0", "-O2"}, set()),
            (["-M"], {"-M", "-MD", "-MMD", "-MF"}, set()),
            (["-MF", ""], {"c.txt"}, set()),
            (["-cl-s"], {"-cl-std=", "-cl-single-precision-constant"}, set()),
            (["-o", ""], {"c.txt", "my notes.txt"}, set()),
            (["-I", ""], {"sub", "my folder"}, {"a.cl"}),
            (["-cl-ext", "=", ""], set(), {"+NAME", "with", "a.cl"}),
            (["--max-local-memory", "=", ""], set(), {"a.cl"}),
            ([""], {"a.cl", "b.spv", "sub", "my kernel.cl", "my folder"}, {"c.txt", "kernel.cl"})):
        found = complete(build, folder, "clc2spv", *words)
        expect(wanted <= found and not unwanted & found, f"clc2spv {' '.join(words)} completes to {sorted(found)}")
    for ending, found in (("zsh", (PACKAGING / "pages/_clc2spv").read_text()), ("bash", (PACKAGING / "pages/clc2spv.bash").read_text())):
        expect("commas between" not in found, f"the completion for {ending} offers prose")
    found = complete(build, folder, "spv-check", "--format", "=", "")
    expect({"text", "json", "sarif"} <= found, f"spv-check --format= completes to {sorted(found)}")
    for path in PACKAGING.glob("pages/_*"):
        expect("[]" not in path.read_text(), f"{path.name} has an option without a text")
    if shutil.which("zsh"):
        for path in PACKAGING.glob("pages/_*"):
            done = subprocess.run(["zsh", "-n", path], capture_output=True, text=True, check=False)
            expect(done.returncode == 0, done.stderr)


def check_pages():
    """groff has nothing to complain of."""
    if not shutil.which("groff"):
        return
    for path in sorted(PACKAGING.glob("pages/*.1")):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", path], capture_output=True, text=True, check=False)
        expect(done.returncode == 0 and not done.stderr, f"{path.name}: {done.stderr}")
        expect(".SH EXAMPLES\n.nf\n" in path.read_text(), f"{path.name} has no examples")


def check_recipes():
    """The version stands in include/caldera/version.h, and in recipes that cannot read it."""
    header = (ROOT / "include/caldera/version.h").read_text()
    version = ".".join(re.findall(r"#define CALDERA_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
    port = json.loads((PACKAGING / "vcpkg/caldera/vcpkg.json").read_text())
    expect(port["version"] == version, f"vcpkg.json has the version {port['version']}, not {version}")
    package = json.loads((ROOT / "web/npm/package.json").read_text())
    expect(package["version"] == version, f"package.json has the version {package['version']}, not {version}")
    ast.parse((PACKAGING / "conan/conanfile.py").read_text())
    ast.parse((PACKAGING / "bazel/caldera.bzl").read_text())  # Starlark's syntax is Python's
    options = set(re.findall(r"^(?:option|set)\((CALDERA_\w+)", (ROOT / "CMakeLists.txt").read_text(), re.M))
    found = set()
    for path in ("vcpkg/caldera/portfile.cmake", "conan/conanfile.py", "nix/default.nix"):
        text = (PACKAGING / path).read_text()
        found |= set(re.findall(r'(?:-D|\[")(CALDERA_\w+)', text))
    expect(found and found <= options, f"recipes set {sorted(found - options)}, which CMakeLists.txt lacks")
    folders = set(re.findall(r'"(\w+)"', re.search(r"for folder in \((.*?)\)", (PACKAGING / "conan/conanfile.py").read_text(), re.S)[1]))
    expect(all((ROOT / folder).is_dir() for folder in folders), f"conanfile.py exports {sorted(folders)}")
    for line in (PACKAGING / "compiler-explorer/openclc.local.properties").read_text().splitlines():
        expect(not line or line.startswith("#") or re.fullmatch(r"[\w.-]+=\S.*", line), f"Compiler Explorer: {line}")


def check_compiler_explorer(build, folder):
    """Its class for clspv calls the compiler so."""
    (folder / "k.cl").write_text("kernel void f(global int *p) { p[0] = 1; }\n")
    subprocess.run([build / "clc2spv", "-o", "k.spv", "-g", "k.cl"], cwd=folder, check=True)
    if shutil.which("spirv-dis"):
        text = subprocess.run(["spirv-dis", "k.spv"], cwd=folder, capture_output=True, text=True, check=True).stdout
        expect("OpLine" in text or "DebugLine" in text, "the module for Compiler Explorer has no lines")


def check_meson(build, folder):
    """As packaging/meson/meson.build says."""
    if not shutil.which("meson"):
        print("packages: Meson is not installed, so its example is not built")
        return
    prefix = folder / "prefix"
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, capture_output=True)
    pages = next(prefix.rglob("caldera.pc")).parent
    environment = {**os.environ, "PKG_CONFIG_PATH": str(pages)}
    for command in (["meson", "setup", folder / "meson", PACKAGING / "meson"], ["meson", "compile", "-C", folder / "meson"]):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        expect(done.returncode == 0, done.stdout + done.stderr)
    out = subprocess.run([folder / "meson/scale"], capture_output=True, text=True, check=False,
                         env={**os.environ, "LD_LIBRARY_PATH": str(pages.parent)}).stdout
    expect(re.fullmatch(r"scale has \d+ words, f compiles\n", out), f"Meson's program prints '{out}'")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    done = subprocess.run([sys.executable, PACKAGING / "make_pages.py", build, "--check"], capture_output=True, text=True,
                          check=False)
    expect(done.returncode == 0, done.stderr)
    check_copyright()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_completions(build, folder)
        check_pages()
        check_recipes()
        check_compiler_explorer(build, folder)
        check_meson(build, folder)
    for fault in faults:
        print(f"FAILED: {fault}")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
