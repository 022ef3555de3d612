"""Checks how the tracer follows the names of classes. Usage: class_names.py TRACER"""

import sys
import types

package = types.ModuleType("_npdb")
package.__path__ = [sys.argv[1]]
sys.modules["_npdb"] = package
sys.dont_write_bytecode = True
from _npdb import following  # noqa: E402


class Meta(type):
    @property
    def __name__(cls):
        raise AssertionError("the program's code was run")


class Named(metaclass=Meta):
    pass


def followed(v, name):
    try:
        return following.attribute(v, name)
    except following.Lost:
        return "lost"


assert followed(ValueError, "__name__") == "ValueError"
assert followed(following.Lost, "__qualname__") == "Lost"
assert followed(Named, "__name__") == "lost"
assert followed(Named, "__qualname__") == "Named"
