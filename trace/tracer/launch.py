"""Starts the program as python itself would, and ends with it."""

import builtins
import os
import sys

from _npdb import arming, breaks, channel, moves, signals, streams, tracer, usercode
from _npdb import render as values

real_main = sys.modules["__main__"]  # the loader's, kept alive


class Failed(Exception):
    """The program cannot be started: kind, words, Python's own words."""


def read(path):
    if os.path.isdir(path):
        raise Failed("is_directory", "%s is a directory, not a program" % path, "")
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as e:
        raise Failed("no_program", "cannot read %s: %s" % (path, e.strerror), "")


def main_module(**names):
    module = type(sys)("__main__")
    module.__dict__.update(__builtins__=builtins, __annotations__={}, __loader__=None)
    module.__dict__.update(names)
    if sys.version_info >= (3, 14):
        del module.__dict__["__annotations__"]
    sys.modules["__main__"] = module
    return module


def compiled(source, name):
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as e:
        import traceback

        said = "".join(traceback.format_exception_only(type(e), e))
        where = "line %s: " % e.lineno if isinstance(e, SyntaxError) and e.lineno else ""
        raise Failed("syntax_error", "%s does not parse: %s%s" % (name, where, getattr(e, "msg", e)), said)


def script(path, args, entry):
    full = os.path.join(os.getcwd(), path)
    normal = os.path.abspath(path)
    source = read(full)
    folder = os.path.dirname(os.path.realpath(full))
    usercode.roots += sorted({os.path.join(os.path.dirname(normal), ""), os.path.join(folder, "")})
    sys.argv = [path] + args
    sys.path.insert(0, folder)
    code = compiled(source, full)
    loader = external().SourceFileLoader("__main__", full)
    if entry:
        name = os.path.splitext(os.path.basename(full))[0]
        module = type(sys)(name)
        module.__dict__.update(__file__=full, __builtins__=builtins, __loader__=loader)
        sys.modules.setdefault(name, module)
    else:
        module = main_module(__file__=full, __loader__=loader, __cached__=None)
    usercode.files[full] = usercode.File(normal, source)
    return code, module


def string(text, args, entry):
    sys.argv = ["-c"] + args
    sys.path.insert(0, "")
    usercode.roots.append(os.path.join(os.getcwd(), ""))
    code = compiled(text, "<string>")
    usercode.register(code, text)
    if entry:
        module = type(sys)("string")
        module.__dict__["__builtins__"] = builtins
    else:
        module = main_module(__loader__=external_builtin())
    return code, module


def module(name, args, entry):
    import runpy

    sys.path.insert(0, os.getcwd())
    sys.argv = ["-m"] + args
    usercode.roots.append(os.path.join(os.getcwd(), ""))
    try:
        full, spec, code = runpy._get_module_details(name)
    except (ImportError, runpy._Error) as e:
        raise Failed("no_program", "no module %s to run: %s" % (name, e), "")
    except SyntaxError as e:
        import traceback

        said = "".join(traceback.format_exception_only(type(e), e))
        raise Failed("syntax_error", "%s does not parse: %s" % (name, e.msg), said)
    sys.argv[0] = spec.origin
    made = main_module(
        __file__=spec.origin, __cached__=spec.cached, __loader__=spec.loader, __package__=spec.parent, __spec__=spec
    )
    if entry:
        made.__name__ = full
    return code, made


def seed_random(number):
    """Seeds the standard library's random, unless a module of the program's own
    has that name."""
    loaded = sys.modules.get("random")  # by a .pth file, for one
    found = getattr(loaded, "__spec__", None) or external().PathFinder.find_spec("random")
    if found is not None and found.origin and os.path.dirname(found.origin) == os.path.dirname(os.__file__):
        import random

        random.seed(number)


def external():
    import _frozen_importlib_external

    return _frozen_importlib_external


def external_builtin():
    import _frozen_importlib

    return _frozen_importlib.BuiltinImporter


def call_of(entry, module):
    """The function and the arguments of --entry, evaluated before tracing."""
    import ast

    try:
        tree = ast.parse(entry.strip(), "<entry>", "eval").body
    except SyntaxError as e:
        raise Failed("entry_invalid", "--entry %s is no Python: %s" % (entry, e.msg), "")
    if not isinstance(tree, ast.Call):
        raise Failed("entry_invalid", "--entry takes a call, such as 'f(1, 2)', not %s" % entry, "")
    pick = ast.Expression(
        ast.Tuple([tree.func, collect(ast, "_args", tree.args, []), collect(ast, "_kwargs", [], tree.keywords)], ast.Load())
    )
    ast.fix_missing_locations(pick)
    names = dict(module.__dict__, _args=lambda *a: a, _kwargs=lambda **k: k)
    try:
        return eval(compile(pick, "<entry>", "eval"), names)
    except Exception as e:
        raise Failed("entry_invalid", "--entry %s cannot be called: %s: %s" % (entry, type(e).__name__, e), "")


def collect(ast, name, args, keywords):
    return ast.Call(ast.Name(name, ast.Load()), args, keywords)


def child():
    """After fork, in the child: it runs free, the channels are not its."""
    channel.abandon()
    arming.disarm()
    values.guard.update(enter=None, leave=None)
    sys.settrace, sys.gettrace = tracer.original_settrace, tracer.original_gettrace
    import _signal

    signals.original_signal(arming.SIGNAL, _signal.SIG_DFL)


def enter_repr():
    header = channel.header
    header[channel.SERIAL] = (header[channel.SERIAL] + 1) & 255
    header[channel.IN_REPR] = 1
    streams.rendering = True


def leave_repr():
    channel.header[channel.IN_REPR] = 0
    streams.rendering = False


wanted = None  # the trace function that the program set, which npdb does not install


def settrace(function):
    global wanted
    if wanted is None and function is not None:
        channel.send(b"N", "the program called sys.settrace: npdb keeps tracing, the program's function is not called")
    wanted = function


def gettrace():
    return wanted


# Frames (up to 3.11 C calls too) that npdb has below the program and that the
# trace function takes above it: the program recurses as deep as without npdb.
if sys.version_info >= (3, 12):
    overhead = 7
elif sys.version_info >= (3, 11):
    overhead = 10
else:
    overhead = 11


def patch():
    """The program sees its own settrace and its own recursion limit."""
    sys.settrace, sys.gettrace = settrace, gettrace
    sys.breakpointhook = sys.__breakpointhook__ = breaks.breakpoint_hook
    sys.meta_path.insert(0, breaks.PdbFinder())
    arming.program_limit = arming.get_limit() + overhead
    arming.with_room(False)

    def getrecursionlimit():
        return arming.program_limit - overhead

    def setrecursionlimit(limit):
        wanted = limit + overhead if isinstance(limit, int) and limit > 0 else limit
        arming.set_limit(wanted)
        arming.program_limit = wanted

    sys.getrecursionlimit, sys.setrecursionlimit = getrecursionlimit, setrecursionlimit


def run(options):
    """Starts the program. What it raises is raised here, so that the
    interpreter ends as it would have."""
    values.limits["chars"] = int(options["value_bytes"])
    values.limits["items"] = int(options["items"])
    values.guard["enter"], values.guard["leave"] = enter_repr, leave_repr
    usercode.include[:] = usercode.patterns([g for g in options["user_code"].split("\n") if g])
    usercode.exclude[:] = usercode.patterns([g for g in options["library_code"].split("\n") if g])
    moves.load = options["load"]
    args = options["args"]
    entry = options["entry"]
    try:
        make = {"script": script, "code": string, "module": module}[options["kind"]]
        code, made = make(options["target"], args, entry)
        if options["random_seed"]:
            seed_random(int(options["random_seed"]))
        os.register_at_fork(after_in_child=child)
        streams.install(options["announce"] == "1")
        if entry:
            exec(code, made.__dict__)
            function, positional, named = call_of(entry, made)
    except Failed as e:
        channel.send(b"X", *e.args)
        os._exit(1)
    except BaseException as e:
        import traceback

        said = "".join(traceback.format_exception(type(e), e, e.__traceback__.tb_next))
        channel.send(b"X", "start_failed", "%s raised while it was loaded" % options["target"], said)
        os._exit(1)
    moves.prepare(int(options["signal"]))
    patch()
    if entry:
        tracer.silent_call = -1
        return start(lambda: function(*positional, **named))
    return start(lambda: exec(code, made.__dict__))


def start(program):
    tracer.check = moves.anywhere
    arming.arm()
    try:
        program()
    except SystemExit as e:
        done(None)
        raise
    except BaseException as e:
        if channel.open_here:
            lost = tracer.original_gettrace() is None
            arming.disarm()
            died(e, lost)
        raise uncaught(e)
    done(None)


def done(exception):
    if channel.open_here:
        arming.disarm()
        tracer.check = None
        channel.send(b"E", "" if exception is None else values.render(exception))


def died(e, lost):
    """Post-mortem: the traceback is shown, and its frames can be asked."""
    e.__traceback__ = own_part(e.__traceback__)
    if lost:
        moves.record_death(e)
    show(e)
    moves.post_mortem = e
    act = moves.look_at(e)
    if act is not None:
        moves.reason = "post_mortem"
        moves.serve(moves.frames, act)
    done(e)


def own_part(tb):
    """A traceback without npdb's own frames at its outer end."""
    while tb is not None and tb.tb_frame.f_globals is globals():
        tb = tb.tb_next
    return tb


def show(e):
    try:
        sys.excepthook(type(e), e, e.__traceback__)
    except BaseException as again:
        sys.__excepthook__(type(again), again, again.__traceback__)
        sys.__excepthook__(type(e), e, e.__traceback__)


def uncaught(e):
    if not channel.open_here:
        e.__traceback__ = own_part(e.__traceback__)
        show(e)
    return SystemExit(130 if isinstance(e, KeyboardInterrupt) else 1)
