"""The Python side of the debugger npdb. It contains no tracer: the program npdb sends it."""
