#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""disk_cache.py CACHED_PROGRAMS: whatever happens to the cache on disk, programs run and their results are right."""
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

WORKER = sys.argv[1]
base = tempfile.mkdtemp(prefix="caldera_disk_cache_")
cache = os.path.join(base, "cache")
random.seed(1)


def start(first, count, **how):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CALDERA_CACHE")}
    environment["CALDERA_CACHE_DIR"] = cache
    environment.update(how.pop("environment", {}))
    environment = {k: v for k, v in environment.items() if v is not None}
    return subprocess.Popen([WORKER, str(first), str(count)], env=environment, **how)


def run(first, count, **how):
    code = start(first, count, **how).wait(timeout=300)
    assert code == 0, f"the programs failed: {code}"


def entries(folder=cache):
    """Names of whole entries with what tells one file from a later one of the same name."""
    found = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        if len(name) == 32:
            found[name] = os.stat(os.path.join(folder, name)).st_ino
    return found


def test_warm_start():
    run(0, 4)
    first = entries()
    assert len(first) >= 8, first  # a compilation and a translation each
    for name in first:
        assert stat.S_IMODE(os.stat(os.path.join(cache, name)).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(cache).st_mode) == 0o700
    run(0, 4)
    assert entries() == first


def test_damaged_entries():
    for _ in range(12):
        before = entries()
        for name in before:
            path = os.path.join(cache, name)
            with open(path, "rb") as file:
                data = bytearray(file.read())
            if random.random() < 0.3:
                data = data[: random.randrange(len(data))]
            else:
                data[random.randrange(len(data))] ^= 1 << random.randrange(8)
            with open(path, "wb") as file:
                file.write(data)
        run(0, 4)
        after = entries()
        assert after.keys() == before.keys()
        assert all(after[name] != before[name] for name in after), "a damaged entry was taken"


def test_shared_by_processes():
    workers = [start(100 + 2 * i, 20) for i in range(8)]
    assert [worker.wait(timeout=300) for worker in workers] == [0] * 8
    before = entries()
    run(100, 34)
    assert entries() == before, "an entry is missing"


def test_killed_writers():
    for i in range(30):
        worker = start(1000 + 20 * i, 20)
        time.sleep(random.uniform(0.02, 0.25))
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    run(1000, 60)
    run(1000, 60)


def test_no_place():
    for folder in ["/dev/null/none", "/proc/none"]:
        run(0, 1, environment={"CALDERA_CACHE_DIR": folder})
    run(0, 1, environment={"CALDERA_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": None})
    elsewhere = os.path.join(base, "xdg")
    run(0, 1, environment={"CALDERA_CACHE_DIR": None, "XDG_CACHE_HOME": elsewhere})
    assert entries(os.path.join(elsewhere, "caldera"))
    off = os.path.join(base, "off")
    run(0, 1, environment={"CALDERA_CACHE_DIR": off, "CALDERA_CACHE": "0"})
    assert not os.path.exists(off)


def test_full_disk():
    # Files may not grow: as on a full disk, and the kernel sends a signal besides.
    small = os.path.join(base, "small")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    run(0, 2, environment={"CALDERA_CACHE_DIR": small}, preexec_fn=limit)
    # A file system of 64 KiB, where mounting one is allowed.
    disk = os.path.join(base, "disk")
    os.mkdir(disk)
    script = f"mount -t tmpfs -o size=64k,mode=700 none {disk} && '{WORKER}' 0 12 && '{WORKER}' 0 12; code=$?; df {disk} | tail -1; exit $code"
    environment = {**os.environ, "CALDERA_CACHE_DIR": disk}
    environment.pop("CALDERA_CACHE", None)
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0:
        done = subprocess.run(["unshare", "-rm", "sh", "-c", script], env=environment, timeout=300)
        assert done.returncode == 0, "a full disk stopped the programs"


def test_bound():
    bounded = os.path.join(base, "bounded")
    run(0, 30, environment={"CALDERA_CACHE_DIR": bounded, "CALDERA_CACHE_SIZE": "100K"})
    total = sum(os.stat(os.path.join(bounded, name)).st_size for name in entries(bounded))
    assert 0 < total <= 100 << 10, total


try:
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            started = time.time()
            test()
            print(f"{name}: passed in {time.time() - started:.1f} s", flush=True)
finally:
    shutil.rmtree(base, ignore_errors=True)
