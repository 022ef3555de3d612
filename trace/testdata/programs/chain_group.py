# Exception groups and except*: one handler runs for a part of the group.
# python: >=3.11
def work():
    raise ExceptionGroup("two", [ValueError(1), TypeError("x"), ValueError(2)])


seen = []
try:
    work()
except* ValueError as g:
    seen.append(len(g.exceptions))
except* TypeError as g:
    seen.append(str(g.exceptions[0]))
done = tuple(seen)
