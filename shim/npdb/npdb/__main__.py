"""Runs the program npdb with this Python: python -m npdb PROG.py."""

import os
import subprocess
import sys

from npdb import recorder


def main():
    try:
        binary = recorder.find_npdb()
    except recorder.Unavailable as e:
        sys.exit("npdb: %s" % e)
    environment = dict(os.environ)
    environment.setdefault("NPDB_PYTHON", sys.executable)
    command = [binary] + sys.argv[1:]
    if sys.platform == "win32":  # there the shell would not wait for a program that os.execve starts
        sys.exit(subprocess.call(command, env=environment))
    os.execve(binary, command, environment)


if __name__ == "__main__":
    main()
