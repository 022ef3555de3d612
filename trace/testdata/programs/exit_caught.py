# SystemExit that the program catches ends nothing.
import sys


def leave():
    sys.exit(5)


try:
    leave()
except SystemExit as e:
    code = e.code
after = code + 1
