"""The pytest plugin: keeps a recording of each test that fails (--npdb=failed) or of each test
(--npdb=all)."""

import hashlib
import os
import re

import pytest

from npdb import recorder

MOST = 100  # characters of a test's name in the name of its file
WIDE = 200  # characters of an exception's message in the summary


def pytest_addoption(parser):
    group = parser.getgroup("npdb", "recordings of tests for the debugger npdb")
    group.addoption(
        "--npdb", choices=("off", "failed", "all"), default="off",
        help="record each test, and keep the recordings of those that fail, or of all: npdb open FILE shows them",
    )  # fmt: skip
    group.addoption("--npdb-dir", metavar="DIR", default=".npdb", help="folder for the recordings, in the root folder (default: .npdb)")
    group.addoption("--npdb-binary", metavar="PATH", help="the program npdb (default: $NPDB, or the one on PATH)")
    for name, said in (("user", "record these files besides those in the root folder"), ("library", "do not record these files")):
        group.addoption("--npdb-%s-code" % name, metavar="GLOB", action="append", default=[], help=said + "; repeatable")


def pytest_configure(config):
    mode = config.getoption("npdb")
    if mode == "off" or config.getoption("collectonly", False):
        return
    plugin = Plugin(config, mode)
    if not is_controller(config):
        try:
            plugin.start()
        except recorder.Unavailable as e:
            raise pytest.UsageError("--npdb=%s: %s" % (mode, e)) from None
    config.pluginmanager.register(plugin, "npdb-recordings")


def is_controller(config):
    """Returns whether pytest-xdist runs the tests in other processes, each with this plugin."""
    return not hasattr(config, "workerinput") and config.getoption("dist", "no") != "no" and bool(config.getoption("tx", None))


def file_name(nodeid):
    """Returns the name of a test's file: safe in every file system and shell, different for
    different tests, of bounded length."""
    path, _, test = nodeid.partition("::")
    name = os.path.splitext(path.rpartition("/")[2])[0] + "." + test
    name = re.sub(r"[^A-Za-z0-9_-]+", ".", name).strip(".-")[:MOST].rstrip(".-")
    return "%s-%s.npdb" % (name, hashlib.sha256(nodeid.encode("utf-8", "surrogatepass")).hexdigest()[:8])


class Plugin:
    """Records the tests of one session."""

    def __init__(self, config, mode):
        self.config = config
        self.mode = mode
        self.root = str(config.rootpath)
        self.folder = os.path.join(self.root, config.getoption("npdb_dir"))
        self.recorder = None
        self.failure = None  # what made the test that runs fail: its phase, place and exception
        self.kept = []  # what the summary says of each file
        self.unrecorded = {}  # why tests were not recorded -> how many
        self.active = False

    def start(self):
        option = self.config.getoption
        self.recorder = recorder.Recorder(
            recorder.find_npdb(option("npdb_binary")), self.root, roots=[self.root, os.getcwd()],
            user_code=absolute(option("npdb_user_code")),
            library_code=absolute(option("npdb_library_code")) + [os.path.dirname(os.path.abspath(__file__))],
        )  # fmt: skip

    def pytest_report_header(self):
        tests = "failed tests" if self.mode == "failed" else "all tests"
        return "npdb: recordings of %s in %s" % (tests, self.shown(self.folder))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        if self.recorder is None or self.active:
            yield
            return
        path = os.path.join(self.folder, file_name(item.nodeid))
        self.forget(path)
        self.failure = None
        reason = self.recorder.begin(path, "pytest", item.nodeid)
        if reason is not None:
            self.unrecorded[reason] = self.unrecorded.get(reason, 0) + 1
            yield
            return
        self.active = True
        outcome = yield
        self.active = False
        reply = self.end(item, outcome)
        if reply is not None:
            self.kept.append(dict(reply, test=item.nodeid, file=path, failure=self.failure))

    def end(self, item, outcome):
        """Ends the recording of a test. Returns npdb's reply if the file is kept."""
        if outcome.excinfo is not None and self.failure is None:  # Ctrl-C, or pytest.exit
            raised = outcome.excinfo[1]
            self.recorder.failed(raised)
            self.failure = "%s: %s" % (item.nodeid, in_a_line(raised))
        keep = self.mode == "all" or self.failure is not None
        reply = self.recorder.end(keep)
        return reply if keep else None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if not self.active:
            return
        report = outcome.get_result()
        if report.failed and self.failure is None:
            self.failure = self.described(report, call.excinfo)
            if call.excinfo is not None:
                self.recorder.failed(call.excinfo.value)

    def described(self, report, excinfo):
        """Returns the place and the exception of a failure in one line. The place is the
        innermost one in the project."""
        if excinfo is None:  # a test that passes though it must fail
            return "%s: %s" % (report.nodeid, (report.longreprtext.strip() or report.outcome).splitlines()[0])
        entries = [entry for entry in excinfo.traceback if is_below(str(entry.path), self.root)] or excinfo.traceback
        place = "%s:%d" % (self.shown(str(entries[-1].path)), entries[-1].lineno + 1) if entries else report.nodeid
        return "%s: %s" % (place, in_a_line(excinfo.value))

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_setup(self):
        self.listen()
        yield

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self):
        self.listen()
        yield

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_teardown(self):
        self.listen()
        yield

    def listen(self):
        if self.active:
            self.recorder.listen()

    def forget(self, path):
        """Removes the recording of an earlier run of a test, and makes the folder."""
        try:
            os.remove(path)
        except OSError:
            pass
        try:
            os.makedirs(self.folder, exist_ok=True)
            ignore = os.path.join(self.folder, ".gitignore")
            if not os.path.exists(ignore):
                with open(ignore, "w") as f:
                    f.write("# Made by npdb's pytest plugin.\n*\n")
        except OSError:
            pass  # npdb reports that it cannot write

    def pytest_sessionfinish(self, session):
        if self.recorder is not None:
            self.recorder.close()
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["npdb"] = [self.kept, self.unrecorded]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node, error):
        kept, unrecorded = getattr(node, "workeroutput", {}).get("npdb", ((), {}))
        self.kept += kept
        for reason, tests in unrecorded.items():
            self.unrecorded[reason] = self.unrecorded.get(reason, 0) + tests

    def pytest_terminal_summary(self, terminalreporter):
        if not self.kept and not self.unrecorded:
            return
        terminalreporter.section("npdb recordings")
        for one in self.kept:
            terminalreporter.line(one["failure"] or one["test"] + " passed")
            if one.get("error"):
                terminalreporter.line("    not recorded: " + one["error"])
            else:
                terminalreporter.line("    npdb open " + quoted(self.shown(one["file"])))
            for notice in one.get("notices", ()):
                terminalreporter.line("    " + notice)
        for reason, tests in self.unrecorded.items():
            terminalreporter.line("%d test%s not recorded: %s" % (tests, "" if tests == 1 else "s", reason))

    def shown(self, path):
        """Returns a path as the user can type it."""
        relative = os.path.relpath(path, str(self.config.invocation_params.dir))
        return path if relative.startswith(os.pardir) else relative


def quoted(path):
    return path if re.fullmatch(r"[\w./-]+", path) else "'%s'" % path.replace("'", "'\\''")


def absolute(globs):
    """Makes globs absolute that are relative to the current folder."""
    return [glob if glob.startswith(("/", "*", "<")) else os.path.join(os.getcwd(), glob) for glob in globs]


def is_below(path, folder):
    return path.startswith(os.path.join(folder, "")) and "site-packages" not in path


def in_a_line(exception):
    """Returns the name of an exception and the first line of its message."""
    name = type(exception).__name__
    try:
        lines = str(exception).splitlines()
    except Exception:
        return name
    said = lines[0] if lines else ""
    return name + (": " + said[:WIDE] + ("…" if len(said) > WIDE else "") if said else "")
