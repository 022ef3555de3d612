"""Checks that the check accepts right trajectories and finds errors that are planted in
them.

Run by Go's tests of this folder, or: python3.12 -m unittest test_check
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from check import Declined, Runs, Wrong, check, drawn
from walks import WALKS, actions_of

HERE = Path(__file__).parent


BY_NAME = {walk.name: walk for walk in WALKS}


RUNS = Runs()


def fault(line):
    """Returns the error that the check finds in a line, or None."""
    try:
        check(line, RUNS)
    except Wrong as e:
        return str(e)
    return None


class Right(unittest.TestCase):
    def test_what_is_right_is_found_right(self):
        for walk in WALKS:
            with self.subTest(walk.name):
                self.assertIsNone(fault(walk.line()))

    def test_what_is_no_trajectory_of_nd1_is_declined(self):
        line = BY_NAME["forward"].line()
        with self.assertRaisesRegex(Declined, "dialect chat"):
            check({**line, "dialect": "chat"}, Runs())
        for source, why in (("def (x):", "SyntaxError"), ("import os; os._exit(0)", "takes its process with it")):
            text = f"<|trace_context_start|>1|{source}\n<|frame_sep|><|end_sep|>{{\"code\": 0}}<|frame_sep|>"
            with self.assertRaisesRegex(Declined, why):
                check({**line, "text": text, "actions": [], "horizons": []}, Runs())


# Texts in a walk, each with the error that replaces it wherever it occurs.
TEXTS = [
    ("forward", '"x": "2"', '"x": "3"'),
    ("forward", '<|arg_sep|>"3"', '<|arg_sep|>"4"'),
    ("forward", '"x": ".."', '"x": "2"'),
    ("forward", '{"code": 0}', '{"code": 1}'),
    ("forward", "<|return_sep|>", "<|line_sep|>"),
    ("forward", "3|a = f(2)\n<|frame_sep|><|debug_sep|>step_into", "1|def f(x):\n<|frame_sep|><|debug_sep|>step_into"),
    ("forward", "step_return", "step_into"),
    ("forward", '"f"{', '"g"{'),
    ("forward", '{"x": ".."}', '{"x": "..", "y": "1"}'),
    ("forward", '{"x": ".."}', "{}"),
    ("forward", "return x + 1\n3|", "return x + 2\n3|"),
    ("forward", '<|stack_sep|>"f"', '<|stack_sep|>[["<module>", 3], ["f", 1]]'),
    ("forward", '[["<module>", 1]]', '[["<module>", null]]'),
    ("edited", '[["<module>", 4], ["f", 3]]', '[["f", 3], ["<module>", 4]]'),
    ("edited", '[["<module>", 4], ["f", 3]]', '[["<module>", 3], ["f", 3]]'),
    ("edited", '"x": "2", "y": "[7]"', '"x": "2", "y": "[8]"'),
    ("edited", '<|arg_sep|>"[7]"', '<|arg_sep|>"3"'),
    ("edited", '{"x": "2", "y": "[7]"}', '{"y": "[7]", "x": "2"}'),
    ("edited", '{"x": "2", "y": "[7]"}', '{"x": "..", "y": "[7]"}'),
    ("edited", '{"a": "[7]"}', '{"a": ".."}'),
    ("edited", "<|start_sep|>", "<|unknown_sep|>"),
    ("edited", "breakpoint 3", "breakpoint 2"),
    ("edited", "breakpoint 3", "breakpoint  3"),
    ("edited", "breakpoint 3", "breakpoint 03"),
    ("edited", "breakpoint 3", "breakpoint ３"),
    ("edited", '"y": "[7]"}<|action_sep|>3|    return y\n<|frame_sep|><|debug_sep|>', '"y": "[7"}<|action_sep|>3|    return y\n<|frame_sep|><|debug_sep|>'),
    ("raised", '"KeyError(1)"', '"KeyError(2)"'),
    ("raised", r"<\|", "<|"),
    ("raised", r"\u003c|", "<|"),
    ("raised", r"\u003c|", r"\u003C|"),
    ("raised", "é", "e"),
    ("raised", "<|exception_sep|>", "<|line_sep|>"),
    ("died", '[["<module>", 3], ["f", 2]]', '[["<module>", 3]]'),
    ("died", "modulo by zero')\"}", "by zero')\"}"),
    ("died", "step_over<|frame_sep|><|end_sep|>", "inv_step_over<|frame_sep|><|end_sep|>"),
    ("died", ", \"exception\"", ", \"error\""),
    ("generator", r"\u002e\u002e", ".."),
    ("generator", '<|arg_sep|>{"yield": "1"}', '<|arg_sep|>"1"'),
    ("generator", "<|arg_sep|>null", '<|arg_sep|>"None"'),
    ("generator", '"n": "2"', '"n": ".."'),
    ("generator", r"<\\", "<\\"),
    ("compacted", '"x": "4", "y": "4"', '"x": "4", "y": ".."'),
    ("compacted", '[["<module>", 5]]{"n": "4"}', '[["<module>", 4]]{"n": "4"}'),
    ("compacted", "<|compact_sep|><|frame_sep|>", ""),
    ("compacted", '{"n": "4", "a": "4"}', '{"n": "..", "a": "4"}'),
    ("trace of a call", "  # << START_OF_TRACE", ""),
    ("trace of a call", "return f(1)", "return f(2)"),
    ("trace of a call", "<|begin_of_text|>", ""),
    ("trace of a call", '"x": ".."', '"x": "1"'),
    ("trace of a call", r"\u00e9", "é"),
    ("trace of a call", "<|return_sep|><|action_sep|>    return x * 2", "<|line_sep|>{}<|action_sep|>    return x * 2"),
    ("trace of a script", "f(x):  # << START_OF_TRACE", "f(x):"),
    ("trace of a script", '{"x": "0"}', '{"x": ".."}'),
    ("trace of a script", "<|exception_sep|>", "<|return_sep|>"),
    ("trace of a script", '"None"', '"0"'),
    ("trace of a script", "<|end_of_text|>", ""),
]


# Texts that occur once in a walk, each with the error that replaces it and the check's message.
BROKEN = [
    ("edited", '{"x": "2", "y": "[7]"}', "3", "malformed: no names"),
    ("edited", '{"x": "2", "y": "[7]"}', '"abc"', "malformed: no names"),
    ("edited", '{"x": "2", "y": "[7]"}', "null", "malformed: no names"),
    ("edited", '{"x": "2", "y": "[7]"}', '{"x": "2", "y": 7}', "malformed: no names"),
    ("edited", '{"x": "2", "y": "[7]"}', '[["x", "2"], ["y", "[7]"]]', "malformed: no names"),
    ("longer", '{"n": "2"}', '{"n": "2", "\\ud800": "7"}', "malformed: no names"),
    ("edited", '{"x": "2", "y": "[7]"}', "[" * 10**5, "malformed: no JSON"),
    ("edited", '"y": "[7]"}<|action_sep|>', '"y": "' + "-" * 10**4 + '7"}<|action_sep|>', "text differs"),
    ("edited", "\n2|    y = x + 1\n3", "\n²|    y = x + 1\n3", "malformed: no numbered line"),
    ("edited", "\n2|    y = x + 1\n3", "\n" + "2" * 5000 + "|    y = x + 1\n3", "malformed: no numbered line"),
    ("edited", "2|    y = x + 1\n3", "2|    y = x\r    y += 1\n3", "malformed: no numbered line"),
    ("trace of a script", "Error:\n    pass\n<", "Error:\n    pass\rx = 1\rx = 2\n<", "malformed: line end"),
    ("trace of a script", "Error:\n    pass\n<", "Error:\n    pass  # <|\n<", "malformed: token"),
]


def moved(spans, at, edge, by):
    return [[s + by * (i == at and edge == k) for k, s in enumerate(span)] for i, span in enumerate(spans)]


class Planted(unittest.TestCase):
    def test_in_a_text(self):
        for name, old, new in TEXTS:
            with self.subTest(walk=name, old=old, new=new):
                line = BY_NAME[name].line()
                self.assertIn(old, line["text"])
                for at in [m.start() for m in re.finditer(re.escape(old), line["text"])]:
                    text = line["text"][:at] + new + line["text"][at + len(old) :]
                    changed = {**line, "text": text}
                    if line["dialect"] == "nd/1":
                        changed["actions"] = actions_of(text)
                    found = fault(changed)
                    self.assertIsNotNone(found, f"at {at}")
                    self.assertNotIn("the actions are not", found)

    def test_what_is_no_text_is_wrong(self):
        for name, old, new, why in BROKEN:
            with self.subTest(walk=name, old=old, new=new[:60]):
                line = BY_NAME[name].line()
                self.assertEqual(line["text"].count(old), 1)
                self.assertIn(why, fault({**line, "text": line["text"].replace(old, new)}))

    def test_in_the_actions_of_a_text_alone(self):
        line = BY_NAME["forward"].line()
        changed = {**line, "text": line["text"].replace("step_return", "step_into")}
        self.assertEqual(fault(changed), "the actions are not those of the text")

    def test_anywhere_in_a_text(self):
        """Checks that each single missing character of a text is detected."""
        for name in ("forward", "trace of a call", "trace of a script"):
            line = BY_NAME[name].line()
            text = line["text"]
            for at in range(text.index("<|frame_sep|>"), len(text)):
                with self.subTest(name=name, at=at):
                    self.assertIsNotNone(fault({**line, "text": text[:at] + text[at + 1 :]}))

    def test_in_what_stands_beside_a_text(self):
        for walk in WALKS:
            right = walk.line()
            for name in ("predict", "changed"):
                for at in range(len(right[name])):
                    for edge in (0, 1):
                        for by in (-1, 1):
                            with self.subTest(walk=walk.name, name=name, at=at, edge=edge, by=by):
                                self.assertIn(name, fault({**right, name: moved(right[name], at, edge, by)}))
                with self.subTest(walk=walk.name, name=name):
                    self.assertIn(name, fault({**right, name: right[name][1:]}))
                    self.assertIn(name, fault({**right, name: right[name] + [[0, 1]]}))
            for at in range(len(right["horizons"])):
                for wrong in (right["horizons"][at] + 1, right["horizons"][at] - 1):
                    horizons = list(right["horizons"])
                    horizons[at] = wrong
                    with self.subTest(walk=walk.name, at=at, horizon=wrong):
                        self.assertIn("horizons", fault({**right, "horizons": horizons}))
            with self.subTest(walk=walk.name):
                self.assertIn("horizons", fault({**right, "horizons": right["horizons"][:-1]}))
                self.assertIsNotNone(fault({**right, "actions": right["actions"][:-1]}))
                self.assertIn("lacks horizons", fault({k: v for k, v in right.items() if k != "horizons"}))

    def test_another_entry(self):
        line = BY_NAME["generator"].line()
        self.assertIsNotNone(fault({**line, "source": {"entry": "f(1, D())"}}))


class Lines(unittest.TestCase):
    """Tests of the command itself."""

    def run_on(self, lines, *options, ending=".jsonl"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "train-0" + ending)
            data = "".join(json.dumps(line) + "\n" for line in lines).encode()
            if ending.endswith(".zst"):
                data = subprocess.run(["zstd", "-q"], input=data, capture_output=True, check=True).stdout
            path.write_bytes(data)
            done = subprocess.run(
                [sys.executable, HERE / "check.py", folder, *options], capture_output=True, text=True, check=False
            )
        return done.returncode, done.stdout

    def test_counts(self):
        right = [walk.line() for walk in WALKS]
        status, said = self.run_on(right)
        self.assertEqual((status, said), (0, f"{len(right)} checked: {len(right)} right, 0 wrong, 0 declined\n"))
        right[1]["horizons"][0] += 1
        right.append({**right[0], "dialect": "chat"})
        status, said = self.run_on(right)
        self.assertEqual(status, 1)
        self.assertRegex(said, r"(?m)^edited .*horizons\[0:\] is \[5, ")
        self.assertIn(f"{len(right)} checked: {len(right) - 2} right, 1 wrong, 1 declined; 1 because: dialect chat", said)
        self.assertEqual(self.run_on([])[0], 2)

    @unittest.skipUnless(any(os.access(os.path.join(p, "zstd"), os.X_OK) for p in os.get_exec_path()), "no command zstd")
    def test_compressed_and_sampled(self):
        lines = [walk.line() for walk in WALKS] * 3
        status, said = self.run_on(lines, "--sample", "4", ending=".jsonl.zst")
        self.assertEqual((status, said), (0, "4 checked: 4 right, 0 wrong, 0 declined\n"))

    def test_a_sample_is_drawn_evenly(self):
        rng, seen = random.Random(3), [0] * 10
        for _ in range(2000):
            found = drawn(range(10), 3, rng)
            self.assertEqual(found, sorted(set(found)))
            for one in found:
                seen[one] += 1
        self.assertTrue(all(500 < n < 700 for n in seen), seen)


if __name__ == "__main__":
    unittest.main()
