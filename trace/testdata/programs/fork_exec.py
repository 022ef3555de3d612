# A subprocess that writes to the same standard output.
import subprocess
import sys


def run(code):
    return subprocess.run([sys.executable, "-c", code]).returncode


a = run("print('from a child')")
b = run("raise SystemExit(4)")
