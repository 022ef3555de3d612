"""Measures how long code takes that runs unrecorded, by the command fc.

Usage: unrecorded.py NPDB [--python P] [--rounds N]

It runs the program in turn without a debugger, under npdb with `fc` to a breakpoint that is reached
once, at the end, and under pdb with `c` to the same breakpoint. The times are CPU time, user and
system, of the whole process tree. The time of the same run with no work in it is subtracted, so that
the start of npdb does not count. From Python 3.12 on, npdb may take 1.1 times as long as the
program. In older versions npdb has to trace, as pdb does, and may take as long as pdb. The same targets
hold with --record on-demand, where npdb also notes random numbers, times and other values that differ
from run to run. There the script also measures the first backward move after the stop, for which npdb
runs the program again. The exit code is 1 if a target is missed.
"""

import os
import statistics
import sys
import tempfile

from running import Failure, Run, arguments, environment

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "programs", "unrecorded.py")
TURNS = 15_000_000
TRACED_TURNS = 300_000  # fewer turns, because a traced turn takes many times as long


def seconds(command, commands, env):
    """Return the CPU seconds of a command that prints the program's checksum, and the
    checksum."""
    run = Run(command, commands, env).done()
    if run.checksum is None:
        raise Failure(f"{command} printed no checksum:\n{run.said()}")
    if commands and "report()" not in run.stdout:
        raise Failure(f"{command} did not stop at the breakpoint:\n{run.said()}")
    return run.cpu, run.checksum


def main():
    options = arguments(__doc__, rounds=3).parse_args()
    version = Run([options.python, "-c", "import sys; print('%d %d' % sys.version_info[:2])"]).done().stdout
    watched = tuple(map(int, version.split())) >= (3, 12)
    turns = TURNS if watched else TRACED_TURNS
    with tempfile.TemporaryDirectory() as home:
        env = environment(home)
        npdb = [os.path.abspath(options.npdb), "--plain", "--python", options.python, PROGRAM]
        compared = [options.python, PROGRAM] if watched else [options.python, "-m", "pdb", PROGRAM]

        def work(command, commands):
            started, _ = seconds([*command, "0"], commands, env)
            whole, said = seconds([*command, str(turns)], commands, env)
            return whole - started, said

        ours, theirs, noted, back = [], [], [], []
        demand = [*npdb[:2], "--record", "on-demand", *npdb[2:]]
        for _ in range(options.rounds):
            a, said = work(npdb, "tbreak report\nfc\nc\nq\n")
            b, truth = work(compared, "" if watched else "tbreak report\nc\nc\nq\n")
            if said != truth:
                raise Failure("npdb and Python saw different results")
            c, _ = work(demand, "tbreak report\nc\nc\nq\n")
            d, _ = work(demand, "tbreak report\nc\nrn\nc\nq\n")
            noted.append(c)
            back.append(d - c)
            ours.append(a)
            theirs.append(b)
    mine, other = statistics.median(ours), statistics.median(theirs)
    what, most = ("plain Python", 1.1) if watched else ("pdb", 1.0)
    print(f"fc behind the hot code: npdb {mine:.2f} s, {what} {other:.2f} s of CPU time")
    met = True
    for name, ratio in ("fc", mine / other), ("c with --record on-demand", statistics.median(noted) / other):
        met = met and ratio <= most
        print(f"{name + ', relative to ' + what:<48} {ratio:8.2f} x  at most {most:<4} {'PASS' if ratio <= most else 'FAIL'}")
    behind = statistics.median(back)
    print(f"the first rn after that stop: {behind:.2f} s, {behind / other:.2f} x {what}")
    return 0 if met else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"unrecorded.py: {failure}")
