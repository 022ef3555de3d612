"""Measures what running unrecorded costs: fc to a breakpoint behind the hot code.

Usage: unrecorded.py NPDB [--python P] [--rounds N]

It runs the program bare, under npdb with `fc` to a breakpoint that is met once at the
end, and under pdb with `c` to the same breakpoint, alternating. The times are CPU time,
user and system, of the whole process tree. The time of the same run without any work is
subtracted, so that the start of npdb does not count. From Python 3.12 on npdb may take
1.1 times as long as the program. Before, it may take as long as pdb, because both have
to trace there. The exit code is 1 if the target is missed.
"""

import os
import statistics
import sys
import tempfile

from running import Failure, Run, arguments, environment

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "programs", "unrecorded.py")
TURNS = 15_000_000
TRACED_TURNS = 300_000  # fewer turns, because tracing makes each many times as slow


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

        ours, theirs = [], []
        for _ in range(options.rounds):
            a, said = work(npdb, "tbreak report\nfc\nc\nq\n")
            b, truth = work(compared, "" if watched else "tbreak report\nc\nc\nq\n")
            if said != truth:
                raise Failure("npdb and Python saw different results")
            ours.append(a)
            theirs.append(b)
    mine, other = statistics.median(ours), statistics.median(theirs)
    what, most = ("plain Python", 1.1) if watched else ("pdb", 1.0)
    print(f"fc behind the hot code: npdb {mine:.2f} s, {what} {other:.2f} s of CPU time")
    ratio = mine / other
    met = ratio <= most
    print(f"{'fc, relative to ' + what:<48} {ratio:8.2f} x  at most {most:<4} {'PASS' if met else 'FAIL'}")
    return 0 if met else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"unrecorded.py: {failure}")
