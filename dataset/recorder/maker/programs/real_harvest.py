"""Collects functions of the standard library that run alone, with calls.

    python3 -m maker.programs.real_harvest OUT.jsonl [SECONDS [FOLDER]]

walks the running interpreter's standard library (or FOLDER, another
version's), takes the functions that
need nothing but constants, small helpers and pure imports, and tries calls of
them in a child process. Each line of OUT.jsonl is one function with the calls
that worked. Run again, it goes on with the files it has not done.
"""

import ast
import json
import os
import random
import resource
import select
import signal
import sys
import sysconfig
import time

from . import real_tests, real_trial
from .real_inputs import Hints, examples
from .real_source import Module, assemble, free_names, with_needs

_SKIP = ("site-packages", "test/data", "bad_coding", "badsyntax",
         "lib2to3/tests/data", "test/support",
         "ensurepip", "pydoc_data", "encodings", "test_fixers", "test_typing",
         "test_type", "test_inspect", "test_generic")


def files(root=None):
    """The standard library's files, the tests last."""
    root = root or sysconfig.get_paths()["stdlib"]
    found = []
    for folder, folders, here in os.walk(root):
        folders.sort()
        for name in sorted(here):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root)
            if name.endswith(".py") and not any(s in relative for s in _SKIP):
                found.append((relative.startswith("test"), relative, path))
    found.sort()
    return [(relative, path) for _, relative, path in found]


def programs(text):
    """(function's name, source, hints, doctest calls, yields) of one file."""
    try:
        module = Module(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for function, drop_self in module.candidates():
        if drop_self:
            first = function.args.args.pop(0)
        hints = Hints(function)
        if drop_self:
            function.args.args.insert(0, first)
        if not hints.possible:
            continue
        try:
            source = assemble(module, function, drop_self)
        except (SyntaxError, ValueError, RecursionError):
            continue
        if source is None:
            continue
        yields = _yields(function)
        yield (function.name, source, hints,
               examples(ast.get_docstring(function), function.name), yields)


def _yields(node):
    """Whether the function itself, not one inside it, is a generator."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(child, (ast.FunctionDef, ast.Lambda)) and \
                _yields(child):
            return True
    return False


def work(text, relative, skip, write):
    """In the child: tries the functions of one file after the first `skip`."""
    index = -1
    for index, (name, source, hints, seeds, yields) in \
            enumerate(programs(text)):
        if index < skip:
            continue
        write({"at": index})
        rng = random.Random("%s:%s:%d" % (relative, name, index))
        calls, events = real_trial.trial(rng, name, source, hints, seeds,
                                         yields)
        if calls:
            write({"origin": relative + ":" + name, "events": events,
                   "source": source, "calls": calls})
    for source in test_scripts(text, relative):
        index += 1
        if index >= skip:
            write({"at": index})
            events = real_trial.trial_script(source)
            if events > 4:
                write({"origin": relative, "events": events, "source": source,
                       "calls": [None]})


def test_scripts(text, relative):
    """The sources of the scripts made of one file's test methods."""
    try:
        module = Module(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    rng = random.Random(relative)
    for chunk in real_tests.scripts(rng, module.tree, relative):
        try:
            body = ast.unparse(ast.Module(chunk, [])) + "\n"
            need = free_names(body)
            source = with_needs(module, body, need, ()) if need is not None \
                else None
        except (SyntaxError, ValueError, RecursionError, AttributeError):
            continue
        if source and source.count("\n") < 50:
            yield source


def in_child(path, relative, deadline):
    """Runs work() in children until the file is done; the records."""
    records, skip, crashes = [], 0, 0
    while crashes < 5 and time.time() < deadline:
        receive, send = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(receive)
            try:
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                _confine()
                work(text, relative, skip, lambda record: os.write(
                    send, json.dumps(record).encode() + b"\n"))
                os._exit(0)
            except BaseException:
                os._exit(1)
        os.close(send)
        text, silent = b"", False
        while True:
            ready, _, _ = select.select([receive], [], [], 4)
            if not ready:
                silent = True
                os.kill(pid, signal.SIGKILL)
                break
            piece = os.read(receive, 1 << 16)
            if not piece:
                break
            text += piece
        os.close(receive)
        _, status = os.waitpid(pid, 0)
        at = skip - 1
        for line in text.split(b"\n")[:-1]:
            record = json.loads(line)
            if "at" in record:
                at = record["at"]
            else:
                records.append(record)
        if status == 0 and not silent:
            break
        crashes += 1
        skip = at + 1
    return records


def _confine():
    """No files, no processes, no sockets, little memory, no output."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    real_trial.confine()


def main(out, seconds, root=None):
    deadline = time.time() + seconds
    done, seen = set(), set()
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                done.add(record.get("done"))
                seen.add(record.get("source"))
    count = 0
    with open(out, "a", encoding="utf-8") as file:
        for relative, path in files(root):
            if path in done:
                continue
            if time.time() > deadline:
                print("out of time before", relative)
                break
            for record in in_child(path, relative, deadline + 5):
                if record["source"] not in seen:
                    seen.add(record["source"])
                    file.write(json.dumps(record) + "\n")
                    count += 1
            file.write(json.dumps({"done": path}) + "\n")
            file.flush()
    print(count, "functions")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 480,
         *sys.argv[3:4])
