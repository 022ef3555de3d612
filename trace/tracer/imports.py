"""Changes modules of the standard library when the program imports them."""

import sys

from _npdb import library


def on_import(name, change):
    """Calls change(module) after the program has imported a module of the standard
    library, or now if it is already loaded."""
    module = sys.modules.get(name)
    if module is None:
        sys.meta_path.insert(0, Finder(name, change))
    elif library.holds(getattr(module, "__file__", None)):
        change(module)


class Finder:
    """Finds one module. It is removed once the program imports that module."""

    def __init__(self, name, change):
        self.name, self.change = name, change

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = library.find_spec(name)
        if spec is None or not library.holds(spec.origin):
            return spec  # a module of the program
        loader = spec.loader
        execute = loader.exec_module

        def exec_module(module):
            if module.__name__ != name:  # the loader of a zip file loads all its modules
                return execute(module)
            if loader.__dict__.get("exec_module") is exec_module:
                del loader.exec_module
            execute(module)
            self.change(module)

        loader.exec_module = exec_module
        return spec
