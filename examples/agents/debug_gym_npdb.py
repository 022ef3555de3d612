"""A tool for debug-gym (https://github.com/microsoft/debug-gym): npdb in place of pdb.

Importing this module registers the tool "npdb", which a configuration of debug-gym lists under `tools` in
place of "pdb". The tool is debug-gym's own for pdb: the agent types the same commands, breakpoints persist,
and edits restart the session. The commands that go backwards are described to the agent too."""

from debug_gym.gym.tools.pdb import PDBTool
from debug_gym.gym.tools.toolbox import Toolbox

# debug-gym keeps the breakpoints, so npdb does not. On a dumb terminal it shows no progress.
COMMAND = "TERM=dumb npdb --plain --keep-breakpoints=false"
PDB_PROMPT, PROMPT = "(Pdb)", "(npdb)"


@Toolbox.register(name="npdb")
class NPDBTool(PDBTool):
    """Lets an agent debug with npdb --plain, forwards and backwards."""

    name = "npdb"
    examples = [
        'Use npdb with `command`: "b src/code.py:42" to set a breakpoint at line 42 in \'src/code.py\'.',
        'Use npdb with `command`: "c" to continue to the next breakpoint or to the exception that ends the program.',
        'Use npdb with `command`: "catch AssertionError" and then "c" to stop where a failing test raises.',
        'Use npdb with `command`: "rn" to go back to the previous line of the function, "rs" to the previous event, '
        '"rf" to the call of the function, and "rc" to the previous breakpoint.',
        'Use npdb with `command`: "reverse-advance src/code.py:42" to go back to the last time that a line ran.',
        'Use npdb with `command`: "provenance total" to list where the value of total came from.',
        'Use npdb with `command`: "history total" to list the values that total had, each with the line that set it.',
        'Use npdb with `command`: "p total" and `entrypoint`: "npdb --plain src/app.py" to debug another program.',
    ]
    description = (
        "An interface to npdb, a Python debugger with the commands of pdb that also goes backwards. "
        "npdb records the program while it runs, so you can go from a failure back to its cause without a restart."
        "\nWhen using the breakpoint command (e.g., 'b', 'break', 'cl', 'clear'), make sure you specify the file path "
        "and line number in the format `file_path:line_number`."
        "\nnpdb sessions are restarted after a successful edit, or if the entrypoint changes. Breakpoints are persistent "
        "across sessions and will be restored automatically."
        "\nExamples (for demonstration purposes only, you need to adjust the tool calling format according to your "
        "specific syntax):\n" + "\n".join(examples)
    )

    arguments = {
        **PDBTool.arguments,
        "command": {"type": ["string"], "description": "The command for npdb: one of pdb's or one of the above."},
    }

    def interact_with_pdb(self, command, timeout=None):
        try:
            output = self._session.run(command, read_until=PROMPT, timeout=timeout)
        except TimeoutError as e:
            output = f"The command `{command}` has timed out. {e!r}"
        return output.replace(PROMPT, "").strip()

    def start_pdb(self, environment):
        """Starts npdb where debug-gym would start pdb. An entrypoint for pdb is one for npdb too."""
        terminal = environment.terminal
        environment.terminal = _Terminal(terminal)
        try:
            return super().start_pdb(environment)
        finally:
            environment.terminal = terminal


class _Terminal:
    """A terminal whose sessions start npdb and read to its prompt."""

    def __init__(self, terminal):
        self.terminal = terminal

    def new_shell_session(self):
        session = self.terminal.new_shell_session()
        start = session.start

        def start_npdb(command, read_until=None):
            command = command.replace("python -m pdb", COMMAND)
            if command.startswith("npdb --plain"):
                command = command.replace("npdb --plain", COMMAND, 1)
            return start(command, read_until=read_until.replace(PDB_PROMPT, PROMPT))

        session.start = start_npdb
        return session
