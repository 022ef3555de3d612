package traceback

import (
	"fmt"
	"strings"
	"testing"
)

// formCases are texts in forms that no program in testdata prints, and partial texts such as people
// paste.
var formCases = []struct {
	name, text string
	style      Style
	missing    string // the missing end of the traceback: "start", "end" or ""
	want       string
}{
	{"IPython 7", `---------------------------------------------------------------------------
ZeroDivisionError                         Traceback (most recent call last)
<ipython-input-3-8c7b3e0f4f1b> in <module>
      1 x = 0
----> 2 f(x)

~/src/shop.py in f(a)
     10 def f(a):
     11     b = 3
---> 12     return b / a
     13 

ZeroDivisionError: division by zero`, IPython, "", "ZeroDivisionError: division by zero\n<ipython-input-3-8c7b3e0f4f1b>:2 <module>\n~/src/shop.py:12 f\n"},
	{"IPython 8.0", `---------------------------------------------------------------------------
ValueError                                Traceback (most recent call last)
Input In [1], in <cell line: 3>()
      1 import shop
----> 3 shop.main()

File ~/src/shop.py:27, in main(argv)
     25 def main(argv):
---> 27     total(argv)

ValueError: bad`, IPython, "", "ValueError: bad\nInput In [1]:3 <module>\n~/src/shop.py:27 main\n"},
	{
		"IPython Verbose", `ValueError                                Traceback (most recent call last)
File ~/src/shop.py:27, in main(argv=['x'], n=2)
     25 def main(argv):
---> 27     total(argv.x)
        argv = ['x', ...]
        global total = <function total at 0x7f>
        argv.x = 3

ValueError: bad`, IPython, "", "ValueError: bad\n~/src/shop.py:27 main\n  argv = ['x', ...] (cut)\n  n = 2\n",
	},
	{"IPython, a cell that is wrong", `  Cell In[3], line 2
    x = = 1
        ^
SyntaxError: invalid syntax`, IPython, "", "SyntaxError: invalid syntax\nCell In[3]:2 (syntax)\n"},
	{"IPython without its start", `      1 import shop
----> 3 shop.main()

File ~/src/shop.py:27, in main(argv)
     25 def main(argv):
---> 27     total(argv)

File ~/src/shop.py:13, in total(argv)
---> 13     x = 1 / 0
     14     return x

ZeroDivisionError: division by zero`, IPython, "start", "ZeroDivisionError: division by zero\n~/src/shop.py:27 main\n~/src/shop.py:13 total\n"},
	{"IPython without its end", `ValueError                                Traceback (most recent call last)
Cell In[1], line 3
      1 import shop
----> 3 shop.main()

File ~/src/shop.py:27, in main(argv)
---> 27     total(argv)
`, IPython, "end", "\nCell In[1]:3 <module>\n~/src/shop.py:27 main\n"},
	{
		"pytest, an entry without source", `____ test_a ____

>   ???
E   ValueError: x

<string>:3: ValueError`, Pytest, "", "ValueError: x\n<string>:3 \n",
	},
	{"pytest, one entry", `    def price(item, discount):
        base = len(item) * 10
>       return base // discount
E       ZeroDivisionError: integer division or modulo by zero

shop.py:7: ZeroDivisionError`, Pytest, "start", divided + "shop.py:7 price\n"},
	{"pytest, an assert", `[gw0] linux -- Python 3.11.2 /usr/bin/python3

    def test_a():
>       assert 0
E       assert 0

test_a.py:2: AssertionError`, Pytest, "start", "AssertionError: assert 0\ntest_a.py:2 test_a\n"},
	{"pytest short, an assert", `____ test_a ____
test_a.py:3: in test_a
    assert f(1) == 2
E   assert 3 == 2
E    +  where 3 = f(1)
=== short test summary info ===`, Pytest, "", "AssertionError: assert 3 == 2\ntest_a.py:3 test_a\nnote +  where 3 = f(1)\n"},
	{"pytest without its start, short", `shop.py:13: in total
    result += price(item, discount)
shop.py:7: in price
    return base // discount
E   ZeroDivisionError: integer division or modulo by zero`, Pytest, "start", divided + relShop},
	{"pytest without its end", `____ test_a ____

    def test_a():
>       f(a)

t.py:3: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 

    def f(self, a, *args):
>       raise KeyError`, Pytest, "end", "\nt.py:3 test_a\n:0 f\n"},
	{"pytest, values of several lines", `____ test_a ____

    def test_a():
>       f(a)

a          = array([[1, 2],
       [3, 4]])
b          = 3

t.py:3: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 

self = <T object>, a = 'x, y = 3', args = (1, [2, 'b = 3']), g = <generator object f at 0x7f, x = 2>

    def f(self, a, *args):
>       raise KeyError
E       KeyError

t.py:9: KeyError`, Pytest, "", `KeyError
t.py:3 test_a
  a = array([[1, 2],
       [3, 4]])
  b = 3
t.py:9 f
  self = <T object>
  a = 'x, y = 3'
  args = (1, [2, 'b = 3'])
  g = <generator object f at 0x7f, x = 2>
`},
	{"pytest, a traceback in the message", `____ test_a ____

    def test_a():
>       f(a)
E       pkg.Failed: it printed
E       Traceback (most recent call last):
E         File "b.py", line 3, in g
E       KeyError: 1

t.py:3: Failed`, Pytest, "", `pkg.Failed: it printed
t.py:3 test_a
note Traceback (most recent call last):
note File "b.py", line 3, in g
note KeyError: 1
`},
	{"part of pytest's output before rich's", "a.py:3: in f\n    x\nE   KeyError: 1\n" +
		"╭── Traceback (most recent call last) ──╮\n│ /shop.py:13 in total   │\n╰────────╯\nValueError: x\n", Rich, "", "ValueError: x\n/shop.py:13 total\n"},
	{"pytest quoted in Markdown", `> ____ test_a ____
>
>     def test_a():
> >       f(a)
> E       ValueError: x
>
> t.py:3: ValueError`, Pytest, "", "ValueError: x\nt.py:3 test_a\n"},
	{"pytest's own error", `INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/usr/lib/_pytest/main.py", line 266, in wrap_session
INTERNALERROR>     config._do_configure()
INTERNALERROR> ValueError: x`, Python, "", "ValueError: x\n/usr/lib/_pytest/main.py:266 wrap_session\n"},
	{
		"rich, a place of several lines", `╭─ Traceback (most recent call last) ──╮
│ /tmp/a/very/long/path/of/many/folder │
│ s/shop.py:13 in                      │
│ total_of_all                         │
│                                      │
│ ❱ 13 │   x()                         │
╰──────────────────────────────────────╯
ValueError: x`, Rich, "", "ValueError: x\n/tmp/a/very/long/path/of/many/folders/shop.py:13 total_of_all\n",
	},
	{
		"rich without its start", "│ /tmp/shop/shop.py:13 in total   │\n│ ❱ 13 │   │   x()   │\n╰────────╯\nValueError: x\n", Rich, "start",
		"ValueError: x\n/tmp/shop/shop.py:13 total\n",
	},
	{
		"a group without its start", `  |   File "/tmp/g.py", line 13, in collect
  |     raise ExceptionGroup("outer", [TypeError("three")])
  | ExceptionGroup: outer (1 sub-exception)
  +-+---------------- 1 ----------------
    | TypeError: three
    +------------------------------------`, Python, "start",
		"ExceptionGroup: outer (1 sub-exception)\n/tmp/g.py:13 collect\nleaf\nTypeError: three\nend\n",
	},
	{
		"a group with a chain, and more leaves than Python prints", `  + Exception Group Traceback (most recent call last):
  |   File "g.py", line 3, in <module>
  |     raise g
  | ExceptionGroup: g (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "g.py", line 9, in f
    |     x()
    | KeyError: 'a'
    | 
    | During handling of the above exception, another exception occurred:
    | 
    | Traceback (most recent call last):
    |   File "g.py", line 11, in f
    |     y()
    | ValueError: b
    +---------------- ... ----------------
    | and 3 more exceptions
    +------------------------------------`, Python, "",
		"ExceptionGroup: g (2 sub-exceptions)\ng.py:3 <module>\nleaf\nValueError: b\ng.py:11 f\ncontext\nKeyError: 'a'\ng.py:9 f\nend\nomitted 3\n",
	},
	{"threads, the current one last", `web_1  | Fatal Python error: Aborted
web_1  |
web_1  | Thread 0x00007f (most recent call first):
web_1  |   File "/a.py", line 3 in w
web_1  |
web_1  | Current thread 0x00008f (most recent call first):
web_1  |   File "/a.py", line 5 in f
web_1  |   File "/a.py", line 9 in <module>
web_1  |
web_1  | Extension modules: numpy`, Faulthandler, "", "Fatal Python error: Aborted\n/a.py:9 <module>\n/a.py:5 f\n"},
	{
		"a place on a blank line", "  File \"a.py\", line 3\n    \n    ^\nSyntaxError: unexpected EOF while parsing", Python, "",
		"SyntaxError: unexpected EOF while parsing\na.py:3 (syntax)\n",
	},
	{
		"cut in a line number", "Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in main\n    run()\n  File \"/srv/app.py\", line 1", Python, "end",
		"\n/srv/app.py:3 main\n/srv/app.py:0 \n",
	},
	{"a message with blank lines in a chain", header("a.py", 3) + `ValueError: a

b

During handling of the above exception, another exception occurred:

` + header("a.py", 5) + "KeyError: 1\n", Python, "", "KeyError: 1\na.py:5 main\ncontext\nValueError: a\na.py:3 main\nnote \nnote b\n"},
	{
		"the end of a chain", "During handling of the above exception, another exception occurred:\n\n" + header("a.py", 5) + "KeyError: 1\n", Python, "",
		"KeyError: 1\na.py:5 main\ncontext\n\n",
	},
	{"the prompt after it", ">>> main()\n" + header("<stdin>", 5) + "KeyError: 1\n>>> \n", Python, "", "KeyError: 1\n<stdin>:5 main\n"},
	{"an interrupt", "^C" + header("a.py", 5) + "KeyboardInterrupt\n", Python, "", "KeyboardInterrupt\na.py:5 main\n"},
	{"a line number that no file has", strings.Replace(header("a.py", 5), "5", "99999999999999999999", 1) + "KeyError: 1\n", Python, "", "KeyError: 1\na.py:0 main\n"},
	{"a local class", header("a.py", 5) + "__main__.f.<locals>.Odd: x\n", Python, "", "__main__.f.<locals>.Odd: x\na.py:5 main\n"},
	{"a lower-case class", header("a.py", 5) + "socket.timeout: timed out\n", Python, "", "socket.timeout: timed out\na.py:5 main\n"},
	{"a message like a frame", header("a.py", 5) + "ValueError: File \"b.py\", line 3, in f\n", Python, "", "ValueError: File \"b.py\", line 3, in f\na.py:5 main\n"},
	{
		"a source line like a frame", "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    File \"b.py\", line 3, in f\nValueError: x\n", Python, "",
		"ValueError: x\na.py:3 f\n",
	},
	{
		"Windows", "Traceback (most recent call last):\r\n  File \"C:\\my shop\\a.py\", line 3, in f\r\n    g()\r\nOSError: [WinError 5] 'C:\\\\x'\r\n", Python, "",
		"OSError: [WinError 5] 'C:\\\\x'\nC:\\my shop\\a.py:3 f\n",
	},
	{
		"a stack without an exception", "  File \"a.py\", line 3, in f\n    g()\n  File \"a.py\", line 8, in g\n    traceback.print_stack()\n", Python, "start end",
		"\na.py:3 f\na.py:8 g\n",
	},
}

// header returns the beginning of a traceback: one frame, but not the exception's line.
func header(file string, line int) string {
	return fmt.Sprintf("Traceback (most recent call last):\n  File %q, line %d, in main\n    run()\n", file, line)
}

func TestForms(t *testing.T) {
	for _, c := range formCases {
		t.Run(c.name, func(t *testing.T) {
			trace, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(trace); got != c.want {
				t.Errorf("got:\n%swant:\n%s", got, c.want)
			}
			for _, f := range trace.Frames {
				if f.Source == "???" {
					t.Error("pytest's mark of missing source is taken as source")
				}
			}
			if trace.NoStart != strings.Contains(c.missing, "start") || trace.NoEnd != strings.Contains(c.missing, "end") || trace.Style != c.style {
				t.Errorf("NoStart %v, NoEnd %v, style %v", trace.NoStart, trace.NoEnd, trace.Style)
			}
		})
	}
}
