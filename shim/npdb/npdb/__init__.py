"""The Python side of the debugger npdb. It contains no tracer: the program npdb sends it."""

from npdb.debugger import pm, post_mortem, set_trace

__all__ = ["listen", "pm", "post_mortem", "set_trace"]


def listen(number=None):
    """Lets the command npdb attach stop this process, on Pythons before 3.14. number is the signal that
    it uses, SIGUSR2 by default. It must be called in the main thread."""
    from npdb import listening

    listening.listen(number)
