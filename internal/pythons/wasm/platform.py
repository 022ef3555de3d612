"""Replaces what npdb's tracer needs and CPython in WebAssembly lacks, before the program starts:
memory shared with another process, limits, clocks of threads. It also forgets the modules that
Pyodide has loaded, so that the program starts with those of any interpreter."""

import mmap
import os
import sys
import time
import zipimport


class SharedMemory:
    """Replaces mmap.mmap: reads and writes the file instead of mapping it."""

    def __init__(self, fd, length, offset=0, **_):
        self.fd, self.length, self.offset, self.at = os.dup(fd), length, offset, 0

    def write(self, data):
        if self.at + len(data) > self.length:
            raise ValueError("data out of range")
        os.pwrite(self.fd, data, self.offset + self.at)
        self.at += len(data)

    def write_byte(self, byte):
        self.write(bytes((byte,)))

    def seek(self, at):
        self.at = at

    def tell(self):
        return self.at

    def close(self):
        os.close(self.fd)

    def __getitem__(self, at):
        if isinstance(at, slice):
            start, stop, _ = at.indices(self.length)
            return os.pread(self.fd, stop - start, self.offset + start)
        return os.pread(self.fd, 1, self.offset + at)[0]

    def __setitem__(self, at, value):
        start = at.indices(self.length)[0] if isinstance(at, slice) else at
        os.pwrite(self.fd, value if isinstance(at, slice) else bytes((value,)), self.offset + start)


RESOURCE = """
RLIMIT_NOFILE, RLIM_INFINITY = 7, -1

def getrlimit(what):
    return 4096, 4096

def setrlimit(what, limits):
    pass
"""
KEPT = """__main__ _frozen_importlib _frozen_importlib_external _imp _signal _sitebuiltins _stat _thread abc builtins codecs genericpath
io marshal os os.path posix posixpath site stat sys time zipimport mmap""".split()  # and modules like _abc and encodings.utf_8

def of_sources(importer, name, found=zipimport._get_module_code):
    """Returns what found does, with the path of the source in place of that of the code that
    stdlib.py has compiled."""
    code, is_package, path = found(importer, name)
    return code, is_package, path[:-1] if path.endswith(".pyc") else path


zipimport._get_module_code = of_sources
mmap.mmap = SharedMemory
time.thread_time = time.process_time
time.sleep = time.sleep.__wrapped__  # Pyodide's own waits for promises
with open("/lib/python3.15/lib-dynload/resource.py", "w") as f:
    f.write(RESOURCE)
sys.modules["__main__"].__dict__.pop("_pyodide_core", None)
sys.meta_path[:] = [finder for finder in sys.meta_path if "_pyodide" not in type(finder).__module__]
for name in list(sys.modules):
    if name not in KEPT and not name.startswith(("_abc", "_codecs", "_collections_abc", "_io", "_warnings", "_weakref", "encodings")):
        del sys.modules[name]
