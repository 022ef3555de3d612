"""Lines of JSON in shards, plain or compressed."""

import json
import os
import shutil
import subprocess

ENDINGS = (".jsonl", ".jsonl.zst")


def lines_of(paths):
    """The objects of all lines in files and, of folders, in all shards below."""
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
    """A binary stream of what a .zst file holds, by whatever can read it here."""
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
    """What `zstd` writes of a file, with its failure."""

    def __init__(self, path):
        self.path = path
        self.process = subprocess.Popen(["zstd", "-dc", "--", path], stdout=subprocess.PIPE)

    def __enter__(self):
        return self.process.stdout

    def __exit__(self, kind, *_):
        self.process.stdout.close()
        if self.process.wait() and kind is None:
            raise SystemExit(f"{self.path} is no sound zstd file")
