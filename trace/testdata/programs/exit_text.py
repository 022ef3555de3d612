# sys.exit with text: the text goes to stderr and the status is 1.
import sys


def main():
    sys.exit("nothing to do")


if __name__ == "__main__":
    main()
