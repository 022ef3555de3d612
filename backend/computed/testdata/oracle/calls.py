"""Calls the function of each CruxEval problem with its own arguments and with changed ones.

Reads problems as JSON lines with code, input and id, and writes one JSON line for each: the state in which
the call with its own arguments ends, and the other arguments, each with the state in which its call ends and
whether that is the same. Usage: calls.py SEED RIGHT WRONG < problems
"""

import ast
import inspect
import json
import random
import resource
import signal
import sys

TRIES = 250


class Late(BaseException):
    pass


def late(*_):
    raise Late


def canonical(value):
    """Returns a text that is equal for equal values, regardless of the order of sets."""
    kind = type(value).__name__
    if type(value) in (list, tuple):
        return kind + "[" + ",".join(map(canonical, value)) + "]"
    if type(value) in (set, frozenset):
        return kind + "{" + ",".join(sorted(map(canonical, value))) + "}"
    if type(value) is dict:
        return kind + "{" + ",".join(canonical(k) + ":" + canonical(v) for k, v in value.items()) + "}"
    return kind + ":" + repr(value).split(" at 0x")[0]


def call(function, arguments):
    """Returns the state in which a call ends, or None if it does not end in time."""
    code, ends = function.__code__, {}

    def trace(frame, event, arg):
        if frame.f_code is not code or "frame" in ends and ends["frame"] is not frame:
            return None
        ends["frame"] = frame
        if event == "return" and "raised" not in ends:
            names = {n: v for n, v in frame.f_locals.items()}
            ends["end"] = dict(
                event="return", line=frame.f_lineno, value=repr(arg), canonical=canonical(arg),
                locals={n: repr(v) for n, v in names.items()}, names={n: canonical(v) for n, v in names.items()})
        return trace

    def outer(frame, event, arg):
        return trace(frame, event, arg) if frame.f_code is code else None

    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        sys.settrace(outer)
        try:
            function(**arguments)
        finally:
            sys.settrace(None)
    except Late:
        return None
    except BaseException as e:
        return dict(event="exception", value=repr(e), canonical=canonical(repr(e)), line=0, locals={}, names={})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ends["end"]


def changed(value, rand):
    """Returns a copy of a value with one change in it."""
    kind = type(value)
    if kind is bool:
        return rand.choice([not value, value, int(value)])
    if kind is int:
        return rand.choice([value + 1, value - 1, -value, value * 2, 0, value + 10, str(value), float(value)])
    if kind is float:
        return rand.choice([value + 1, -value, value / 2, int(value) if value == value and abs(value) < 1e300 else 0])
    if kind is str:
        at = rand.randrange(len(value) + 1)
        letter = rand.choice(list(value) + ["a", "Z", "0", " ", "-", "é", "\n", "ß"])
        return rand.choice([
            value[:at] + letter + value[at:], value[:at] + value[at + 1:], value[:at] + letter + value[at + 1:],
            value.upper(), value.lower(), value[::-1], value + value, value.swapcase(), value + letter, letter + value])
    if kind in (list, tuple):
        items = list(value)
        at = rand.randrange(len(items) + 1)
        what = rand.randrange(6)
        if what == 0 and items:
            del items[min(at, len(items) - 1)]
        elif what == 1 and items:
            items.insert(at, rand.choice(items))
        elif what == 2:
            rand.shuffle(items)
        elif items:
            at = min(at, len(items) - 1)
            items[at] = changed(items[at], rand)
        else:
            items.append(rand.choice([0, "a", None]))
        return kind(items)
    if kind in (set, frozenset):
        return kind(changed(sorted(value, key=repr), rand))
    if kind is dict:
        pairs = list(value.items())
        what = rand.randrange(4)
        if what == 0 and pairs:
            del pairs[rand.randrange(len(pairs))]
        elif what == 1:
            pairs.append((rand.choice(["a", 1, "zz"]), rand.choice([0, "b", None])))
        elif pairs:
            at = rand.randrange(len(pairs))
            key, item = pairs[at]
            pairs[at] = (changed(key, rand), item) if what == 2 else (key, changed(item, rand))
        try:
            return dict(pairs)
        except TypeError:
            return value
    return rand.choice([0, "", value, 1])


def problem(told, right, wrong, rand):
    """Returns the line to print for one problem, None if the call with its own arguments does not end in
    time."""
    space = {"__name__": "prog"}
    exec(compile(told["code"], "prog.py", "exec"), space)
    function = space["f"]
    names = function.__code__.co_varnames[:function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
    if function.__code__.co_flags & 0x2c:  # *args, **kwargs or a generator
        return None
    try:
        own = eval("bind(" + told["input"] + ")", {"bind": inspect.signature(function).bind})
        own.apply_defaults()
        shown = {n: repr(v) for n, v in own.arguments.items()}
        for text in shown.values():
            ast.literal_eval(text)
    except Exception:  # its input is not a literal
        return None
    end = call(function, {n: ast.literal_eval(t) for n, t in shown.items()})
    if not end or end["event"] != "return":
        return None
    others, seen, counts = [], {repr(shown)}, {True: 0, False: 0}
    for _ in range(TRIES):
        other = {n: ast.literal_eval(t) for n, t in shown.items()}
        for _ in range(rand.choice([1, 1, 1, 2, 3])):
            name = rand.choice(list(other) or [""])
            if name:
                other[name] = changed(other[name], rand)
        texts = {n: repr(v) for n, v in other.items()}
        if repr(texts) in seen or any("inf" in t or "nan" in t or "set(" in t for t in texts.values()):
            continue
        seen.add(repr(texts))
        got = call(function, {n: ast.literal_eval(t) for n, t in texts.items()})
        if not got:
            continue
        value = got["event"] == "return" and got["canonical"] == end["canonical"]
        if counts[value] >= (right if value else wrong):
            continue
        counts[value] += 1
        state = value and got["line"] == end["line"] and got["names"] == end["names"]
        others.append(dict(locals=texts, end=got, value=value, state=state))
        if counts[True] >= right and counts[False] >= wrong:
            break
    code = function.__code__
    return dict(
        id=told["id"], code=told["code"], line=code.co_firstlineno, params=list(names), own=shown, end=end, others=others,
        names=list(code.co_varnames + code.co_cellvars + code.co_freevars))


def main():
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    signal.signal(signal.SIGALRM, late)
    rand = random.Random(int(sys.argv[1]))
    for line in sys.stdin:
        found = problem(json.loads(line), int(sys.argv[2]), int(sys.argv[3]), rand)
        if found:
            print(json.dumps(found))


if __name__ == "__main__":
    main()
