"""The part of the tracer that follows calls: arguments, returns, and what built-in functions do with elements."""
import itertools
import sys
import types
from collections import deque

from contents import SEQUENCES, Contents
from records import Activation, Origin, Pending, Store

GENERATOR = 0x20
VIEWS = {"items": "items", "values": "values"}
COPIES = (list, tuple, sorted, reversed, deque)


def code_of(function):
    """Return the code that a call of an object enters, or None."""
    if isinstance(function, types.MethodType):
        function = function.__func__
    elif isinstance(function, type):
        function = function.__init__
    elif not isinstance(function, types.FunctionType):
        function = getattr(type(function), "__call__", None)
    return getattr(function, "__code__", None)


def taken_from_result(store, origin):
    """Report whether code that is not followed made the container of an element."""
    return store.how == "unseen" and origin.kind in ("library", "computed")


class Calls(Contents):
    """Follows calls."""

    def before(self, activation, number, function):
        activation.calls[number] = rec = Pending(number, activation, function)
        self.stack.append(rec)
        if not self.expressions[number].parts:
            self.prepare(rec)
        return function

    def argument(self, activation, number, index, value):
        rec = activation.calls[number]
        rec.arguments.append(value)
        if index == len(self.expressions[number].parts) - 1:
            self.prepare(rec)
        return value

    def prepare(self, rec):
        """Note the arguments, and the contents of containers before the call."""
        rec.ready, rec.time = True, self.tick()
        rec.origins = [self.origin(rec.activation, k) for _, k in self.expressions[rec.number].parts]
        for a in rec.arguments:
            if isinstance(a, SEQUENCES + (dict,)):
                self.known(a)
        receiver = getattr(rec.function, "__self__", None)
        if isinstance(receiver, SEQUENCES + (dict,)):
            stores = self.known(receiver)
            rec.before = dict(stores) if isinstance(receiver, dict) else list(stores)
        elif isinstance(receiver, set):
            rec.before = set(self.keep(receiver))

    def unwind(self, rec):
        while self.stack and self.stack.pop() is not rec:
            pass

    def return_of(self, activation):
        """Return the Store of a function's return value."""
        if activation.returned is None:
            o = Origin("literal", 0, None, self.now, note="no return")
            activation.returned = Store("return", self.program.names[activation.function], activation, None, o, self.tick())
        return activation.returned

    def returned(self, activation, number, value):
        name = self.program.names[activation.function]
        activation.returned = Store("return", name, activation, value, self.origin(activation, number), self.tick())
        return value

    def returned_nothing(self, activation):
        activation.returned = None
        self.return_of(activation)

    def after(self, activation, number, value):
        rec = activation.calls.pop(number)
        self.unwind(rec)
        function, entered = rec.function, rec.entered
        code = code_of(function)
        if isinstance(function, type) and (entered is not None or id(function) in self.classes):
            if entered is None:
                self.constructed(rec, value)
            self.note(activation, number, "instance", value, inputs=self.inputs(activation, number))
        elif entered is not None:
            self.note(activation, number, "return", value, store=self.return_of(entered))
            activation.origins[number].inputs = self.inputs(activation, number)
        elif isinstance(value, types.GeneratorType) and code is not None and value.gi_code is code:
            self.generators[id(value.gi_frame)] = rec
            self.sources[id(self.keep(value))] = ("generator", id(value.gi_frame))
            self.note(activation, number, "library", value, inputs=self.inputs(activation, number))
        else:
            self.library(activation, number, rec, value)
        return value

    def constructed(self, rec, value):
        """Note the fields that a generated __init__ set, before a __post_init__ could change their values."""
        kinds = [kind for kind, _ in self.expressions[rec.number].parts]
        if "*" in kinds or "**" in kinds:
            return
        names = list(getattr(type(value), "__dataclass_fields__", ())) or list(getattr(type(value), "_fields", ()))
        given = {kind or (names[i] if i < len(names) else ""): o for i, (kind, o) in enumerate(zip(kinds, rec.origins))}
        if isinstance(value, tuple):
            self.made(rec, value, [given.get(n, self.unknown("a default")) for n in names])
            return
        for name, v in getattr(value, "__dict__", {}).items():
            self.put_field(rec, value, name, v, given.get(name, self.unknown("a default", v)), name, "creation", rec.time)

    def default(self, activation, number, function, name, value):
        self.defaults[function, name] = (self.origin(activation, number), value, self.expressions[number].line)
        return value

    def enter(self, number, params):
        """Begin a run of a function."""
        frame = sys._getframe(1)
        scope = self.program.functions[number]
        activation = Activation(number, id(frame))
        rec = self.generators.pop(id(frame), None)
        if not scope.generator and self.stack:
            top = self.stack[-1]
            if top.ready and top.entered is None and code_of(top.function) is frame.f_code:
                rec, top.entered = top, activation
        if scope.generator:
            self.keep(frame)
        if frame.f_code.co_name == "__enter__":
            self.entering = activation
        self.pass_arguments(activation, scope, params, rec)
        return activation

    def pass_arguments(self, activation, scope, params, rec):
        given, named = [], {}
        if rec is not None:
            given, named = self.given(rec, params[scope.positional[0]] if scope.positional else None)
        by = rec or activation
        for i, name in enumerate(scope.positional + scope.keyword_only):
            how, o = "parameter", self.unknown("called by code that is not followed", params[name])
            found = (named[name],) if name in named else (given[i],) if i < len(given) and name in scope.positional else ()
            if found and found[0][0] is params[name]:
                o = found[0][1]
            elif rec is not None and not found and (scope.number, name) in self.defaults and self.defaults[scope.number, name][1] is params[name]:
                how, (o, _, line) = "default", self.defaults[scope.number, name]
                o = Origin(o.kind, line, o.value, o.time, o.store, o.inputs, o.parts, o.holder, o.index)
            activation.names[name] = Store(how, name, by, params[name], o, self.tick())
        if scope.star:
            rest = given[len(scope.positional):]
            if len(rest) == len(params[scope.star]):
                self.made(by, params[scope.star], [o for _, o in rest])
        for name in (scope.star, scope.double_star):
            if name:
                parts = [o for _, o in given[len(scope.positional):]] if name == scope.star else None
                o = Origin("instance", 0, params[name], self.tick(), parts=parts, note="the other arguments")
                activation.names[name] = Store("parameter", name, by, params[name], o, self.tick())

    def given(self, rec, first):
        """Return the arguments of a call as (value, Origin): by position, and by name."""
        given, named = [], {}
        function = rec.function
        if isinstance(function, type):
            given.append((first, Origin("instance", self.expressions[rec.number].line, first, self.tick())))
        elif isinstance(function, types.MethodType) or not isinstance(function, types.FunctionType):
            given.append((first, self.receiver(rec, first)))
        elif self.expressions[rec.number].kind in ("Attribute", "Subscript"):
            given.append((first, self.receiver(rec, first)))
        if self.expressions[rec.number].kind == "Subscript":
            given.append((rec.activation.keys[rec.number], self.unknown("a subscript")))
        for (kind, _), o, value in zip(self.expressions[rec.number].parts, rec.origins, rec.arguments):
            if kind == "*":
                given += [(v, self.nth(value, i, v, o)) for i, v in enumerate(value)] if isinstance(value, SEQUENCES) else []
            elif kind == "**":
                named.update((k, (v, self.entry(value, k, o))) for k, v in value.items())
            elif kind:
                named[kind] = (value, o)
            else:
                given.append((value, o))
        return given, named

    def receiver(self, rec, value):
        base = self.expressions[rec.number].base
        if base is None:
            return self.unknown("the object of a bound method", value)
        o = self.origin(rec.activation, base)
        return o if o.value is value else self.unknown("the object of a bound method", value)

    def entry(self, container, key, holder):
        store = self.element(container, key)
        return Origin("element", holder.line, store and store.value, self.tick(), store=store, holder=holder, index=key)

    def nth(self, iterable, count, value, origin, text=""):
        """Return the origin of item number count of an iteration."""
        if isinstance(iterable, SEQUENCES):
            store = self.element(iterable, count)
            if store is not None and store.value is value and not taken_from_result(store, origin):
                return Origin("element", origin.line, value, self.tick(), store=store, holder=origin, index=count)
        kind, *rest = self.sources.get(id(iterable), ("",))
        if kind == "generator":
            for store in self.yields.get(rest[0], [])[count:]:  # some items may have been taken before
                if store.value is value:
                    return Origin("return", origin.line, value, self.tick(), store=store)
        if kind == "generator expression" and rest[1] in rest[0].generated:
            return Origin("return", origin.line, value, self.tick(), store=rest[0].generated[rest[1]])
        if kind == "items" and isinstance(value, tuple):
            parts = [Origin("computed", origin.line, value[0], self.tick(), inputs=origin.inputs), self.entry(rest[0], value[0], rest[1])]
            return Origin("tuple", origin.line, value, self.tick(), parts=parts)
        if kind == "values":
            key = next(itertools.islice(rest[0], count, None), None)
            return self.entry(rest[0], key, rest[1])
        if kind == "enumerate" and isinstance(value, tuple):
            number = Origin("computed", origin.line, value[0], self.tick(), inputs=origin.inputs)
            parts = [number, self.nth(rest[0], count, value[1], rest[1], rest[2])]
            return Origin("tuple", origin.line, value, self.tick(), parts=parts)
        if kind == "zip" and isinstance(value, tuple):
            parts = [self.nth(x, count, v, o, text) for x, o, text, v in zip(*rest, value)]
            return Origin("tuple", origin.line, value, self.tick(), parts=parts)
        if kind == "reversed" and isinstance(rest[0], SEQUENCES):
            return self.nth(rest[0], len(rest[0]) - 1 - count, value, rest[1], rest[2])
        if kind == "iter":
            return self.nth(rest[0], count, value, rest[1], rest[2])
        return Origin("computed", origin.line, value, self.tick(), inputs=[(text, origin)] + list(origin.inputs), note="an item")

    # What is known of built-in functions and methods.

    def library(self, activation, number, rec, value):
        """Note the result of a call of code that is not followed."""
        function, arguments = rec.function, rec.arguments
        inputs = self.inputs(activation, number)
        receiver = getattr(function, "__self__", None)
        name = getattr(function, "__name__", "")
        builtin = isinstance(receiver, SEQUENCES + (dict,)) and not isinstance(function, types.MethodType)
        method = getattr(self, "method_" + name, None) if builtin else None
        o = method(activation, rec, receiver, value) if method else None
        if o is None and isinstance(receiver, dict) and name in VIEWS:
            self.sources[id(self.keep(value))] = (name, receiver, self.origin(activation, self.expressions[number].base))
        elif o is None and function in (enumerate, reversed, iter) and len(arguments) >= 1:
            text = self.expressions[self.expressions[number].parts[0][1]].text
            self.sources[id(self.keep(value))] = (function.__name__, arguments[0], rec.origins[0], text)
        elif o is None and function is zip and all(kind == "" for kind, _ in self.expressions[number].parts):
            texts = [self.expressions[k].text for _, k in self.expressions[number].parts]
            self.sources[id(self.keep(value))] = ("zip", arguments, rec.origins, texts)
        elif o is None and function in COPIES + (dict,) or name == "copy":
            self.copied(activation, rec, value)
        for container in [receiver] + arguments:
            self.sync(activation, container)
        if isinstance(receiver, set) and receiver != rec.before:
            self.changed(activation, receiver)
        if isinstance(value, SEQUENCES + (dict,)):
            self.known(value)
        if o is None:
            o = Origin("library", self.expressions[number].line, value, self.tick())
        o.inputs, o.time = inputs, self.tick()
        activation.origins[number] = o

    def copied(self, activation, rec, value):
        """Note the elements of a copy."""
        source = rec.arguments[0] if rec.arguments else getattr(rec.function, "__self__", None)
        o = rec.origins[0] if rec.origins else self.unknown("a copy")
        if isinstance(value, dict) and isinstance(source, dict) and not rec.arguments[1:]:
            self.made_dict(activation, value, {k: self.entry(source, k, o) for k in value if k in source})
        elif rec.function is sorted and isinstance(source, SEQUENCES):
            at = {}
            for i, v in enumerate(source):
                at.setdefault(id(v), []).append(i)
            self.made(activation, value, [self.nth(source, at[id(v)].pop(0), v, o) for v in value])
        elif rec.function is not sorted and isinstance(value, (list, tuple, deque)) and value is not source:
            text = self.expressions[self.expressions[rec.number].parts[0][1]].text if rec.arguments else ""
            self.made(activation, value, [self.nth(source, i, v, o, text) for i, v in enumerate(value)])

    def taken(self, store, value, rec):
        if store is None or store.value is not value:
            return None
        holder = self.origin(rec.activation, self.expressions[rec.number].base) if self.expressions[rec.number].base is not None else None
        return Origin("element", self.expressions[rec.number].line, value, self.tick(), store=store, holder=holder)

    def method_pop(self, activation, rec, receiver, value):
        if isinstance(receiver, dict):
            store = rec.before.get(rec.arguments[0])
            if store is None:
                return rec.origins[1]
            self.elements[id(receiver)].pop(rec.arguments[0], None)
            self.changed(activation, receiver)
            return self.taken(store, value, rec)
        index = rec.arguments[0] if rec.arguments else -1
        store = self.elements[id(receiver)].pop(index)
        self.changed(activation, receiver)
        return self.taken(store, value, rec)

    def method_popleft(self, activation, rec, receiver, value):
        self.changed(activation, receiver)
        return self.taken(self.elements[id(receiver)].pop(0), value, rec)

    def method_get(self, activation, rec, receiver, value):
        store = rec.before.get(rec.arguments[0])
        if store is None and len(rec.origins) > 1:
            return rec.origins[1]
        return self.taken(store, value, rec)

    def method_setdefault(self, activation, rec, receiver, value):
        store = rec.before.get(rec.arguments[0])
        if store is None:
            if len(rec.origins) > 1:
                self.put(activation, receiver, rec.arguments[0], value, rec.origins[1])
            return rec.origins[1] if len(rec.origins) > 1 else None
        return self.taken(store, value, rec)

    def method_append(self, activation, rec, receiver, value):
        if len(receiver) == len(rec.before):  # a deque with a maxlen
            self.elements[id(receiver)].pop(0)
        self.insert(activation, receiver, len(receiver) - 1, rec.arguments[0], rec.origins[0])

    def method_appendleft(self, activation, rec, receiver, value):
        self.insert(activation, receiver, 0, rec.arguments[0], rec.origins[0])

    def method_insert(self, activation, rec, receiver, value):
        size, at = len(receiver) - 1, rec.arguments[0]
        at = max(at + size, 0) if at < 0 else min(at, size)
        self.insert(activation, receiver, at, rec.arguments[1], rec.origins[1])

    def method_extend(self, activation, rec, receiver, value):
        stores, size = rec.before, len(rec.before)
        text = self.expressions[self.expressions[rec.number].parts[0][1]].text
        for i, v in enumerate(list(receiver)[size:]):
            o = self.nth(rec.arguments[0], i, v, rec.origins[0], text)
            stores.append(Store("mutation", "", activation, v, o, self.tick()))
        self.elements[id(receiver)] = stores
        if len(stores) > size:
            self.changed(activation, receiver)

    def method_update(self, activation, rec, receiver, value):
        for (kind, _), o, v in zip(self.expressions[rec.number].parts, rec.origins, rec.arguments):
            if kind and kind != "**":
                self.put(activation, receiver, kind, v, o)
            elif isinstance(v, dict):
                for k in v:
                    self.put(activation, receiver, k, v[k], self.entry(v, k, o))

    def method_reverse(self, activation, rec, receiver, value):
        self.elements[id(receiver)] = rec.before[::-1]
        self.changed(activation, receiver)
