"""Recordings of parts of this process.

The program npdb runs beside this process, sends it the tracer, and writes the files. The
tracer writes events into shared memory and messages into pipes; requests and replies are
lines of JSON on npdb's standard input and output.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading


class Unavailable(Exception):
    """This process cannot be recorded. The message says why, and what to do."""


def find_npdb(given=None):
    """Returns the path of the program npdb: the one given, else the one in $NPDB, else the one that was installed
    with this package, else the one on PATH."""
    wanted = given or os.environ.get("NPDB")
    found = shutil.which(wanted) if wanted else installed() or shutil.which("npdb")
    if found is not None:
        return os.path.abspath(found)
    if wanted:
        raise Unavailable("%s (%s) is not a program" % (wanted, "--npdb-binary" if given else "NPDB"))
    raise Unavailable(
        "this Python package was installed without the program npdb, and npdb is not on PATH: install it"
        " (https://github.com/npdb/npdb#install), or name its path in NPDB or with --npdb-binary"
    )


def installed():
    """Returns the path of the program that was installed with this package, or None. A wheel contains the
    program, and pip puts it into the folder for scripts, which may not be on PATH."""
    from importlib import metadata

    try:
        files = metadata.files("npdb") or ()
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name in ("npdb", "npdb.exe"):
            return shutil.which(str(file.locate()))
    return None


def obstacle():
    """Returns why recording cannot begin now, or None."""
    if sys.platform == "win32":
        return "npdb records on Linux and macOS only"
    if sys.implementation.name != "cpython":
        return "npdb records CPython only, and this is %s" % sys.implementation.name
    if threading.current_thread() is not threading.main_thread():
        return "npdb records the main thread only, and this is thread %s" % threading.current_thread().name
    tracer = sys.gettrace()
    if tracer is not None:
        named = tracer if hasattr(tracer, "__qualname__") else type(tracer)
        return (
            "another tracer is active (%s.%s), and Python has one at a time: run without it; coverage can record beside npdb"
            " from Python 3.12 on with COVERAGE_CORE=sysmon" % (named.__module__, named.__qualname__)
        )
    return None


class Recorder:
    """A process of npdb that records parts of this one, one after another."""

    def __init__(self, binary, folder, roots=(), user_code=(), library_code=()):
        """Starts npdb. File names are relative to folder; roots are folders of user code."""
        reason = obstacle()
        if reason is None and "_npdb" in sys.modules:
            reason = "npdb records this process already"
        if reason is not None:
            raise Unavailable(reason)
        self.pid = os.getpid()
        self.tracer = None
        self.said = ""  # what npdb wrote to standard error
        command = [binary, "recorder"]
        command += ["--user-code=" + glob for glob in user_code] + ["--library-code=" + glob for glob in library_code]
        ends = memory, events, write_events, commands, write_commands, credits, write_credits = (
            memory_file(), *os.pipe(), *os.pipe(), *os.pipe()
        )
        mine, ours = (memory, write_events, commands, credits), (memory, events, write_commands, write_credits)
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                pass_fds=ours, start_new_session=True, cwd=folder,
            )
        except OSError as e:
            for fd in ends:
                os.close(fd)
            raise Unavailable("%s does not run: %s" % (binary, e)) from None
        for fd in ours[1:]:
            os.close(fd)
        try:
            said = self.ask(
                pid=self.pid, ours=ours, theirs=dict(zip(("memory", "events", "commands", "credits"), mine)),
                python=sys.executable, dir=folder, roots=[os.path.abspath(root) for root in roots],
            )
            names = {"__name__": "_npdb.loader", "__builtins__": __builtins__}
            exec(compile(said["loader"], "<npdb loader>", "exec"), names)
            self.answer()
        except EOFError:
            said = self.complaint()
            self.close()
            if "_npdb" not in sys.modules:  # otherwise the tracer has moved them
                for fd in mine:
                    os.close(fd)
            raise Unavailable("%s does not record: %s" % (binary, said)) from None
        self.tracer = sys.modules["_npdb.attached"]

    def begin(self, file, module, *arguments):
        """Begins a recording that is written to file. python -m MODULE ARGUMENT… would run
        what is recorded. Returns why nothing can be recorded now, or None."""
        reason = obstacle() or self.failure()
        if reason is not None:
            return reason
        try:
            self.ask(begin={"file": os.path.abspath(file), "module": module, "args": arguments})
        except EOFError:
            return self.failure()
        self.tracer.begin()
        return None

    def failed(self, exception):
        """Sets the exception that the recording ends with, unless there is one."""
        self.tracer.failed(exception)

    def listen(self):
        """Records from now on what is written to sys.stdout and sys.stderr."""
        self.tracer.listen(((1, sys.stdout), (2, sys.stderr)))

    def end(self, keep):
        """Ends the recording, and keeps its file if keep. Returns npdb's reply: a dict with
        events, size, notices and error, as far as there are any."""
        self.tracer.end()
        try:
            return self.ask(end={"keep": keep})
        except EOFError:
            return {"error": self.failure()}

    def failure(self):
        """Returns why npdb does not run any more, or None."""
        if self.pid != os.getpid():
            return "this process is a fork of the recorded one"
        if self.process.poll() is None:
            return None
        return "npdb has ended (%s)" % self.complaint()

    def complaint(self):
        """Returns what npdb said last, or how it ended."""
        self.process.wait()
        if not self.said:
            self.said = self.process.stderr.read().decode("utf-8", "replace").strip() or "exit code %d" % self.process.returncode
        return self.said.splitlines()[-1]

    def ask(self, **request):
        """Sends a request and returns the reply. Raises EOFError if npdb has ended."""
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise EOFError from None
        return self.answer()

    def answer(self):
        try:
            line = self.process.stdout.readline()
        except (OSError, ValueError):
            line = b""
        if not line:
            raise EOFError
        return json.loads(line)

    def close(self):
        """Ends npdb."""
        if self.pid != os.getpid():
            return
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        self.process.wait()
        self.process.stderr.close()


def memory_file():
    """Returns a descriptor of memory to share with npdb."""
    if hasattr(os, "memfd_create"):
        try:
            return os.memfd_create("npdb", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError:
            pass  # a sandbox may forbid it
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
