# Builtins that the program binds anew.
import builtins

log = []
old_len, old_print = len, print


def len(x):
    log.append("len")
    if isinstance(x, list):
        x.append("measured")
    return old_len(x)


def loud(*args, **keywords):
    log.append(args)
    old_print(*args, **keywords)


a = [1]
n = len(a)
builtins.print = loud
print("patched", a)
builtins.abs = a.append
abs(-1)
abs(-2)
del builtins.print
builtins.print = old_print
int = a.extend
int("xy")
del int, len
m = len(a)
sorted, range = a.remove, a.append
sorted(1)
range(5)
max = lambda items: items.pop()
top = max(a)
print(a, n, m, top, old_len(log))
