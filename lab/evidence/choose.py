"""Prints QuixBugs' first fifteen programs with a failing test case that ends.

Usage: choose.py CHECKOUTS [--python P]

The programs are in the order of their names. A case fails if it ends, within ten seconds, with another result
than the one in json_testcases or with an exception. The first such case of a program is its failing test."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from bugs import extract

REPOSITORY, COMMIT = "jkoppel/QuixBugs", "4257f44b0ff1181dedaedee6a447e133219fcebf"
COUNT, SECONDS = 15, 10
CALL = """
import json, sys, types
from {program} import {program}
call, expected = json.loads(sys.argv[1])
got = {program}(*call if isinstance(call, list) else [call])
got = list(got) if isinstance(got, types.GeneratorType) else got
sys.exit(json.loads(json.dumps(got)) != expected)
"""


def fails(python, folder, program, case):
    """Reports whether a test case ends and fails."""
    command = [python, "-c", CALL.format(program=program), case]
    try:
        return subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL, timeout=SECONDS).returncode != 0
    except subprocess.TimeoutExpired:
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    chosen = 0
    with tempfile.TemporaryDirectory() as folder:
        extract(options.checkouts, REPOSITORY, COMMIT, ["python_programs", "json_testcases"], Path(folder), flat=True)
        for cases in sorted(Path(folder).glob("*.json")):
            lines = [line for line in cases.read_text().splitlines() if line.strip()]
            case = next((line for line in lines if fails(options.python, folder, cases.stem, line)), None)
            print(f"{cases.stem}: {case or 'no failing case ends'}", flush=True)
            chosen += case is not None
            if chosen == COUNT:
                return


if __name__ == "__main__":
    main()
