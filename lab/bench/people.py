"""Measures how long continuing to the end takes in programs as people write them, compared with pdb.

Usage: people.py NPDB [--python P] [--rounds N] [--limit RATIO] [--only NAME,NAME] [--folder DIR]

It runs each program of the folder that has a comment `# hot: CONDITION`, in turn without a debugger,
under pdb and under npdb. pdb continues with a breakpoint on that line with that condition, which is
never true; npdb records and continues. The times are CPU time, user and system, of the whole process
tree, including the start. The ratio is npdb's time divided by pdb's. A run of npdb that takes longer
than --limit times pdb's is stopped, and its ratio is then the limit. pdb is the interpreter's own;
from Python 3.14 on it implements breakpoints with sys.monitoring.

The programs of the folder hard are short, and their values are expensive to record: own reprs,
slots, exact numbers, deep nesting and many generators. Each of them once took a hundred times as
long as pdb. They are measured too, unless --folder names other programs.

NPDB_PYPERFORMANCE can be the path of a checkout of pyperformance. Its programs in pure Python are
then measured as well. A program that is missing in the checkout, or whose data is missing, has a row
without figures and does not count in a median. The exit code is 1 if a target is missed or a program
is missing.
"""

import os
import statistics
import sys
import tempfile

import suite
from running import Failure, Run, arguments, environment

HERE = os.path.dirname(os.path.abspath(__file__))
MEDIAN, WORST, WORST_HARD = 3, 10, 8


class Row:
    """The measurements of one program: medians of the rounds."""

    def __init__(self, program, limit):
        self.program = program
        self.limit = limit
        self.bare, self.pdb, self.npdb, self.peak = [], [], [], []
        self.missing = None  # the reason why the program fails even without a debugger, if it does
        self.wrong = None  # an error that npdb caused in the program, if any
        self.stopped = False

    def median(self, name):
        return statistics.median(getattr(self, name))

    @property
    def ratio(self):
        if self.stopped or self.wrong:
            return self.limit
        return self.median("npdb") / self.median("pdb")

    def __str__(self):
        if self.missing:
            return f"{self.program.name:<26} not run: {self.missing}"
        text = f"{self.program.name:<26}{self.median('bare'):7.2f}{self.median('pdb'):8.2f}"
        if self.wrong:
            return f"{text}                          {self.wrong}: counts as {self.limit:g}"
        if self.stopped:
            return f"{text}                          stopped: over {self.limit:g} times pdb"
        return f"{text}{self.median('npdb'):9.2f}{self.ratio:9.2f}{self.median('peak') / 1e6:9.0f}"


def measure(program, npdb, python, home, rounds, limit):
    """Run one program in all three configurations, alternating."""
    env = environment(home, PYTHONHASHSEED="0", **program.env)
    command = [program.path, *program.arguments]
    row = Row(program, limit)
    if program.may_fail and not os.path.exists(program.path):
        row.missing = "it is not in this checkout"
        return row
    line, condition = program.hot()
    for _ in range(rounds):
        bare = Run([python, *command], "", env)
        if bare.code != 0 and program.may_fail:
            row.missing = (bare.stderr.strip().splitlines() or [f"it exits with {bare.code}"])[-1]
            break
        pdb = Run(
            [python, "-m", "pdb", *command], f"break {program.path}:{line}, {condition}\ncontinue\nquit\n", env
        )
        if bare.checksum is None:
            raise Failure(f"{program.name} printed no checksum:\n{bare.said()}")
        if pdb.checksum != bare.checksum or "Breakpoint 1 at" not in pdb.stdout:
            raise Failure(f"{program.name} did not run to its end under pdb:\n{pdb.said()}")
        row.bare.append(bare.cpu)
        row.pdb.append(pdb.cpu)
        most = limit * pdb.cpu
        run = Run([npdb, "--plain", "--python", python, *command], "c\nq\n", env, most)
        if run.checksum is None and run.cpu >= 0.9 * most:  # the CPU time of a killed process is not exact
            row.stopped = True
            break
        row.npdb.append(run.cpu)
        row.peak.append(run.peak)
        if run.checksum != bare.checksum:
            row.wrong = "npdb broke the program"
            break
    return row


def table(what, programs, options, home):
    """Measure the programs, print a table of them and return its rows."""
    print(f"{what + ', CPU s':<26}{'bare':>7}{'pdb':>8}{'npdb':>9}{'npdb/pdb':>9}{'peak MB':>9}", flush=True)
    rows = []
    for program in programs:
        row = measure(program, os.path.abspath(options.npdb), options.python, home, options.rounds, options.limit)
        rows.append(row)
        print(row, flush=True)
    return rows


def verdict(what, rows, most):
    """Print the median and the worst ratio beside their targets, and the programs that did not
    run. Return whether both targets are met and all programs ran."""
    missing = ", ".join(sorted(row.program.name for row in rows if row.missing))
    if missing:
        print(f"{what + ', not run: ' + missing:<74} FAIL")
        rows = [row for row in rows if not row.missing]
        if not rows:
            return False
    ratios = [row.ratio for row in rows]
    median, worst = statistics.median(ratios), max(rows, key=lambda row: row.ratio)
    met = median <= MEDIAN and worst.ratio <= most and not missing
    of = f", median of {len(rows)}" if missing else ", median"
    over = ">" if worst.stopped or worst.wrong else " "
    print(f"{what + of:<48} {median:8.2f} x  at most {MEDIAN:<4} {'PASS' if median <= MEDIAN else 'FAIL'}")
    print(
        f"{what + ', worst (' + worst.program.name + ')':<48}{over}{worst.ratio:8.2f} x  "
        f"at most {most:<4} {'PASS' if worst.ratio <= most else 'FAIL'}"
    )
    return met


def main():
    parser = arguments(__doc__, rounds=1)
    parser.add_argument("--limit", type=float, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--folder", default=os.path.join(HERE, "programs"))
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    groups = [("people's programs", suite.people(options.folder), WORST)]
    if options.folder == parser.get_default("folder"):
        groups.append(("hard values", suite.people(os.path.join(HERE, "hard")), WORST_HARD))
    checkout = os.environ.get("NPDB_PYPERFORMANCE")
    if checkout:
        groups.append(("pyperformance", suite.pyperformance(checkout), WORST))
    met, measured = True, False
    with tempfile.TemporaryDirectory() as home:
        for what, programs, worst in groups:
            programs = [program for program in programs if not only or program.name in only]
            if not programs:
                continue
            rows = table(what, programs, options, home)
            print()
            met = verdict(what, rows, worst) and met
            print()
            measured = True
    if not measured:
        raise Failure("there is no program to measure")
    return 0 if met else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Failure, suite.Missing) as failure:
        sys.exit(f"people.py: {failure}")
