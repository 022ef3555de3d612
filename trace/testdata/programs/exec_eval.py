# exec, eval and compile of strings: their lines are in no file.
def double(x):
    return 2 * x


a = eval("double(4) + 1")
exec("b = double(a)\nc = b + 1\nfor i in range(2):\n    d = double(i)")
ns = {"double": double}
exec(compile("e = double(1)", "<made>", "exec"), ns)
e = ns["e"]
fn = eval("lambda q: double(q) + 1")
f = fn(5)
del ns, fn
