# globals(), vars(), __dict__ and setattr written to.
import sys
import types


class Thing:
    pass


def write(name, value):
    globals()[name] = value
    vars(thing)[name] = value
    return name


def local_names(a):
    b = [a]
    seen = dict(locals())
    seen["b"].append("through locals")
    return seen, sorted(locals())


thing = Thing()
write("u", [1])
u.append(2)
thing.u.append(3)
globals().update(v=u, w=thing)
setattr(thing, "t", u)
delattr(thing, "u")
thing.__dict__["t"] = []
thing.__dict__ = {"fresh": u}
u.append("fresh")
spaces = types.SimpleNamespace(a=u)
spaces.b = spaces.a
spaces.b.append(4)
module = types.ModuleType("module")
module.attribute = spaces
exec("attribute.c = 1", module.__dict__)
seen, names = local_names("x")
main = sys.modules["__main__"]
main.by_main = u
setattr(main, "v", None)
by_main += ["main"]
del main.by_main
thing.__class__ = type("Other", (), {})
print(u, v, w.fresh is u, spaces, seen, names)
