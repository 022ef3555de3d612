"""Values as docs/nd1.md defines them, implemented again for the check.

A value is its repr, with these exceptions. Exact lists, tuples, dicts, sets and
frozensets are written element by element. An object whose class inherits
object.__repr__, or whose __repr__ raises, is written from its attributes, three levels
deep. ` at 0x…` before `>` is removed except in strings. A class whose __repr__ prints
or changes its object is written from attributes from then on.
"""

import re

BRACKETS = {list: "[]", tuple: "()", dict: "{}", set: "{}", frozenset: ("frozenset({", "})")}
LEVELS = 3
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")
FUNCTION = type(lambda: None)
of_class = type.__getattribute__  # does not call a metaclass


class Shown:
    """Writes values as text. printed() must return how many times the program has printed so far."""

    def __init__(self, printed=lambda: 0):
        self.printed = printed
        self.distrusted = []  # classes whose __repr__ is not called any more

    def text(self, value):
        """Returns the text of a value, with escapes for surrogates, which UTF-8 cannot
        encode."""
        return self.show(value, 0, ()).encode("utf-8", "backslashreplace").decode("utf-8")

    def show(self, value, level, path):
        kind = type(value)
        if kind in BRACKETS:
            return self.container(value, kind, level, path)
        method = of_class(kind, "__repr__")
        if method is object.__repr__ or any(kind is c for c in self.distrusted):
            return self.attributes(value, kind, level, path)
        text = self.asked(value, kind, method)
        if text is None:
            return self.attributes(value, kind, level, path)
        return text if issubclass(kind, (str, bytes)) else ADDRESS.sub("", text)

    def container(self, value, kind, level, path):
        if not value:
            return repr(value)
        opening, closing = BRACKETS[kind]
        if any(value is one for one in path):
            name = kind.__name__
            return opening + "..." + closing if kind in (list, tuple, dict) else name + "(...)"
        path += (value,)
        if kind is dict:
            parts = [
                self.show(k, level, path) + ": " + self.show(v, level, path) for k, v in list(value.items())
            ]
        else:
            parts = [self.show(one, level, path) for one in list(value)]
        only = "," if kind is tuple and len(parts) == 1 else ""
        return opening + ", ".join(parts) + only + closing

    def attributes(self, value, kind, level, path):
        name = of_class(kind, "__name__")
        if level == LEVELS or any(value is one for one in path):
            return name + "(...)"
        path += (value,)
        members = []
        try:
            members += object.__getattribute__(value, "__dict__").items()
        except AttributeError:
            pass
        for cls in reversed(of_class(kind, "__mro__")):
            listed = vars(cls).get("__slots__", ())
            for slot in (listed,) if isinstance(listed, str) else tuple(listed):
                if slot in ("__dict__", "__weakref__"):
                    continue
                if slot.startswith("__") and not slot.endswith("__"):  # the name as the compiler mangles it
                    slot = "_" + cls.__name__.lstrip("_") + slot
                try:
                    members.append((slot, vars(cls)[slot].__get__(value, kind)))
                except (AttributeError, KeyError):
                    pass  # the slot has no value
        shown = [f"{key}={self.show(member, level + 1, path)}" for key, member in members]
        return f"{name}({', '.join(shown)})"

    def asked(self, value, kind, method):
        """Returns the result of an object's __repr__. Returns None if it raises,
        prints, or changes the object."""
        own = before = None
        if type(method) is FUNCTION:
            own = getattr(value, "__dict__", None)
            before = None if own is None else dict(own)
        printed = self.printed()
        try:
            text = repr(value)
        # Usually __init__ has not finished yet. The __repr__ is called again later.
        except Exception:
            text = None
        changed = before is not None and (
            own.keys() != before.keys() or any(own[key] is not before[key] for key in before)
        )
        if changed:
            own.clear()
            own.update(before)
        if changed or self.printed() != printed:
            self.distrusted.append(kind)
            return None
        return text
