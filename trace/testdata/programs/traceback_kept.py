# An exception is kept with its traceback, raised again, and given notes of its own.
def fail(n):
    local = n
    raise ValueError(local)


kept = None
try:
    fail(1)
except ValueError as e:
    kept = e
depth = 0
tb = kept.__traceback__
while tb:
    depth += 1
    tb = tb.tb_next
try:
    raise kept
except ValueError as again:
    same = again is kept
    text = repr(again)
del kept
