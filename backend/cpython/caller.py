"""Calls one function of a program many times, with different arguments.

npdb starts this program in a sandbox. Each message is JSON, after its length in four bytes. The first
message describes the program, whose module runs once. Each later message is a batch of calls, which run
one after the other in a child process. A call that takes too long or ends the child loses only its own
outcome: another child continues after it.
"""

import os
import sys

before = set(sys.modules)

import gc
import json
import mmap
import select
import signal
import time

FunctionType = type(lambda: None)
MOST = 1 << 20  # the largest length of an outcome's text
ROOM = 16 << 20  # memory for the outcomes of one child
CPU, LEAST = 0.05, 0.01  # CPU time of a call in seconds: the usual limit, and that after many calls hung
RESULT, EXCEPTION, NEITHER = "=", "!", "?"
SUSPENDS = 0x20 | 0x80 | 0x200  # generator, coroutine, async generator
for name in set(sys.modules) - before:
    del sys.modules[name]  # the program may have modules with these names


def receive(source):
    """Returns the next message, or None after the last one."""
    head = read(source, 4)
    return json.loads(read(source, int.from_bytes(head, "little"))) if head else None


def read(source, size):
    data = b""
    while len(data) < size:
        piece = os.read(source, min(size - len(data), 1 << 20))
        if not piece:
            return b""
        data += piece
    return data


def send(sink, message):
    data = json.dumps(message).encode()
    data = len(data).to_bytes(4, "little") + data
    while data:
        data = data[os.write(sink, data) :]


def loaded(path):
    """Runs the program's module, under another name than __main__, and returns it."""
    name = os.path.splitext(os.path.basename(path))[0]
    module = type(sys)(name)
    module.__dict__.update(__file__=path, __builtins__=__builtins__)
    sys.modules.setdefault(name, module)
    sys.modules["__main__"] = type(sys)("__main__")
    sys.argv[:] = [path]
    sys.path[0] = os.path.dirname(path)
    with open(path, "rb") as f:
        code = compile(f.read(), path, "exec", dont_inherit=True)
    exec(code, module.__dict__)
    return module


def find(module, name, path, line):
    """Returns the function with this name that is defined at a line of a file."""
    for one in [module.__dict__.get(name)] + gc.get_objects():
        code = one.__code__ if type(one) is FunctionType else None
        if code is None or code.co_name != name or os.path.realpath(code.co_filename) != path:
            continue
        if line in (0, code.co_firstlineno):
            if code.co_flags & SUSPENDS:
                raise LookupError("%s is a generator or coroutine: its call does not run it" % name)
            return one
    raise LookupError("no function %s is defined at line %d once the module has run" % (name, line))


class Calls:
    """Calls a function. parameters are the names of its arguments, in the order of a call's arguments.
    render is npdb's module that formats values."""

    def __init__(self, function, render):
        self.function, self.names, self.render = function, function.__globals__, render
        code = function.__code__
        self.positional = code.co_argcount
        self.named = self.positional + code.co_kwonlyargcount
        self.star, self.stars = bool(code.co_flags & 4), bool(code.co_flags & 8)  # *args, **kwargs
        self.parameters = code.co_varnames[: self.named + self.star + self.stars]
        self.cpu = CPU
        self.children = 0

    def outcome(self, texts):
        """Makes one call and returns the kind and the text of its outcome."""
        try:
            values = [eval(text, self.names) for text in texts]
            args = values[: self.positional]
            named = dict(zip(self.parameters[self.positional : self.named], values[self.positional :]))
            if self.star:
                args += values[self.named]
            if self.stars:
                named.update(values[-1])
        except BaseException as e:
            return NEITHER, "its arguments cannot be evaluated: %s" % type(e).__name__
        try:
            kind, value = RESULT, self.function(*args, **named)
        except BaseException as e:
            kind, value = EXCEPTION, e
        self.render.budget["large"] = self.render.LARGE
        text = self.render.render(value)
        return (kind, text) if len(text) <= MOST else (NEITHER, "the text of its result is too long")

    def batch(self, calls):
        """Returns the outcomes of a batch."""
        outcomes = []
        hung = False
        while len(outcomes) < len(calls):
            cpu = self.cpu if len(calls) > 1 else CPU
            lost, hangs = self.in_child(calls, outcomes, cpu)
            if lost and len(outcomes) < len(calls):
                outcomes.append((NEITHER, lost))
            if hangs:
                hung, self.cpu = True, max(self.cpu / 2, LEAST)
        if not hung:
            self.cpu = min(self.cpu * 2, CPU)
        return outcomes

    def in_child(self, calls, outcomes, cpu):
        """Makes the calls without an outcome in a child process. Returns a message about the call that
        ended the child, "" if the child only ran out of memory for outcomes, and whether that call
        hung."""
        folder = os.path.join(os.path.dirname(sys.argv[0]), "npdb-%d" % self.children)
        self.children += 1
        os.mkdir(folder)
        memory = mmap.mmap(-1, ROOM)
        alive, theirs = os.pipe()
        child = os.fork()
        if not child:
            os.close(alive)
            os.chdir(folder)
            self.run(calls[len(outcomes) :], memory, cpu)
        os.close(theirs)
        killed = watch(child, alive, memory, max(20 * cpu, 0.4))
        os.close(alive)
        status = os.waitpid(child, 0)[1]
        try:
            os.killpg(child, signal.SIGKILL)  # processes that a call has started
        except OSError:
            pass
        outcomes.extend(written(memory))
        memory.close()
        clear(folder)
        return ending(status, killed)

    def run(self, calls, memory, cpu):
        """Makes calls in the child, and writes each outcome to the shared memory."""
        os.setpgid(0, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        me, at = os.getpid(), 4
        limit, clock, pid, leave = signal.setitimer, signal.ITIMER_PROF, os.getpid, os._exit
        for texts in calls:
            limit(clock, cpu)
            kind, text = self.outcome(texts)
            limit(clock, 0)
            if pid() != me:
                leave(0)  # the process is a fork made by a call
            data = (kind + text).encode("utf-8", "backslashreplace")
            if at + 4 + len(data) > ROOM:
                leave(FULL)
            memory[at : at + 4] = len(data).to_bytes(4, "little")
            at += 4
            memory[at : at + len(data)] = data
            at += len(data)
            memory[:4] = at.to_bytes(4, "little")
        leave(0)


FULL = 99  # exit status of a child without memory for another outcome


def written(memory):
    """Returns the outcomes that a child has written to the shared memory."""
    end, at = min(int.from_bytes(memory[:4], "little"), ROOM), 4
    found = []
    while at < end:
        size = int.from_bytes(memory[at : at + 4], "little")
        text = memory[at + 4 : at + 4 + size].decode("utf-8", "replace")
        found.append((text[:1], text[1:]))
        at += 4 + size
    return found


def watch(child, alive, memory, wall):
    """Waits for a child to end. Kills the child if it makes no progress for wall seconds, and returns
    whether it did so."""
    seen, since = b"", time.monotonic()
    while not select.select([alive], [], [], wall / 4)[0]:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return False  # a process that a call has started keeps the pipe open
        now = time.monotonic()
        if memory[:4] != seen:
            seen, since = memory[:4], now
        elif now - since >= wall:
            os.kill(child, signal.SIGKILL)
            return True
    return False


def ending(status, killed):
    """Describes why a child ended before its calls were made, and whether a call hung."""
    if killed or os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU):
        return "it takes too long", True
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == FULL:
        return "", False
    return "it ends the process", False


def clear(folder):
    """Removes the folder in which a child ran, with its content."""
    try:
        os.rmdir(folder)
    except OSError:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)


def main():
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(null, standard)
    asked = receive(source)
    render = type(sys)("render")
    exec(asked["render"], render.__dict__)
    render.limits.update(chars=MOST + 1, items=MOST)
    try:
        module = loaded(asked["main"])
        function = find(module, asked["function"], asked["file"], asked["line"])
    except BaseException as e:
        said = str(e) if type(e) is LookupError else "the program's module does not run: %s" % render.render(e)
        send(sink, {"error": said})
        return
    calls = Calls(function, render)
    send(sink, {"parameters": calls.parameters})
    gc.collect()
    gc.freeze()
    while True:
        batch = receive(source)
        if batch is None:
            return
        send(sink, calls.batch(batch))


main()
