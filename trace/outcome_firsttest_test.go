//go:build unix

package trace_test

import (
	"strings"
	"testing"

	"github.com/npdb/npdb/internal/pythons"
	"github.com/npdb/npdb/trace"
)

const helperModule = "def help(x):\n    return x + 1\n\nhelp(0)\nn = 0\nfor i in range(1000):\n    n += help(i)\n"

// TestOutcomeFirstTest checks that with -m unittest the first state is in the first test
// that runs, and that nothing before it is recorded.
func TestOutcomeFirstTest(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		args             []string
	}{
		{"a test", "import unittest, helper\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = helper.help(1)\n    def test_a(self):\n        self.y = 1\n    def test_b(self):\n        y = self.x\n", "line 8 test_b", []string{"-k", "test_b", "test_it"}},
		{"a test that is decorated", "import unittest, helper\nclass T(unittest.TestCase):\n    @unittest.mock.patch('helper.n', 3)\n    def test(self):\n        '''Doc.'''\n        assert helper.n == 3\n", "line 6 test", []string{"test_it"}},
		{"a coroutine", "import unittest, helper\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def asyncSetUp(self):\n        helper.help(1)\n    async def test(self):\n        y = helper.help(2)\n", "line 6 test", []string{"test_it"}},
		{"a helper that ran before is the test", "import unittest, helper\nclass T(unittest.TestCase):\n    def test(self):\n        pass\n    test(None)\n", "line 4 test", []string{"test_it"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(t *testing.T, python pythons.Python) {
				dir := t.TempDir()
				writeIn(t, dir, "test_it.py", strings.Replace(c.text, "import unittest,", "import unittest, unittest.mock,", 1))
				writeIn(t, dir, "helper.py", helperModule)
				d := from(t, python, trace.FirstTest, trace.Options{Module: "unittest", Args: c.args, Dir: dir})
				d.wantHere(c.want, trace.Landed)
				if d.at.Event != 0 {
					t.Errorf("%d events came before it", d.at.Event)
				}
				d.finish()
			})
		})
	}
}

// TestOutcomeNoFirstTest checks that the program runs to its end if no test runs.
func TestOutcomeNoFirstTest(t *testing.T) {
	onEach(t, func(t *testing.T, python pythons.Python) {
		dir := t.TempDir()
		writeIn(t, dir, "test_it.py", "import unittest\nclass T(unittest.TestCase):\n    def setUp(self):\n        raise KeyError\n    def test(self):\n        pass\n")
		d := from(t, python, trace.FirstTest, trace.Options{Module: "unittest", Args: []string{"test_it"}, Dir: dir})
		d.wantEnd(1, "")
	})
}
