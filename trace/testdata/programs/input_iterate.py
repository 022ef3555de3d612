# sys.stdin is iterated, not asked line by line.
# stdin: "a 1\nb 2\n\nc 3"
import sys


def parse(line):
    key, value = line.split()
    return key, int(value)


table = {}
for line in sys.stdin:
    if not line.strip():
        continue
    k, v = parse(line)
    table[k] = v
total = sum(table.values())
