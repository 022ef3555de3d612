def sort(value):
    match value:
        case 0:
            return "zero"
        case [
            first,
            *rest,
        ] if rest:
            return first
        case {"a": a}:
            return a
        case str() | bytes():
            kind = "text"
        case _:
            kind = "other"
    return kind


for each in 0, [1, 2], {"a": 3}, "s", 2.5:
    sort(each)
