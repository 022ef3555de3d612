"""Runs programs that are a directory or a zip file with a __main__.py."""

import os
import sys

from _npdb import usercode
from _npdb.bound import program_sys


def finder_of(path):
    """Returns an importer for a directory or an archive, or None for any other file."""
    if not os.path.isdir(path) and not zipped(path):
        return None
    for hook in sys.path_hooks:
        try:
            return hook(path)
        except ImportError:
            continue
    return None


def zipped(path):
    """Returns whether a file can be a zip archive. Its end shows this, also if it
    starts with a line that names an interpreter."""
    try:
        with open(path, "rb") as f:
            f.seek(0, 2)
            f.seek(max(f.tell() - 66000, 0))
            return b"PK\x05\x06" in f.read()
    except OSError:
        return False


def main_of(path, full, args):
    """Returns the spec and the code of the __main__ of a directory or archive. Raises
    ImportError if there is none."""
    root = os.path.join(os.path.abspath(full), "")
    usercode.roots.append(root)
    program_sys.argv = [path] + args
    sys.path.insert(0, os.path.abspath(full))
    import runpy

    _, spec, code = runpy._get_main_module_details()
    if not os.path.isdir(full):
        usercode.archives[root] = spec.loader.get_data
    return spec, code
