#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""soak.py [--seconds=600] [--kill=30] [--long=60] [--same] COMMAND…: runs commands of a shell side by side, each again and
again, for that time. Every --kill seconds one of them is killed, in turn, while it runs; 0 kills none. Fails when

    a run that was not killed ends with an error, or with --same prints other than the first run of its command
    resident memory or open files grow, from run to run, or within a run of --long seconds or more

and prints for each command its runs, those killed and failed, and the peaks of memory and open files: medians of early and
of late runs, or the largest of few runs. Memory and files are those of a command's processes together, from /proc, four
times a second.
"""
import argparse
import hashlib
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

TICK = 0.25  # seconds between two looks at the processes
WARM_UP = 0.3  # the share of a long run in which it may still grow
# late values above FACTOR times early ones plus the room are growth
FACTOR, MEMORY_ROOM, FILES_ROOM = 1.2, 16, 4  # MiB, files


def processes(group):
    """The processes of a session, which a command leads."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as file:
                session = int(file.read().rpartition(")")[2].split()[3])
        except (OSError, ValueError):
            continue  # it has ended
        if session == group:
            found.append(int(name))
    return found


def use(group):
    """Resident memory in MiB, and open files."""
    memory = files = 0
    for process in processes(group):
        try:
            with open(f"/proc/{process}/statm") as file:
                memory += int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            files += len(os.listdir(f"/proc/{process}/fd"))
        except OSError:
            pass
    return memory / 2**20, files


def grown(values, room):
    """The medians of the first and of the last third, and whether the last is growth; None where there are too few."""
    if len(values) < 6:
        return None
    third = len(values) // 3
    early, late = statistics.median(values[:third]), statistics.median(values[-third:])
    return early, late, late > FACTOR * early + room


class Slot:
    """One command and its runs."""

    def __init__(self, command, folder, at, args):
        self.command, self.path, self.same, self.long = command, f"{folder}/{at}", args.same, args.long
        self.runs = self.failed = self.killed = 0
        self.peaks, self.faults = [], []
        self.largest = (0, 0)  # of all runs, killed ones too
        self.printed = self.within = None
        self.start()

    def start(self):
        self.output = open(self.path, "wb")
        self.process = subprocess.Popen(self.command, shell=True, start_new_session=True, stdin=subprocess.DEVNULL,
                                        stdout=self.output, stderr=subprocess.STDOUT)
        self.samples, self.begin = [], time.monotonic()

    def look(self):
        """Takes a sample; when the run has ended, judges it and starts the next."""
        if self.process.poll() is None:
            self.samples.append(use(self.process.pid))
            self.largest = tuple(map(max, self.largest, self.samples[-1]))
            return
        self.runs += 1
        self.output.close()
        self.judge_run()
        self.take_peaks()
        with open(self.path, "rb") as file:
            text = file.read()
        printed = hashlib.sha256(text).digest()
        self.printed = self.printed or printed
        if self.process.returncode != 0:
            self.fail(f"code {self.process.returncode}: {text[-300:].decode(errors='replace')}")
        elif self.same and printed != self.printed:
            self.fail("prints other than its first run did")
        self.start()

    def fail(self, why):
        self.failed += 1
        self.faults.append(why)

    def judge_run(self):
        """Whether the run grew, until it ended or was killed."""
        if time.monotonic() - self.begin >= self.long:
            self.judge_growth(self.samples[int(len(self.samples) * WARM_UP):], "within a run")

    def take_peaks(self):
        if self.samples:
            self.peaks.append(tuple(max(sample[at] for sample in self.samples) for at in (0, 1)))

    def judge_growth(self, samples, where):
        for at, (name, room) in enumerate((("memory grows", MEMORY_ROOM), ("files grow", FILES_ROOM))):
            result = grown([sample[at] for sample in samples], room)
            if result and result[2]:
                self.faults.append(f"{name} {where}: {result[0]:.0f} to {result[1]:.0f}")

    def kill(self):
        self.end()
        self.killed += 1
        self.start()

    def end(self):
        self.judge_run()
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.output.close()

    def stop(self):
        self.end()
        self.judge_growth(self.peaks, "from run to run")

    def row(self):
        result = [grown([peak[at] for peak in self.peaks], 0) for at in (0, 1)]
        if result[0]:
            peaks = [f"{result[at][0]:.0f} -> {result[at][1]:.0f}" for at in (0, 1)]
        else:
            peaks = [f"{largest:.0f}" for largest in self.largest]
        return f"{self.runs:5} runs {self.killed:3} killed {self.failed:3} failed   {peaks[0]:>14} MiB {peaks[1]:>10} files   {self.command}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--kill", type=float, default=30)
    parser.add_argument("--long", type=float, default=60)
    parser.add_argument("--same", action="store_true")
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        slots = [Slot(command, folder, at, args) for at, command in enumerate(args.commands)]
        begin = time.monotonic()
        kills = 0
        try:
            while time.monotonic() - begin < args.seconds:
                time.sleep(TICK)
                for slot in slots:
                    slot.look()
                if args.kill and time.monotonic() - begin >= (kills + 1) * args.kill:
                    slots[kills % len(slots)].kill()
                    kills += 1
        finally:
            for slot in slots:
                slot.stop()
    for slot in slots:
        print(slot.row())
        for fault in sorted(set(slot.faults)):
            print(f"      {fault}")
    sys.exit(any(slot.faults for slot in slots))


if __name__ == "__main__":
    main()
