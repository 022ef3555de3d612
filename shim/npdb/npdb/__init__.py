"""The Python side of the debugger npdb. It contains no tracer: the program npdb sends it."""

from npdb.debugger import pm, post_mortem, set_trace

__all__ = ["pm", "post_mortem", "set_trace"]
