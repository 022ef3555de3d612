"""Tests of the layout of generated programs."""

import ast
import random
import re
import unittest

from maker import programs
from maker.programs import layout
from maker.programs.layout import FEATURES, dressed
from maker.program import Program
from maker.tracing import LINE, RETURN
from recorded import recorded

COUNT = 300
# A statement over several lines has an event for each line.
LIMIT = 4000

SOURCE = '''\
class Box:
    size = 2

    def grow(self, by=1):
        self.size += by
        return self.size


def f(text, limit):
    count = {'alpha': 1, 'beta': 2, 'gamma': 3}
    names = ['one', 'two', 'three', 'four']
    banner = 'first line\\nsecond line\\nthird'
    known = sum(len(name) for name in names if name != 'two')
    label = f'{text} of the {limit} that are known'
    short = text.strip().lower().replace('a', 'b')
    if text.startswith('x') and limit > 3 or not count:
        total = limit + len(short) + len(banner) + known
    elif limit == 0:
        return None
    else:
        total = max(limit, len(short), Box().grow(by=limit))
    message = 'a text of some words and more'
    return label, total, message
'''
ENTRY = "f(' banana 42 ', 2)"
SCRIPT = '''\
def twice(n):
    return n * 2


text = """one
two"""
total = 0
for i in range(3):
    total += twice(i)
print(text, total)
'''


def only(*names):
    """Returns features of which the named ones always apply and the others never."""
    return {name: (1, 1, 1) if name in names else (0, 0, 0) for name in FEATURES}


def result(program):
    space = {"__name__": "test"}
    exec(program.source, space)
    return eval(program.entry, space)


def told(program):
    """Returns the contents of a recording without the lines: calls, results, exceptions and
    locals.

    If there is no recording, it returns the reason. It omits the end of a module, because it
    depends on the last statement whether the interpreter reports a line for that, and without a
    line there is no event.
    """
    found = recorded(program, LIMIT)
    if isinstance(found, str):
        return found
    kept = [i for i in range(len(found.kind)) if found.kind[i] != LINE and
            (found.kind[i], found.function[i]) != (RETURN, "<module>")]
    return found.code, found.exception, [
        (found.kind[i], found.function[i], found.depth[i], found.names[i], found.texts[i], found.value[i]) for i in kept]


def mix(count, seed):
    """Returns programs of the mix without the changes of the function dressed."""
    kept, programs.DRESSED = programs.DRESSED, 0
    try:
        rng = random.Random(seed)
        return [programs.make(rng, rng.random()) for _ in range(count)]
    finally:
        programs.DRESSED = kept


class Mix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plain = mix(COUNT, 5)

    def test_the_outcome_stays(self):
        changed = failed = 0
        for seed, program in enumerate(self.plain):
            other = dressed(random.Random(seed), program)
            self.assertEqual(other.entry, program.entry)
            expected = told(program)
            self.assertEqual(told(other), expected, other.source)
            changed += other.source != program.source
            failed += isinstance(expected, str)
        self.assertGreater(changed, COUNT * 0.8)
        self.assertLess(failed, COUNT * 0.1)

    def test_the_outcome_stays_with_all_features(self):
        features = {name: (1, rates[1], 1) for name, rates in FEATURES.items()}
        for seed, program in enumerate(self.plain[:COUNT // 3]):
            other = dressed(random.Random(seed), program, features)
            self.assertEqual(told(other), told(program), other.source)

    def test_nothing_is_given_up(self):
        # The check is meant for unforeseen cases. Edits must not rely on it.
        features = {name: (1, 0.5, 1) for name in FEATURES}
        for seed, program in enumerate(self.plain):
            if not layout.NOTICES.search(program.source):
                self.assertIsNot(dressed(random.Random(seed), program, features), program)

    def test_same_state_same_program(self):
        for seed, program in enumerate(self.plain[:60]):
            self.assertEqual(dressed(random.Random(seed), program), dressed(random.Random(seed), program))

    def test_each_feature_occurs(self):
        for name in FEATURES:
            changed = sum(dressed(random.Random(seed), program, only(name)).source != program.source
                          for seed, program in enumerate(self.plain))
            if name != "triple":        # line ends are rare in the strings of the mix
                self.assertGreater(changed, 0, name)

    def test_make_dresses(self):
        rng = random.Random(11)
        found = [programs.make(rng, 0.5).source for _ in range(COUNT)]
        self.assertGreater(sum(bool(re.search(r'^ *"""[^"]*\n[^"]*"""$', text, re.M)) for text in found), COUNT * 0.05)
        self.assertGreater(sum("\n\n\n\n" in text for text in found), COUNT * 0.02)


class Cases(unittest.TestCase):
    program = Program(SOURCE, ENTRY, "test")

    def texts(self, *names, program=None, count=40):
        """Returns programs to which the features were applied. It checks that each computes the
        same as the original."""
        program = program or self.program
        found = []
        for seed in range(count):
            other = dressed(random.Random(seed), program, only(*names))
            if other is program:
                self.fail("the check failed")
            self.assertTrue(other.source.endswith("\n"))
            if program.entry:
                self.assertEqual(result(other), result(program), other.source)
            found.append(other.source)
        self.assertNotEqual(set(found), {program.source})
        return found

    def any(self, pattern, texts):
        self.assertTrue(any(re.search(pattern, text, re.M) for text in texts), pattern)

    def test_docstrings(self):
        texts = self.texts("docs")
        for text in texts:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    self.assertTrue(ast.get_docstring(node))
        for pattern in (r"^    Args:\n        text: ", r"^    Returns:$", r"^    >>> f\(", r":param limit: ", r"^    -----"):
            self.any(pattern, texts)
        lines = [ast.get_docstring(ast.parse(text)) for text in self.texts("module_doc")]
        self.assertTrue(all(lines))
        sizes = {text.count("\n") + 1 for text in lines}
        self.assertIn(1, sizes)
        self.assertGreater(max(sizes), 4)

    def test_remarks(self):
        self.any(r"^    # .*\n    # .*\n    # .*\n    count = ", self.texts("comments"))
        self.any(r"^    return label, total, message  # \w", self.texts("ends"))
        self.any(r"^class Box:  # \w", self.texts("ends"))
        self.any(r"^ *#.*self\.size \+= by$", self.texts("dead"))
        self.any(r"^# ([-=*#~])\1{9,}\n(?:.*\n)*def f", self.texts("rules"))
        self.any(r"\n\n\n\n", self.texts("blanks"))

    def test_hints(self):
        texts = self.texts("hints")
        self.any(r"def f\(text: str, limit: int\):", texts)
        self.any(r"def grow\(self, by: int = 1\):", texts)
        program = Program("str = 3\n\n\ndef f(text, n):\n    print(text)\n", "f('a', 2)", "test")
        text = dressed(random.Random(1), program, only("hints")).source
        self.assertIn("def f(text, n: int) -> None:", text)

    def test_lines_in_brackets(self):
        texts = self.texts("breaks", count=120)
        for pattern in (r"count = \{\n        'alpha': 1,\n        'beta': 2,\n        'gamma': 3,\n    \}",
                        r"count = \{'alpha': 1,\n             'beta': 2,\n             'gamma': 3\}",
                        r"names = \[\n        'one',\n        'two',\n        'three',\n        'four'\]",
                        r"names = \[\n        'one', 'two', 'three', 'four'\n    \]",
                        r"sum\(\n        len\(name\)\n        for name in names\n        if name != 'two'\n    \)",
                        r"def f\(\n    text,\n    limit,\n\):"):
            self.any(pattern, texts)

    def test_lines_in_parentheses(self):
        texts = self.texts("operators")
        self.any(r"total = \(\n            limit\n            \+ len\(short\)\n            \+ len", texts)
        self.any(r"total = \(\n            limit \+\n            len\(short\) \+\n", texts)
        self.any(r"short = \(\n        text\n        \.strip\(\)\n        \.lower\(\)\n        \.replace\('a', 'b'\)\n    \)",
                 self.texts("chains"))
        self.any(r"return \(\n        label, total, message\n    \)", self.texts("parens"))
        self.any(r"total = limit \+ \\\n            len\(short\)", self.texts("backslash"))

    def test_strings(self):
        self.any(r"message = \(\n        'a [a-z ]*'\n        '", self.texts("concat"))
        self.any(r"label = \(\n        f'\{text\} [a-z ]*", self.texts("concat"))
        self.any(r'banner = (?:"""|\'\'\')(?:\\\n)?first line\nsecond line\nthird(?:"""|\'\'\')$', self.texts("triple"))
        self.any(r'names = """\n        one\n        two\n        three\n        four\n    """\.split\(\)', self.texts("listed"))

    def test_semicolons(self):
        program = Program("def f(n):\n    a = n\n    b = a + 1\n    a += b\n    return a, b\n", "f(3)", "test")
        for text in self.texts("semicolons", program=program):
            self.assertIn("    a = n; b = a + 1\n", text)

    def test_what_is_added_at_the_top(self):
        self.any(r"\A(?:import|from) \w+", self.texts("imports"))
        self.any(r'^[A-Z]+ = """', self.texts("data"))
        program = Program("from __future__ import annotations\nimport os\nmath = os.sep\n\n\ndef f():\n    return math\n",
                          "f()", "test")
        for seed in range(60):
            text = dressed(random.Random(seed), program, only("imports", "module_doc")).source
            compile(text, "<test>", "exec", dont_inherit=True)
            self.assertNotIn("import math", text)
            self.assertEqual(text.count("import os"), 1)

    def test_main(self):
        self.any(r"^if __name__ == '__main__':\n    .*f\(' banana 42 ', 2\)", self.texts("main"))
        for seed in range(20):
            text = dressed(random.Random(seed), Program(SCRIPT, None, "test"), only("main")).source
            self.assertRegex(text, r'if __name__ == .__main__.:\n    text = """one\ntwo"""\n    total = 0\n    for i in')

    def test_what_would_notice_is_left(self):
        for line in ("print(f.__doc__)", "print(globals())", "import inspect", "x = '\\f'\f"):
            program = Program("def f():\n    return 1\n\n\n%s\n" % line, None, "test")
            self.assertIs(dressed(random.Random(1), program, only(*FEATURES)), program)
        broken = Program("def f(:\n", None, "test")
        self.assertIs(dressed(random.Random(1), broken), broken)

    def test_the_check_sees_a_difference(self):
        for a, b in (("x = 1", "x = True"), ("f(a, b)", "f(b, a)"), ("x = 'a'", "x = 'b'"), ("x = [1]", "x = (1)"),
                     ("def f(a):\n    pass", "def f(a=1):\n    pass"), ("x = ['a b']", "x = 'a b'.split()")):
            self.assertFalse(layout.same(ast.parse(a), ast.parse(b)), b)
        for a, b in (("def f(a):\n    pass", "def f(a: int) -> None:\n    'text'\n    pass"), ("x = 'ab'", "x = ('a'\n 'b')"),
                     ("x = ['a', 'b']", "x = '''a\nb'''.split()")):
            self.assertTrue(layout.same(ast.parse(a), ast.parse(b)), b)

    def test_characters_of_several_bytes(self):
        program = Program("def f(text):\n    names = ['é' + text, 'çñ', 'Ж, Я', text.strip(), '日' * 3]\n    return names\n",
                          "f('ü')", "test")
        self.texts("breaks", "ends", program=program)
