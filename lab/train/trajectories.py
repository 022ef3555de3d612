"""Trajectories as `npdb dataset` writes them, cut into what a trainer tells apart.

A line's `predict` are the byte ranges that a model is to say, `changed` those in them of
what has to be worked out. The kinds of a text's parts:

    GIVEN      the program, the first state, actions: nobody predicts these
    STRUCTURE  of a reply: tokens, stacks, names, unchanged values, what lies between
    CONTENT    of a reply: what has changed
    SOURCE     of a reply: the text of its line, which the line's number determines
"""

import json
import re
import subprocess

GIVEN, STRUCTURE, CONTENT, SOURCE = range(4)

# In a program's text a `<` before `|` is escaped: the first token behind ends the line.
of_line = re.compile(rb"<\|action_sep\|>(?:[a-z]+:)?\d+\|(.*?)(?=<\|)", re.S)


def read(path, npdb="npdb"):
    """The lines of one of a dataset's files that are nd/1, as dicts. npdb unpacks them."""
    with subprocess.Popen([npdb, "dataset", "cat", str(path)], stdout=subprocess.PIPE) as cat:
        for raw in cat.stdout:
            line = json.loads(raw)
            if line["dialect"] == "nd/1":  # another format would be learnt as if it were this one
                yield line
    if cat.returncode:
        raise OSError(f"{npdb} dataset cat {path} ended with {cat.returncode}")


def segments(line):
    """The text of a line in parts (text, kind), whose concatenation it is; and of each
    reply the first part and the last and one."""
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
        # A line's number is content and its text is not: they are cut apart first.
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
