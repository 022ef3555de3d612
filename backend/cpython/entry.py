def call(module, name, file, line, shown):
    """The function of a call event, and the arguments that it was called with."""
    import ast
    import gc
    import os

    function = type(call)

    def is_it(found):
        code = found.__code__
        return (
            code.co_name == name
            and code.co_firstlineno == line
            and os.path.realpath(code.co_filename) == file
        )

    def literal(argument):
        if argument not in shown:
            raise LookupError("the argument %s is missing" % argument)
        try:
            return ast.literal_eval(shown[argument])
        except Exception:
            raise ValueError("the argument %s is no literal" % argument) from None

    found = module.get(name)
    if type(found) is not function or not is_it(found):
        all_found = [f for f in gc.get_objects() if type(f) is function and is_it(f)]
        if len(all_found) != 1:
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
