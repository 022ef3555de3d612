"""Run a program and write where the values at its stops came from, as JSON.

usage: reference.py PROGRAM STOPS ANSWERS

STOPS is a JSON list of [line, ordinal]: the stop is before this run of the statement on this line.
The result is written to ANSWERS: {"questions": [...], "stores": [...], "origins": [...], "counts": {...}}. A question
has the line and ordinal, an expression, and the store that gave it its value. counts maps a line to the number of runs
of its statement, if no other statement shares the line. Nothing here uses npdb's recorder.
"""
import doctest
import json
import sys
import types

from contents import SEQUENCES
from records import PLAIN, described
from statements import Program
from tracer import Tracer

MOST_PIECES = 4
SKIPPED = (type, types.FunctionType, types.ModuleType, types.BuiltinFunctionType, types.MethodType)


class Answers:
    """The questions that can be asked at the stops, and the graph of their answers."""

    def __init__(self):
        self.questions, self.stores, self.origins = [], [], []
        self.numbers, self.kept = {}, []

    def __call__(self, tracer, activation, stop):
        for name, store in activation.names.items():
            if " " in name or store.how in ("def", "import", "except") or isinstance(store.value, SKIPPED):
                continue
            self.ask(tracer, stop, name, store)
            for text, index, piece in pieces(tracer, store.value):
                self.ask(tracer, stop, name + text, piece, store, index)

    def ask(self, tracer, stop, expression, store, holder=None, index=-1):
        if store is not None and store.how != "unseen":
            question = {"line": stop[0], "ordinal": stop[1], "expression": expression, "store": self.store(store), "time": tracer.now}
            self.questions.append({**question, "holder": -1 if holder is None else self.store(holder), "index": index})

    def store(self, s):
        return self.number(s, self.stores)

    def number(self, thing, things):
        if id(thing) not in self.numbers:
            self.numbers[id(thing)] = len(things)
            things.append(thing)
            self.kept.append(thing)
        return self.numbers[id(thing)]

    def origin(self, o):
        return None if o is None else self.number(o, self.origins)

    def written(self, tracer):
        """Return the whole graph in the form of JSON."""
        stores, origins = [], []
        while len(stores) < len(self.stores) or len(origins) < len(self.origins):
            while len(stores) < len(self.stores):
                stores.append(self.store_written(tracer, self.stores[len(stores)]))
            while len(origins) < len(self.origins):
                origins.append(self.origin_written(self.origins[len(origins)]))
        counts = {s.line: n for s, n in zip(tracer.program.statements, tracer.counts) if s.countable}
        return {"questions": self.questions, "stores": stores, "origins": origins, "counts": counts}

    def lines(self, tracer, statement):
        if statement < 0:
            return 0, 0, False
        known = tracer.program.statements[statement]
        return known.line, known.last, known.countable

    def store_written(self, tracer, s):
        line, last, countable = self.lines(tracer, s.statement)
        changes = [(time, *self.lines(tracer, statement)[:2]) for time, statement, _ in tracer.changes.get(id(s.value), ())]
        return {
            "how": s.how, "text": s.text, "line": line, "last": last, "ordinal": s.ordinal if countable else 0, "value": s.described,
            "source": self.origin(s.source), "time": s.time, "silent": s.silent, "changes": changes, "foreign": foreign(tracer, s.value),
        }

    def origin_written(self, o):
        return {
            "kind": o.kind, "line": o.line, "time": o.time, "store": -1 if o.store is None else self.store(o.store), "note": o.note,
            "inputs": [{"text": text, "origin": self.origin(i)} for text, i in o.inputs],
            "parts": None if o.parts is None else [self.origin(p) for p in o.parts],
            "holder": -1 if o.holder is None else self.origin(o.holder), "index": o.index if type(o.index) is int else -1,
            "value": described(o.value) if type(o.value) in PLAIN else "",
        }


def foreign(tracer, value):
    """Report whether code that is not followed defines a value's class, so that its changes are not seen."""
    return id(type(value)) not in tracer.classes and not isinstance(value, PLAIN + SEQUENCES + (dict, set, type))


def pieces(tracer, value):
    """Yield the elements and attributes of a value that a question can name."""
    if isinstance(value, SEQUENCES):
        for i in range(min(len(value), MOST_PIECES)):
            yield f"[{i}]", i, tracer.element(value, i)
    elif isinstance(value, dict):
        for k in list(value)[:MOST_PIECES]:
            if type(k) in (int, str):
                yield f"[{k!r}]", -1, tracer.element(value, k)
    for name, store in list(tracer.attributes.get(id(value), {}).items())[:MOST_PIECES]:
        if not isinstance(value, type):
            yield "." + name, -1, store


def main(program, stops, answers):
    with open(stops) as file:
        wanted = {tuple(s) for s in json.load(file)}
    with open(program, encoding="utf-8") as file:
        rewritten = Program(file.read(), program)
    found = Answers()
    tracer = Tracer(rewritten, wanted, found)
    module = types.ModuleType("__main__")
    module.__file__ = program
    sys.modules["__main__"] = module
    sys.argv = [program]
    sys.setrecursionlimit(3 * sys.getrecursionlimit())  # the tracer's iterators need additional frames
    module._R = tracer
    doctest.compile = rewritten.interactive  # in place of the built-in function
    try:
        exec(rewritten.code, module.__dict__)
    except SystemExit:
        pass
    finally:
        tracer.stops = ()
        with open(answers, "w") as file:
            json.dump(found.written(tracer), file)


if __name__ == "__main__":
    main(*sys.argv[1:])
