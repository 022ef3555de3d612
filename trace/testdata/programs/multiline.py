# Expressions and calls over several lines: the line goes back and forth.
def add(
    a,
    b=(
        1
        + 1
    ),
):
    return (
        a
        + b
    )


x = add(
    add(
        1,
        2,
    ),
    add(3),
)
y = [
    x,
    add(x),
    {
        "k": add(
            0
        ),
    },
]
z = x if x > 3 \
    else 0
text = f"""
{add(1)}
{add(2)}
"""
assert (
    z
    and y
), add(9)
