"""Plays commands with debug-gym's tool for pdb and the tool of examples/agents that puts npdb in its place.

Usage: debug_gym.py CHECKOUT TOOL FOLDER ENTRYPOINT

Each line of standard input is a command of the agent, "restart" what debug-gym does after an edit. It prints
one line of JSON for each: what the agent reads, and the breakpoints that debug-gym keeps. debug_gym's
packages are imported without their __init__, which needs packages for agents and containers. The logger, the
environment and, where it is missing, tenacity are stand-ins."""

import json
import logging
import sys
import types
from pathlib import Path

checkout, tool, folder, entrypoint = sys.argv[1:]


def stand_in(name, **members):
    """Makes a module of these members, or a package whose modules are those of the checkout."""
    module = types.ModuleType(name)
    module.__path__ = [str(Path(checkout, *name.split(".")))]
    module.__dict__.update(members)
    sys.modules[name] = module


for package in ("debug_gym", "debug_gym.gym", "debug_gym.gym.terminals", "debug_gym.gym.tools"):
    stand_in(package)
stand_in("debug_gym.logger", DebugGymLogger=logging.Logger)
try:
    import tenacity  # noqa: F401
except ImportError:
    nothing = dict.fromkeys(("retry_if_exception_type", "stop_after_attempt", "wait_random_exponential"), lambda *_, **__: None)
    stand_in("tenacity", retry=lambda **_: lambda function: function, **nothing)

sys.path.insert(0, tool)
import debug_gym_npdb  # noqa: E402, F401
from debug_gym.gym.terminals.local import LocalTerminal  # noqa: E402
from debug_gym.gym.tools.toolbox import Toolbox  # noqa: E402


class Environment:
    """What the tool uses of debug-gym's environment."""

    terminal = LocalTerminal(working_dir=folder)
    debug_entrypoint = entrypoint
    run_timeout = 120
    current_breakpoints_state = {}

    def current_breakpoints(self):
        return "\n".join(self.current_breakpoints_state)


environment, npdb = Environment(), Toolbox.get_tool("npdb")
for line in sys.stdin:
    command = line.strip()
    said = npdb.restart_pdb(environment) if command == "restart" else npdb(environment, command=command).observation
    print(json.dumps({"said": said, "breakpoints": sorted(environment.current_breakpoints_state)}), flush=True)
npdb.stop_pdb()
