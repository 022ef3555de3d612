"""Prints JSON lines: random call stacks and the traceback that Python prints for each.

The stack comes from Python's frame objects (traceback.walk_tb), not from the printed text.
"""

import json
import linecache
import random
import traceback

NAMES = ["load", "parse", "walk", "_private", "größe", "__init__", "as_text", "in_", "File", "line"]
FILES = ["/srv/app/main.py", "/srv/my app/a \"b\".py", "C:\\code\\shop.py", "<string>", "relative/path.py", "/srv/app/größe.py"]
MESSAGES = ["", "bad", "a: b", "'x', line 3, in f", "two\nlines", "Traceback", "  indented", "in the file \"a.py\", line 3", "ends with a blank "]
TYPES = ["ValueError", "KeyError", "AssertionError", "pkg.Odd", "RuntimeError"]
STATEMENTS = ["{}()", "x = {}() + 1", "return {}()", "print({}(), 1)", "y = [1, {}()]", "if {}(): pass"]


class Made(Exception):
    pass


def program(random, depth):
    """Returns the names of the files, and the stack: a file and a function for each level of depth."""
    files = {}
    stack = []
    for level in range(depth):
        name = f"{random.choice(NAMES)}{level}"
        file = random.choice(FILES)
        stack.append((file, name))
        files.setdefault(file, [])
    return files, stack


def build(random):
    files, stack = program(random, random.randint(1, 9))
    kind, message = random.choice(TYPES), random.choice(MESSAGES)
    errors = {"ValueError": ValueError, "KeyError": KeyError, "AssertionError": AssertionError, "RuntimeError": RuntimeError}
    odd = type("Odd", (Exception,), {"__module__": "pkg"})
    space = {"kind": errors.get(kind, odd), "message": message}
    for level, (file, name) in enumerate(stack):
        lines = files[file]
        lines.extend([""] * random.randint(0, 30))
        lines.append(f"def {name}():")
        if level + 1 < len(stack):
            lines.append("    " + random.choice(STATEMENTS).format(stack[level + 1][1]))
        else:
            lines.append("    raise kind(message) if message else kind()")
    for file, lines in files.items():
        source = "\n".join(lines) + "\n"
        if not file.startswith("<"):
            linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), space)
    return space, stack[0][1]


def main():
    for seed in range(200):
        linecache.cache.clear()
        space, first = build(random.Random(seed))
        try:
            space[first]()
        except Exception as error:
            tb = error.__traceback__.tb_next
            frames = []
            for frame, line in traceback.walk_tb(tb):
                code = frame.f_code
                frames.append([code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip()])
            text = "".join(traceback.format_exception(type(error), error, tb))
            kind = type(error)
            name = kind.__name__ if kind.__module__ == "builtins" else kind.__module__ + "." + kind.__qualname__
            print(json.dumps({"frames": frames, "type": name, "message": str(error), "text": text}, ensure_ascii=False))


main()
