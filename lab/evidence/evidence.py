"""Compares npdb with other debuggers on the bugs of the folder bugs.

Usage: evidence.py NPDB CHECKOUTS [--only NAME,NAME] [--debuggers NAME,NAME] [--python P]
    [--pyttd P] [--rounds N] [--page FILE]

Each debugger plays its script of each bug, from the failing test to the cause. A session has to show the
bug's line and the values that prove that the line is wrong, or its row fails. Two recordings of pyttd may differ,
so what its sessions do not show is counted and printed, and is a failure only if it shows no bug at all. The
rows count the commands, the bytes that the debugger printed, and the seconds of the whole session (median of the
rounds). The order of the debuggers changes from round to round. --pyttd names a Python with pyttd, for a second
part with npdb, pdb and pyttd. --page writes the tables into a page, between two marks. The exit code is 1 if a
row fails."""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import bugs
import proof
from adapter import Debugpy
from backwards import Pyttd
from prompt import Npdb, Pdb
from screen import Pudb

DEBUGGERS = {d.name: d for d in (Npdb, Pdb, Debugpy, Pudb, Pyttd)}
FIRST, SECOND = "npdb,pdb,debugpy,pudb", "npdb,pdb,pyttd"
MARKS = "<!-- lab/evidence/run: begins -->", "<!-- lab/evidence/run: ends -->"


class Row:
    """The measurements of a debugger for a bug."""

    def __init__(self, bug, debugger):
        self.bug, self.debugger = bug, debugger
        self.commands, self.bytes, self.seconds, self.wrong = 0, 0, [], None
        self.lacks = []  # what the sessions of a debugger that samples do not show

    def play(self, folder):
        """Plays the script once, if there is one. If the session does not show the cause, the row gets an error."""
        if isinstance(self.debugger, Pyttd) and not self.bug.pyttd:
            return
        turns, seconds = self.debugger.play(self.bug, folder)
        self.commands = sum(turn.cost for turn in turns[1:])
        self.bytes = sum(len(turn.text.replace(f"{folder}/", "").encode()) for turn in turns)
        self.seconds.append(seconds)
        file, number = self.bug.cause.rsplit(":", 1)
        source = (Path(folder) / file).read_text().splitlines()[int(number) - 1]
        lacks = proof.missing(turns, self.bug.cause, source, self.bug.proof)
        if lacks and self.debugger.samples:
            self.lacks.append(lacks)
        elif lacks:
            self.wrong = f"{self.bug.name}, {self.debugger.name}: the session does not show {lacks}"

    @property
    def unshown(self):
        """Says why the debugger does not show the cause in every round, "" if it does."""
        why = self.bug.unshown.get(self.debugger.name, "")
        if not self.seconds:
            return why
        if not self.lacks:
            return ""
        said = f"in {len(self.lacks)} of {len(self.seconds)} rounds the session does not show {self.lacks[0]}"
        return f"{said} ({why})" if why else said

    @property
    def time(self):
        return statistics.median(self.seconds)


def fails(bug, folder, python):
    """Checks that the failing test fails as the bug's file says."""
    done = subprocess.run([python, bugs.FAILING], cwd=folder, capture_output=True, text=True)
    last = re.sub(" at 0x[0-9a-f]+", "", (done.stderr.strip().splitlines() or [""])[-1])
    if done.returncode != 1 or last != bug.error:
        return f"{bug.name}: {bugs.FAILING} exits with {done.returncode} and {last!r}, not with {bug.error!r}"
    return None


def measure(options, python, names, scratch):
    """Plays the scripts of some debuggers. Returns the rows by bug, and what went wrong."""
    npdb = os.path.abspath(options.npdb)
    players = [DEBUGGERS[name](python, npdb) for name in names]
    rows, wrong = {}, []
    for bug in bugs.read(options.only.split(",") if options.only else ()):
        folder = bug.check_out(options.checkouts, scratch)
        if said := fails(bug, folder, python):
            wrong.append(said)
            continue
        rows[bug] = row = {player.name: Row(bug, player) for player in players}
        for number in range(options.rounds):
            for player in players[number % len(players):] + players[:number % len(players)]:
                row[player.name].play(folder)
        wrong += [r.wrong for r in row.values() if r.wrong]
        print(line(bug, row), flush=True)
    for name in names:
        if not options.only and rows and all(row[name].unshown for row in rows.values()):
            wrong.append(f"{name} shows no bug: play one with --only and look at what its session prints")
    return rows, wrong


def line(bug, row):
    """Returns the row of the page's table."""
    cells = [bug.name]
    for one in row.values():
        said = "fails" if one.wrong else "not shown" if one.unshown else ""
        cells += [said] * 3 if said else [str(one.commands), f"{one.time:.2f}", f"{one.bytes:,}"]
    return f"| {' | '.join(cells)} |"


def head(names):
    """Returns the first rows of the table."""
    cells = ["bug"] + [f"{name} {what}" for name in names for what in ("commands", "s", "bytes")]
    return [f"| {' | '.join(cells)} |", "| --- |" + " ---: |" * (len(cells) - 1)]


def summary(rows, names):
    """Returns the table of medians, and of the median ratios to npdb's figures. It counts only the bugs that all
    debuggers show."""
    good = [row for row in rows.values() if not any(r.wrong or r.unshown for r in row.values())]
    table = [f"| of {len(good)} bugs | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    if len(good) < len(rows):
        shown = [sum(not (row[name].wrong or row[name].unshown) for row in rows.values()) for name in names]
        table.append(f"| shown of {len(rows)} bugs | " + " | ".join(map(str, shown)) + " |")
    if not good:
        return table
    for what, of, form in (("commands", lambda r: r.commands, "{:g}"), ("seconds", lambda r: r.time, "{:.2f}"),
                           ("bytes", lambda r: r.bytes, "{:,.0f}")):
        medians = [form.format(statistics.median(of(row[name]) for row in good)) for name in names]
        table.append(f"| median {what} | " + " | ".join(medians) + " |")
        ratios = [statistics.median(of(row[name]) / of(row["npdb"]) for row in good) for name in names]
        table.append(f"| {what}, median ratio to npdb | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")
        least = [sum(of(row[name]) == min(of(r) for r in row.values()) for row in good) for name in names]
        table.append(f"| bugs with the fewest {what} | " + " | ".join(map(str, least)) + " |")
    return table


def reasons(rows):
    """Returns the list of the causes that are not shown, with the reasons."""
    unshown = [r for row in rows.values() for r in row.values() if r.unshown]
    return [f"- {r.debugger.name}, {r.bug.name}: {r.unshown}." for r in unshown]


def versions(python, rounds, names):
    """Returns a line with the versions of what was measured."""
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    parts = [f"Python {said(python, '-c', 'import platform; print(platform.python_version())')}"]
    if "debugpy" in names:
        parts.append(f"debugpy {said(python, '-c', 'import debugpy; print(debugpy.__version__)')}")
    if "pudb" in names:
        parts.append(f"pudb {said(python, '-c', 'import pudb; print(pudb.VERSION)')}")
    if "pyttd" in names:
        parts.append(f"pyttd {said(python, '-c', 'import pyttd; print(pyttd.__version__)')}")
    return f"{', '.join(parts)}; {'one round' if rounds == 1 else f'median of {rounds} rounds'}."


def around(page):
    """Returns the texts of a page before and after its tables, which stand between the marks."""
    try:
        parts = re.split("|".join(map(re.escape, MARKS)), Path(page).read_text())
    except OSError as error:
        sys.exit(f"--page: {error}")
    if len(parts) != 3:
        sys.exit(f"--page: {page} does not have the lines {MARKS[0]} and {MARKS[1]} once each")
    return parts[0], parts[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("npdb")
    parser.add_argument("checkouts")
    parser.add_argument("--only", default="")
    parser.add_argument("--debuggers", default=FIRST)
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--pyttd", help="a Python with pyttd")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--page")
    options = parser.parse_args()
    parts = [(options.python, options.debuggers)] if options.debuggers else []
    if options.pyttd:
        parts.append((os.path.abspath(options.pyttd), SECOND))
    elif options.page:
        sys.exit("--page needs --pyttd too: the page has both parts")
    before, after = around(options.page) if options.page else ("", "")
    lines, failed = [], []
    for python, names in parts:
        names = names.split(",")
        print("\n".join(head(names)))
        with tempfile.TemporaryDirectory() as scratch:
            rows, wrong = measure(options, python, names, os.path.realpath(scratch))
        medians = summary(rows, names) if "npdb" in names and rows else []
        why = reasons(rows)
        print("\n".join(["", *medians, "", *why, *wrong, ""]))
        table = [*head(names), *(line(bug, row) for bug, row in rows.items())]
        lines += ["\n".join(part) for part in ([versions(python, options.rounds, names)], medians, table, why) if part]
        failed += wrong
    if options.page and not failed:
        Path(options.page).write_text(before + "\n\n".join([MARKS[0], *lines, MARKS[1]]) + after)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
