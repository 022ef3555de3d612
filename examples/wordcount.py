"""Counts the words of a text and prints the most frequent ones.

Usage: wordcount.py [FILE]; without a file it reads a proverb of its own.

What to look for: `counts` growing by one word at a time. Run to the end, then
ask when a word was counted last: set a breakpoint in count() with a condition
such as `word == 'wood'` and go backwards to it.
"""

import string
import sys

PROVERB = """\
How much wood would a woodchuck chuck
if a woodchuck could chuck wood?
A woodchuck would chuck all the wood he could,
if a woodchuck could chuck wood.
"""


def words(text):
    """Yield the words of text in lower case, without punctuation."""
    for piece in text.split():
        word = piece.strip(string.punctuation).lower()
        if word:
            yield word


def count(text):
    """Return a dict from word to how often it occurs."""
    counts = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    return counts


def ranking(counts, limit):
    """Return the limit most frequent words, equal ones in alphabetical order."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ordered[:limit]


def main(arguments):
    text = PROVERB
    if arguments:
        with open(arguments[0], encoding="utf-8") as file:
            text = file.read()
    counts = count(text)
    for word, times in ranking(counts, 5):
        print(f"{times:4} {word}")
    print(f"{len(counts)} different words")


if __name__ == "__main__":
    main(sys.argv[1:])
