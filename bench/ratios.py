"""Measures npdb against its baselines and prints ratios beside their targets.

Usage: ratios.py NPDB [--python P] [--rounds N]

All numbers of a row come from this one run on this one machine: they compare,
they are not absolute. Runs that are compared alternate, the median counts.
Exit code 1 if a target is missed.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
PROGRAM = os.path.join(HERE, "programs", "cpubound.py")
PDB_STEPS = 5000


class Failure(Exception):
    """A measured command did not do what it should."""


class Run:
    """One finished command: wall seconds, peak resident bytes, its output.

    The peak is the largest of the process and of the children it waited for.
    """

    def __init__(self, command, commands="", env=None):
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            stdin.write(commands.encode())
            stdin.seek(0)
            begin = time.perf_counter()
            process = subprocess.Popen(command, stdin=stdin, stdout=out, stderr=err, env=env)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds = time.perf_counter() - begin
            process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
            out.seek(0)
            err.seek(0)
            self.stdout = out.read().decode(errors="replace")
            self.stderr = err.read().decode(errors="replace")
        # Linux counts kilobytes, macOS bytes.
        self.peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        if process.returncode != 0:
            raise Failure(f"{command} exited with {process.returncode}:\n{self.stdout[-2000:]}{self.stderr[-2000:]}")


class Meter:
    """Runs npdb and its baselines with one interpreter, in a home of its own."""

    def __init__(self, npdb, python, home):
        self.npdb = [npdb, "--plain", "--python", python]
        self.python = python
        self.env = {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home}
        self.home = home

    def through(self, program):
        """Run program under npdb by `c` to its end."""
        return Run([*self.npdb, program], "c\nq\n", self.env)

    def baseline(self):
        """Run the bare trace function; return the run and its number of events."""
        script = os.path.join(HERE, "baseline", "settrace_json.py")
        output = os.path.join(self.home, "events.jsonl")
        run = Run([self.python, script, output, PROGRAM], env=self.env)
        return run, int(re.search(r"(\d+) events", run.stderr).group(1))

    def pdb_step(self):
        """Return the seconds that one step takes under a driven pdb."""
        script = os.path.join(HERE, "baseline", "drive_pdb.py")
        return float(Run([self.python, script, str(PDB_STEPS), PROGRAM], env=self.env).stdout)

    def bare_start(self):
        """Return the seconds that an interpreter takes that has nothing to do."""
        return Run([self.python, "-c", "pass"], env=self.env).seconds

    def first_stop(self, program):
        """Return the seconds from starting npdb until its first stop is printed."""
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


def checksum(run):
    """Return the result of the program, to see that both runs did the work."""
    found = re.search(r"checksum \d+", run.stdout)
    if not found:
        raise Failure(f"the program printed no checksum:\n{run.stdout[-2000:]}")
    return found.group()


def measure(meter, rounds):
    """Yield (what, measured value, target, unit, whether the target is met)."""
    engine, bare, peaks = [], [], []
    for _ in range(rounds):
        run = meter.through(PROGRAM)
        baseline, events = meter.baseline()
        if checksum(run) != checksum(baseline):
            raise Failure("npdb and the baseline saw different results")
        engine.append(run.seconds)
        bare.append(baseline.seconds)
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
    # What is idle is not taken off: it may be Python's peak, not npdb's, and
    # would then hide a part of the recording.
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("npdb")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"the machine is busy (load {load:.1f}): npdb's two processes will have to share a core")
    print("python", Run([options.python, "-c", "import sys; print(sys.version)"]).stdout.strip())
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
