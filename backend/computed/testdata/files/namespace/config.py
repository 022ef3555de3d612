from __future__ import annotations

DEBUG: bool = False
level: int = 0
options: dict[str, int] = {}
pair: Pair


def read(name: str) -> Unknown:
    return level if name == "level" else new
