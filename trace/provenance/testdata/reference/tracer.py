"""The tracer that a rewritten program reports to."""
import operator
from collections import deque

from calls import Calls, taken_from_result
from contents import SEQUENCES
from iteration import Iteration
from records import Activation, Origin, Pending, Store


class Tracer(Calls):
    """Notes every store of a program, and where its value came from."""

    def __init__(self, program, stops, answer):
        super().__init__()
        self.program, self.stops, self.answer = program, stops, answer
        self.expressions = program.expressions
        self.counts = [0] * len(program.statements)
        self.stack, self.generators, self.yields, self.defaults = [], {}, {}, {}
        self.classes, self.entering = set(), None
        self.root = Activation(0)

    # Statements and activations.

    def module(self):
        return self.root

    def sub(self, activation, number):
        return activation.subs[number]

    def enter_class(self, activation, number):
        activation.subs[number] = sub = Activation(number)
        sub.outer = activation

    def statement(self, activation, number):
        self.counts += [0] * (number + 1 - len(self.counts))  # doctests add statements
        self.counts[number] += 1
        activation.statement, activation.ordinal = number, self.counts[number]
        activation.began = self.tick()
        known = self.program.statements[number]
        if known.countable and (known.line, activation.ordinal) in self.stops:
            self.answer(self, activation, (known.line, activation.ordinal))

    # Origins of expressions.

    def origin(self, activation, number):
        known = self.expressions[number]
        if known.literal:
            return Origin("literal", known.line, known.node.value, self.now)
        found = activation.origins.get(number)
        if found is None or found.time < activation.began:
            return self.unknown("an expression that is not followed")
        return found

    def inputs(self, activation, number):
        found = []
        for text, k in self.expressions[number].inputs:
            o = activation.origins.get(k)
            if o is not None and o.time >= activation.began:
                found.append((text, o))
        return found

    def note(self, activation, number, kind, value, **more):
        more.setdefault("inputs", self.inputs(activation, number))
        activation.origins[number] = o = Origin(kind, self.expressions[number].line, value, self.tick(), **more)
        return o

    def computed(self, activation, number, value):
        known = self.expressions[number]
        self.note(activation, number, "computed", value)
        if isinstance(value, (list, tuple)) and known.kind == "BinOp":
            left, right = (self.origin(activation, k) for k in known.parts)
            origins = [self.nth(o.value, i, v, o) for o in (left, right) if isinstance(o.value, type(value)) for i, v in enumerate(o.value)]
            if len(origins) == len(value) and isinstance(left.value, type(value)) and isinstance(right.value, type(value)):
                self.made(activation, value, origins)
            elif isinstance(left.value, (list, tuple)) and left.value:
                self.made(activation, value, [self.nth(left.value, i % len(left.value), v, left) for i, v in enumerate(value)])
        return value

    def name(self, activation, number, owner, key, value):
        store = owner.names.get(key) or owner.outer and self.root.names.get(key)
        if store is None:
            self.note(activation, number, "library", value, note="a built-in name")
        elif store.value is not value:
            self.note(activation, number, "unknown", value, note="a name that was bound by code that is not followed")
        else:
            self.note(activation, number, "copy", value, store=store)
        return value

    def base(self, activation, number, value):
        activation.bases[number] = value
        known = self.expressions[number]
        if known.kind == "Attribute":
            found = next((vars(c)[known.attribute] for c in type(value).__mro__ if known.attribute in vars(c)), None)
            if isinstance(found, property):
                self.expect(activation, number, found.fget)
        return value

    def expect(self, activation, number, function):
        """Note that a function of the program may be entered without a call."""
        activation.calls[number] = rec = Pending(number, activation, function)
        rec.ready, rec.origins = True, []
        self.stack.append(rec)

    def met(self, activation, number):
        """Return the Store of the expected function's return value, or None if it was not entered."""
        rec = activation.calls.pop(number, None)
        if rec is None:
            return None
        self.unwind(rec)
        return rec.entered and self.return_of(rec.entered)

    def attribute(self, activation, number, value):
        obj, name = activation.bases.pop(number), self.expressions[number].attribute
        store = self.met(activation, number)
        if store is not None:
            self.note(activation, number, "return", value, store=store)
            return value
        holder = self.origin(activation, self.expressions[number].base)
        for owner in (obj,) + (obj.__mro__ if isinstance(obj, type) else type(obj).__mro__):
            store = self.field(owner, name)
            if store is not None and store.value is value:
                self.note(activation, number, "field", value, store=store, holder=holder, index=name)
                return value
        kind = "unknown" if name in getattr(obj, "__dict__", ()) else "library"
        self.note(activation, number, kind, value, note="an attribute that is not followed")
        return value

    slice = slice

    def subscript(self, activation, number, key):
        activation.keys[number] = key
        obj = activation.bases[number]
        method = getattr(type(obj), "__getitem__", None)
        if hasattr(method, "__code__"):
            self.expect(activation, number, method)
        return key

    def item(self, activation, number, value):
        obj, key = activation.bases.pop(number), activation.keys.pop(number)
        store = self.met(activation, number)
        if store is not None:
            self.note(activation, number, "return", value, store=store)
            return value
        holder = self.origin(activation, self.expressions[number].base)
        if isinstance(obj, (list, tuple)) and isinstance(key, slice):
            stores = self.known(obj)
            indexes = range(*key.indices(len(obj)))
            taken = zip(indexes, value)
            self.made(activation, value, [Origin("element", 0, v, self.tick(), store=stores[i], holder=holder, index=i) for i, v in taken])
        elif isinstance(obj, SEQUENCES + (dict,)):
            self.sync(activation, obj)  # a defaultdict adds entries
            store = self.element(obj, key)
            if store is not None and store.value is value:
                index = key + len(obj) if isinstance(obj, SEQUENCES) and key < 0 else key
                self.note(activation, number, "element", value, store=store, holder=holder, index=index)
                return value
        self.note(activation, number, "computed", value)
        return value

    def chosen(self, activation, number, part, value):
        activation.picked[number] = part
        return value

    def choice(self, activation, number, value):
        o = self.origin(activation, activation.picked.pop(number))
        inputs = self.inputs(activation, number)
        activation.origins[number] = Origin(o.kind, o.line, o.value, self.tick(), o.store, inputs, o.parts, o.holder, o.index, o.note)
        return value

    def walrus(self, activation, number, part, owner, key, value):
        o = self.origin(activation, part)
        owner.names[key] = Store("name", key, activation, value, o, self.tick())
        activation.origins[number] = Origin(o.kind, o.line, o.value, self.tick(), o.store, o.inputs, o.parts, o.holder, o.index, o.note)
        return value

    # Displays and comprehensions.

    def spread(self, star, o):
        """Return the origins of the values that an element of a display or an argument contributes."""
        if star == "*":
            return [self.nth(o.value, i, v, o) for i, v in enumerate(o.value)] if isinstance(o.value, (list, tuple, deque)) else None
        return [o]

    def display(self, activation, number, value):
        found, whole = [], isinstance(value, (list, tuple))
        for star, k in self.expressions[number].parts:
            origins = self.spread(star, self.origin(activation, k))
            whole = whole and origins is not None
            found += origins or []
        parts = found if whole and len(found) == len(value) else None
        if parts is not None:
            self.made(activation, value, parts)
        self.note(activation, number, "display", value, parts=parts)
        return value

    def key(self, activation, number, index, key):
        activation.keys.setdefault(number, {})[index] = key
        return key

    def dict_display(self, activation, number, value):
        keys, origins = activation.keys.pop(number, {}), {}
        for i, (star, k) in enumerate(self.expressions[number].parts):
            o = self.origin(activation, k)
            if star:
                origins.update((key, self.entry(o.value, key, o)) for key in o.value)
            else:
                origins[keys[i]] = o
        self.made_dict(activation, value, origins)
        self.note(activation, number, "display", value)
        return value

    def begin(self, activation, number):
        activation.collected.setdefault(number, []).append([])

    def comprehension_key(self, activation, number, key):
        activation.keys[number] = key
        return key

    def comprehension_element(self, activation, number, part, value):
        activation.collected[number][-1].append((activation.keys.get(number), value, self.origin(activation, part)))
        return value

    def comprehension(self, activation, number, _, value):
        items = activation.collected[number].pop()
        if isinstance(value, list):
            self.made(activation, value, [o for _, _, o in items])
        elif isinstance(value, dict):
            self.made_dict(activation, value, {k: o for k, _, o in items})
        self.note(activation, number, "comprehension", value)
        return value

    def generated(self, activation, number, part, value):
        o = self.origin(activation, part)
        activation.generated[number] = Store("yield", "<genexpr>()", activation, value, o, self.tick(), silent=True)
        return value

    def generator_expression(self, activation, number, value):
        self.sources[id(self.keep(value))] = ("generator expression", activation, number)
        self.note(activation, number, "comprehension", value)
        return value

    # Stores.

    def store(self, activation, number, owner, key, value):
        owner.names[key] = Store("name", key, activation, value, self.origin(activation, number), self.tick())
        return value

    def store_part(self, activation, number, owner, key, path, value):
        o = self.part(self.origin(activation, number), path, value)
        owner.names[key] = Store("name", key, activation, value, o, self.tick())
        return value

    def part(self, o, path, value):
        """Return the origin of the part of a value at path, which unpacking takes."""
        for i in path:
            if i < 0:
                return self.unknown("a starred target", value)
            if o.parts is not None and o.kind in ("display", "tuple"):
                o = o.parts[i]
            elif isinstance(o.value, SEQUENCES) and self.element(o.value, i) is not None:
                store = self.element(o.value, i)
                if taken_from_result(store, o):
                    return Origin("computed", o.line, value, self.tick(), inputs=o.inputs, note="an item")
                o = Origin("element", o.line, store.value, self.tick(), store=store, holder=o, index=i)
            else:
                return Origin("computed", o.line, value, self.tick(), inputs=o.inputs, note="a part of it")
        return o

    def attribute_stored(self, activation, number, name, path, text):
        obj = activation.object
        own = getattr(obj, "__dict__", {})
        if name in own:
            value = own[name]
        elif type(vars(type(obj)).get(name)).__name__ == "member_descriptor":
            value = getattr(obj, name)
        else:
            return
        self.put_field(activation, obj, name, value, self.part(self.origin(activation, number), path, value), text)

    def attribute_deleted(self, activation, name):
        if self.attributes.get(id(activation.object), {}).pop(name, None):
            self.changed(activation, activation.object)

    def before_attribute(self, activation, name):
        obj = activation.object
        if name in getattr(obj, "__dict__", ()) and self.field(obj, name) is None:
            self.attributes.setdefault(id(self.keep(obj)), {})[name] = self.unseen(obj.__dict__[name], None)

    def before_item(self, activation):
        if isinstance(activation.object, SEQUENCES + (dict,)):
            self.known(activation.object)

    def item_stored(self, activation, number, path, value):
        obj, key = activation.object, activation.index
        o = self.part(self.origin(activation, number), path, value)
        if isinstance(obj, list) and isinstance(key, slice):
            stores, new = self.elements[id(obj)], list(value)
            stores[key] = [Store("mutation", "", activation, v, self.nth(value, i, v, o), self.tick()) for i, v in enumerate(new)]
            self.changed(activation, obj)
        elif isinstance(obj, (list, deque)) and isinstance(key, int) or isinstance(obj, dict) and key in obj and dict.__getitem__(obj, key) is value:
            self.put(activation, obj, key, value, o)

    def item_deleted(self, activation):
        obj, key = activation.object, activation.index
        stores = self.elements.get(id(obj))
        if stores is None:
            return
        if isinstance(obj, dict):
            stores.pop(key, None)
        else:
            del stores[key]
        self.changed(activation, obj)

    def name_deleted(self, owner, key):
        owner.names.pop(key, None)

    def old_attribute(self, activation, number, name, value):
        store = self.field(activation.object, name)
        known = store is not None and store.value is value
        activation.old = Origin("field" if known else "unknown", 0, value, self.tick(), store=store if known else None)
        return value

    def old_item(self, activation, number, value):
        store = self.element(activation.object, activation.index) if isinstance(activation.object, SEQUENCES + (dict,)) else None
        known = store is not None and store.value is value
        activation.old = Origin("element" if known else "unknown", 0, value, self.tick(), store=store if known else None)
        return value

    def augment(self, activation, number, old, value):
        known = self.expressions[number]
        o = activation.old if known.old is None else self.origin(activation, known.old)
        added = self.origin(activation, known.added)
        stores = list(self.known(old)) if isinstance(old, (list, tuple)) else None
        before = set(old) if isinstance(old, set) else None
        result = getattr(operator, "i" + OPERATORS[known.operator])(old, value)
        if stores is not None and isinstance(value, (list, tuple)) and known.operator == "Add":
            stores += [Store("mutation", "", activation, v, self.nth(value, i, v, added), self.tick()) for i, v in enumerate(list(value))]
            self.keep(result)
            self.elements[id(result)] = stores
            if value:
                self.changed(activation, result)
        if isinstance(old, set) and old != before:
            self.changed(activation, old)
        inputs = [(known.text, o), (self.expressions[known.added].text, added)] + self.inputs(activation, number)
        self.note(activation, number, "augmented", result, inputs=inputs)
        return result

    def defined(self, activation, owner, key, kind, value):
        owner.names[key] = Store(kind, key, activation, value, Origin("definition", 0, value, self.tick()), self.tick())

    def class_defined(self, activation, owner, key, number, value):
        self.defined(activation, owner, key, "def", value)
        if isinstance(value, type):
            self.classes.add(id(value))
            fields = self.attributes.setdefault(id(self.keep(value)), {})
            fields.update((name, s) for name, s in activation.subs[number].names.items() if vars(value).get(name) is s.value)

    def caught(self, activation, owner, key, value):
        owner.names[key] = Store("except", key, activation, value, Origin("raised", 0, value, self.tick()), self.tick())

    def unfollowed(self, activation, owner, key, value):
        owner.names[key] = Store("name", key, activation, value, self.unknown("a pattern", value), self.tick())

    # Loops, generators and with.

    def iterate(self, activation, number, iterable, statement):
        return Iteration(self, activation, number, iterable, statement)

    def bind(self, activation, number, silent, *targets):
        o = activation.current[number]
        for path, owner, key, value in targets:
            owner.names[key] = Store("loop", key.split(" ")[0], activation, value, self.part(o, path, value), self.tick(), silent)
        return True

    def yielded(self, activation, number, value):
        name = self.program.names[activation.function]
        self.yields.setdefault(activation.frame, []).append(Store("yield", name, activation, value, self.origin(activation, number), self.tick()))
        return value

    def received(self, activation, number, value):
        self.note(activation, number, "unknown", value, note="what a generator was sent")
        return value

    def context(self, activation, number, value):
        self.entering = None
        return value

    def entered(self, activation, number, *targets):
        o = self.origin(activation, number)
        for path, owner, key, value in targets:
            made = Origin("library", o.line, value, self.tick(), inputs=[(self.expressions[number].text, o)] + list(o.inputs))
            if self.entering is not None and self.entering.returned is not None and self.entering.returned.value is value:
                made = Origin("return", o.line, value, self.tick(), store=self.entering.returned)
            owner.names[key] = Store("with", key, activation, value, self.part(made, path, value), self.tick())


OPERATORS = {
    "Add": "add", "Sub": "sub", "Mult": "mul", "Div": "truediv", "FloorDiv": "floordiv", "Mod": "mod", "Pow": "pow", "LShift": "lshift",
    "RShift": "rshift", "BitOr": "or", "BitAnd": "and", "BitXor": "xor", "MatMult": "matmul",
}
