# sys.exit with an integer: the status is 3, and a finally still runs.
import sys

log = []
try:
    sys.exit(3)
finally:
    log.append("finally")
