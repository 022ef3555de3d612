# Annotations that are texts, over several lines.
from __future__ import annotations


def add(
    a: nowhere,
    b: list[
        int
    ] = None,
    *rest: str,
) -> nothing:
    return a


class Box:
    def put(
        self, item: unknown
    ) -> None:
        self.item: missing = item


box = Box()
box.put(
    add(
        1,
    )
)
n: nowhere = 2
