def load(path, module):
    """Runs a program that cannot be imported as a whole, statement by statement.

    If a statement fails or has a syntax error, the names that it would have set, or may have changed,
    are removed from the module. The reason is stored by name in _npdb.lacking.
    """
    import builtins
    import os
    import re
    import sys

    take = sys.modules["_npdb.library"].take  # the program may have modules with these names
    ast, dis = take("ast"), take("dis")
    lacking = type(sys)("_npdb.lacking")
    lacking.names = {}
    sys.modules["_npdb.lacking"] = lacking
    name = os.path.splitext(os.path.basename(path))[0]
    module.update(__name__=name, __file__=path)
    sys.modules.setdefault(name, sys.modules.get(os.path.splitext(os.path.basename(sys.argv[0]))[0]))
    sys.path[0] = os.path.dirname(path)
    with open(path, encoding="utf-8", newline="\n") as f:
        text = f.read()
    late = 0x1000000  # CO_FUTURE_ANNOTATIONS
    future = [0]

    def parsed(text):
        try:
            return ast.parse(text, path).body
        except (SyntaxError, ValueError):
            return None

    def pieces():
        """Yields the statements; in place of a part with a syntax error, its text."""
        whole = parsed(text)
        if whole is not None:
            yield from whole
            return
        lines = text.split("\n")
        begins = re.compile(r"(?!else\b|elif\b|except\b|finally\b)[^\s#)\]}]")
        starts = [i for i, line in enumerate(lines) if begins.match(line)] + [len(lines)]
        at = 0
        while at < len(starts) - 1:
            for after in range(at + 1, min(at + 40, len(starts))):
                found = parsed("\n" * starts[at] + "\n".join(lines[starts[at] : starts[after]]))
                if found is not None:
                    yield from found
                    at = after
                    break
            else:
                yield "\n".join(lines[starts[at] : starts[at + 1]])
                at += 1

    def run(statement, flags):
        code = compile(ast.Module([statement], []), path, "exec", flags | future[0], True)
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            import __future__

            for alias in statement.names:
                future[0] |= getattr(__future__, alias.name).compiler_flag
        exec(code, module)

    def steady(value, depth=0):
        if isinstance(value, type):
            return depth < 2 and all(steady(v, depth + 1) for k, v in vars(value).items() if k[:2] != "__")
        if type(value) in (tuple, frozenset):
            return all(steady(v, depth) for v in value)
        plain = (int, float, complex, str, bytes, bool, type(None), type(sys), type(load), type(len), staticmethod, classmethod, property)
        return type(value) in plain

    def used(code, seen):
        """Returns the globals that code and the functions it calls use, and those that they set."""
        sets = set()
        for step in dis.get_instructions(code):
            if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
                sets.add(step.argval)
        names = set(code.co_names)
        for inner in code.co_consts:
            if isinstance(inner, type(code)):
                more, set_there = used(inner, seen)
                names |= more
                sets |= set_there
        for n in list(names):
            found = module.get(n)
            for f in [found] if isinstance(found, type(load)) else vars(found).values() if isinstance(found, type) else ():
                inner = getattr(f, "__code__", None)
                if inner is not None and inner not in seen:
                    seen.add(inner)
                    more, set_there = used(inner, seen)
                    names |= more
                    sets |= set_there
        return names, sets

    def lose(names, why):
        for n in names:
            module.pop(n, None)
            lacking.names.setdefault(n, why)

    for piece in pieces():
        if isinstance(piece, str):
            named = set(re.findall(r"[^\W\d]\w*", piece)) - set(dir(builtins))
            lose([n for n in named if n not in module or not steady(module[n])], "its text is no Python")
            continue
        before = dict(module)
        try:
            try:
                run(piece, 0)
            except NameError:
                if not isinstance(piece, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    raise
                run(piece, late)  # the undefined name may only be in an annotation
        except BaseException as e:
            why = ("%s: %s" % (type(e).__name__, e)).split("\n")[0]
            if isinstance(piece, (ast.Import, ast.ImportFrom)):
                bound = [(a.asname or a.name).split(".")[0] for a in piece.names]
                lose([n for n in bound if module.get(n) is before.get(n)], why)
                continue
            stored = {n.id for n in ast.walk(piece) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
            stored |= {n.name for n in ast.walk(piece) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))}
            named, sets = used(compile(ast.Module([piece], []), path, "exec", late, True), set())
            lose(stored | sets | {n for n in named if n in module and not steady(module[n])}, why)
