# Frames, tracebacks and stacks as the program itself reads them.
import inspect
import sys
import traceback


def fail(x):
    y = x
    raise ValueError(y)


def whoami():
    return sys._getframe(1).f_code.co_name, [f.function for f in inspect.stack()][:3]


def caller():
    return whoami()


print(caller())
try:
    fail(1)
except ValueError as e:
    for f in traceback.extract_tb(e.__traceback__):
        print(f.name, f.lineno, f.line)
    print(e.__traceback__.tb_next.tb_frame.f_locals)
    print(traceback.format_exc().splitlines()[-1])


def gen():
    try:
        yield sys._getframe().f_lineno
    finally:
        print("closed")


g = gen()
print(next(g), inspect.getgeneratorstate(g))
g.close()
print(inspect.getsource(fail).count("\n"), inspect.signature(fail))
print(sys.gettrace(), sys.getprofile())
fail(2)
