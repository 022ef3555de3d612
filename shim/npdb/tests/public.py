"""Checks the plugin on the test suites of click and attrs.

    python shim/npdb/tests/public.py --npdb PATH FOLDER

FOLDER holds a checkout of each repository below, as OWNER+NAME, at the commit that stands
there. The Python needs pytest, and hypothesis for attrs. In a copy of the repository one
line is replaced by a wrong one (the fault) at a time. The test that fails by it must leave
a recording in which provenance names the line after at most five commands. Then suites that
pass are run alone, with --npdb=failed and by npdb record, and the times compared.
"""

import argparse
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

SHIM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMANDS = 5

CLICK = "pallets/click", "2c8cd3ac958a7eb316d67f2d316c27086c4c0369"
ATTRS = "python-attrs/attrs", "c1dc5dcba16ed827aa6dcad896b41a3afedb4e32"

# Repository, file, test, the right text and the wrong one, commands.
FAULTS = [
    (
        CLICK, "src/click/_termui_impl.py", "tests/test_termui.py::test_progressbar_format_eta",
        't = int(self.eta)', 't = int(self.eta) + 1', ['rs', 'provenance seconds'],
    ),
    (
        CLICK, "src/click/_termui_impl.py", "tests/test_termui.py::test_progressbar_format_pos",
        'pos += f"/{self.length}"', 'pos += f"|{self.length}"', ['provenance result'],
    ),
    (
        CLICK, "src/click/_termui_impl.py", "tests/test_termui.py::test_progressbar_format_bar",
        'bar_length = int(self.pct * self.width)', 'bar_length = int(self.pct * self.width) + 1', ['rs', 'provenance bar via bar_length'],
    ),
    (
        CLICK, "src/click/core.py", "tests/test_info_dict.py::test_command",
        'info_dict.update(commands=commands, chain=self.chain)', 'info_dict.update(commands=commands, chain=not self.chain)', ['provenance out["chain"]'],
    ),
    (
        CLICK, "src/click/utils.py", "tests/test_utils/test_make_default_short_help.py",
        'words = words[1:]', 'words = words[2:]', ['provenance out', 'provenance out via words'],
    ),
    (
        CLICK, "src/click/termui.py", "tests/test_utils/test_style.py",
        '{1 if bold else 22}', '{2 if bold else 22}', ['rs', 'provenance bits[0]'],
    ),
    (
        ATTRS, "src/attr/converters.py", "tests/test_converters.py::TestToBool",
        'val = val.lower()', 'val = val.upper()', ['provenance val'],
    ),
    (
        ATTRS, "src/attr/_config.py", "tests/test_config.py::TestConfig::test_set_run_validators",
        '    _run_validators = run\n', '    _run_validators = not run\n', ['rs', 'rs', 'provenance _run_validators'],
    ),
    (
        ATTRS, "src/attr/validators.py", "tests/test_validators.py::TestDisableValidators",
        'set_run_validators(not disabled)', 'set_run_validators(disabled)', ['rs', 'rs', 'rs', 'provenance _run_validators'],
    ),
    (
        ATTRS, "src/attr/validators.py", "tests/test_validators.py::TestMatchesRe",
        'valid_funcs = (re.fullmatch, None, re.search, re.match)', 'valid_funcs = (re.fullmatch, re.search, re.match)', ['provenance valid_funcs'],
    ),
    (
        ATTRS, "src/attr/_version_info.py", "tests/test_version_info.py::TestVersionInfo::test_suffix_is_preserved",
        'v = s.split(".")', 'v = s.split(".")[::-1]', ['provenance v[0]'],
    ),
]  # fmt: skip
SUITES = [
    (CLICK, ["tests/test_info_dict.py", "tests/test_parser.py"]),
    (ATTRS, ["tests/test_version_info.py", "tests/test_config.py", "tests/test_filters.py"]),
]


def copied(folder, repository, to):
    """Copies a checkout, and gives it the metadata that click's tests look up."""
    source = os.path.join(folder, repository[0].replace("/", "+"))
    at = subprocess.run(["git", "-C", source, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    if at != repository[1]:
        sys.exit("%s is at %s, and %s is wanted" % (source, at, repository[1]))
    copy = os.path.join(to, repository[0].replace("/", "+"))
    for name in ("src", "tests", "pyproject.toml"):
        (shutil.copytree if os.path.isdir(os.path.join(source, name)) else shutil.copy)(os.path.join(source, name), os.path.join(copy, name))
    package = os.path.basename(repository[0])
    info = os.path.join(copy, "src", package + "-99.0.dist-info")
    os.mkdir(info)
    with open(os.path.join(info, "METADATA"), "w") as f:
        f.write("Metadata-Version: 2.1\nName: %s\nVersion: 99.0\n" % package)
    return copy


def planted(path, right, wrong):
    """Replaces the only occurrence of a text in a file. Returns the number of its last line that is not
    empty, which is the changed one, and the file's text before."""
    with open(path) as f:
        text = f.read()
    if text.count(right) != 1:
        sys.exit("%s contains %r %d times, not once" % (path, right, text.count(right)))
    with open(path, "w") as f:
        f.write(text.replace(right, wrong))
    return (text[: text.index(right)] + right.rstrip("\n")).count("\n") + 1, text


def environment(npdb):
    return dict(os.environ, NPDB=npdb, PYTHONPATH=os.pathsep.join(("src", SHIM)), PYTHONDONTWRITEBYTECODE="1")


def check(fault, copy, npdb):
    """Returns what is wrong about a fault's recording, or ""."""
    _, file, test, right, wrong, commands = fault
    line, before = planted(os.path.join(copy, file), right, wrong)
    try:
        pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "npdb.pytest_plugin", "--npdb=failed", test]
        ran = subprocess.run(pytest, cwd=copy, env=environment(npdb), capture_output=True, text=True)
    finally:
        with open(os.path.join(copy, file), "w") as f:
            f.write(before)
    found = re.findall(r"^    npdb open (.*)$", ran.stdout, re.MULTILINE)
    if len(found) != 1:
        return "%d recordings\n%s" % (len(found), ran.stdout)
    shown = subprocess.run(
        [npdb, "open", "--plain", found[0]], cwd=copy, input="\n".join(commands) + "\n", capture_output=True, text=True
    ).stdout  # fmt: skip
    if len(commands) > COMMANDS or not re.search(r"^ *\d+ .*\b%s:%d\b" % (re.escape(os.path.basename(file)), line), shown, re.MULTILINE):
        return "%s:%d is in no hop\n%s" % (file, line, shown)
    return ""


def seconds(command, copy, npdb):
    """Returns the processor time that a command takes, with all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command, cwd=copy, env=environment(npdb), capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode:
        sys.exit("%s failed:\n%s%s" % (command, ran.stdout, ran.stderr))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compare(suite, copy, npdb):
    """Prints what recording a suite costs. Each file has the globals of all modules that its test
    uses, which npdb record writes once: a suite of short tests may cost twice as much. Returns whether
    it is no more than that."""
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *suite]
    alone = seconds([sys.executable, *tests], copy, npdb)
    plugin = seconds([sys.executable, *tests, "-p", "npdb.pytest_plugin", "--npdb=failed"], copy, npdb)
    record = seconds([npdb, "record", "--python", sys.executable, "-o", "suite.npdb", *tests], copy, npdb)
    print("%s: alone %.1f s, --npdb=failed %.1f s, npdb record %.1f s" % (" ".join(suite), alone, plugin, record))
    return plugin <= 2 * record


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--npdb", default="npdb")
    parser.add_argument("--only", default="", help="only the faults with this text in their file or test; suites: only the times")
    given = parser.parse_args()
    npdb = os.path.abspath(shutil.which(given.npdb) or sys.exit("%s is not a program" % given.npdb))
    failed = 0
    with tempfile.TemporaryDirectory() as to:
        copies = {repository: copied(given.folder, repository, to) for repository in (CLICK, ATTRS)}
        for fault in FAULTS:
            if given.only not in fault[1] + fault[2]:
                continue
            wrong = check(fault, copies[fault[0]], npdb)
            failed += bool(wrong)
            print("%s: %s: %s" % (fault[1], fault[4].strip().splitlines()[-1].strip(), wrong or "found by " + "; ".join(fault[5])), flush=True)
        for repository, suite in SUITES if given.only in ("", "suites") else ():
            failed += not compare(suite, copies[repository], npdb)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
