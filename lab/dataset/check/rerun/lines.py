"""Reads lines of JSON from shards, plain or compressed."""

import json
import os
import shutil
import subprocess

ENDINGS = (".jsonl", ".jsonl.zst")


def lines_of(paths):
    """Yields the objects of all lines in files, and in all shards in folders."""
    for path in paths:
        for file in files(path):
            yield from objects(file)


def files(path):
    if not os.path.isdir(path):
        return [path]
    found = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    return sorted(file for file in found if file.endswith(ENDINGS))


def objects(path):
    if not path.endswith(".zst"):
        with open(path, encoding="utf-8", newline="\n") as file:
            yield from map(json.loads, file)
        return
    with decompressed(path) as stream:
        for line in stream:
            yield json.loads(line)


def decompressed(path):
    """Returns a binary stream of the contents of a .zst file, by the decompressor that is
    available."""
    try:
        from compression import zstd  # Python 3.14

        return zstd.open(path)
    except ImportError:
        pass
    try:
        import zstandard

        return zstandard.open(path)
    except ImportError:
        pass
    if shutil.which("zstd") is None:
        raise SystemExit(f"{path} needs the command zstd or Python's zstandard")
    return Command(path)


class Command:
    """The output of `zstd` for a file; it raises an error if zstd fails."""

    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen(["zstd", "-dc", "--", path], stdout=subprocess.PIPE)

    def __enter__(self):
        return self.process.stdout

    def __exit__(self, kind, *_):
        self.process.stdout.close()
        if self.process.wait() and kind is None:
            raise SystemExit(f"{self.path} is no sound zstd file")
