"""Measures npdb against its baselines and prints ratios beside their targets.

Usage: ratios.py NPDB [--python P] [--rounds N]

All numbers of a row come from this one run on this one machine: compare them, but do
not read them as absolute numbers. Runs that are compared alternate, and each number is
a median. The exit code is 1 if a target is missed.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from running import Failure, Run, arguments, environment

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PROGRAM = os.path.join(HERE, "programs", "cpubound.py")
PDB_STEPS = 5000


class Meter:
    """Runs npdb and its baselines with one interpreter, in a temporary home directory."""

    def __init__(self, npdb, python, home):
        self.npdb = [npdb, "--plain", "--python", python]
        self.python = python
        self.env = environment(home)
        self.home = home

    def through(self, program):
        """Run program under npdb with `c` to its end."""
        return Run([*self.npdb, program], "c\nq\n", self.env).done()

    def baseline(self):
        """Run the bare trace function; return the run and its number of events."""
        script = os.path.join(HERE, "baseline", "settrace_json.py")
        output = os.path.join(self.home, "events.jsonl")
        run = Run([self.python, script, output, PROGRAM], env=self.env).done()
        return run, int(re.search(r"(\d+) events", run.stderr).group(1))

    def pdb_step(self):
        """Return the seconds that one step takes under pdb, controlled through pipes."""
        script = os.path.join(HERE, "baseline", "drive_pdb.py")
        return float(Run([self.python, script, str(PDB_STEPS), PROGRAM], env=self.env).done().stdout)

    def bare_start(self):
        """Return the seconds that an interpreter takes for an empty program."""
        return Run([self.python, "-c", "pass"], env=self.env).done().wall

    def first_stop(self, program):
        """Return the seconds from the start of npdb until it has printed its first
        stop."""
        begin = time.perf_counter()
        process = subprocess.Popen(
            [*self.npdb, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.env
        )
        for line in process.stdout:
            if line.startswith(b"> "):
                break
        else:
            raise Failure("npdb ended before its first stop")
        seconds = time.perf_counter() - begin
        process.communicate(b"q\n")
        return seconds


def measure(meter, rounds):
    """Yield (measurement, value, target, unit, whether the target is met)."""
    engine, bare, peaks = [], [], []
    for _ in range(rounds):
        run = meter.through(PROGRAM)
        baseline, events = meter.baseline()
        if run.checksum is None:
            raise Failure(f"the program printed no checksum:\n{run.said()}")
        if run.checksum != baseline.checksum:
            raise Failure("npdb and the baseline saw different results")
        engine.append(run.wall)
        bare.append(baseline.wall)
        peaks.append(run.peak)
    seconds, bare_seconds = statistics.median(engine), statistics.median(bare)
    print(f"{events} events: npdb {seconds:.2f} s, settrace with JSON lines {bare_seconds:.2f} s")
    ratio = seconds / bare_seconds
    yield "continue, relative to settrace with JSON lines", ratio, "at most 0.6", "x", ratio <= 0.6

    step = statistics.median(meter.pdb_step() for _ in range(rounds))
    print(f"per event: npdb {seconds / events * 1e6:.2f} µs, a driven pdb {step * 1e6:.2f} µs")
    gain = step * events / seconds
    yield "driving pdb, relative to continue", gain, "at least 10", "x", gain >= 10

    small = os.path.join(meter.home, "small.py")
    with open(small, "w", encoding="utf-8") as file:
        file.write("x = 1\n")
    idle = statistics.median(meter.through(small).peak for _ in range(rounds))
    peak = statistics.median(peaks)
    print(f"peak memory: idle {idle / 1e6:.1f} MB, with the recording {peak / 1e6:.1f} MB")
    # The memory of an idle npdb is not subtracted. Its peak may be that of Python, and then the
    # difference would hide a part of the recording.
    per_event = peak / events
    yield "memory of an event, all of npdb counted", per_event, "at most 100", "B", per_event <= 100

    first, bare_start = [], []
    for _ in range(7 * rounds):
        first.append(meter.first_stop(small))
        bare_start.append(meter.bare_start())
    first, bare_start = statistics.median(first), statistics.median(bare_start)
    print(f"start: npdb's first stop {first * 1e3:.1f} ms, python -c pass {bare_start * 1e3:.1f} ms")
    ratio = first / bare_start
    yield "first stop, relative to python -c pass", ratio, "at most 3", "x", ratio <= 3


def main():
    options = arguments(__doc__, rounds=3).parse_args()
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"the machine is busy (load {load:.1f}): npdb's two processes will have to share a core")
    print("python", Run([options.python, "-c", "import sys; print(sys.version)"]).done().stdout.strip())
    with tempfile.TemporaryDirectory() as home:
        rows = list(measure(Meter(os.path.abspath(options.npdb), options.python, home), options.rounds))
    print()
    for what, value, target, unit, met in rows:
        print(f"{what:<48} {value:8.2f} {unit:<2} {target:<12} {'PASS' if met else 'FAIL'}")
    return 0 if all(row[-1] for row in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"ratios.py: {failure}")
