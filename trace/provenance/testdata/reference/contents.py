"""The stores of elements and attributes, kept beside each container and instance."""
from collections import OrderedDict, deque

from records import Origin, Store, same

SEQUENCES = (list, tuple, deque)


class Contents:
    """The part of the tracer that notes which store put each element and attribute in its place."""

    def __init__(self):
        self.kept = []  # keeps objects alive, so that no id is used again
        self.elements = {}  # id of a container: list or dict of Stores
        self.attributes = {}  # id of an object: dict of Stores
        self.changes = {}  # id of an object: [(time, activation's statement, ordinal)]
        self.sources = {}  # id of an iterator: (kind, what it iterates over, …)
        self.now = 0

    def tick(self):
        self.now += 1
        return self.now

    def keep(self, value):
        self.kept.append(value)
        return value

    def made(self, activation, value, origins, line_of=None):
        """Note the elements of a new container."""
        self.keep(value)
        store = [Store("creation", f"[{i}]", activation, v, o, self.tick()) for i, (v, o) in enumerate(zip(value, origins))]
        self.elements[id(value)] = store

    def made_dict(self, activation, value, origins):
        self.keep(value)
        stores = self.elements[id(value)] = {}
        for k, v in dict.items(value):
            o = origins.get(k, self.unknown("a dict of code that is not followed"))
            stores[k] = Store("creation", f"[{k!r}]", activation, v, o, self.tick())

    def unknown(self, note, value=None):
        return Origin("unknown", 0, value, self.now, note=note)

    def changed(self, activation, value):
        """Note that a container or instance changed."""
        self.changes.setdefault(id(value), []).append((self.tick(), activation.statement, activation.ordinal))

    def known(self, value):
        """Return the stores of the elements of a container, after bringing them up to date."""
        found = self.elements.get(id(value))
        if isinstance(value, SEQUENCES):
            if found is None or len(found) != len(value) or any(s.value is not v for s, v in zip(found, value)):
                self.match(value, found)
        elif isinstance(value, dict):
            if found is None or len(found) != len(value) or any(found.get(k) is None or found[k].value is not v for k, v in dict.items(value)):
                self.match_dict(value, found)
        return self.elements.get(id(value))

    def match(self, value, old, activation=None):
        """Find the stores of elements that were moved, by identity. Stores of one object keep their order."""
        self.keep(value)
        at = {}
        for s in old or ():
            at.setdefault(id(s.value), []).append(s)
        made = []
        for v in value:
            stores = at.get(id(v))
            if stores:
                made.append(stores.pop(0))
            else:
                made.append(self.unseen(v, activation))
        if activation is not None and old is not None:
            self.changed(activation, value)
        self.elements[id(value)] = made

    def match_dict(self, value, old, activation=None):
        self.keep(value)
        known, old = old is not None, old or {}
        made, changed = {}, len(old) != len(value) or any(a is not b for a, b in zip(old, value))
        for k in value:
            s, v = old.get(k), dict.__getitem__(value, k)
            if s is None or s.value is not v:
                s, changed = self.unseen(v, activation), True
            made[k] = s
        if activation is not None and changed and known:
            self.changed(activation, value)
        self.elements[id(value)] = made

    def unseen(self, v, activation):
        if activation is None:
            activation = self.root
        return Store("unseen", "", activation, v, self.unknown("stored by code that is not followed", v), self.tick())

    def sync(self, activation, value):
        """Bring the stores of a container up to date after a call that may have changed it."""
        if type(value).__hash__ is None or isinstance(value, SEQUENCES + (dict,)):
            if isinstance(value, (list, deque)):
                old = self.elements.get(id(value))
                if old is not None and (len(old) != len(value) or any(s.value is not v for s, v in zip(old, value))):
                    self.match(value, old, activation)
            elif isinstance(value, dict):
                old = self.elements.get(id(value))
                items = OrderedDict.items if isinstance(value, OrderedDict) else dict.items  # dict's has another order
                entries = zip(old or (), items(value))
                if old is not None and (len(old) != len(value) or any(k is not a or old[a].value is not v for a, (k, v) in entries)):
                    self.match_dict(value, old, activation)

    def element(self, container, key):
        """Return the Store of an element, or None."""
        stores = self.known(container)
        try:
            if isinstance(container, SEQUENCES):
                return stores[key] if isinstance(key, int) else None
            if isinstance(container, dict):
                return stores.get(key)
        except (IndexError, TypeError):
            pass
        return None

    def put(self, activation, container, key, value, origin, before=None):
        """Note that an element was stored."""
        stores = self.elements.get(id(container))
        store = Store("mutation", f"[{key!r}]", activation, value, origin, self.tick())
        if isinstance(container, (list, deque)):
            if stores is None or len(stores) != len(container):
                self.match(container, stores)
                stores = self.elements[id(container)]
            if not isinstance(key, int):
                return
            if not same(stores[key].value, value) or stores[key].how == "unseen":
                self.changed(activation, container)
            stores[key] = store
        elif isinstance(container, dict):
            if stores is None:
                stores = self.elements[id(container)] = {}
                self.keep(container)
                for k, v in dict.items(container):
                    if k != key:
                        stores[k] = self.unseen(v, None)
            if key not in stores or not same(stores[key].value, value):
                self.changed(activation, container)
            stores[key] = store

    def insert(self, activation, container, index, value, origin):
        """Note that an element was inserted."""
        stores = self.elements.get(id(container))
        if stores is None or len(stores) != len(container) - 1:
            self.match(container, stores)
            stores = self.elements[id(container)]
            stores.pop(index)
        stores.insert(index, Store("mutation", f"[{index}]", activation, value, origin, self.tick()))
        self.changed(activation, container)

    def field(self, value, name):
        """Return the Store of an attribute, or None."""
        return self.attributes.get(id(value), {}).get(name)

    def put_field(self, activation, value, name, v, origin, text, how="mutation", time=None):
        fields = self.attributes.setdefault(id(value), {})
        self.keep(value)
        if name not in fields or not same(fields[name].value, v):
            self.changed(activation, value)
        fields[name] = Store(how, text, activation, v, origin, time or self.tick())
