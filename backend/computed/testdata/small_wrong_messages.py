try:
    v = str.upper("a", k=1)
except TypeError as e:
    m = str(e)
try:
    v = f"{5:.2s}"
except ValueError as e:
    m = str(e)
try:
    v = f"{'x':,d}"
except ValueError as e:
    m = str(e)
try:
    v = {}.pop([], 5)
except TypeError as e:
    m = str(e)
try:
    v = {1}
    v *= "a"
except TypeError as e:
    m = str(e)
