VALUE = (
    1,
    2,
)
if VALUE:
    VALUE = VALUE + (3,)
