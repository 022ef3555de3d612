"""Imports the package maker in a process that reads it from its standard input, so that nobody can
change its files. One process compiles a JSON object with the names and texts of the files. Later
processes import the compiled code."""

import sys

if not sys.path[0]:
    del sys.path[0]  # the folder in which this process was started


ADDR_NO_RANDOMIZE = 0x0040000  # personality(2)


def derandomized():
    """Starts this process again without randomised addresses, because the order of sets of objects
    depends on addresses. If the system does not allow that, the process continues."""
    import ctypes
    import os

    if sys.platform != "linux":
        return
    personality = ctypes.CDLL(None).personality
    personality.argtypes = [ctypes.c_ulong]
    now = personality(0xFFFFFFFF)
    if now == -1 or now & ADDR_NO_RANDOMIZE or personality(now | ADDR_NO_RANDOMIZE) == -1:
        return
    try:
        with open("/proc/self/cmdline", "rb") as f:
            os.execv(sys.executable, f.read().split(b"\0")[:-1])
    except OSError:
        pass


def compiled():
    """Writes the compiled modules by name: (whether it is a package, file, code). It imports them too,
    so that Python has cached the compiled modules of its library before the first worker starts.
    Compiling a module uses memory, so without the cache, objects of later workers would have other
    addresses."""
    import importlib
    import json
    import marshal

    found = {}
    for file, text in json.load(sys.stdin.buffer).items():
        name = file[: -len(".py")].replace("/", ".")
        package = name.endswith(".__init__")
        if package:
            name = name[: -len(".__init__")]
        file = "<npdb>/" + file
        found[name] = package, file, marshal.dumps(compile(text, file, "exec", dont_inherit=True))
    sys.meta_path.insert(0, Carried(found))
    importlib.import_module("maker.worker").imports()
    sys.stdout.buffer.write(marshal.dumps(found))


class Carried:
    """A finder of the import system for the compiled modules."""

    def __init__(self, modules):
        self.modules = modules

    def find_spec(self, name, path=None, target=None):
        if name not in self.modules:
            return None
        package, file, _ = self.modules[name]
        spec = type(sys.__spec__)(name, self, origin=file, is_package=package)
        spec.has_location = True  # so that the module has a __file__
        return spec

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        import marshal

        exec(marshal.loads(self.modules[module.__name__][2]), module.__dict__)


def imported():
    """Imports the package from the beginning of the input: its length in four bytes, little-endian,
    then the package. Returns the stream with the rest of the input."""
    import marshal
    import os

    commands = open(os.dup(0), "rb")
    size = int.from_bytes(commands.read(4), "little")
    sys.meta_path.insert(0, Carried(marshal.loads(commands.read(size))))
    return commands
