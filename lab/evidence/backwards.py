"""pyttd, which records the program first and then replays the recording at a prompt."""

import os
import re
import subprocess
import tempfile
import time

from bugs import FAILING
from prompt import Prompt, environment
from proof import Turn

FAILURE = re.compile(r"--goto-frame (\d+)")  # in the command that pyttd's recorder recommends
SECONDS = 600  # the limit for a recording


class Pyttd(Prompt):
    """A session of pyttd. Its seconds are those of the recording and of the replay."""

    name, prompt, samples = "pyttd", b"pyttd> ", True

    def play(self, bug, folder):
        """Records the program, then types a bug's script. If the failure was not recorded, it types nothing."""
        with tempfile.TemporaryDirectory() as home:
            self.database = os.path.join(home, "recording.pyttd.db")
            begin = time.perf_counter()
            done = subprocess.run(
                self.record(bug), cwd=folder, env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=SECONDS,
            )
            recorded = time.perf_counter() - begin
            said = done.stdout.decode(errors="replace")
            failure = FAILURE.search(said)
            if not failure:
                return [Turn("", said)], recorded
            self.failure = failure[1]
            turns, seconds = self.type(bug, folder, environment(home))
        return [Turn("", said + turns[0].answer), *turns[1:]], recorded + seconds

    def record(self, bug):
        # The prompt does not use checkpoints. If npdb begins at the failing call, pyttd records the cause's folder only.
        command = [self.python, "-m", "pyttd", "record", "--checkpoint-interval", "0"]
        if bug.start:
            for files in (f"*/{os.path.dirname(bug.cause)}/*", f"*/{FAILING}"):
                command += ["--include-file", files]
        return [*command, "--db-path", self.database, FAILING]

    def command(self, bug):
        return [self.python, "-m", "pyttd", "replay", "--last-run", "--interactive", "--db", self.database]

    def script(self, bug):
        return [f"goto {self.failure}" if typed == "failure" else typed for typed in bug.script("pyttd")]
