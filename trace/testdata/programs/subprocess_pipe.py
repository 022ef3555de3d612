# A subprocess whose pipes the program reads itself.
import subprocess
import sys

p = subprocess.run(
    [sys.executable, "-c", "print(input()[::-1])"],
    input="abc\n",
    stdout=subprocess.PIPE,
    universal_newlines=True,
)
text = p.stdout.strip()
code = p.returncode
del p
