#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles kernels for many GPUs, with the compilers of their Vulkan drivers.

    tests/devices/lab.sh --setup
    tests/devices/matrix.py build-ci                                  # every GPU of lab.sh --list, every kernel of the project
    tests/devices/matrix.py build-ci --gpus=amd:NAVI21,apple --files=tests/exec/pipes.cl
    tests/devices/matrix.py build-ci --gpus=here                      # this machine's Vulkan device (CALDERA_DEVICE), no lab
    tests/devices/matrix.py build-ci --static                         # our code beside that of GLSL twins
    tests/evaluation/corpus/corpus.py build-ci/corpus --clc build-ci/clc2spv --every=8 && \
    tests/devices/matrix.py build-ci --strangers=build-ci/corpus      # kernels of programs in Debian's packages
    tests/devices/matrix.py --table                                   # docs/devices.md of docs/devices/*.json

Each kernel has to become a pipeline in several ways. `driver` is the OpenCL driver, `driver-images` too with CALDERA_IMAGES=hardware,
`driver-checks` with CALDERA_CHECK=bounds. Offline, clc2spv compiles for the device's profile and a program that uses only Vulkan
makes the pipelines: by `addresses` and by `descriptors`, and by addresses with `images` of the hardware or with `guards`
(--robust). The two ways of images take the files that have some. Kernels that call functions in SPIR-V (tests/exec/modules) are
linked with them, offline alone. arm64 drivers take the offline ways alone, unless tests/arm64.sh has built for them. lavapipe takes
these alone too: it would run the kernels with arguments that mean nothing. The results go to docs/devices/GPU.json; anything that
did not become a pipeline in less than 10 s is a row there. Exits with 1 if a driver crashed, refused a module or took longer."""
import argparse
import collections
import concurrent.futures
import datetime
import functools
import json
import math
import os
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from kernel_files import options_of  # noqa: E402  (found by the line above)

ARM64_BUILD = ROOT / "build-arm64"
RESULTS, PAGE = ROOT / "docs" / "devices", ROOT / "docs" / "devices.md"
LAB = [str(HERE / "lab.sh")]
LAB_FOLDER = pathlib.Path(os.environ.get("CALDERA_LAB", "/var/cache/caldera-lab"))
ARM64 = ("pi", "mali", "powervr")
# What the OpenCL driver is told, and clc2spv.
BY_DRIVER = {"driver": [], "driver-images": ["CALDERA_IMAGES=hardware"], "driver-checks": ["CALDERA_CHECK=bounds"]}
OFFLINE = {"addresses": ["--abi=addresses"], "descriptors": ["--abi=descriptors"],
           "images": ["--abi=addresses", "--images=hardware"], "guards": ["--abi=addresses", "--robust"]}
WAYS = (*BY_DRIVER, *OFFLINE)
# Beside the twins: tables are in a buffer, as twins have them and the OpenCL driver does.
TWINS = {"addresses": ["--abi=addresses"], "descriptors": ["--abi=descriptors", "--module-constants-in-storage-buffer"]}
SLOW_SECONDS = 10
LIMIT_SECONDS = 60
EMULATED = 10  # so many times as long does an arm64 driver take in the emulator
JOBS = os.cpu_count() or 2


def is_arm64(gpu):
    return gpu.split(":")[0] in ARM64


class Device:
    """Where a GPU's driver runs, and how it sees the project."""

    def __init__(self, gpu, build):
        self.gpu, self.build = gpu, build
        self.folder = build / "devices" / gpu.replace(":", "-")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.in_lab = gpu != "here" and not is_arm64(gpu)
        self.slowness = EMULATED if is_arm64(gpu) else 1

    def path(self, path):
        path = pathlib.Path(path).resolve()
        return "/p/" + str(path.relative_to(ROOT)) if self.in_lab else str(path)

    def run(self, command, settings=()):
        """`settings` are NAME=VALUE for its environment."""
        prefix = [] if self.gpu == "here" else LAB + [self.gpu]
        settings = ["CALDERA_CACHE=0", "MESA_SHADER_CACHE_DISABLE=true", *settings]
        words = [word for setting in settings for word in ("-E", setting)] if is_arm64(self.gpu) else ["env", *settings]
        environment = {name: value for name, value in os.environ.items() if self.gpu == "here" or name != "CALDERA_DEVICE"}
        return subprocess.run(prefix + words + command, capture_output=True, text=True, errors="replace", check=False,
                              env=environment)

    def profile(self):
        path = self.folder / "profile.json"
        path.unlink(missing_ok=True)
        if is_arm64(self.gpu):
            self.run([str(LAB_FOLDER / "arm64/usr/bin/vulkaninfo"), "--json=0", "-o", str(path)])
        elif self.in_lab:
            self.run(["vulkaninfo", "--json=0", "-o", self.path(path)])
        else:
            run = self.run(["vulkaninfo", "--json=0"])
            if run.stdout.lstrip().startswith("{"):
                path.write_text(run.stdout, encoding="utf-8")
            for made in pathlib.Path(".").glob("VP_VULKANINFO_*.json"):  # newer versions write a file
                made.rename(path)
        return path if path.exists() else None

    def program(self, name, library):
        """A program of this folder, for the driver's processor."""
        if not is_arm64(self.gpu):
            return self.path(self.build / "tests/devices" / name)
        program = self.build / "devices" / f"{name}-arm64"
        subprocess.run(["aarch64-linux-gnu-g++", "-std=c++20", "-O1", f"-I{ROOT}", "-idirafter", "/usr/include",
                        str(HERE / f"{name}.cpp"), "-o", str(program), f"-L{LAB_FOLDER}/arm64/usr/lib/aarch64-linux-gnu",
                        f"-l:{library}", "-Wl,--allow-shlib-undefined"], check=True)
        return str(program)

    @functools.cached_property
    def pipelines(self):
        """The program that makes pipelines."""
        return self.program("pipelines", "libvulkan.so.1")

    @functools.cached_property
    def launches(self):
        """The program that launches kernels."""
        return self.program("launches", "libOpenCL.so.1")

    @property
    def opencl_driver(self):
        return (ARM64_BUILD if is_arm64(self.gpu) else self.build) / "libcaldera_icd.so"


def first_error(text):
    for line in text.splitlines():
        if "error:" in line:
            return line.split("error:", 1)[1].strip()
    return text.strip().splitlines()[0] if text.strip() else "no message"


def chunks(items):
    return [items[i::JOBS] for i in range(JOBS) if items[i::JOBS]]


def rows_of(device, command, items, settings=()):
    """Rows of a tool of this folder for all items, several processes side by side."""

    def one(part):
        run = device.run(command + part, settings)
        if run.returncode < 0:  # somebody ended it: its rows are not all
            raise SystemExit(f"{device.gpu}: {command[0]} ended by signal {-run.returncode}; nothing is kept")
        rows = [line.split("\t") for line in run.stdout.splitlines() if line.count("\t") >= 3]
        if run.returncode == 2:
            rows.append(["-", "-", "refused", "0", (run.stderr.strip().splitlines() or ["no message"])[-1]])
        return rows

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return [row for rows in pool.map(one, chunks(items)) for row in rows]


def assembly_beside(file):
    """Functions in SPIR-V that the file's kernels call, if there is such a file."""
    return file.with_suffix(".spvasm")


def by_driver(device, files, settings):
    vendors = device.folder / "vendors"
    vendors.mkdir(exist_ok=True)
    (vendors / "caldera.icd").write_text(device.path(device.opencl_driver) + "\n", encoding="utf-8")
    command = [device.launches, f"--seconds={LIMIT_SECONDS * device.slowness}"]
    return rows_of(device, command, [device.path(file) for file in files],
                   ["OCL_ICD_VENDORS=" + device.path(vendors), *settings])


def offline(device, files, way, profile, options=None):
    """`options`: of the kernels of strangers, by file; the project's own files have theirs in themselves."""
    folder = device.folder / way
    folder.mkdir(exist_ok=True)

    def compile_one(file):
        module = folder / (str(file.relative_to(ROOT)).replace("/", "~") + ".spv")
        inputs = [str(path) for path in (file, assembly_beside(file)) if path.exists()]
        own = options[file] if options else [*options_of(file), f"-I{ROOT}/tests/exec"]
        run = subprocess.run([str(device.build / "clc2spv"), "-w", *inputs, *own, f"--device-profile={profile}", *OFFLINE[way],
                              "--no-clspv-reflection", "-o", str(module)], capture_output=True, text=True, check=False, cwd=file.parent)
        if run.returncode == 0:
            return module, None
        return None, [str(file), "-", "declined", "0", first_error(run.stderr)]

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        made = list(pool.map(compile_one, files))
    rows = [row for _, row in made if row]
    modules = [device.path(module) for module, _ in made if module]
    return rows + rows_of(device, [device.pipelines, f"--seconds={LIMIT_SECONDS * device.slowness}"], modules)


def source_of(item):
    """The source's path in the project, of a row's file or module."""
    name = item.removesuffix(".spv").rsplit("/", 1)[-1].replace("~", "/") if "~" in item else item
    return in_project(name)


def in_project(text):
    """Paths of the project, here and in the lab, become relative ones."""
    return re.sub(r"(?<![\w/])/p/", "", text.replace(str(ROOT) + "/", ""))


def summary(rows, slow_seconds):
    counts, faults = collections.Counter(), []
    for item, kernel, verdict, seconds, *remark in rows:
        if verdict == "pipeline" and float(seconds) >= slow_seconds:
            verdict = "slow"
        counts[verdict] += 1
        if verdict != "pipeline":
            faults.append({"file": source_of(item), "kernel": kernel, "verdict": verdict, "seconds": float(seconds or 0),
                           "remark": in_project(remark[0]) if remark else ""})
    return {"counts": dict(sorted(counts.items())), "rows": sorted(faults, key=lambda row: (row["verdict"], row["file"], row["kernel"]))}


# ---- Beside the GLSL twins of tests/evaluation/bench ----

# What a driver says of its code, the best measure first.
MEASURES = ("Inverse Throughput", "Instructions", "Instruction count", "Instruction Count")


# More than this is told with its reason.
ABOVE = 1.10
# By GPU or kind of GPU, way and kernel; a kernel's own reason comes before that of all.
REASONS = {
    ("adreno", "addresses", ""): "turnip's loads by address take an offset in bytes, and those from buffers an index: each index is shifted",
    ("adreno", "addresses", "float_atomics"): "turnip's atomic operations by address take no offset, so each address is added up",
    ("adreno", "addresses", "histogram"): "turnip's atomic operations by address take no offset, so each address is added up",
    ("adreno", "addresses", "insertion_sort"): "the stride is a hidden argument, the global size, while the twin's is a multiple of "
                                               "256, which takes turnip fewer products; and each index is shifted",
    ("adreno", "addresses", "stencil"): "the index is an int, which may be negative. Turnip takes 32 bits of an access chain's "
                                        "offset, so addresses are added up instead, in four instructions each",
    ("amd:POLARIS10", "addresses", ""): "loads by address take neither a base nor an offset there (gfx8), so each address is added up",
    ("amd", "addresses", "stencil"): "the index is an int, which may be negative, so its offset has 64 bits, which RADV computes "
                                     "in vector registers for each access. A twin with buffer references has the same figure",
    ("mali", "addresses", ""): "PanVK's access to a buffer is one instruction with an index (LD_PKA), one by address adds up 64 bits in two words first",
    ("pi", "addresses", ""): "V3DV adds a buffer's base in the instruction that starts an access; a sum that makes an address is one more",
}


def reason_of(gpu, way, kernel):
    kinds = (gpu, gpu.split(":")[0])
    reasons = [REASONS.get((kind, way, name)) for name in (kernel, "") for kind in kinds]
    return next(filter(None, reasons), "not known")


def values_of(rows):
    """A driver's statistics by name."""
    for row in rows:
        if len(row) > 4 and row[2] == "pipeline":
            return {name: float(number) for name, number in (item.rsplit("=", 1) for item in row[4].split("; ") if "=" in item)}
    return {}


def assembly_of(module):
    return subprocess.run(["spirv-dis", str(module)], capture_output=True, text=True, check=True).stdout


def keep_denormals(module):
    """OpenCL's floats have denormals. GLSL cannot ask for them, so the module does."""
    text = assembly_of(module)
    entry = re.search(r"OpEntryPoint GLCompute (%\S+)", text).group(1)
    text = text.replace("OpCapability Shader\n", "OpCapability Shader\nOpCapability DenormPreserve\n", 1)
    text = re.sub(r"( *OpExecutionMode .*\n)", rf"\1OpExecutionMode {entry} DenormPreserve 32\n", text, count=1)
    subprocess.run(["spirv-as", "--target-env", "vulkan1.2", "-o", str(module), "-"], input=text, text=True, check=True)


# A loop's instructions count once. These drivers keep loops that ask to be unrolled, so that a twin with one would be small.
KEEP_LOOPS = ("pi",)


def unroll(module):
    """Unrolls the loops of a twin that ask for it."""
    passes = ["--inline-entry-points-exhaustive", "--eliminate-local-single-block", "--eliminate-local-single-store",
              "--ssa-rewrite", "--loop-unroll"]
    subprocess.run(["spirv-opt", *passes, str(module), "-o", str(module)], check=True)


# Capabilities of twins that not every device has, with Vulkan's names of the features.
FEATURES = {"StorageBuffer8BitAccess": "storageBuffer8BitAccess", "Int64": "shaderInt64", "Int8": "shaderInt8"}


def has_capabilities(module, profile):
    """Whether the device may be given the module. A driver may take what it does not offer, and its figures then mean nothing."""
    declared = re.findall(r"OpCapability (\w+)", assembly_of(module))
    return all(re.search(rf'"{FEATURES[name]}": *(true|1)', profile) for name in declared if name in FEATURES)


def twin_ratios(device, profile):
    """Ours over the twin for each kernel and way, by the driver's own figures."""
    folder = device.folder / "twins"
    folder.mkdir(exist_ok=True)
    ratios, measure = {}, None
    known = profile.read_text(encoding="utf-8")
    adds_floats = re.search(r'"shaderBufferFloat32AtomicAdd": *(true|1)', known)
    has_denormals = re.search(r'"shaderDenormPreserveFloat32": *(true|1)', known)
    for shader in sorted((ROOT / "tests/evaluation/bench/kernels").glob("*.comp")):
        name = shader.stem
        source = next(path for path in (shader.with_suffix(".cl"), ROOT / "examples" / (name + ".cl")) if path.exists())
        twin = folder / (name + ".twin.spv")
        defines = [] if adds_floats else ["-DCOMPARE_EXCHANGE"]
        subprocess.run(["glslangValidator", "-V", "--target-env", "vulkan1.2", *defines, str(shader), "-o", str(twin)],
                       check=True, capture_output=True)
        if not has_capabilities(twin, known):
            continue
        if device.gpu in KEEP_LOOPS and "[[unroll]]" in shader.read_text(encoding="utf-8"):
            unroll(twin)
        if has_denormals:
            keep_denormals(twin)
        make = [device.pipelines, "--statistics", f"--seconds={LIMIT_SECONDS * device.slowness}"]
        theirs = values_of(rows_of(device, make, [device.path(twin)]))
        measure = measure or next((known for known in MEASURES if known in theirs), None)
        if measure is None or measure not in theirs:
            continue
        local = re.search(r"LocalSize (\d+) (\d+) (\d+)", assembly_of(twin)).groups()
        for way in TWINS:
            module = folder / f"{name}.{way}.spv"
            command = [str(device.build / "clc2spv"), "-w", str(source), *options_of(source), f"--device-profile={profile}",
                       *TWINS[way], "--no-clspv-reflection", *(["-cl-std=CL3.0"] if name == "float_atomics" else [])]
            if subprocess.run(command + ["-o", str(module)], capture_output=True, check=False).returncode:
                continue
            reflection = json.loads(subprocess.run(command + ["--emit=reflection-json", "-o", "-"], capture_output=True,
                                                   text=True, check=True).stdout)
            ids = reflection["kernels"][0]["local_size_spec_ids"]
            specs = [f"--spec={spec}:{size}" for spec, size in zip(ids, local)]
            if "has_base_spec_id" in reflection:
                specs.append(f"--spec={reflection['has_base_spec_id']}:0")
            ours = values_of(rows_of(device, make + specs, [device.path(module)]))
            if measure in ours and theirs[measure]:
                ratios.setdefault(name, {})[way] = round(ours[measure] / theirs[measure], 3)
            else:
                print(f"{device.gpu} {way} {name}: the driver gave no figure", flush=True)
    return {"measure": measure, "ratios": ratios}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def description(profile):
    properties = json.loads(profile.read_text(encoding="utf-8"))["capabilities"]["device"]["properties"]
    device = properties["VkPhysicalDeviceProperties"]
    driver = properties.get("VkPhysicalDeviceVulkan12Properties") or properties.get("VkPhysicalDeviceDriverProperties") or {}
    version = int(device["apiVersion"])
    return {"device": device["deviceName"], "driver": f"{driver.get('driverName', '')} {driver.get('driverInfo', '')}".strip(),
            "vulkan": f"{version >> 22 & 127}.{version >> 12 & 1023}"}


def with_images(files):
    return [file for file in files if "image" in file.read_text(encoding="utf-8")]


def too_old(vulkan):
    """Whether the OpenCL driver leaves devices with this version out."""
    return tuple(map(int, vulkan.split("."))) < (1, 1)


def judge(gpu, build, files, ways):
    device = Device(gpu, build)
    result = {"gpu": gpu, "date": datetime.date.today().isoformat(), "files": len(files), "ways": {}}
    profile = device.profile()
    if profile is None:
        result["ways"]["driver"] = summary([["-", "-", "refused", "0", "vulkaninfo found no device"]], SLOW_SECONDS)
        return result
    result |= description(profile)
    for way in ways:
        if way in BY_DRIVER and gpu == "lavapipe":
            continue
        if way in BY_DRIVER and not device.opencl_driver.exists():
            print(f"{gpu} {way}: not tried, there is no {in_project(str(device.opencl_driver))}", flush=True)
            continue
        chosen = with_images(files) if way.endswith("images") else files
        if way in BY_DRIVER:
            chosen = [file for file in chosen if not assembly_beside(file).exists()]
        if way in BY_DRIVER and too_old(result["vulkan"]):
            rows = [[str(file), "-", "declined", "0", f"the OpenCL driver offers no device with Vulkan {result['vulkan']}"] for file in chosen]
        else:
            rows = by_driver(device, chosen, BY_DRIVER[way]) if way in BY_DRIVER else offline(device, chosen, way, profile)
        result["ways"][way] = {"date": result["date"]} | summary(rows, SLOW_SECONDS * device.slowness)
        print(gpu, way, result["ways"][way]["counts"], flush=True)
    return result


def is_good(result):
    return all(verdict in ("pipeline", "declined") for way in result["ways"].values() for verdict in way["counts"])


def keep(gpu, part):
    """Puts a part of the results into the GPU's file; the other parts stay, and ways that were not tried."""
    path = RESULTS / (gpu.replace(":", "-") + ".json")
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"gpu": gpu, "ways": {}}
    for way in known["ways"].values():
        way.setdefault("date", known.get("date", ""))
    if "ways" in part:
        part = part | {"ways": known["ways"] | part["ways"]}
    RESULTS.mkdir(exist_ok=True)
    path.write_text(json.dumps(known | part, indent=1) + "\n", encoding="utf-8")


def compare_with_twins(gpu, build):
    device = Device(gpu, build)
    profile = device.profile()
    twins = twin_ratios(device, profile) if profile else {}
    for way in TWINS:
        values = [ratio[way] for ratio in twins.get("ratios", {}).values() if way in ratio]
        if values:
            print(f"{gpu} {way}: {twins['measure']}, ours over the twin: {geometric_mean(values):.3f}, "
                  f"at most {max(values):.3f}, {len(values)} kernels", flush=True)
    if gpu != "here":
        keep(gpu, {"twins": twins})


# ---- Kernels of strangers ----

STRANGERS_WAYS = ("addresses", "descriptors")


def strangers(folder):
    """Files of tests/evaluation/corpus that clang accepts, with their options. A file that several programs build counts once."""
    options = {}
    for line in (folder / "accepted.tsv").read_text(encoding="utf-8").splitlines():
        std, file, more = line.split("\t")
        options.setdefault(pathlib.Path(file), ["-x", "cl", f"-cl-std={std}", *shlex.split(more)])
    return options


def package_of(file):
    """The Debian package of a file of the corpus."""
    match = re.search(r"/corpus/(?:tree|text)/([^/]+)", file)
    return match.group(1) if match else file


def judge_strangers(gpu, build, options):
    device = Device(gpu, build)
    profile = device.profile()
    if profile is None:
        return {"ways": {}}
    found = {"date": datetime.date.today().isoformat(), "files": len(options),
             "packages": len({package_of(str(file)) for file in options}), "ways": {}}
    for way in STRANGERS_WAYS:
        rows = offline(device, list(options), way, profile, options)
        rows = [row for row in rows if "the module has no kernel" not in row[-1]]  # a file that others include
        found["ways"][way] = summary(rows, SLOW_SECONDS * device.slowness)
        print(gpu, way, found["ways"][way]["counts"], flush=True)
    return found


# ---- The table ----

def cell(way):
    if way is None:
        return "—"
    counts = dict(way["counts"])
    text = [str(counts.pop("pipeline", 0))]
    text += [f"{count} {verdict}" for verdict, count in sorted(counts.items())]
    return ", ".join(text)


def days(result):
    """When the ways were tried, from the first to the last day."""
    found = {way.get("date", result.get("date", "")) for way in result["ways"].values()}
    return " to ".join(sorted({min(found), max(found)})) if found else ""


def kind_of(remark):
    """Messages that differ in names, places and numbers alone are one kind."""
    remark = re.sub(r"^kernel '[^']*' \([^)]*\): |^.*?\.cl:\d+:\d+: ", "", remark)
    return re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'…'", remark)).replace("|", "\\|")


def fault_rows(results, verdicts, key_of):
    """The GPUs of each kind of row, as lines of a table."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for result in results:
        for name, way in result["ways"].items():
            for row in way["rows"]:
                if row["verdict"] in verdicts:
                    found[key_of(row)][result["gpu"]].add((name, row["file"], row["kernel"]))
    return ["| " + " | ".join(key) + " | " + ", ".join(f"{gpu} ({len(rows)})" for gpu, rows in sorted(found[key].items())) + " |"
            for key in sorted(found)]


def way_of_driver(result):
    """How the OpenCL driver runs these kernels: by descriptors where the row slow_addresses names the Vulkan driver."""
    rows = (ROOT / "vulkan/driver_quirks.def").read_text(encoding="utf-8")
    row = re.search(r"QUIRK\(slow_addresses,.*?\)\)\n", rows, re.DOTALL).group(0)
    slow = re.findall(r"ON\(Mesa(\w+),", row)
    return "descriptors" if any(name.lower() in result["driver"].lower() for name in slow) else "addresses"


def twin_line(result):
    cells = []
    for way in TWINS:
        ratios = {name: ratio[way] for name, ratio in result["twins"]["ratios"].items() if way in ratio}
        worst = sorted(ratios, key=ratios.get)[:-4:-1]
        cells.append(f"{geometric_mean(list(ratios.values())):.3f}" if ratios else "—")
        cells.append(", ".join(f"{name} {ratios[name]:.2f}" for name in worst))
    return f"| {result['gpu']} | {result['twins']['measure']} | " + " | ".join(cells) + f" | {way_of_driver(result)} |"


def page():
    results = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    lines = ["# Devices", "",
             "<!-- Made by tests/devices/matrix.py --table of docs/devices/*.json. Do not edit. -->", "",
             "The compilers of these GPUs were given each kernel of tests/exec, tests/evaluation/bench and examples. The drivers are",
             "Mesa's, with shims in place of the hardware: they compile and run nothing. [lab.sh](../tests/devices/lab.sh) sets them",
             "up, and [matrix.py](../tests/devices/matrix.py) makes the results.", "",
             "A number counts kernels that became pipelines in less than 10 s. `declined` counts files that Caldera declines, with a",
             "message that names what the device or the ABI lacks. `refused` means that the driver gave an error, `crash` that it",
             "ended the process, `timeout` that it took more than 60 s, and `slow` that it took more than 10 s.", "",
             "Seconds are processor time. arm64 drivers run in an emulator, which takes ten times as long: their limits are ten",
             "times these, and they were given tests/evaluation/bench and examples alone. Lavapipe runs what it compiles, so the",
             "execution tests are for it, and not the launches with arguments of zeros.", "",
             "The OpenCL driver was tried as it comes, with `CALDERA_IMAGES=hardware`, and with `CALDERA_CHECK=bounds`. Offline,",
             "`images` are the hardware's, and `guards` are those of `--robust`.", "",
             "Intel's GPUs are not among them: Mesa has a shim for them, too, but lab.sh does not set it up. What Intel's drivers",
             "say of themselves is in [the profiles](../tests/profiles/devices.md).", "",
             "mali:7402 is a Bifrost GPU, for which PanVK has Vulkan 1.0. Caldera needs 1.1, so everything is declined. Mesa's driver",
             "for PowerVR lacks `bufferDeviceAddress`. So modules with addresses, checks, guards and blocks that capture pointers are",
             "declined, and so are required work-groups that are larger than that device's.", "",
             "| GPU | day | device | driver | Vulkan | OpenCL driver | its images | its checks | offline, addresses | descriptors | images | guards |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for result in results:
        ways = result["ways"]
        lines.append(f"| {result['gpu']} | {days(result)} | {result.get('device', '')} | {result.get('driver', '')} | {result.get('vulkan', '')} | "
                     + " | ".join(cell(ways.get(way)) for way in WAYS) + " |")
    lines += ["", "## Beside GLSL", "",
              "`bench` has a twin in GLSL for each kernel. These are ratios of what the drivers say of their code, ours over the twin:",
              "the geometric mean, and the worst kernels. Each module has the local size of its twin, and the twin keeps denormals",
              "where ours does. On devices that cannot add floats in memory, both do so by compare and exchange. V3DV keeps a loop",
              "that its source wants unrolled, whose instructions count once: there the twin is unrolled by spirv-opt. The OpenCL",
              "driver runs these kernels in the form that the last column names (`slow_addresses` in [driver quirks](driver-quirks.md)).", "",
              "| GPU | figure | addresses | worst | descriptors | worst | the OpenCL driver uses |", "|---|---|---|---|---|---|---|"]
    lines += [twin_line(result) for result in results if result.get("twins", {}).get("ratios")]
    above = [f"| {result['gpu']} | {way}{'' if way == way_of_driver(result) else ', not used'} | {kernel} | {ratio[way]:.2f} | {reason_of(result['gpu'], way, kernel)} |"
             for result in results for way in TWINS for kernel, ratio in result.get("twins", {}).get("ratios", {}).items()
             if ratio.get(way, 0) > ABOVE]
    if above:
        lines += ["", f"These kernels are above {ABOVE:.2f}, each with its reason:", "", "| GPU | by | kernel | ratio | reason |", "|---|---|---|---|---|", *above]
    with_strangers = [result for result in results if result.get("strangers", {}).get("ways")]
    if with_strangers:
        lines += ["", "## Kernels of strangers", "",
                  "OpenCL C files of programs in Debian's packages that clang accepts, of [the corpus](../tests/evaluation/corpus),",
                  "each with its program's options. Offline; the numbers are as above.", "",
                  "| GPU | day | files | packages | " + " | ".join(STRANGERS_WAYS) + " |", "|---|---|---|---|" + "---|" * len(STRANGERS_WAYS)]
        lines += [f"| {result['gpu']} | {result['strangers']['date']} | {result['strangers']['files']} | {result['strangers']['packages']} | "
                  + " | ".join(cell(result["strangers"]["ways"].get(way)) for way in STRANGERS_WAYS) + " |" for result in with_strangers]
        of_strangers = [{"gpu": result["gpu"], "ways": result["strangers"]["ways"]} for result in with_strangers]
        faults = fault_rows(of_strangers, ("refused", "crash", "timeout", "slow"),
                            lambda row: (row["verdict"], f"{package_of(row['file'])}: {pathlib.Path(row['file']).name} {row['kernel']}", row["remark"]))
        lines += ["", "| verdict | kernel | message | GPUs |", "|---|---|---|---|", *faults] if faults else []
        declined = fault_rows(of_strangers, ("declined",), lambda row: (kind_of(row["remark"]),))
        lines += ["", "| declined | GPUs |", "|---|---|", *declined] if declined else []
    lines += ["", "## Faults", "", "Behind a GPU is the number of kernels, in all ways together.", ""]
    faults = fault_rows(results, ("refused", "crash", "timeout", "slow"),
                        lambda row: (row["verdict"], f"{row['file']} {row['kernel']}", row["remark"]))
    lines += ["| verdict | kernel | message | GPUs |", "|---|---|---|---|", *faults] if faults else ["None."]
    lines += ["", "## Declined", "", "| message | GPUs |", "|---|---|"]
    lines += fault_rows(results, ("declined",), lambda row: (kind_of(row["remark"]),))
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path, help="the build folder")
    parser.add_argument("--gpus", help="names of lab.sh, or `here`, apart by commas")
    parser.add_argument("--ways", default=",".join(WAYS), help=", ".join(WAYS))
    parser.add_argument("--files", nargs="+", type=pathlib.Path, help="OpenCL C files of the project instead of all")
    parser.add_argument("--static", action="store_true",
                        help="compare the drivers' figures for the kernels of tests/evaluation/bench with those of their GLSL twins")
    parser.add_argument("--strangers", type=pathlib.Path, metavar="FOLDER",
                        help="compile the kernels of tests/evaluation/corpus instead; FOLDER is corpus.py's, in this project")
    parser.add_argument("--table", action="store_true", help="write docs/devices.md")
    parser.add_argument("--check", action="store_true", help="exit with 1 if docs/devices.md is not what --table would write")
    arguments = parser.parse_args()
    if arguments.check:
        return 0 if PAGE.read_text(encoding="utf-8") == page() else 1
    if arguments.table:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if arguments.build is None:
        parser.error("name the build folder, or --table")
    files = [path.resolve() for path in arguments.files or []] or sorted(
        list((ROOT / "tests/exec").rglob("*.cl")) + list((ROOT / "tests/evaluation/bench/kernels").glob("*.cl"))
        + list((ROOT / "examples").rglob("*.cl")))
    gpus = arguments.gpus.split(",") if arguments.gpus else subprocess.run(
        LAB + ["--list"], capture_output=True, text=True, check=True).stdout.split()
    good = True
    foreign = strangers(arguments.strangers.resolve()) if arguments.strangers else {}
    for gpu in gpus:
        if foreign:
            found = judge_strangers(gpu, arguments.build.resolve(), foreign)
            good &= is_good(found)
            if gpu != "here":
                keep(gpu, {"strangers": found})
            continue
        if arguments.static:
            compare_with_twins(gpu, arguments.build.resolve())
            continue
        # Under emulation all of tests/exec takes hours.
        few = [file for file in files if "tests/exec" not in str(file)] if is_arm64(gpu) and not arguments.files else files
        result = judge(gpu, arguments.build.resolve(), few, arguments.ways.split(","))
        good &= is_good(result)
        for way, found in result["ways"].items():
            for row in found["rows"]:
                print(f"  {gpu} {way} {row['verdict']}: {row['file']} {row['kernel']} {row['remark']}"[:220])
        if gpu != "here" and not arguments.files:
            keep(gpu, result)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
