"""The program's own breakpoint() and pdb.set_trace()."""

import os
import sys

from _npdb import channel, moves, tracer

original_hook = sys.breakpointhook


def breakpoint_hook(*args, **kwargs):
    """breakpoint(): a stop, unless the program's environment says otherwise
    (PEP 553)."""
    wanted = os.environ.get("PYTHONBREAKPOINT")
    if wanted and wanted != "pdb.set_trace":
        return original_hook(*args, **kwargs)
    set_trace(*args, **kwargs)


def set_trace(*args, **kwargs):
    """pdb.set_trace(): a stop, here where the program calls it."""
    frame = sys._getframe(1)
    if channel.open_here and not moves.serving and tracer.original_gettrace() is not None:
        moves.stop_outside(frame, "program")


class PdbFinder:
    """Makes pdb.set_trace() npdb's when the program imports pdb."""

    def find_spec(self, name, path=None, target=None):
        if name != "pdb":
            return None
        sys.meta_path.remove(self)
        import _frozen_importlib_external as external

        spec = external.PathFinder.find_spec("pdb")
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            module.set_trace = set_trace

        spec.loader.exec_module = exec_module
        return spec
