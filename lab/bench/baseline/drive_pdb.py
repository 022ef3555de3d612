"""The baseline: the standard library's pdb, controlled step by step through pipes.

Usage: drive_pdb.py STEPS PROGRAM [ARGUMENT...]

It runs PROGRAM under pdb up to its function work(). Then it sends `s` and waits for the prompt,
STEPS times, and prints the seconds per step. It does not ask for the locals, which is an advantage
for pdb.
"""

import os
import subprocess
import sys
import tempfile
import time

PROMPT = b"(Pdb) "


def read_prompt(pipe, pending):
    """Read up to the next prompt; pending is the output after the last one."""
    while not pending.endswith(PROMPT):
        chunk = os.read(pipe.fileno(), 65536)
        if not chunk:
            raise SystemExit(f"pdb ended early: {pending.decode(errors='replace')}")
        pending += chunk
    return pending


def main():
    steps, command = int(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as empty_home:
        pdb = subprocess.Popen(
            [sys.executable, "-m", "pdb", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "HOME": empty_home},
            bufsize=0,
        )

        def ask(line):
            pdb.stdin.write(line + b"\n")
            return read_prompt(pdb.stdout, b"")

        read_prompt(pdb.stdout, b"")
        ask(b"break work")
        ask(b"continue")
        ask(b"clear 1")
        begin = time.perf_counter()
        for _ in range(steps):
            answer = ask(b"s")
        seconds = time.perf_counter() - begin
        if b"The program finished" in answer:
            raise SystemExit("the program is too short for that many steps")
        pdb.stdin.write(b"q\n")
        pdb.stdin.close()
        pdb.wait()
    print(seconds / steps)


if __name__ == "__main__":
    main()
