# What a script sees of itself: __name__, __file__, sys.argv, sys.path, the module in sys.modules.
import os
import sys

name = __name__
base = os.path.basename(__file__)
argv = [os.path.basename(a) for a in sys.argv]
same = sys.modules["__main__"].__dict__ is globals()
here = os.path.samefile(sys.path[0], os.path.dirname(__file__))
doc = __doc__ is None


def main():
    return len(argv)


if __name__ == "__main__":
    n = main()
