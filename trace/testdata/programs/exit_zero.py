# sys.exit(0) inside a function: SystemExit unwinds every activation.
import sys


def stop(code):
    sys.exit(code)


a = 1
stop(a - 1)
b = 2
