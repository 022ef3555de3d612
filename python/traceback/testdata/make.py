#!/usr/bin/python3
"""Generates the tracebacks for the tests: real/*.txt and stacks.jsonl.

Usage: python/traceback/testdata/make.py [INTERPRETER…]   (default: the output of .ci/pythons)

Debian's python3-pytest, python3-rich, ipython3 and python3-loguru must be installed: other
interpreters import them from Debian's folder. NEWER names a folder with newer versions of IPython,
traitlets, rich, pytest and pluggy; without it the files newer-*.txt are not changed. The programs run
in /tmp/shop, so that the paths in the outputs are the same on every machine; paths of interpreters
are shortened to /usr/lib/pythonX.Y.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
REAL = HERE / "real"
SHOP = pathlib.Path("/tmp/shop")
DEBIAN = "/usr/bin/python3"
PACKAGES = "/usr/lib/python3/dist-packages"

# The programs that run as scripts without arguments, with the versions of Python to run them.
SCRIPTS = {
    "shop": ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"],
    "chained": ["3.9", "3.12", "3.14"],
    "unraised": ["3.11"],
    "group": ["3.11", "3.12", "3.14"],
    "deep": ["3.9", "3.12", "3.14"],
    "broken": ["3.9", "3.12", "3.14"],
    "dedent": ["3.9", "3.13"],
    "imports_broken": ["3.9", "3.13"],
    "noted": ["3.11", "3.14"],
    "message": ["3.11"],
    "empty": ["3.11", "3.13"],
    "threads": ["3.9", "3.13"],
    "futures": ["3.9", "3.14"],
    "pool": ["3.12"],
    "process": ["3.12"],
    "task": ["3.11"],
    "tasks": ["3.12"],
    "hang": ["3.11"],
    "logged": ["3.12"],
    "logged_lines": ["3.12"],
    "locals_shown": ["3.11", "3.13"],
    "lines_long": ["3.12", "3.13", "3.14"],
    "ignored": ["3.12"],
    "evaluated": ["3.11", "3.13"],
    "cgi_shop": ["3.9", "3.12"],
    "rich_shop": ["3.9", "3.11", "3.13"],
    "rich_plain": ["3.11"],
    "rich_broken": ["3.11"],
    "rich_narrow": ["3.11"],
    "loguru_shop": ["3.11"],
}

PYTEST = ["-m", "pytest", "-p", "no:cacheprovider", "--rootdir=/tmp/shop"]

# More runs: the name of the output, the version, arguments, environment.
RUNS = [
    ("shop-colour", "3.13", ["shop.py"], {"FORCE_COLOR": "1"}),
    ("shop-colour", "3.14", ["shop.py"], {"FORCE_COLOR": "1"}),
    ("group-colour", "3.14", ["group.py"], {"FORCE_COLOR": "1"}),
    ("broken-colour", "3.14", ["broken.py"], {"FORCE_COLOR": "1"}),
    ("crash", "3.9", ["-X", "faulthandler", "crash.py"], {}),
    ("crash", "3.12", ["-X", "faulthandler", "crash.py"], {}),
    ("crash", "3.14", ["-X", "faulthandler", "crash.py"], {}),
    ("rich-ascii", "3.11", ["rich_shop.py"], {"PYTHONIOENCODING": "ascii:replace"}),
    ("module", "3.12", ["-m", "shop", "pear"], {}),
    ("command", "3.12", ["-c", "import shop; shop.total([('pear', 0)])"], {}),
    ("command", "3.14", ["-c", "import shop; shop.total([('pear', 0)])"], {}),
    ("missing", "3.12", ["-c", "import nowhere"], {}),
    ("long", "3.11", PYTEST + ["test_shop.py"], {}),
    ("long-first", "3.11", PYTEST + ["test_shop.py::test_total"], {}),
    ("long-all", "3.11", PYTEST + ["test_shop.py::test_total", "--tb=long"], {}),
    ("long-locals", "3.11", PYTEST + ["-l", "test_shop.py::test_total"], {}),
    ("long-locals-all", "3.11", PYTEST + ["-l", "--tb=long", "test_shop.py::TestMain"], {}),
    ("long-locals-cut", "3.11", PYTEST + ["-l", "test_shop.py::test_price"], {}),
    ("long-locals-whole", "3.11", PYTEST + ["-l", "-vv", "test_shop.py::test_price"], {}),
    ("long-colour", "3.11", PYTEST + ["--color=yes", "-l", "test_shop.py::test_total"], {}),
    ("long-chained", "3.11", PYTEST + ["test_chained.py"], {}),
    ("long-setup", "3.11", PYTEST + ["test_setup.py"], {}),
    ("long-syntax", "3.11", PYTEST + ["test_imports_broken.py"], {}),
    ("long-group", "3.11", PYTEST + ["test_group.py"], {}),
    ("long-remote", "3.11", PYTEST + ["test_remote.py"], {}),
    ("short-remote", "3.11", PYTEST + ["--tb=short", "test_remote.py"], {}),
    ("short", "3.11", PYTEST + ["--tb=short", "test_shop.py::test_total"], {}),
    ("short-locals", "3.11", PYTEST + ["--tb=short", "-l", "test_shop.py::test_total"], {}),
    ("short-chained", "3.11", PYTEST + ["--tb=short", "test_chained.py"], {}),
    ("native", "3.11", PYTEST + ["--tb=native", "test_shop.py::test_total"], {}),
    ("line", "3.11", PYTEST + ["--tb=line", "test_shop.py::test_total"], {}),
    ("no", "3.11", PYTEST + ["--tb=no", "test_shop.py::test_total"], {}),
    ("unit", "3.12", ["-m", "unittest", "test_unit"], {}),
    ("unit-locals", "3.12", ["-m", "unittest", "--locals", "test_unit"], {}),
    ("unit-by-pytest", "3.11", PYTEST + ["test_unit.py"], {}),
    ("doctest", "3.9", ["-m", "doctest", "examples.py"], {}),
    ("doctest", "3.13", ["-m", "doctest", "examples.py"], {}),
    ("doctest-by-pytest", "3.11", PYTEST + ["--doctest-modules", "examples.py"], {}),
    ("cells", "3.11", ["-m", "IPython", "--colors=NoColor", "cells.ipy"], {}),
    ("cells-colour", "3.11", ["-m", "IPython", "--colors=Linux", "cells.ipy"], {}),
    ("cells-verbose", "3.11", ["-m", "IPython", "--colors=NoColor", "--InteractiveShell.xmode=Verbose", "cells.ipy"], {}),
    ("cells-plain", "3.11", ["-m", "IPython", "--colors=NoColor", "--InteractiveShell.xmode=Plain", "cells.ipy"], {}),
    ("cells-minimal", "3.11", ["-m", "IPython", "--colors=NoColor", "--InteractiveShell.xmode=Minimal", "cells.ipy"], {}),
    ("ipython-script", "3.11", ["-m", "IPython", "--colors=NoColor", "shop.py"], {}),
    ("ipython-chained", "3.11", ["-m", "IPython", "--colors=NoColor", "chained.py"], {}),
    ("ipython-syntax", "3.11", ["-m", "IPython", "--colors=NoColor", "imports_broken.py"], {}),
]
# Runs with newer packages: the folder NEWER contains IPython, traitlets, rich, pytest, _pytest, pluggy and
# iniconfig.
NEWER_RUNS = [
    ("newer-cells", "3.11", ["-m", "IPython", "--colors=NoColor", "cells.ipy"]),
    ("newer-cells-colour", "3.11", ["-m", "IPython", "--colors=Linux", "cells.ipy"]),
    ("newer-cells-verbose", "3.11", ["-m", "IPython", "--colors=NoColor", "--InteractiveShell.xmode=Verbose", "cells.ipy"]),
    ("newer-cells-plain", "3.11", ["-m", "IPython", "--colors=NoColor", "--InteractiveShell.xmode=Plain", "cells.ipy"]),
    ("newer-ipython-chained", "3.11", ["-m", "IPython", "--colors=NoColor", "chained.py"]),
    ("newer-ipython-syntax", "3.11", ["-m", "IPython", "--colors=NoColor", "imports_broken.py"]),
    ("newer-rich_group", "3.11", ["rich_group.py"]),
    ("newer-rich_shop", "3.14", ["rich_shop.py"]),
    ("newer-rich_plain", "3.14", ["rich_plain.py"]),
    ("newer-long-locals", "3.14", PYTEST + ["-l", "test_shop.py::test_total"]),
    ("newer-long", "3.14", PYTEST + ["test_shop.py"]),
    ("newer-short-locals", "3.14", PYTEST + ["-l", "--tb=short", "test_shop.py"]),
    ("newer-long-chained", "3.14", PYTEST + ["test_chained.py"]),
    ("newer-long-group", "3.14", PYTEST + ["test_group.py"]),
    ("newer-line", "3.14", PYTEST + ["--tb=line", "test_shop.py"]),
]


def interpreters():
    """Returns the interpreters by version, such as "3.12"."""
    found = {}
    paths = sys.argv[1:] or subprocess.run([HERE.parents[2] / ".ci/pythons"], check=True, capture_output=True, text=True).stdout.split()
    for path in paths:
        version = subprocess.run([path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], check=True, capture_output=True, text=True)
        found[version.stdout.strip()] = path
    return found


def run(python, arguments, environment):
    """Returns what the program prints on both streams."""
    variables = {"PATH": "/usr/bin:/bin", "HOME": "/tmp/shop/home", "LANG": "C.UTF-8", "COLUMNS": "80", "PYTHONPATH": "/tmp/shop:" + PACKAGES}
    if python == DEBIAN:
        variables["PYTHONPATH"] = "/tmp/shop"
    variables.update(environment)
    done = subprocess.run([python, *arguments], cwd=SHOP, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode("utf-8", "surrogateescape")


def shorten(text, python):
    """Replaces the folders of the interpreter in the output."""
    home = str(pathlib.Path(os.path.realpath(python)).parent.parent)
    if home != "/usr":
        text = text.replace(home, "/usr")
    return re.sub(r"\b0x[0-9a-f]{6,}", "0x7f0000000000", text)


def main():
    pythons = interpreters()
    shutil.rmtree(SHOP, ignore_errors=True)
    shutil.copytree(HERE / "programs", SHOP)
    (SHOP / "home").mkdir()
    REAL.mkdir(exist_ok=True)
    runs = [(name, version, [name + ".py"], {}) for name, versions in SCRIPTS.items() for version in versions]
    runs += RUNS
    if os.environ.get("NEWER"):
        shutil.copytree(os.environ["NEWER"], "/tmp/newer", dirs_exist_ok=True)
        new = {"PYTHONPATH": "/tmp/newer:/tmp/shop:" + PACKAGES}
        runs += [(name, version, arguments, new) for name, version, arguments in NEWER_RUNS]
    for name, version, arguments, environment in runs:
        if version not in pythons:
            print("no Python", version, "for", name)
            continue
        text = shorten(run(pythons[version], arguments, environment), pythons[version])
        if "No module named" in text and name != "missing":
            print("a package is missing for", name, version, text.splitlines()[-1])
            continue
        (REAL / f"{name}-{version}.txt").write_bytes(text.encode("utf-8", "surrogateescape"))
    stacks = subprocess.run([pythons["3.12"], HERE / "stacks.py"], check=True, stdout=subprocess.PIPE)
    (HERE / "stacks.jsonl").write_bytes(stacks.stdout)


main()
