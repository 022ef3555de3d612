# sys.exit() without an argument: SystemExit(None) is status 0.
import sys

x = 1
sys.exit()
