"""Ways into the debugger from a running program: set_trace(), post_mortem(), pm(), run(),
runcall() and listen().

The program npdb runs as a child of this process, in its terminal, sends it the tracer over a
socket, and talks to the tracer until the session ends.
"""

import atexit
import os
import socket
import subprocess
import sys
import threading

from npdb import recorder

FOLDER = os.path.dirname(os.path.abspath(__file__))
current = None  # the latest session


class Session:
    """A session of npdb in this process."""

    def __init__(self, commands=(), then=None):
        """Starts npdb and loads the tracer. then is called when npdb has left, with the reason. Raises
        recorder.Unavailable if npdb cannot debug this process."""
        self.then = then
        reason = recorder.obstacle()
        if reason is None and "_npdb" in sys.modules:
            reason = in_use()
        if reason is not None:
            raise recorder.Unavailable(reason)
        self.pid = os.getpid()
        self.left = ""  # why npdb has left: end, detach, quit or lost
        binary = recorder.find_npdb()
        ours, theirs = socket.socketpair()
        arguments = ["--socket", str(theirs.fileno()), "--shim", FOLDER]
        for command in commands:
            arguments += ["--command", command]
        flush()
        try:
            with theirs:
                self.process = subprocess.Popen([binary, "breakpoint"] + arguments, pass_fds=(theirs.fileno(),))
        except OSError as e:
            ours.close()
            raise recorder.Unavailable("%s does not run: %s" % (binary, e)) from None
        with ours:
            try:
                enter(ours)
            except (EOFError, OSError):
                self.wait()
                raise recorder.Unavailable("%s does not debug this process (exit code %s)" % (binary, self.process.returncode)) from None
        self.tracer = sys.modules["_npdb.visiting"]

    def is_open(self):
        """Returns whether the user is still in this session, and this process is no fork of it."""
        return self.pid == os.getpid() and self.tracer.is_open()

    def over(self, how):
        """Is called when npdb has left, before the program runs on."""
        self.left = how
        self.wait()
        if self.then is not None:
            self.then(how)

    def wait(self):
        """Waits until npdb does not use the terminal any more."""
        while self.pid == os.getpid():
            try:
                self.process.wait()
                return
            except KeyboardInterrupt:
                pass  # Ctrl-C is for npdb


def in_use():
    """Returns why a process that has the tracer already cannot be debugged."""
    if current is None or current.left:
        return "npdb records or debugs this process already"
    if current.pid != os.getpid():
        return "npdb debugs the process that this one was forked from, and stops only there"
    return "the program called sys.settrace, which ended npdb's recording of this process"


def enter(connection):
    """Runs the code that npdb sends over a connection, which loads the tracer."""
    head, fds = receive(connection)
    code = read(connection, int.from_bytes(head, "little"))
    exec(compile(code, "<npdb enter>", "exec"), {"__name__": "npdb.enter", "connection": connection, "fds": fds})


def receive(connection):
    head, fds, _, _ = socket.recv_fds(connection, 8, 4)
    if len(head) < 8 or len(fds) != 4:
        for fd in fds:
            os.close(fd)
        raise EOFError
    return head, fds


def read(connection, n):
    found = b""
    while len(found) < n:
        piece = connection.recv(n - len(found))
        if not piece:
            raise EOFError
        found += piece
    return found


def opened(commands=(), then=None):
    """Returns a new session, or None and says why there can be none. Then the program runs on."""
    global current
    try:
        current = Session(commands, then)
    except recorder.Unavailable as e:
        sys.stderr.write("npdb: %s\n" % e)
        return None
    return current


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def set_trace(*, header=None, commands=None):
    """Stops the calling frame at its next line, in npdb. A further call stops in the same session.
    When the user has detached npdb, it does nothing."""
    stop(sys._getframe(1), header, commands)


def stop(frame, header=None, commands=None, then=None):
    if current is not None and current.is_open():
        current.tracer.again(frame, header, commands)
        return
    if current is not None and current.left in ("detach", "quit", "lost"):
        return
    if header is not None:
        print(header)
    session = opened(commands or (), then)
    if session is not None:
        atexit.unregister(at_exit)
        atexit.register(at_exit)
        session.tracer.begin(frame, True, session.over)


def at_exit():
    """Shows the end of the program, until the user leaves the session."""
    if current is not None and current.pid == os.getpid() and threading.current_thread() is threading.main_thread():
        current.tracer.end()


def post_mortem(value=None):
    """Shows the frames of an exception or a traceback, by default those of the exception that is
    being handled. Returns whether the user has quit, rather than gone on."""
    exception = raised(value)
    if exception is None:
        raise ValueError("A valid traceback must be passed if no exception is being handled")
    if current is not None and current.is_open():
        sys.stderr.write("npdb: a session is open already: go up to the frames of the exception there\n")
        return False
    session = opened()
    if session is None:
        return False
    return session.tracer.post_mortem(exception, True, session.over)


def raised(value):
    """Returns the exception that a value of post_mortem() stands for, or None."""
    if value is None:
        value = sys.exc_info()[1]
    if value is None or isinstance(value, BaseException):
        return value if value is not None and value.__traceback__ is not None else None
    for known in (sys.exc_info()[1], getattr(sys, "last_value", None)):
        if known is not None and known.__traceback__ is value:
            return known
    return Exception("the exception of this traceback is not known").with_traceback(value)


def pm():
    """Shows the frames of the last exception that nothing has caught."""
    last = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
    if last is None:
        raise ValueError("no exception was left uncaught: sys.last_exc is not set")
    post_mortem(last)


def runcall(function, *args, **kwargs):
    """Calls a function, and stops in it, or in the first function of the user that it calls. The session
    ends with the call. Returns what the function returns."""
    return call(function, args, kwargs)


def run(statement, globals=None, locals=None):
    """Executes a statement, and stops in the first function of the user that it calls."""
    names = sys._getframe(1).f_globals if globals is None else globals
    code = compile(statement, "<string>", "exec") if isinstance(statement, str) else statement
    call(exec, (code, names, names if locals is None else locals), {})


def call(function, args, kwargs, then=None):
    session = None if current is not None and current.is_open() else opened((), then)
    if session is None:
        return function(*args, **kwargs)
    session.tracer.begin_below(True, session.over)
    try:
        result = function(*args, **kwargs)
    except BaseException as e:
        if session.is_open():
            session.tracer.failed(e)
        raise
    finally:
        if session.is_open():
            session.tracer.end()
    return result


class Pdb:
    """Takes the place of pdb.Pdb for pytest --pdbcls=npdb:Pdb. pytest makes a subclass of it."""

    def __init__(self, *args, **kwargs):
        self.quitting = False

    def reset(self):
        self.quitting = False

    def interaction(self, frame, value):
        """Shows a traceback or an exception, or stops in a frame."""
        if value is None:
            self.set_trace(frame)
        else:
            self.quitting = post_mortem(value)

    def set_trace(self, frame=None, *, commands=None):
        stop(frame or sys._getframe(1), None, commands, self.over)

    def runcall(self, function, *args, **kwargs):
        return call(function, args, kwargs, self.over)

    def over(self, how):
        """Is called when npdb has left: pytest captures the output again, or ends."""
        if how == "quit":
            self.do_quit("")
        else:
            self.do_continue("")

    def do_continue(self, arg):
        """pytest's subclass adds to this and the other commands."""

    def do_quit(self, arg):
        self.quitting = True

    def do_debug(self, arg):
        pass

    def setup(self, frame, tb):
        pass

    def get_stack(self, frame, tb):
        return [], 0


def load_ipython_extension(shell):
    """%load_ext npdb defines %npdb, which shows the frames of the last exception, as %debug does."""
    shell.register_magic_function(lambda line: pm(), "line", "npdb")
