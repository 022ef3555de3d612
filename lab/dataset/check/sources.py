"""Reads programs from JSON lines: those of trajectories, and those of benchmarks."""

from rerun import cwm
from rerun.lines import lines_of
from rerun.reading import unescaped
from rerun.text import CONTEXT, FRAME


def program_of(line):
    """Returns the source of a program, and the call that runs it ("" if the source is
    the whole program). The line contains a trajectory, in nd/1 or cwm, or a program as
    `code` with an `input`."""
    if "code" in line:
        given = line.get("input")
        return line["code"], "" if given is None else f"{line.get('function', 'f')}({given})"
    entry = line["source"].get("entry") or ""
    dialect = line.get("dialect", "nd/1")
    if dialect == "cwm":
        return cwm.program(line["text"])[0], entry
    if dialect != "nd/1":
        raise SystemExit(f"{line.get('id')}: no program can be found in dialect {dialect}")
    source = line["text"].partition(CONTEXT)[2].partition(FRAME)[0]
    source = "".join(one.partition("|")[2] + "\n" for one in source.split("\n")[:-1])
    return unescaped(source), entry


def programs(paths):
    """Yields the programs of files and folders, each once, in their order."""
    seen = set()
    for line in lines_of(paths):
        found = program_of(line)
        if hash(found) not in seen:
            seen.add(hash(found))
            yield found
