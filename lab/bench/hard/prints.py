"""Five thousand lines of output, each printed in pieces."""

import sys
import zlib


def show(n, total):
    print("line", n, total)
    if n % 1000 == 0:
        print("error", n, file=sys.stderr)


total = 0
for n in range(5000):
    total = zlib.crc32(b"%d" % n, total)  # hot: n < 0
    show(n, total)
print("checksum", total)
