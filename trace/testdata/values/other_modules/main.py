# Globals of other modules, written from here and from there.
import helper
from helper import items, put


def change(value):
    helper.setting = value
    put(value)
    return helper.total()


a = change(1)
items.append("main")
b = change([2])
helper.settings["x"] = items
c = helper.nested(lambda v: put(v) or helper.setting)
helper.setting = None
setattr(helper, "new", items)
d = helper.reads_new()
del helper.new
print(a, b, c, d, items, helper.setting)
