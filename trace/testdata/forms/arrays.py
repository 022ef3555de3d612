"""A fingerprint is another one whenever the text is, and stays the same as long as
nothing changes."""

import array
import random

from composing import forms, render, text

chance = random.Random(5)
told = 0


def changing(value, changes, fingerprinted=True):
    """changes alter value in place."""
    global told
    kind = forms.of(type(value))
    assert kind.what is forms.SEQUENCE if kind.asks is None else kind.what is forms.TEXT and kind.asks == "library"
    assert text(value) == render.render(value)
    before, shown = kind.fingerprint(value), render.render(value)
    for change in changes:
        assert (before is not None) is fingerprinted, shown
        assert kind.fingerprint(value) == before, shown
        change(value)
        now = kind.fingerprint(value)
        if render.render(value) != shown:
            told += 1
            assert now != before or now is None, (type(value), shown, render.render(value))
        before, shown = now, render.render(value)


def put(*at):
    def change(value):
        value[at if len(at) > 1 else at[0]] = chance.randrange(100, 999)

    return change


changing(array.array("i", range(100)), [put(5), put(-1), lambda a: a.append(3), lambda a: a.pop(0)])
changing(array.array("d", range(20)), [put(5), lambda a: a.__setitem__(0, -0.0)])
changing(array.array("i", range(100_000)), [put(5), put(50_000), lambda a: a.append(3)])
changing(bytearray(9), [lambda b: b.append(1), lambda b: b.__setitem__(3, 200), lambda b: b.extend(b"more"), lambda b: b.clear()])
held = array.array("i", [1])
with memoryview(held) as m:
    m[0] = 7
    changing(held, [put(0)])
said = "fingerprints"

# What an array holds is told apart by which objects they are.
numbers = array.array("d", [0.5, 0.0, -0.0, float("nan"), 1e300, 1.0])
whole = array.array("q", [10**12, 5, 1, -(10**12)])
for value in (numbers, whole, bytearray(b"ab")):
    items = forms.of(type(value)).items
    assert all(x is y for x, y in zip(items(value), items(value)))
    assert [repr(x) for x in items(value)] == [repr(x) for x in value]
assert [type(x) for x in forms.of(array.array).items(whole)] == [int] * 4

try:
    import numpy
    import pandas
except ImportError:
    numpy = None


def shapes():
    zeros = numpy.zeros
    yield zeros(10), [put(3), put(-1)]
    yield zeros((3, 4)), [put(0, 0), put(2, 3), lambda a: a.__setitem__(slice(None), 5), lambda a: a.resize((2, 6), refcheck=False)]
    yield zeros((300, 400)), [put(0, 0), put(299, 399), put(2, 397), put(298, 1), put(150, 200), lambda a: a.fill(3)]
    yield zeros((30, 40, 50)), [put(0, 0, 0), put(29, 39, 49), put(1, 38, 2), lambda a: a.fill(3)]
    yield zeros((50, 60), order="F")[::2, ::3], [put(0, 0), put(-1, -1)]
    yield zeros(100_000, dtype="i2"), [put(0), put(-1), put(99_998), put(50_000)]
    yield zeros(5, dtype=complex), [put(2)]
    yield zeros(5, dtype=bool), [lambda a: a.__setitem__(2, True)]
    yield numpy.array(5), [lambda a: a.fill(6)]
    yield numpy.array(["ab", "c"]), [lambda a: a.__setitem__(1, "x")]
    yield numpy.array(["2020-01-01"], dtype="M8[D]"), [lambda a: a.__setitem__(0, "2021-01-01")]
    yield zeros(3, dtype=[("a", "i4"), ("b", "f8")]), [lambda a: a.__setitem__("b", 5)]
    yield numpy.array([1, None, "x", 2.5], dtype=object), [lambda a: a.__setitem__(1, "y"), lambda a: a.__setitem__(0, True), lambda a: a.__setitem__(0, 1.0)]
    yield numpy.matrix([[1, 2]]), [put(0, 1)]
    frame = pandas.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"], "c": pandas.Categorical(["a", "b", "a"]), "d": pandas.to_datetime(["2020-01-01"] * 3)})
    yield frame, [
        lambda f: f.__setitem__("e", 5),
        lambda f: f.loc.__setitem__((1, "a"), 7),
        lambda f: f.loc.__setitem__((1, "b"), "new"),
        lambda f: f.loc.__setitem__((2, "c"), "b"),
        lambda f: f.loc.__setitem__((2, "d"), pandas.Timestamp("2022-02-02")),
        lambda f: f.sort_values("a", ascending=False, inplace=True),
        lambda f: f.rename(columns={"a": "A"}, inplace=True),
        lambda f: f.drop(columns="b", inplace=True),
        lambda f: f.set_index("A", inplace=True),
        lambda f: setattr(f.index, "name", "named"),
    ]
    yield pandas.DataFrame(zeros((1000, 30))), [lambda f: f.iloc.__setitem__((0, 0), 5), lambda f: f.iloc.__setitem__((999, 29), 5), lambda f: f.iloc.__setitem__((996, 2), 5)]
    yield pandas.Series([1, 2, 3]), [lambda s: s.__setitem__(1, 9), lambda s: setattr(s, "name", "n"), lambda s: s.update(pandas.Series([4, 5, 6]))]
    yield pandas.Series(["a", "b"]), [lambda s: s.__setitem__(1, "c")]


if numpy is not None:
    for value, changes in shapes():
        changing(value, changes)
    inner = [1]
    changing(numpy.array([inner, None], dtype=object), [lambda a: inner.append(2)], fingerprinted=False)
    changing(pandas.DataFrame({"a": [inner, 2]}), [lambda f: inner.append(3)], fingerprinted=False)

    class Mine(numpy.ndarray):
        pass

    class Own(numpy.ndarray):
        def __repr__(self):
            return "Own"

    assert forms.of(Mine).fingerprint is None and forms.of(numpy.ma.MaskedArray).fingerprint is None
    assert forms.of(Own).asks == "own"
    constant = [numpy.float64(1), numpy.int8(2), numpy.dtype("i4"), numpy.str_("x"), pandas.Timestamp("2020-01-01"), pandas.Timedelta(1, "D")]
    assert all(forms.of(type(x)).asks == "constant" for x in constant)
    for value in constant + [[numpy.zeros(2), numpy.float64(1)], {"a": pandas.Series([1])}]:
        assert text(value) == render.render(value)
    said += " with numpy and pandas"
assert told > 8, told
print(said)
