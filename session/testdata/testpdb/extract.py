"""Makes programs of the doctests in the interpreter's own test_pdb.

extract.py FOLDER writes for each doctest FOLDER/NAME/main.py, which runs the
doctest's examples, each a file of its own so that its lines have the numbers
they have there, and tells on standard output, as JSON, what is typed.
"""

import ast
import doctest
import json
import os
import sys


def typed(source):
    """The commands of an example: those of its PdbTestInput, if it has one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "PdbTestInput":
            return ast.literal_eval(node.args[0])
    return []


def called(name, text):
    """The name of an example's file in place of what doctest calls it."""
    at = text.find("<doctest test.test_pdb.%s[" % name)
    if at < 0:
        return text
    end = text.index("]>", at)
    return text[:at] + "%s_%s.py" % (name, text[text.rindex("[", at, end) + 1 : end]) + text[end + 2 :]


def program(folder, name, examples):
    os.makedirs(folder)
    lines = ["from testpdb_names import *"]
    commands = []
    for number, example in enumerate(examples):
        path = os.path.join(folder, "%s_%d.py" % (name, number))
        with open(path, "w", encoding="utf-8") as out:
            out.write(called(name, example.source))
        run = "exec(compile(open(%r, encoding='utf-8').read(), %r, 'exec', dont_inherit=True))" % (path, path)
        if example.exc_msg:
            run = "try: %s\nexcept Exception as e: print(type(e).__name__, e)" % run
        lines.append(run)
        commands += [called(name, command) for command in typed(example.source)]
    with open(os.path.join(folder, "main.py"), "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    return {"name": name, "commands": commands}


def main(folder):
    import test.test_pdb as subject

    found = []
    for name, test in vars(subject).items():
        examples = doctest.DocTestParser().get_examples(getattr(test, "__doc__", None) or "") if name.startswith("test_") else []
        if examples:
            found.append(program(os.path.join(folder, name), name, examples))
    json.dump(found, sys.stdout)


main(sys.argv[1])
