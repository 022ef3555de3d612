"""Holds trace/tracer/effects.py against what happens.

    effects_witness.py TRACER LIMIT [PROGRAM…]

runs each program under a plain trace function that looks at the content of all
that any frame reaches, at every event. What is another than it was must be
covered by the effect of the line that ran. Prints a line of JSON for each
program: {"program", "events", "missed": […], "counts": {level: events}}, with
"gave_up" where that took too long, or the process ended.
"""

import collections
import io
import json
import os
import select
import signal
import sys
import tokenize
import types

package = types.ModuleType("_npdb")
package.__path__ = [sys.argv[1]]
sys.modules["_npdb"] = package
sys.dont_write_bytecode = True
from _npdb import callees, effects  # noqa: E402
from effects_contents import ATOMS, Contents, explained, shown, told  # noqa: E402

LOUD = os.environ.get("LOUD")
REACH, ALL = effects.REACH, effects.ALL


class Witness:
    def __init__(self, path, limit):
        self.path = path
        self.folder = os.path.dirname(path)
        self.contents = Contents(self.folder)
        self.limit = limit
        self.files = {}
        self.keep = {}  # so that no id is used again
        self.known = {}  # id -> content
        self.stack = []
        self.events = 0
        self.missed = []
        self.counts = collections.Counter()
        self.types = {}
        self.loud = collections.Counter()
        self.methods = set()
        self.items = False
        self.acts = {}
        self.spaces = {}

    def names(self, frame):
        if frame.f_code.co_name == "<module>":
            return frame.f_globals
        if frame.f_code.co_flags & 1:
            return frame.f_locals
        # 3.13: within an inlined comprehension a class body's are not to be had.
        found = frame.f_locals
        if type(found) is dict:
            self.spaces[frame] = found
        return self.spaces.get(frame, found)

    def values(self, frame):
        return [v for n, v in list(self.names(frame).items()) if not (n[:2] == "__" and n[-2:] == "__")]

    def look(self, v):
        """The content of v, which is kept with its parts."""
        made, inner = self.contents.of(v)
        for x in [v, *inner]:
            self.keep[id(x)] = x
        return made

    # ---- what may have changed -------------------------------------------------

    def covered(self, act):
        """(level, whole ids, (id, kind, key) parts, names by activation), as a tracer finds them after act's line."""
        e, frame = act["effect"], act["frame"]
        L, G = self.names(frame), frame.f_globals
        if frame.f_code.co_name == "<module>" and sys.version_info >= (3, 13):
            L = {**G, **frame.f_locals}
        level = max(e.level, e.unwinds) if act["raised"] else e.level
        whole, parts, names = {}, [], set()
        for name, _ in e.names:
            names.add((id(act["key"]), name))
        for name in e.globals:
            names.update((id(a["key"]), name) for a in self.stack if a["top"] and a["frame"].f_globals is G)
        for name in e.cells:
            names.update((id(a["key"]), name) for a in self.stack if name in a["shared"])
        kind = "quiet" if e.quiet else "names"
        for what, where, extra in e.places:
            kind = "places"
            try:
                v = where(L, G)
            except effects.Lost as lost:
                level = max(level, lost.level)
                continue
            if type(v) in ATOMS:
                continue
            if what in ("item", "delete"):
                try:
                    key = extra(L, G)
                except effects.Lost:
                    whole[id(v)] = v
                else:
                    if isinstance(v, dict) or isinstance(v, list) and what == "item" and type(key) is int:
                        parts.append((id(v), "item", key, v))
                    else:
                        whole[id(v)] = v
            elif what == "attribute":
                parts.append((id(v), "attribute", extra, v))
            else:
                whole[id(v)] = v
                if what == "elements":
                    for x in self.contents.of(v)[1]:
                        whole[id(x)] = x
        if self.items:
            for where, key in e.subscripts:
                try:
                    if where is None:
                        level = max(level, REACH)
                        continue
                    v = where(L, G)
                except effects.Lost as lost:
                    level = max(level, lost.level)
                else:
                    whole[id(v)] = v
        for where, name in e.callees:
            try:
                v = where(L, G)
            except effects.Lost as lost:
                level = max(level, lost.level)
            else:
                level = max(level, callees.level(v, name))
        if not self.methods.isdisjoint(e.methods):
            level = max(level, callees.met(e, self.methods, L, G))
        if level == REACH:
            kind = "reach"
            values = [L[n] if n in L else G[n] for n in e.roots if n in L or n in G]
            values = [v.__self__ if type(v) is types.BuiltinFunctionType else v for v in values]
            whole.update(self.contents.reach(values))
        elif level == ALL:
            kind = "all"
        self.counts[kind] += 1
        if LOUD and kind in ("reach", "all"):
            self.loud["%s:%s %s %s" % (os.path.basename(frame.f_code.co_filename), act["line"], kind, sorted(self.methods & e.methods))] += 1
        return level, whole, parts, names

    def settle(self):
        now = {}
        for act in self.stack:
            for v in self.values(act["frame"]):
                if id(v) not in now and shown(v):
                    now.update(self.contents.reach([v])) if id(v) not in now else None
        self.see(now)
        act = self.stack[-1] if self.stack else None
        level, whole, parts, names = self.covered(act) if act else (ALL, {}, (), ())
        keyed = {}
        for i, what, key, v in parts:
            keyed.setdefault(i, []).append((what, key))
        if level != ALL:
            self.check_names(act, names)
        else:  # what is not reached now is looked at when it is met again
            self.known = {i: content for i, content in self.known.items() if i in now}
        for i, v in list(now.items()) + [p for p in whole.items() if p[0] in self.known] + [(p[0], p[3]) for p in parts if p[0] in self.known]:
            made = self.look(v)
            old = self.known.get(i)
            if old is not None and old != made and level != ALL and i not in whole:
                if not explained(old, made, keyed.get(i, ()), self.keep):
                    self.miss(act, "content of a %s: %.200r: %.300s is now %.300s" % (type(v).__name__, v, told(old, self.keep), told(made, self.keep)))
            self.known[i] = made
        for a in self.stack:
            a["names"] = self.bound(a)

    def see(self, now):
        for v in now.values():
            kind = type(v)
            if kind not in self.types:
                self.types[kind] = True
                names, items = callees.changes(kind)
                self.methods |= names
                self.items = self.items or items

    def bound(self, act):
        found = {}
        for n, v in list(self.names(act["frame"]).items()):
            if not (n[:2] == "__" and n[-2:] == "__"):
                self.keep[id(v)] = v
                found[n] = id(v)
        return found

    def check_names(self, top, names):
        e = top["effect"]
        trusted = self.methods.isdisjoint(e.methods) and not (self.items and e.subscripts)
        known = {n for n, k in e.names if k and trusted}
        for a in self.stack:
            old = a["names"]
            if old is None:
                continue
            now = self.bound(a)
            for n in old.keys() | now.keys():
                if old.get(n) == now.get(n):
                    continue
                if (id(a["key"]), n) not in names:
                    self.miss(top, "name %s of %s" % (n, a["frame"].f_code.co_name))
                elif a is top and n in known and n in now:
                    v = self.keep[now[n]]
                    if shown(v) and self.known.get(id(v)) is None:
                        self.miss(top, "value of %s was not known before" % n)

    def miss(self, act, what):
        frame = act["frame"]
        self.missed.append("%s:%s in %s: %s" % (os.path.basename(frame.f_code.co_filename), act["line"], frame.f_code.co_name, what))

    # ---- the trace function ----------------------------------------------------

    def user(self, code):
        name = code.co_filename
        found = self.files.get(name)
        if found is None:
            found = False
            if name.startswith(self.folder) and "site-packages" not in name and os.path.exists(name):
                found = effects.of(read(name))
            self.files[name] = found
        return found

    def trace(self, frame, event, arg):
        lines = self.user(frame.f_code)
        if lines is False:
            return None
        if self.events >= self.limit:
            sys.settrace(None)
            return None
        sys.settrace(None)
        try:
            act = self.acts.get(frame)
            if act is None or not self.stack or self.stack[-1] is not act:
                self.settle()
            if act is None:
                code = frame.f_code
                act = dict(frame=frame, key=object(), effect=effects.NOTHING, raised=False, names=None, line=frame.f_lineno,
                           shared=code.co_cellvars + code.co_freevars, top=code.co_name == "<module>", lines=lines)
                self.acts[frame] = act
                self.keep[id(act["key"])] = act["key"]
            else:  # resumed: what it shares with others is bound again
                act["names"] = None
            self.stack.append(act)
            self.adopt(frame)
            self.events += 1
        finally:
            sys.settrace(self.trace)
        return self.local

    def adopt(self, frame):
        """A frame begins: what its arguments are is looked at where no one had them."""
        now = {}
        held = {i for a in self.stack[:-1] for i in (a["names"] or {}).values()}
        for v in self.names(frame).values():
            if isinstance(v, (list, dict, set)) and id(v) not in held:
                self.known.pop(id(v), None)
        for act in self.stack:
            now.update(self.contents.reach(self.values(act["frame"])))
            act["names"] = self.bound(act)
        self.see(now)
        for i, v in now.items():
            self.known.setdefault(i, self.look(v))

    def local(self, frame, event, arg):
        act = self.acts[frame]
        if event == "exception" and frame.f_code.co_flags & 0x2A0 and arg[0] is StopIteration and arg[2] is None:
            return self.local
        if self.events >= self.limit:
            sys.settrace(None)
            return None
        while self.stack and self.stack[-1] is not act:
            self.stack.pop()
        if not self.stack:
            self.stack.append(act)
        sys.settrace(None)
        try:
            self.settle()
            self.events += 1
            if event == "line":
                act["line"] = frame.f_lineno
                act["effect"] = act["lines"].at(frame.f_lineno)
                act["raised"] = False
            elif event == "exception":
                act["raised"] = True
            elif event == "return":
                self.stack.pop()
                if shown(arg):
                    for i, v in self.contents.reach([arg]).items():
                        self.known.setdefault(i, self.look(v))
        finally:
            sys.settrace(self.trace)
        return self.local


def read(path):
    with open(path, "rb") as f:
        encoding, _ = tokenize.detect_encoding(f.readline)
    with open(path, encoding=encoding, errors="replace", newline="") as f:
        return f.read()


def run(path, limit):
    text = read(path)
    w = Witness(path, limit)
    callees.user = lambda code: bool(w.user(code))
    out, sys.stdout = sys.stdout, io.StringIO()
    main = types.ModuleType("__main__")
    main.__file__ = path
    before, sys.modules["__main__"] = sys.modules["__main__"], main
    modules = set(sys.modules)
    sys.path.insert(0, w.folder)
    sys.argv[:] = [path]
    stdin, sys.stdin = sys.stdin, io.StringIO("1\n2\n3\n")
    try:
        with open(path, "rb") as f:
            code = compile(f.read(), path, "exec", 0, True)
        sys.settrace(w.trace)
        try:
            exec(code, main.__dict__)
        except BaseException:
            pass
    finally:
        sys.settrace(None)
        sys.stdout, sys.stdin = out, stdin
        sys.modules["__main__"] = before
        sys.path.remove(w.folder)
        for name in set(sys.modules) - modules:
            if getattr(sys.modules[name], "__file__", None) and sys.modules[name].__file__.startswith(w.folder):
                del sys.modules[name]
    return {"program": path, "events": w.events, "missed": w.missed[:20], "counts": dict(w.counts), "loud": w.loud.most_common(6)}


def apart(path, limit, seconds):
    """run in a process of its own, which is given some seconds."""
    out, to = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.close(out)
        quiet = os.open(os.devnull, os.O_RDWR)
        for n in range(3):
            os.dup2(quiet, n)
        os.chdir(os.path.dirname(path))
        os.write(to, json.dumps(run(path, limit)).encode())
        os._exit(0)
    os.close(to)
    said = b""
    while select.select([out], [], [], seconds)[0]:
        data = os.read(out, 1 << 16)
        if not data:
            break
        said += data
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(out)
    return said.decode() or json.dumps({"program": path, "gave_up": True, "events": 0, "missed": [], "counts": {}})


if __name__ == "__main__":
    for program in sys.argv[3:]:
        print(apart(os.path.abspath(program), int(sys.argv[2]), 20), flush=True)
