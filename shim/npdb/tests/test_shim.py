"""Tests of the parts that need neither npdb nor pytest's hooks."""

import os
import signal
import sys
import tempfile
import unittest
from unittest import mock

import npdb
from npdb import debugger, listening, pytest_plugin, recorder


class FileName(unittest.TestCase):
    def test_parts(self):
        for nodeid, name in (
            ("tests/test_a.py::test_b", "test_a.test_b"),
            ("test_a.py::TestC::test_d[1-x/y]", "test_a.TestC.test_d.1-x.y"),
            ("test_a.py::test_b['; rm -rf *]", "test_a.test_b.rm.-rf"),
            ("test_a.py::test_b[\u00e4\ud800\n]", "test_a.test_b"),
            ("docs/readme.md::readme.md", "readme.readme.md"),
            ("..::x", "x"),
        ):
            with self.subTest(nodeid):
                found = pytest_plugin.file_name(nodeid)
                self.assertRegex(found, r"\A[A-Za-z0-9_][A-Za-z0-9_.-]*-[0-9a-f]{8}\.npdb\Z")
                self.assertEqual(found[:-14], name)

    def test_bounded(self):
        self.assertLessEqual(len(pytest_plugin.file_name("test_a.py::test_b[%s]" % ("x" * 5000))), 120)

    def test_different(self):
        values = "/", ".", "-", "x" * 200, "x" * 201
        names = {pytest_plugin.file_name("%s::test_b[%s]" % (path, x)) for path in ("a/t.py", "b/t.py") for x in values}
        self.assertEqual(len(names), 10)


class Messages(unittest.TestCase):
    def test_exception(self):
        class Odd(Exception):
            def __str__(self):
                raise ValueError

        for e, said in (
            (KeyError("a"), "KeyError: 'a'"), (ValueError(), "ValueError"), (Odd(), "Odd"), (ValueError("a\nb"), "ValueError: a"),
            (ValueError("x" * 201), "ValueError: " + "x" * 200 + "…"),
        ):
            self.assertEqual(pytest_plugin.in_a_line(e), said)

    def test_quoted(self):
        self.assertEqual(pytest_plugin.quoted(".npdb/a-1.npdb"), ".npdb/a-1.npdb")
        self.assertEqual(pytest_plugin.quoted("/my tests/it's"), "'/my tests/it'\\''s'")


class Finding(unittest.TestCase):
    def test_none(self):
        with mock.patch.dict(os.environ, {"PATH": "", "NPDB": ""}), mock.patch.object(sys, "path", []):
            with self.assertRaisesRegex(recorder.Unavailable, "not on PATH: install it"):
                recorder.find_npdb()

    def test_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            about = os.path.join(folder, "lib", "npdb-1.dist-info")
            for path in (about, os.path.join(folder, "bin"), os.path.join(folder, "other")):
                os.makedirs(path)
            with open(os.path.join(about, "RECORD"), "w") as f:
                f.write("npdb/__init__.py,,\n../bin/npdb,,\n")
            with open(os.path.join(about, "METADATA"), "w") as f:
                f.write("Name: npdb\nVersion: 1\n")
            for path in "bin/npdb", "other/npdb":
                with open(os.path.join(folder, path), "w"):
                    pass
                os.chmod(os.path.join(folder, path), 0o700)
            other = {"PATH": os.path.join(folder, "other"), "NPDB": ""}
            with mock.patch.dict(os.environ, other), mock.patch.object(sys, "path", [os.path.join(folder, "lib")]):
                self.assertEqual(recorder.find_npdb(), os.path.join(folder, "bin", "npdb"))
                os.remove(os.path.join(folder, "bin", "npdb"))
                self.assertEqual(recorder.find_npdb(), os.path.join(folder, "other", "npdb"))

    def test_given(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "npdb")
            with open(path, "w") as f:
                f.write("#!/bin/sh\necho no such command >&2; exit 3\n")
            os.chmod(path, 0o700)
            self.assertEqual(recorder.find_npdb(path), path)
            with mock.patch.dict(os.environ, {"NPDB": path}):
                self.assertEqual(recorder.find_npdb(), path)
            with self.assertRaisesRegex(recorder.Unavailable, "does not record: no such command"):
                recorder.Recorder(path, folder)


class Obstacles(unittest.TestCase):
    def test_none(self):
        self.assertIsNone(recorder.obstacle())

    def test_tracer(self):
        with mock.patch.object(sys, "gettrace", lambda: mock.Mock()):
            self.assertIn("another tracer is active (unittest.mock.Mock)", recorder.obstacle())

    def test_implementation(self):
        with mock.patch.object(sys, "implementation", mock.Mock()) as found:
            found.name = "pypy"
            self.assertIn("CPython only, and this is pypy", recorder.obstacle())


class Magic(unittest.TestCase):
    def test_ipython(self):
        shell = mock.Mock()
        npdb.load_ipython_extension(shell)
        magic, kind, name = shell.register_magic_function.call_args.args
        self.assertEqual((kind, name), ("line", "npdb"))
        failed = ValueError("no")
        with mock.patch.object(debugger, "post_mortem") as shown, mock.patch.object(sys, "last_value", failed, create=True):
            with mock.patch.object(sys, "last_exc", None, create=True):
                magic("")
        shown.assert_called_once_with(failed)


class Listening(unittest.TestCase):
    def test_handled(self):
        before = signal.signal(signal.SIGUSR2, lambda *_: None)
        try:
            with self.assertRaisesRegex(ValueError, "the program handles SIGUSR2 itself: give npdb.listen\\(\\) another signal"):
                npdb.listen()
        finally:
            signal.signal(signal.SIGUSR2, before)

    def test_marker(self):
        npdb.listen(signal.SIGUSR1)
        path = listening.marker[1]
        try:
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            with open(path) as f:
                self.assertEqual(int(f.read()), signal.SIGUSR1)
            pid = os.fork()
            if pid == 0:
                os._exit(listening.marker[0] != -1)
            self.assertEqual(os.waitpid(pid, 0)[1], 0)
            os.kill(os.getpid(), signal.SIGUSR1)  # nobody waits
        finally:
            listening.forget()
            signal.signal(signal.SIGUSR1, signal.SIG_DFL)
        self.assertFalse(os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
