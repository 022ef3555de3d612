# Annotations that are evaluated when they are asked for, by code of their own (PEP 649).
# python: >=3.14
import annotationlib
from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

limit: int = 3
later: Missing


class Plain:
    name: str
    size: int = 1
    if limit:
        more: list[Undefined]

    def scale(self, by: float, *rest: Plain) -> Plain:
        return self


@dataclass
class Point:
    x: int
    y: int = 0

    @property
    def both(self) -> tuple[int, int]:
        return self.x, self.y


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Speaks(Protocol):
    word: str


class Generic[T: int = bool]:
    item: T

    def of(self, other: T) -> Generic[T]:
        return other


def outer(n: int) -> "str":
    unit: str = "m"

    def inner(m: unit) -> n:
        return m

    class Local:
        field: unit
        again: n

    return inner, Local


if limit > 5:
    never: int = 1
else:
    always: int = 2

for turn in range(2):
    repeated: turn

known = Point.__annotations__, Point(1).both, Pair(1), len(fields(Point))
inner, Local = outer(2)
names = list(inner.__annotations__), inner.__annotations__["return"]
fields_of_local = Local.__annotations__
texts = annotationlib.get_annotations(Plain, format=annotationlib.Format.STRING)
refs = list(annotationlib.get_annotations(Plain, format=annotationlib.Format.FORWARDREF))
try:
    Plain.__annotations__
except NameError as e:
    missing = str(e)
scale = Plain.scale.__annotations__["by"]
T = Generic.of.__annotations__["other"]
bound = T.__bound__, T.__default__
own = annotationlib.get_annotations(Generic)
forward = annotationlib.call_annotate_function(__annotate__, annotationlib.Format.FORWARDREF)
module = list(forward), forward["later"].__forward_arg__
Plain.__annotations__ = {"now": int}
now = Plain.__annotations__
