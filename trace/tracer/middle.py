"""Begins a recording in the middle of a program: at a line of a function or module, or
at the call of a function, with given values of its names. No line before it runs there.

To begin in a function, npdb runs the module without recording it, and then calls a copy
of the function's code, which jumps from its first line to the wanted one. To begin in a
module, npdb runs only the imports and definitions before the line.
"""

import os
import sys

from _functools import partial
from _npdb import arming, channel, codes, launch, library, moves, namespaces, scopes, tracer, usercode
from _npdb import render as values
from _npdb.launch import Failed

statementat = moves.load("statementat")
FunctionType = type(lambda: None)
CellType = type((lambda one: lambda: one)(0).__closure__[0])


class Beginning:
    """The place where a recording begins, and the code that begins there."""

    def __init__(self, text):
        global begins
        begins = self
        asked = library.take("json").loads(text)
        self.file, self.line, self.function, self.call = (asked[key] for key in ("file", "line", "function", "call"))
        self.blocks = asked["blocks"]  # whether to begin inside of for and with statements
        self.reprs = dict(asked["locals"])
        self.tree = self.found = None  # the source of the file, and the statement in it
        self.code = None  # begins there; None for a call
        self.landing = self.line  # the line to which it jumps
        self.before = {}  # values of its names before the jump
        self.bound = ()  # its names that have a value after the jump
        self.inside = False  # the code is a function's
        self.main = True  # in the program's own file

    def in_function(self, kind, target):
        """Reports whether the recording begins in a function, as far as that is known
        before the program's module is found. The module then must not run as __main__."""
        path = os.path.join(os.getcwd(), target)
        if kind == "module" or self.file and (kind == "code" or not same(self.file, path)):
            return True
        try:
            self.find(target.encode() if kind == "code" else usercode.source_of(path))
        except OSError:
            return True  # the caller reports this
        return self.call or bool(self.found.scopes)

    def find(self, source):
        """Finds the statement in the source of its file."""
        try:
            self.tree = statementat.ast.parse(source)
        except (SyntaxError, ValueError) as e:
            raise Failed("syntax_error", "%s does not parse: %s" % (self.file or "the program", e), "")
        try:
            find = statementat.definition if self.call else statementat.at_line
            self.found = find(self.tree, self.line, self.function)
        except statementat.Nowhere as e:
            raise Failed("begin_refused", "the recording cannot begin there: %s" % e, "")
        bound = [name for name in statementat.loop_names(self.found.node) if name in self.reprs and not self.call]
        if bound:
            raise self.refusal("this for loop binds %s, and npdb does not know how far the loop has run" % bound[0])
        self.beyond = source.count(b"\n") + source.count(b"\r") + 2  # a line that the file does not have

    def refusal(self, why, words=""):
        return Failed("begin_refused", "the recording cannot begin at line %d: %s" % (self.line, why), words)

    def prepare(self, program, code, made):
        """Runs the module as far as needed, and returns the program to record. code and
        made are the code of the program's own module and the module."""
        self.main = main = not self.file or same(self.file, code.co_filename)
        if main and self.found is None:
            self.find(usercode.source_of(code.co_filename))
        if main and not self.call and not self.found.scopes:
            return self.in_module(code, made)
        try:
            program()
        except (Exception, SystemExit) as e:
            self.finish(e, code, made)
        namespaces.given = made
        return self.of_function(*((made, code.co_filename) if main else self.elsewhere()))

    def finish(self, raised, code, made):
        """Runs the definitions after the statement at which a module ended, so that a
        program that fails can be debugged too."""
        tb = raised.__traceback__
        while tb is not None and tb.tb_frame.f_code is not code:
            tb = tb.tb_next
        if tb is None:
            raise raised
        source = self.tree if self.main else statementat.ast.parse(usercode.source_of(code.co_filename))
        for node in source.body:
            if statementat.first_line(node) > tb.tb_lineno and isinstance(node, statementat.DEFINITIONS):
                try:
                    exec(statementat.compiled([node], code.co_filename, statementat.future(code)), made.__dict__)
                except Exception:
                    pass  # it needs what is missing
        why = "the module ended on line %d with %s: the names that it sets after that are missing, except definitions"
        channel.send(b"N", why % (tb.tb_lineno, values.render(raised)))

    def elsewhere(self):
        """Returns the module of a file that is not the program's own, and the name of
        the file in its code."""
        for module in list(sys.modules.values()):
            path = getattr(module, "__dict__", {}).get("__file__")
            if not isinstance(path, str) or not same(path, self.file):
                continue
            self.find(usercode.source_of(path))
            if not self.call and not self.found.scopes:
                raise self.refusal("it is in no function, and %s is not the program's own file" % self.file)
            usercode.named.add(os.path.realpath(path))
            return module, path
        raise self.refusal("the program does not import %s" % self.file)

    def in_module(self, code, made):
        """Returns a program that begins in the module itself."""
        names, flags = made.__dict__, statementat.future(code)
        made.__name__ = "__main__"
        try:
            names.update(self.values(names))
        except Failed:
            pass  # a value may need a definition
        before = statementat.definitions(self.tree, self.found)
        exec(statementat.compiled(before, code.co_filename, flags), names)
        names.update(self.values(names))
        if self.blocks:
            statementat.enter(self.found)
        self.code = statementat.compiled(statementat.rest(self.found), code.co_filename, flags)
        known(self.code)
        if self.code.co_varnames and self.found.blocks and statementat.rest(self.found)[0] is not self.found.node:
            names = ", ".join(self.code.co_varnames)
            raise self.refusal("CPython would assign values to variables of comprehensions: %s" % names)
        return partial(exec, self.code, names)

    def of_function(self, module, name):
        """Returns a program that begins in a function of a module."""
        self.inside = True
        node = self.found.node if self.call else self.found.scopes[-1]
        if not isinstance(node, statementat.FUNCTIONS):
            raise self.refusal("it is in the body of class %s, not in a function" % node.name)
        code = statementat.code_of(statementat.compiled(self.tree.body, name), node)
        if code is None or code.co_flags & codes.CO_GENERATORS:
            raise self.refusal("%s is a generator or coroutine, and npdb cannot resume one there" % node.name)
        own = tuple(dict.fromkeys(code.co_varnames + code.co_cellvars))
        unknown = [one for one in self.reprs if one not in own + code.co_freevars]
        if unknown:
            raise Failed("locals_refused", "%s has no local variable %s" % (node.name, unknown[0]), "")
        values = self.values(module.__dict__)
        cells = tuple(self.cell(one, values, module) for one in code.co_freevars) or None
        if self.call:
            known(code)
            return called(FunctionType(code, module.__dict__, node.name, None, cells), values)
        self.prepare_jump(name, node, own, values, statementat.global_names(code))
        function = FunctionType(self.code, module.__dict__, node.name, (None,) * self.code.co_argcount, cells)
        function.__kwdefaults__ = dict.fromkeys(self.code.co_varnames[self.code.co_argcount :])
        return partial(function)

    def prepare_jump(self, name, node, own, values, elsewhere):
        """Compiles the code that begins in a function."""
        lacking = [one for one in own if one not in values and one.isidentifier() and one not in elsewhere]
        entered = statementat.enter(self.found) if self.blocks else ()
        bound = [one for one in entered if one in own]  # enter removes the statements that bind them
        self.landing = statementat.insert_deletion(self.found, lacking, bound, self.beyond)
        self.code = statementat.code_of(statementat.compiled(self.tree.body, name), node)
        known(self.code)
        self.before = {one: values.get(one) for one in own if one in values or one in lacking}
        self.bound = set(values)

    def values(self, names):
        """Evaluates the given reprs in the namespace of the module."""
        found = {}
        for name, text in self.reprs.items():
            if name == "__class__":
                continue  # see cell
            try:
                found[name] = eval(compile(text.strip(), "<locals>", "eval", dont_inherit=True), names)
            except Exception as e:
                why = "%s: %s" % (type(e).__name__, e)
                raise Failed("locals_refused", "the value given for %s cannot be evaluated: %s" % (name, why), why)
        return found

    def cell(self, name, values, module):
        """Returns the cell of a variable of an enclosing definition."""
        if name in values:
            return CellType(values[name])
        found = module
        for scope in self.found.scopes if self.call else self.found.scopes[:-1]:
            found = getattr(found, "__dict__", {}).get(scope.name)
        if name == "__class__" and isinstance(found, type):
            return CellType(found)
        raise Failed("locals_refused", "%s belongs to an enclosing function, and no value is given for it" % name, "")


def same(path, other):
    return os.path.realpath(path) == os.path.realpath(other)


def known(code):
    """Registers code that was compiled here as user code, if the program is not a file."""
    if code.co_filename in usercode.own:
        made = list(usercode.codes_in(code))
        usercode.kept.extend(made)
        usercode.own[code.co_filename][1].update(map(id, made))


def called(function, values):
    """Returns the call of a function with the values of its arguments."""
    code = function.__code__
    names = code.co_varnames[: codes.arguments(code)]
    lacking = [one for one in names if one not in values]
    if lacking:
        raise Failed("locals_refused", "no value is given for the argument %s of %s" % (lacking[0], code.co_name), "")
    positional, named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    args = [values[one] for one in names[:positional]]
    named_args = {one: values[one] for one in names[positional:named]}
    try:
        if code.co_flags & 4:  # CO_VARARGS
            args += values[names[named]]
        if code.co_flags & 8:  # CO_VARKEYWORDS
            named_args.update(values[names[-1]])
        return partial(function, *args, **named_args)
    except (TypeError, ValueError) as e:
        raise Failed("locals_refused", "%s cannot be called with these arguments: %s" % (code.co_name, e), str(e))


begins = None  # the Beginning, until the recording has begun
jumped = False


def begin():
    """Installs the trace function that jumps to the beginning."""
    launch.turn_on_collection()
    arming.arm(arming.room_for(entered))


def entered(frame, event, arg):
    """Assigns the given values before the jump. It is the global trace function."""
    if frame.f_code is not begins.code:
        return None
    if begins.before:
        frame.f_locals.update(begins.before)
    return moved


def moved(frame, event, arg):
    """Jumps to the beginning. It is the trace function of the frame that begins there."""
    global jumped
    line = frame.f_lineno
    if event == "line" and line == begins.line and (jumped or begins.landing == line):
        return record(frame)
    if event != "line" or jumped and line < begins.beyond:
        refuse("nothing runs on that line")
    if not jumped:
        jumped = True
        try:
            frame.f_lineno = begins.landing
        except ValueError as e:
            refuse("CPython does not jump there, %s" % e, str(e))
        if frame.f_lineno == begins.line:
            return record(frame)  # the interpreter reports no event for the line after a jump
    return moved


def record(frame):
    """Makes the current line of a frame the first event of the recording."""
    global begins
    fast = frame.f_code.co_flags & codes.CO_OPTIMIZED
    if fast and set(scopes.of(frame)) != begins.bound.union(frame.f_code.co_freevars):
        refuse("CPython does not unbind %s" % ", ".join(sorted(set(scopes.of(frame)) - begins.bound)))
    info = tracer.infos.get(id(frame.f_code)) or usercode.classify(frame.f_code)
    if not info:
        refuse("its file is not user code (--user-code PATH makes it user code)")
    begins = None
    arming.arm()
    tracer.check = moves.anywhere
    line = frame.f_lineno
    local = frame.f_trace = (tracer.function if info.fast else tracer.scope)(info)
    info.calls[line] = b""  # the call is not an event
    local(frame, "call", None)
    del info.calls[line]
    local(frame, "line", None)
    return frame.f_trace


def refuse(why, words=""):
    """Ends the program and reports the reason to npdb."""
    channel.send(b"X", *begins.refusal(why, words).args)
    os._exit(1)
