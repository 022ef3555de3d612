"""Trajectories that `npdb dataset` writes, split into the kinds of text that a trainer
distinguishes.

In a line, `predict` holds the byte ranges that a model is trained to predict, and `changed` the
ranges in them that follow from executing the program. The kinds of text are:

    GIVEN      the program, the first state, actions: not predicted
    STRUCTURE  in a reply: tokens, stacks, names, unchanged values, text between them
    CONTENT    in a reply: values and lines that changed
    SOURCE     in a reply: the text of its line, which the line's number determines
"""

import json
import re
import subprocess

GIVEN, STRUCTURE, CONTENT, SOURCE = range(4)

# In a program's source, a `<` before `|` is escaped, so the next token ends the line.
of_line = re.compile(rb"<\|action_sep\|>(?:[a-z]+:)?\d+\|(.*?)(?=<\|)", re.S)


def read(path, npdb="npdb"):
    """Yields the nd/1 lines of one file of a dataset, as dicts. npdb decompresses the file."""
    with subprocess.Popen([npdb, "dataset", "cat", str(path)], stdout=subprocess.PIPE) as cat:
        for raw in cat.stdout:
            line = json.loads(raw)
            if line["dialect"] == "nd/1":  # a model would otherwise be trained on another format as if it were nd/1
                yield line
    if cat.returncode:
        raise OSError(f"{npdb} dataset cat {path} ended with {cat.returncode}")


def segments(line):
    """Returns a line's text as parts (text, kind), and for each reply the index of its first part
    and that after its last."""
    text = line["text"].encode()
    changed = iter([*line["changed"], (len(text), len(text))])
    parts, replies, at = [], [], 0
    start, end = next(changed)

    def cut(upto, kind):
        nonlocal at
        if upto > at:
            parts.append((text[at:upto].decode(), kind))
            at = upto

    for lo, hi in line["predict"]:
        cut(lo, GIVEN)
        first = len(parts)
        # The number of a line is CONTENT and its text is SOURCE, so they are split first.
        for found in of_line.finditer(text, lo, hi):
            while start < found.start(1):
                cut(start, STRUCTURE)
                cut(end, CONTENT)
                start, end = next(changed)
            cut(found.start(1), STRUCTURE)
            cut(found.end(1), SOURCE)
        while start < hi:
            cut(start, STRUCTURE)
            cut(end, CONTENT)
            start, end = next(changed)
        cut(hi, STRUCTURE)
        replies.append((first, len(parts)))
    cut(len(text), GIVEN)
    return parts, replies
