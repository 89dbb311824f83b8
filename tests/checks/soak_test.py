#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/evaluation/soak.py finds planted faults: memory and files that grow, a run that fails, a text that differs."""
import pathlib
import subprocess
import sys
import tempfile

SOAK = pathlib.Path(__file__).resolve().parent.parent / "evaluation" / "soak.py"
LEAKS = "import time; kept = []\nwhile True: kept.append(b'x' * 4000000); time.sleep(0.05)"
OPENS = """import pathlib; count = pathlib.Path('count'); runs = int(count.read_text()) if count.exists() else 0
count.write_text(str(runs + 1)); kept = [open('/dev/null') for _ in range(8 * runs)]; import time; time.sleep(0.4)"""
# what a command does, options, and what the report says of it; nothing where it is at fault
CASES = [
    ("sleep 0.3; echo same", ["--same", "--kill=0"], ""),
    ("sleep 0.3; echo $$", ["--same", "--kill=0"], "prints other than its first run did"),
    ("sleep 0.3; echo words; exit 3", ["--kill=0"], "code 3: words"),
    ("sleep 0.3; exit 0", ["--kill=1"], ""),
    ("exec sleep 100", ["--kill=1"], ""),
    (f"exec {sys.executable} -c \"{LEAKS}\"", ["--kill=0", "--long=3"], "memory grows within a run"),
    (f"exec {sys.executable} -c \"{OPENS}\"", ["--kill=0"], "files grow from run to run"),
]


def main():
    with tempfile.TemporaryDirectory() as folder:
        runs = [(case, subprocess.Popen([SOAK, "--seconds=12", *case[1], case[0]], cwd=folder, text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)) for case in CASES]
        wrong = 0
        for (command, options, expected), process in runs:
            report = process.communicate()[0]
            if process.returncode != bool(expected) or expected not in report or (not expected and report.count("\n") != 1):
                print(f"soak.py {' '.join(options)} {command}\nexpected {expected or 'no fault'!r}, ended with {process.returncode}:\n{report}")
                wrong += 1
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
