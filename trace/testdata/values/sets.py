# Sets that grow and shrink.
def visit(n, seen):
    if n in seen:
        return False
    seen.add(n)
    for m in n * 2, n + 3:
        if m < 10:
            visit(m, seen)
    return True


seen = set()
alias = seen
visit(1, seen)
seen |= {100}
seen -= {1, 2}
seen.discard(4)
other = seen ^ {7}
alias.update([1, 2], (3,))
seen.intersection_update(range(5))
took = seen.pop()
pairs = {(1, "a"), (2, "b")}
frozen = frozenset([frozenset(), 1])
groups = {frozen: [seen], "n": {1, 2}}
groups[frozen][0].add("in groups")
groups["n"].symmetric_difference_update({2, 3})
seen.clear()
empty = set()
empty.add(())
print(len(alias), sorted(other), took, sorted(pairs), groups["n"], empty)
