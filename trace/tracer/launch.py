"""Starts the program in the same way as python itself."""

import builtins
import gc
import os
import sys

import _thread
from _functools import partial
from _npdb import (
    activations, archive, arming, auditing, bottom, breaks, channel, elsewhere, ending, imports, library, moves, namespaces,
    patience, settling, signals, streams, threads, tracer, unrecorded, usercode,
)
from _npdb import render as values
from _npdb.bound import program_sys

real_main = sys.modules["__main__"]  # the loader's module, kept alive


class Failed(Exception):
    """The program cannot be started. The arguments are the kind, npdb's message, and
    Python's own message."""


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except OSError as e:
        raise Failed("no_program", "cannot read %s: %s" % (path, e.strerror), "")


def main_module(**names):
    """Returns a new module __main__ with the attributes that the interpreter sets."""
    module = type(sys)("__main__")
    module.__dict__.update(__builtins__=builtins, __annotations__={}, __loader__=None)
    module.__dict__.update(names)
    if sys.version_info >= (3, 14):
        del module.__dict__["__annotations__"]
    sys.modules["__main__"] = module
    return module


def cached(path):
    """Returns the attribute __cached__ of a module, which exists up to 3.14."""
    return {} if sys.version_info >= (3, 15) else {"__cached__": path}


def compiled(source, name):
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as e:
        said = "".join(library.take("traceback").format_exception_only(type(e), e))
        where = "line %s: " % e.lineno if isinstance(e, SyntaxError) and e.lineno else ""
        raise Failed("syntax_error", "%s does not parse: %s%s" % (name, where, getattr(e, "msg", e)), said)


def script(path, args, entry):
    full = os.path.join(os.getcwd(), path)
    normal = os.path.abspath(path)
    if archive.finder_of(full) is not None:
        return folder_or_archive(path, full, args, entry)
    source = read(full)
    folder = os.path.dirname(os.path.realpath(full))
    usercode.roots += sorted({os.path.join(os.path.dirname(normal), ""), os.path.join(folder, "")})
    program_sys.argv = [path] + args
    first_on_path(folder)
    code = compiled(source, full)
    loader = external().SourceFileLoader("__main__", full)
    if entry:
        name = os.path.splitext(os.path.basename(full))[0]
        module = type(sys)(name)
        module.__dict__.update(__file__=full, __builtins__=builtins, __loader__=loader)
        sys.modules.setdefault(name, module)
    else:
        module = main_module(__file__=full, __loader__=loader, **cached(None))
    usercode.files[full] = usercode.File(normal, source)
    return executing(code, module)


def folder_or_archive(path, full, args, entry):
    try:
        spec, code = archive.main_of(path, full, args)
    except ImportError:
        kind = "directory" if os.path.isdir(full) else "zip file"
        raise Failed("is_directory", "%s is a %s without a __main__.py, not a program" % (path, kind), "")
    except SyntaxError as e:
        raise unparsed(path, e)
    if entry:
        return executing(code, module_of(spec, os.path.splitext(os.path.basename(full.rstrip(os.sep)))[0]))
    return as_main("__main__", False, code)


def first_on_path(folder):
    """Puts the program's folder first on sys.path, unless -P or PYTHONSAFEPATH forbids
    it."""
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, folder)


def string(text, args, entry):
    program_sys.argv = ["-c"] + args
    first_on_path("")
    usercode.roots.append(os.path.join(os.getcwd(), ""))
    code = compiled(text, "<string>")
    usercode.register(code, text)
    keep_source(code, text)
    if entry:
        module = type(sys)("string")
        module.__dict__["__builtins__"] = builtins
    else:
        module = main_module(__loader__=external_builtin())
    return executing(code, module)


def keep_source(code, text):
    """Stores the source of -c in linecache, as the interpreter does from 3.13 on."""
    if sys.version_info < (3, 13):
        return
    try:
        import linecache

        by_name = getattr(linecache, "_interactive_cache", None) is None
        linecache._register_code("<string>" if by_name else code, text, "<string>")
    except Exception:
        pass  # the program's folder may contain a module with this name


def module(name, args, entry):
    import runpy

    first_on_path(os.getcwd())
    program_sys.argv = ["-m"] + args
    usercode.roots.append(os.path.join(os.getcwd(), ""))
    turn_on_collection()
    try:
        full, spec, code = runpy._get_module_details(name)
    except (ImportError, runpy._Error) as e:
        raise Failed("no_program", "no module %s to run: %s" % (name, e), "")
    except SyntaxError as e:
        raise unparsed(name, e)
    place_module(name, spec, code)
    if entry:
        program_sys.argv[0] = spec.origin
        return executing(code, module_of(spec, full))
    return as_main(name, True, code)


def place_module(name, spec, code):
    """Makes a library module that is the program user code, unless it is one that runs
    other code."""
    path = os.path.abspath(code.co_filename)
    if spec.origin == "frozen":
        why = "is built into the interpreter (a frozen module), and nothing stops there"
    elif usercode.is_users(path):
        return
    else:
        runners = moves.load("runners")
        if runners.runs_others(name):
            why = "runs other code, and is passed over itself (%s; --user-code '%s' makes it yours)" % (path, path)
        else:
            usercode.roots += runners.roots(spec, path)
            if usercode.is_users(path):
                return
            why = "is passed over (%s), as --library-code says" % path
    ending.passed_over = "nothing that ran is user code: %s %s" % (name, why)


def as_main(name, is_module, code):
    """Runs -m, a directory or an archive as the interpreter does: frames of runpy are
    below the program's, and give the program its module names."""
    import runpy

    made = main_module()
    return partial(runpy._run_module_as_main, name, is_module), code, made


def executing(code, module):
    return partial(exec, code, module.__dict__), code, module


def module_of(spec, name):
    """Loads the module of a program for --entry."""
    made = main_module(
        __file__=spec.origin, **cached(spec.cached), __loader__=spec.loader, __package__=spec.parent, __spec__=spec
    )
    made.__name__ = name
    return made


def unparsed(what, e):
    said = "".join(library.take("traceback").format_exception_only(type(e), e))
    return Failed("syntax_error", "%s does not parse: %s" % (what, e.msg), said)


def seed_random(number):
    """Seeds the standard library's random, unless the program has its own module with
    that name."""
    loaded = sys.modules.get("random")  # a .pth file may have loaded it
    found = getattr(loaded, "__spec__", None) or external().PathFinder.find_spec("random")
    if found is not None and library.holds(found.origin):
        import random

        random.seed(number)


def external():
    import _frozen_importlib_external

    return _frozen_importlib_external


def external_builtin():
    import _frozen_importlib

    return _frozen_importlib.BuiltinImporter


def call_of(entry, module):
    """Returns the function and the arguments of --entry, evaluated before tracing."""
    ast = library.take("ast")
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
    """Runs in the child after fork: it runs without npdb, and must not use the
    channels."""
    if channel.open_here:
        channel.abandon()
        leave_alone()
        if children is not None:
            signals.uninstall()
            children.forked()


def leave_alone():
    """Ends npdb's part in the program."""
    arming.disarm()
    elsewhere.end()
    settling.let_go()
    tracer.check = None
    frame = sys._getframe(1)
    while frame is not None:
        if activations.ours(frame.f_trace):
            frame.f_trace = None  # otherwise 3.9 would take its current line as already traced
        frame = frame.f_back
    values.guard.update(enter=None, leave=None)
    program_sys.settrace, program_sys.gettrace = tracer.original_settrace, tracer.original_gettrace
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


wanted = None  # the trace function that the program set; npdb does not install it


def settrace(function):
    global wanted
    if _thread.get_ident() != channel.recorded:
        elsewhere.begin()  # threading sets its trace function in each new thread
    if function is elsewhere.hook:
        return
    if wanted is None and function is not None:
        channel.send(b"N", "the program called sys.settrace: npdb keeps tracing, the program's function is not called")
    wanted = function


def gettrace():
    return wanted


def overhead_of(program, audited):
    """Returns the number of frames that the trace function and an audit hook add to the
    program's stack, and up to 3.11 also the C calls below them. The program can recurse
    as deeply as without npdb."""
    if sys.version_info >= (3, 12):
        return 4 if audited else 3
    return (5 if sys.version_info >= (3, 11) else 6) + below(program)


def below(program):
    """Returns the number of C calls below the program that count as frames."""
    if sys.version_info >= (3, 12):
        return 0
    return 8 if program.func is exec else 7


def patch(overhead, below):
    """Makes the program see its own trace function and its own recursion limit."""
    program_sys.settrace, program_sys.gettrace = settrace, gettrace
    elsewhere.install()
    arming.program_limit = arming.get_limit() + overhead
    arming.with_room(False)
    program_sys.getrecursionlimit, program_sys.setrecursionlimit = arming.limits(overhead, below)


def configure(options):
    """Sets what the options say about values and user code."""
    values.limits["chars"] = int(options["value_bytes"])
    values.limits["short"] = min(100, int(options["value_bytes"]))
    values.limits["items"] = int(options["items"])
    values.asked = options["reprs"] != "always"
    slowdown = float(options["slowdown"])
    patience.factor = slowdown if slowdown >= 0 else None
    values.guard.update(enter=enter_repr, leave=leave_repr, interrupted=moves.interrupted, others=threads.beside)
    usercode.include[:] = usercode.patterns([g for g in options["user_code"].split("\n") if g])
    usercode.exclude[:] = usercode.patterns([g for g in options["library_code"].split("\n") if g])
    usercode.named.update(os.path.realpath(path) for path in options["named"].split("\n") if path)
    moves.load = options["load"]
    if options["keep"]:
        moves.load("forgetting").begin(int(options["keep"]))
    if options["repeat"]:
        moves.load("outside")
        chance = moves.load("chance")
        chance.install(options)
        moves.noted = chance.send
    if options["reprs"] == "stops":
        moves.at_stops = moves.load("stops")


def run(options):
    """Starts the program. It must be the last call of the loader."""
    configure(options)
    global collects, chosen_thread, children
    collects, chosen_thread = options["collecting"], options["thread"]
    args = options["args"]
    entry = options["entry"]
    try:
        kind, target = options["kind"], options["target"]
        make = {"script": script, "code": string, "module": module}[kind]
        at = moves.load("middle").Beginning(options["begin"]) if options["begin"] else None
        program, code, made = make(target, args, entry or at and at.in_function(kind, target))
        if options["random_seed"]:
            seed_random(int(options["random_seed"]))
        if options["from"]:
            moves.load("location").begin_at(options["from"], code)
        channel.on_loss = leave_alone
        os.register_at_fork(after_in_child=child)
        if options["children"]:
            children = moves.load("children")
            children.watch(options["children"])
        else:
            os.register_at_fork(after_in_parent=elsewhere.after_fork)
        streams.install(options["announce"] == "1")
        program_sys.breakpointhook = program_sys.__breakpointhook__ = breaks.breakpoint_hook
        imports.on_import("pdb", breaks.patch)
        if entry:
            turn_on_collection()
            breaks.loading = True
            program()
            breaks.loading = False
            namespaces.given = made
            function, positional, named = call_of(entry, made)
        elif at:
            turn_on_collection()
            program = at.prepare(program, code, made)
    except Failed as e:
        channel.send(b"X", *e.args)
        os._exit(1)
    except BaseException as e:
        said = "".join(library.take("traceback").format_exception(type(e), e, e.__traceback__.tb_next))
        channel.send(b"X", "start_failed", "%s raised while it was loaded" % options["target"], said)
        os._exit(1)
    moves.prepare(int(options["signal"]))
    auditing.begin(int(options["audit"]))
    if entry:
        program = partial(function, *positional, **named)
    if entry or at and at.inside:
        tracer.silent_call = -1
    patch(overhead_of(program, options["repeat"]), below(program))
    bottom.run(program, moves.load("middle").begin if at and at.code else begin, ending.ended)


def begin():
    turn_on_collection()
    if chosen_thread:
        channel.send(b"B")
        moves.load("chosen").wait_for(chosen_thread)
    elif unrecorded.wanted:
        channel.send(b"B")
        unrecorded.begin("free", 0, 0, 0)
        unrecorded.missed = True  # no earlier event was shown
        unrecorded.install()
    else:
        tracer.check = moves.anywhere
        arming.arm()


children = None  # the module that makes child processes join npdb
chosen_thread = ""  # the name of the thread to record, "" for the main thread
collects = True  # whether garbage collection was on before the loader began


def turn_on_collection():
    """Turns garbage collection on again before any code of the program runs. The loader
    turned it off."""
    if collects:
        gc.enable()
