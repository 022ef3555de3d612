# Output: both streams, no final newline, flush, print to a file object, writes below Python.
import os
import sys

print("one", end="")
sys.stderr.write("two\n")
sys.stdout.flush()
os.write(1, b"raw\n")
print("three", file=sys.stderr)
n = sys.stdout.write("\xe9\u6f22\n")
