"""The Python side of the debugger npdb. It contains no tracer: the program npdb sends it."""

from npdb.debugger import Pdb, load_ipython_extension, pm, post_mortem, run, runcall, set_trace

__all__ = ["Pdb", "listen", "load_ipython_extension", "pm", "post_mortem", "run", "runcall", "set_trace"]


def listen(number=None):
    """Lets the command npdb attach stop this process, on Pythons before 3.14. number is the signal that
    it uses, SIGUSR2 by default. It must be called in the main thread."""
    from npdb import listening

    listening.listen(number)
