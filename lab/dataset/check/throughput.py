"""Measures how fast trajectories are generated, compared with the public replication of the paper.

    git clone https://github.com/ASSERT-KTH/neural-debugger-replication CHECKOUT
    python3.12 throughput.py --replication CHECKOUT --npdb NPDB [--programs FILE]

Both generate trajectories of the same programs, which are functions with a call, on one core.
For npdb it measures `npdb dataset -j 1`, including its start and writing its files. For the
replication it measures what generate_dataset does for each program, without the Hugging Face
data set at the end. Without --programs it generates the programs. A token counts as three
bytes. Seconds are CPU time, for npdb of all its processes together.
"""

import argparse
import ast
import contextlib
import importlib
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rerun.lines import lines_of

BYTES = 3  # the bytes of a token
PATIENCE = 1  # the replication's time limit for a program in seconds; most take some milliseconds


def generated(count, seed):
    """Returns functions of npdb's generator, as lines with code, function and input."""
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "recorder"))
    make = importlib.import_module("maker.programs").make
    found, number = [], 0
    while len(found) < count:
        rng, number = random.Random(f"{seed}/{number}"), number + 1
        program = make(rng, rng.random())
        if program.entry:
            function, _, rest = program.entry.partition("(")
            found.append({"code": program.source, "function": function, "input": rest[:-1]})
    return found


def callable_by_both(line):
    """Returns the values of the arguments. Returns None if the replication would make another call
    than the line says: it calls the first function that the code defines, and evaluates the
    input."""
    space = {}
    try:
        arguments = ast.literal_eval(f"({line['input']},)" if line["input"] else "()")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(line["code"], "<string>", "exec", dont_inherit=True), space)
    except Exception:
        return None
    first = next((v for k, v in space.items() if callable(v) and not isinstance(v, type)), None)
    return arguments if first is space.get(line.get("function", "f"), line) else None


class Hangs(BaseException):
    """Raised if the replication does not finish a program."""


def theirs(checkout, programs, per_trace):
    """Returns the trajectories, bytes and seconds of the replication, and the programs that it
    finished. For some programs its walk up a tree never ends or exceeds the recursion limit;
    these do not count for either side."""
    sys.path.insert(0, checkout)
    generate = importlib.import_module("src.data.generate")
    collector = generate.TraceCollector(max_events=5_000)
    made, size, seconds, done = 0, 0, 0.0, []

    def one(i, line, arguments):
        try:
            events = generate._execute_and_collect(collector, line["code"], arguments)
        except Exception:  # the replication skips programs that raise
            return
        if len(events) < 3:
            return
        tree = generate.build_tree(events)
        for inverse in (False, True):
            for j in range(per_trace):
                policy = generate.TrajectoryPolicy(seed=42 + i * 1000 + j + 500 * inverse)
                steps = policy.sample_inverse(tree) if inverse else policy.sample_forward(tree)
                if len(steps) >= 2:
                    yield len(generate.serialize_trajectory(line["code"], steps).encode())

    def hangs(signum, frame):
        raise Hangs

    signal.signal(signal.SIGVTALRM, hangs)
    with contextlib.redirect_stdout(io.StringIO()):
        for i, (line, arguments) in enumerate(programs):
            began = time.process_time()
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
            try:
                sizes = list(one(i, line, arguments))
            except (Hangs, Exception):
                sys.settrace(None)
                continue
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            seconds += time.process_time() - began
            made, size = made + len(sizes), size + sum(sizes)
            done.append((line, arguments))
    return made, size, seconds, done


def ours(npdb, programs, walks, python):
    """Returns the number of npdb's trajectories, their size in bytes, and the seconds spent."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "programs.jsonl"), Path(folder, "out")
        file.write_text("".join(json.dumps(line) + "\n" for line, _ in programs), encoding="utf-8")
        before = spent()
        subprocess.run(
            [npdb, "dataset", "--out", out, "--programs", file, "--walks", str(walks), "-j", "1", "--python", python,
             "--contain", "limits"],  # the CPU times of processes in a sandbox are not available outside
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        seconds = spent() - before
        sizes = [len(line["text"].encode()) for line in lines_of([str(out)])]
    return len(sizes), sum(sizes), seconds


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--replication", required=True, help="a checkout of the replication")
    p.add_argument("--npdb", default="npdb")
    p.add_argument("--programs", help="JSON lines with code, function and input")
    p.add_argument("--count", type=int, default=1000, help="how many are generated")
    p.add_argument("--seed", default="throughput")
    p.add_argument("--per-trace", type=int, default=10, help="trajectories each way that the replication draws")
    p.add_argument("--walks", type=int, default=4, help="trajectories of a program that npdb draws")
    o = p.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    lines = list(lines_of([o.programs])) if o.programs else generated(o.count, o.seed)
    programs = [(line, arguments) for line in lines if (arguments := callable_by_both(line)) is not None]
    *replication, done = theirs(o.replication, programs, o.per_trace)
    print(f"{len(done)} programs; {len(programs) - len(done)} more are left out, on which the replication hangs or breaks down")
    rate = said("replication", *replication, None)
    for walks in (o.walks, 2 * o.per_trace):
        said(f"npdb, {walks} walks of a program", *ours(o.npdb, done, walks, sys.executable), rate)


def said(name, made, size, seconds, beside):
    """Prints a rate in tokens per second, and returns it."""
    rate = size / BYTES / seconds
    times = f", {rate / beside:.1f} times the replication's" if beside else ""
    print(f"{name}: {made} trajectories, {size / BYTES:.0f} tokens, {seconds:.2f} s: {rate:.0f} tokens/s{times}")
    return rate


if __name__ == "__main__":
    main()
