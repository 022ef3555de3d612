# Code compiled under this file's own name: lines the file has, and lines it lacks.
def seen(x):
    return x


code = compile("\n\na = seen(1)\n" + "\n" * 40 + "b = seen(a)\n", __file__, "exec")
exec(code)
c = a + b
del code
