"""The programs that people.py measures: those of a folder, and pyperformance's."""

import glob
import json
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))


class Missing(Exception):
    """Raised if a program, or its hot line, is not where it should be."""


class Program:
    """A program and its hot line, which is executed very often. pattern matches the line; the condition
    is never true there.

    If may_fail is set, the program is from elsewhere and may fail because files are missing.
    """

    def __init__(self, name, path, pattern, condition=None, arguments=(), env=(), may_fail=False):
        self.name = name
        self.path = path
        self.pattern = re.compile(pattern)
        self.condition = condition
        self.arguments = list(arguments)
        self.env = dict(env)
        self.may_fail = may_fail

    def hot(self):
        """Return the number of the hot line and its condition."""
        with open(self.path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found = self.pattern.search(line)
                if found:
                    return number, self.condition or found.group(1).strip()
        raise Missing(f"{self.path} has no line that matches {self.pattern.pattern!r}")


def people(folder):
    """Return the programs of the folder in which a comment marks the hot line."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.py"))):
        with open(path, encoding="utf-8") as file:
            if "# hot: " in file.read():
                found.append(Program(os.path.basename(path)[:-3], path, r"# hot: (.*)"))
    return found


# The benchmarks of pyperformance that are pure Python and need no package. For each: the beginning of
# its hot line, a condition that is never true there, its command line, and the settings of
# lab/bench/standin that shorten it. The text after an @ only distinguishes names.
PYPERFORMANCE = {
    "barnes_hut": ("dx = ", "particle is None", ["--iterations", "2", "--particles", "90"], {}),
    "btree": ("position = self.get_position(key)", "key is None", [], {"globals": {"NUM_NODES": 1500}}),
    "chaos": ("seg_length = ", "length is None", ["--width", "40", "--height", "40", "--iterations", "1200"], {}),
    "comprehensions": ("widgets = [w for w in widgets", "widgets is None", [], {"loops": 250}),
    "coroutines": ("if n <= 1:", "n is None", [], {}),
    "deepcopy": ("dc.lst[0] = kk", "kk is None", [], {"loops": 60}),
    "deltablue": ("mark = self.new_mark()", "self is None", [], {"arguments": [60]}),
    "fannkuch": ("k = perm[0]", "r < 0", [], {"arguments": [7]}),
    "float": ("norm = sqrt(", "x is None", [], {"arguments": [6000]}),
    "gc_collect": ("next_node = Node()", "i < 0", [], {"arguments": [100, 150]}),
    "go": ("maxscore = -1", "self is None", [], {"globals": {"GAMES": 12}}),
    "hexiom": ("vmax = 0", "i < 0", ["--level", "10"], {}),
    "logging": ("logger.warning(m)", "m is None", ["simple"], {"loops": 300}),
    "meteor_contest": ("n_i_min = min(n_free)", "p is None", [], {}),
    "nbody": ("dx = x1 - x2", "m1 < 0", ["--iterations", "700"], {}),
    "nqueens": ("if (queen_count == len(", "vec is None", [], {"arguments": [7]}),
    "pidigits": ("z = compose(z, next(x))", "y is None", ["--digits", "1000"], {}),
    "raytrace": ("xcomp = ", "x < 0", ["--width", "14", "--height", "14"], {}),
    "richards": ("w.count += 1", "w is None", [], {}),
    "scimark@fft": ("tmp_real = w_real - ", "a < 0", ["fft"], {"arguments": [256, 4]}),
    "scimark@lu": ("for jj in range(j + 1, N):", "ii < 0", ["lu"], {"loops": 1, "arguments": [34]}),
    "scimark@monte_carlo": ("x = rnd.nextDouble()", "rnd is None", ["monte_carlo"], {"arguments": [8000]}),
    "scimark@sparse": ("sa = 0.0", "r < 0", ["sparse_mat_mult"], {"loops": 6, "arguments": [300, 6000]}),
    "spectral_norm": ("partial_sum = 0", "i < 0", [], {"globals": {"DEFAULT_N": 36}}),
    "telco": ("calltype = n & 1", "n < 0", [], {}),
    "unpack_sequence": ("a, b, c, d, e, f, g, h, i, j = to_unpack", "loops < 0", ["list"], {"loops": 500}),
}


def pyperformance(checkout):
    """Return the programs of a checkout of pyperformance, including missing ones."""
    folder = os.path.join(checkout, "pyperformance", "data-files", "benchmarks")
    if not os.path.isdir(folder):
        raise Missing(f"{checkout} is no checkout of pyperformance: it has no {folder}")
    programs = []
    for name, (line, condition, arguments, cut) in PYPERFORMANCE.items():
        path = os.path.join(folder, "bm_" + name.partition("@")[0], "run_benchmark.py")
        env = {"PYTHONPATH": os.path.join(HERE, "standin"), "STANDIN_PYPERF": json.dumps(cut)}
        pattern = r"^\s*" + re.escape(line)
        programs.append(Program(name, path, pattern, condition, arguments, env, may_fail=True))
    return programs
