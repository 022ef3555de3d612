"""The bugs that the debuggers are compared on: what a file of the folder bugs says, and the folder that a
debugger runs in."""

import io
import os
import subprocess
import tarfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FILES = Path(__file__).with_name("bugs")
FAILING = "failing.py"


class Missing(Exception):
    """Raised if a repository or a commit is not there."""


@dataclass(eq=False)
class Bug:
    """A bug, as its file describes it.

    The buggy source is that of commit. With tests, the test files of the commit fixed replace its own.
    """

    name: str
    about: str  # what is wrong, in a sentence
    repository: str  # OWNER/NAME
    commit: str
    paths: list  # the files and folders that are needed
    failing: str  # the text of failing.py, which calls the failing test
    error: str  # the last line that failing.py prints
    cause: str  # FILE:LINE, the line that the fix changes
    proof: dict  # expressions and their values at the cause, which show that it is wrong
    forward: str  # the script of a debugger that goes forwards
    npdb: str
    debugpy: str = ""  # where debugpy needs another one than other debuggers that go forwards
    pyttd: str = ""  # empty if pyttd is not played; unshown says why
    unshown: dict = field(default_factory=dict)  # why a debugger cannot show the cause, by its name
    start: str = ""  # FILE:LINE of the failing call, where npdb begins to record
    fixed: str = ""
    tests: list = field(default_factory=list)
    flat: bool = False  # the files of paths are put into one folder

    def script(self, of):
        """Returns the commands of a script. What follows two spaces and a # is the reason for a command."""
        lines = (line.split("  #")[0].strip() for line in getattr(self, of).splitlines())
        return [line for line in lines if line]

    def check_out(self, checkouts, into):
        """Writes the buggy source and failing.py into a new folder and returns it."""
        folder = Path(into) / self.name
        folder.mkdir()
        extract(checkouts, self.repository, self.commit, self.paths, folder, self.flat)
        if self.tests:
            extract(checkouts, self.repository, self.fixed, self.tests, folder)
        (folder / FAILING).write_text(self.failing)
        return folder


def extract(checkouts, repository, commit, paths, folder, flat=False):
    """Writes files of a commit into a folder."""
    git = git_directory(checkouts, repository)
    done = subprocess.run(["git", "--git-dir", git, "archive", commit, *paths], capture_output=True)
    if done.returncode:
        raise Missing(f"{repository} has no {paths} at {commit}: {done.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        for member in archive.getmembers():
            if flat:
                member.name = os.path.basename(member.name)
            if member.isfile():
                archive.extract(member, folder)


def git_directory(checkouts, repository):
    """Returns the git directory of a checkout or of a bare clone."""
    place = Path(checkouts) / repository.replace("/", "+")
    for path in (place / ".git", place / "repo" / ".git", place / "repo", place):
        if (path / "HEAD").is_file():
            return path
    raise Missing(f"{place} is no checkout of {repository}: git clone https://github.com/{repository} {place}")


def read(only=()):
    """Returns all bugs, or those with these names, in the order of their files."""
    bugs = []
    for path in sorted(FILES.glob("*.toml")):
        if not only or path.stem in only:
            with path.open("rb") as file:
                bugs.append(Bug(name=path.stem, **tomllib.load(file)))
    return bugs
