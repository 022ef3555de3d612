"""The witness: what CPython itself reports of a program, as JSON lines.

It runs programs the way npdb does (the script as __main__, user code only)
under observers that share no code with npdb's tracer but the reading of names
and the rendering of values:

  walk  a bdb.Bdb that steps at random, or along a given string of s, n and r:
        where does the standard library's debugger stop?
  flat  a bare sys.settrace function that reports every event.
  frames  the same, with all frames of the stack; see witness_frames.py.

Usage: witness.py DIRECTORY_OF_RENDER, with jobs on standard input, one JSON
object a line:

  {"program": path, "mode": "walk" | "flat" | "frames", "seed": 1, "moves": 20,
   "script": "ssnr", "cautious": true, "user": ["module", ...],
   "stdin": "text", "locals": true, "limit": 5000, "all": 500, "one_in": 20}

Each job runs in a forked child, so that one interpreter serves many programs. An
interpreter that cannot fork (WebAssembly) gets one job, and its exit ends the job.
Standard output gets the answers, in the order of the jobs:

  {"user": [path, ...]}                 the source files of the job's modules
  {"action": null | "s", "event": ..., "kind": ..., "file": ..., "line": ...,
   "function": ..., "depth": ..., "locals": [[name, text, hidden], ...],
   "value": ...}                        one a stop
  {"end": true, "code": 0, "exception": null, "action": "s"}
                                        the program is over
  {"stopped": true}                     the moves or the limit are used up
  {"job": 0, "status": 0}               the child's wait status; the job is done

Events of flat mode also carry "act", the number of the activation, and
"suspends", whether it is a generator's or a coroutine's.
"""

import importlib
import importlib.util
import json
import os
import sys
import types

from witness_frames import Frames
from witness_observers import Flat, Observer, Program, Walker, plain
from witness_unasked import Unasked


def ending(run):
    """Runs the program to its end; its exit status and what was not caught."""
    try:
        run()
    except SystemExit as e:
        if e.code is None:
            return 0, None
        return (e.code & 0xFF if isinstance(e.code, int) else 1), None
    except BaseException as e:
        return 1, e
    return 0, None


class Stub:
    """Stands for pdb.Pdb, which doctest derives a class from and never starts."""

    def __init__(self, *args, **keywords):
        pass

    def reset(self):
        pass


def child(job, files, out, render, scopes):
    """Runs one job; never returns."""

    def emit(answer):
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(out, data):]

    def keep_tracing(original, answer):
        # A program's own sys.settrace would end the observation.
        def instead(*args):
            if program.owns(sys._getframe(1).f_code):
                return answer
            return original(*args)

        return instead

    # Children of the program run free: nothing of them is traced.
    settrace = sys.settrace
    os.register_at_fork(after_in_child=lambda: settrace(None))
    # breakpoint() and pdb.set_trace() ask for a debugger, which is here already.
    # pdb itself is not run: what it imports looks at the annotations of the
    # classes it derives from, which from 3.14 on leaves names in them.
    pdb = importlib.util.module_from_spec(importlib.util.find_spec("pdb"))
    sys.modules["pdb"] = pdb
    pdb.Pdb = Stub
    sys.breakpointhook = pdb.set_trace = lambda *args, **keywords: None
    program = Program(job["program"], files)
    sys.settrace = keep_tracing(sys.settrace, None)
    sys.gettrace = keep_tracing(sys.gettrace, None)
    os.chdir(program.root)
    code, names = program.load(job.get("args", []))
    if job.get("reprs") == "asked":
        Unasked(program, render, sys.modules["quiet"]).install()
    observer = Observer(program, render, scopes.of, emit, job)
    if job["mode"] == "walk":
        runner = Walker(observer, job)
    elif job["mode"] == "frames":
        runner = Frames(observer, job, scopes.quietly)
    else:
        runner = Flat(observer, job)
    status, raised = ending(lambda: runner.run(code, names))
    emit(
        {
            "end": True,
            "code": status,
            "exception": None if raised is None else plain(render.render(raised)),
            "action": runner.action,
        }
    )
    os._exit(0)


def redirect(text):
    """Gives the child the program's input, and nowhere to write to."""
    read, write = os.pipe()
    os.write(write, text.encode())
    os.close(write)
    os.dup2(read, 0)
    os.close(read)
    null = os.open(os.devnull, os.O_WRONLY)
    for fd in (1, 2):
        os.dup2(null, fd)
    os.close(null)
    encoding = {"encoding": "utf-8", "errors": "backslashreplace"}
    sys.stdin = open(0, encoding="utf-8")
    sys.stdout = open(1, "w", **encoding)
    sys.stderr = open(2, "w", **encoding)
    sys.stdout.buffer.raw.name, sys.stderr.buffer.raw.name = "<stdout>", "<stderr>"


def borrowed():
    """The tracer's rendering of values and its reading of names."""
    package = sys.modules["_npdb"] = types.ModuleType("_npdb")
    package.library = types.SimpleNamespace(take=importlib.import_module)
    import render

    package.render = render
    import quiet
    import scopes

    package.quiet = quiet

    return render, scopes


def main():
    sys.path.insert(1, sys.argv[1])
    render, scopes = borrowed()
    out = os.dup(1)
    os.set_inheritable(out, False)
    jobs = [json.loads(line) for line in sys.stdin]
    for number, job in enumerate(jobs):
        files = [importlib.util.find_spec(name).origin for name in job.get("user", ())]
        os.write(out, json.dumps({"user": files}).encode() + b"\n")
        pid = 0 if sys.platform == "emscripten" else os.fork()
        if pid == 0:
            try:
                redirect(job.get("stdin", ""))
                child(job, files, out, render, scopes)
            except BaseException as e:
                message = json.dumps({"error": "%s: %s" % (type(e).__name__, e)})
                os.write(out, message.encode() + b"\n")
            finally:
                os._exit(9)
        status = os.waitpid(pid, 0)[1]
        os.write(out, json.dumps({"job": number, "status": status}).encode() + b"\n")


if __name__ == "__main__":
    main()
