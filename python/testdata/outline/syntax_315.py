import sys
lazy import json
lazy import os.path as path, glob
lazy from json import (
    dumps,
    loads as read,
)

lazy = 1
print(lazy)


def flat(rows):
    return [*row for row in rows]


def merged(
    maps,
):
    return {
        **one
        for one in maps
        if one
    }


def parts(rows):
    yield from (
        *row
        for row in rows
    )


letters = {*word for word in ("ab", "bc")}
print(*word for word in ("ab", "bc"))
if lazy:
    lazy from glob import glob as find
