"""Measures recording files: their size, what writing costs, and how fast they open.

Usage: files.py NPDB [--python P] [--rounds N] [--turns N] [--moves N] [--keep FILE]

It records the programs of the folder programs and a loop over numbers of 2 × --turns
events (ten million by default), and prints the bytes per event. It opens the recording
of the loop, and moves from random events of it. All times are CPU time, user and
system, so that other processes disturb them less; the time of a move is that of the whole
answer of npdb open --json. What writing costs is measured on a tenth of the loop, in
pairs: the same session with and without --save. Linux only. The exit code is 1 if a
target is missed.
"""

import glob
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

import suite
from running import Failure, Run, arguments, environment

HERE = os.path.dirname(os.path.abspath(__file__))
LOOP = "def total(n):\n    s = 0\n    for i in range(n):\n        s += i & 7\n    return s\n\n\nprint('checksum', total(%d))\n"
MOVES = ["s", "n", "r", "c", "rs", "rn", "rf", "rc"]


def recorded(npdb, python, program, file, env):
    """Record a program and return the number of events and the bytes per event."""
    run = Run([npdb, "record", "--python", python, "-o", file, *program], env=env).done()
    events = int(re.search(r"([\d,]+) events? in ", run.stderr).group(1).replace(",", ""))
    return events, os.path.getsize(file) / events


def cpu_of(pid):
    """Return the CPU nanoseconds of a process so far."""
    total = 0
    for path in glob.glob(f"/proc/{pid}/task/*/schedstat"):
        with open(path) as file:
            total += int(file.read().split()[0])
    return total


def slowest_move(npdb, file, events, moves, env):
    """Return the CPU milliseconds of the slowest answer to a move, the event it began
    at, and npdb's peak memory."""
    process = subprocess.Popen(
        [npdb, "open", "--json", file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=env
    )

    def answer(command):
        process.stdin.write(command + "\n")
        reply = json.loads(process.stdout.readline())
        if reply["error"]:
            raise Failure(f"{command}: {reply['error']['message']}")

    process.stdout.readline()
    choose, worst = random.Random(1), (0.0, "")
    for _ in range(moves):
        event, move = choose.randrange(events), choose.choice(MOVES)
        answer(f"goto {event}")
        before = cpu_of(process.pid)
        answer(move)
        worst = max(worst, ((cpu_of(process.pid) - before) / 1e6, f"{move} at {event}"))
    process.stdin.close()
    process.stdout.read()
    usage = os.wait4(process.pid, 0)[2]
    process.returncode = 0
    return *worst, usage.ru_maxrss * 1024


def writing(npdb, python, loop, folder, rounds, env):
    """Return by what share --save makes a session longer: the median of pairs."""
    shares = []
    file = os.path.join(folder, "saved.npdb")
    for _ in range(rounds):
        plain = Run([npdb, "--plain", "--python", python, loop], "c\nq\n", env).done()
        saved = Run([npdb, "--plain", "--save", file, "--python", python, loop], "c\nq\n", env).done()
        if plain.checksum is None or saved.checksum != plain.checksum:
            raise Failure("the loop did not run to its end")
        shares.append(saved.cpu / plain.cpu - 1)
    return statistics.median(shares)


def measure(options, folder):
    """Yield (measurement, value, unit, most)."""
    npdb, env = os.path.abspath(options.npdb), environment(folder)
    sizes = []
    for program in suite.people(os.path.join(HERE, "programs")):
        file = os.path.join(folder, program.name + ".npdb")
        events, size = recorded(npdb, options.python, [program.path, *program.arguments], file, env)
        print(f"{program.name:<26}{events:>12,} events{size:8.1f} bytes each", flush=True)
        sizes.append(size)
    yield "bytes per event, people's programs, median", statistics.median(sizes), "", 40

    loop = os.path.join(folder, "loop.py")
    with open(loop, "w") as source:
        source.write(LOOP % (options.turns // 10))
    yield "writing, of the session", 100 * writing(npdb, options.python, loop, folder, options.rounds, env), "%", 15

    with open(loop, "w") as source:
        source.write(LOOP % options.turns)
    file = options.keep or os.path.join(folder, "loop.npdb")
    events, size = recorded(npdb, options.python, [loop], file, env)
    print(f"{'loop over numbers':<26}{events:>12,} events{size:8.1f} bytes each", flush=True)
    yield "bytes per event, loop over numbers", size, "", 8
    runs = [Run([npdb, "open", "--plain", file], "q\n", env).done() for _ in range(options.rounds)]
    yield "opening to the first state", statistics.median(run.cpu for run in runs), "s", 1
    worst, where, memory = slowest_move(npdb, file, events, options.moves, env)
    print(f"slowest of {options.moves:,} moves: {where}")
    yield "slowest move", worst, "ms", 10
    yield "memory after these moves", memory / 1e6, "MB", 300


def main():
    parser = arguments(__doc__, rounds=3)
    parser.add_argument("--turns", type=int, default=5_000_000)
    parser.add_argument("--moves", type=int, default=5_000)
    parser.add_argument("--keep", help="write the recording of the loop to this file and keep it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(options, folder))
    print()
    for what, value, unit, most in rows:
        print(f"{what:<48} {value:8.2f} {unit:<2} at most {most:<4} {'PASS' if value <= most else 'FAIL'}")
    return 0 if all(value <= most for _, value, _, most in rows) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"files.py: {failure}")
