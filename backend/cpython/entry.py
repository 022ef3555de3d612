def call(module, name, file, line, shown, begins):
    """Returns the function of an event, and the arguments with which it was called.

    If the event is not the call itself, it shows the arguments' later values. Then only immutable
    values are accepted, of names that the function does not assign.
    """
    import gc
    import os
    import sys

    take = sys.modules["_npdb.library"].take  # the program may have modules with these names
    ast, dis = take("ast"), take("dis")
    function = type(call)

    def lines(code):
        return {at for _, at in dis.findlinestarts(code)} | {code.co_firstlineno}

    def sets(code, argument):
        for step in dis.get_instructions(code):
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            if step.opname.startswith(("STORE_", "DELETE_")) and argument in names:
                return True
        return any(sets(inner, argument) for inner in code.co_consts if isinstance(inner, type(code)))

    def is_it(found):
        code = found.__code__
        return (
            code.co_name == name
            and (code.co_firstlineno == line if begins else line in lines(code))
            and os.path.realpath(code.co_filename) == file
        )

    def literal(argument):
        if argument not in shown:
            raise LookupError("the argument %s is missing" % argument)
        try:
            value = ast.literal_eval(shown[argument])
        except Exception:
            raise ValueError("the argument %s is no literal" % argument) from None
        if not begins:
            try:
                hash(value)
            except TypeError:
                value = None
            if value is None and shown[argument] != "None" or sets(code, argument):
                raise LookupError("what the argument %s was at the call is not in the text" % argument)
        return value

    found = module.get(name)
    if type(found) is not function or not is_it(found):
        all_found = [f for f in gc.get_objects() if type(f) is function and is_it(f)]
        if len(all_found) != 1:
            lacking = getattr(sys.modules.get("_npdb.lacking"), "names", {})
            if not all_found and name in lacking:
                raise LookupError("%s could not be had: %s" % (name, lacking[name]))
            raise LookupError("%d functions %s are at line %d" % (len(all_found), name, line))
        found = all_found[0]
    code = found.__code__
    names = code.co_varnames
    positional, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    args = [literal(argument) for argument in names[:positional]]
    kwargs = {argument: literal(argument) for argument in names[positional:named]}
    if code.co_flags & 4:
        args.extend(literal(names[named]))
        named += 1
    if code.co_flags & 8:
        kwargs.update(literal(names[named]))
    return found, args, kwargs
