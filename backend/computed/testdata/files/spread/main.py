from lines import (
    first,
    second as two,
)
import lines; import other

x = first(
    1,
    two,
)
y = lines.table[
    "b"
]
if other.ready: import third
with lines.Context() as c:
    z = c.value
w = other.ready and third.VALUE or lines.first(0, 0)
