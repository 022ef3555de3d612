"""Five thousand lines of output, each printed in pieces."""

import sys
import zlib

total = 0
for n in range(5000):
    total = zlib.crc32(b"%d" % n, total)  # hot: n < 0
    print("line", n, total)
    if n % 1000 == 0:
        print("error", n, file=sys.stderr)
print("checksum", total)
