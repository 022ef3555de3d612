package traceback

import "strings"

// realCases are the outputs in testdata/real, with what the programs in testdata/programs did when
// the outputs were made.
var realCases = []struct {
	file  string
	style Style
	want  string // in the format of describe
	found int
}{
	{"shop-3.9", Python, divided + shop, 1},
	{"shop-3.10", Python, divided + shop, 1},
	{"shop-3.11", Python, divided + shop, 1},
	{"shop-3.12", Python, divided + shop, 1},
	{"shop-3.13", Python, divided + shop, 1},
	{"shop-3.14", Python, divided14 + shop, 1},
	{"shop-colour-3.13", Python, divided + shop, 1},
	{"shop-colour-3.14", Python, divided14 + shop, 1},
	{"module-3.12", Python, divided + "<frozen runpy>:198 _run_module_as_main\n<frozen runpy>:88 _run_code\n" + shop, 1},
	{"command-3.12", Python, divided + "<string>:1 <module>\n" + shopTotal, 1},
	{"command-3.14", Python, divided14 + "<string>:1 <module>\n" + shopTotal, 1},
	{"missing-3.12", Python, "ModuleNotFoundError: No module named 'nowhere'\n<string>:1 <module>\n", 1},
	{"chained-3.9", Python, strings.Replace(chained, "ShopError:", "__main__.ShopError:", 1), 1},
	{"chained-3.12", Python, chained, 1},
	{"chained-3.14", Python, chained, 1},
	{"unraised-3.11", Python, "TypeError: bad value\n/tmp/shop/unraised.py:5 <module>\n/tmp/shop/unraised.py:2 check\ncause\nValueError: never raised\n", 1},
	{"group-3.11", Python, group, 1},
	{"group-3.12", Python, group, 1},
	{"group-3.14", Python, group, 1},
	{"group-colour-3.14", Python, group, 1},
	{"deep-3.9", Python, deep, 1},
	{"deep-3.12", Python, deep, 1},
	{"deep-3.14", Python, deep, 1},
	{"broken-3.9", Python, broken, 1},
	{"broken-3.12", Python, broken, 1},
	{"broken-3.14", Python, broken, 1},
	{"broken-colour-3.14", Python, broken, 1},
	{"dedent-3.9", Python, "IndentationError: expected an indented block\n/tmp/shop/dedent.py:3 (syntax)\n", 1},
	{"dedent-3.13", Python, "IndentationError: expected an indented block after 'if' statement on line 2\n/tmp/shop/dedent.py:3 (syntax)\n", 1},
	{"imports_broken-3.9", Python, importsBroken, 1},
	{"imports_broken-3.13", Python, importsBroken, 1},
	{"noted-3.11", Python, noted, 1},
	{"noted-3.14", Python, noted, 1},
	{"message-3.11", Python, "Odd: first line\n/tmp/shop/message.py:10 <module>\n/tmp/shop/message.py:7 fail\nnote second line\n", 1},
	{"empty-3.11", Python, "AssertionError\n/tmp/shop/empty.py:5 <module>\n/tmp/shop/empty.py:2 stop\n", 1},
	{"empty-3.13", Python, "AssertionError\n/tmp/shop/empty.py:5 <module>\n/tmp/shop/empty.py:2 stop\n", 1},
	{"lines_long-3.12", Python, linesLong, 1},
	{"lines_long-3.13", Python, linesLong, 1},
	{"lines_long-3.14", Python, linesLong, 1},
	{"evaluated-3.11", Python, evaluated, 1},
	{"evaluated-3.13", Python, evaluated, 1},
	{"ignored-3.12", Python, "RuntimeError: not empty\n/tmp/shop/ignored.py:3 __del__\n/tmp/shop/ignored.py:6 empty\n", 1},
	{
		"threads-3.9", Python, divided + `/usr/lib/python3.9/threading.py:980 _bootstrap_inner
/usr/lib/python3.9/threading.py:917 run
/tmp/shop/threads.py:5 work
note done
`, 1,
	},
	{
		"threads-3.13", Python, divided + `/usr/lib/python3.13/threading.py:1041 _bootstrap_inner
/usr/lib/python3.13/threading.py:992 run
/tmp/shop/threads.py:5 work
note done
`, 1,
	},
	{
		"futures-3.9", Python, divided + `/tmp/shop/futures.py:10 <module>
/usr/lib/python3.9/concurrent/futures/_base.py:446 result
/usr/lib/python3.9/concurrent/futures/_base.py:391 __get_result
cause
remote
` + divided + `/usr/lib/python3.9/concurrent/futures/process.py:246 _process_worker
/tmp/shop/futures.py:5 work
`, 1,
	},
	{
		"futures-3.14", Python, divided14 + `/tmp/shop/futures.py:10 <module>
/usr/lib/python3.14/concurrent/futures/_base.py:454 result
/usr/lib/python3.14/concurrent/futures/_base.py:396 __get_result
cause
remote
` + divided14 + `/usr/lib/python3.14/concurrent/futures/process.py:254 _process_worker
/tmp/shop/futures.py:5 work
`, 1,
	},
	{
		"pool-3.12", Python, divided + `/tmp/shop/pool.py:10 <module>
/usr/lib/python3.12/multiprocessing/pool.py:367 map
/usr/lib/python3.12/multiprocessing/pool.py:774 get
cause
remote
` + divided + `/usr/lib/python3.12/multiprocessing/pool.py:125 worker
/usr/lib/python3.12/multiprocessing/pool.py:48 mapstar
/tmp/shop/pool.py:5 work
`, 1,
	},
	{
		"process-3.12", Python, divided + `/usr/lib/python3.12/multiprocessing/process.py:314 _bootstrap
/usr/lib/python3.12/multiprocessing/process.py:108 run
/tmp/shop/process.py:5 work
`, 1,
	},
	{"task-3.11", Python, divided + "/tmp/shop/task.py:6 work\n", 1},
	{
		"tasks-3.12", Python, `ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)
/tmp/shop/tasks.py:15 <module>
/usr/lib/python3.12/asyncio/runners.py:194 run
/usr/lib/python3.12/asyncio/runners.py:118 run
/usr/lib/python3.12/asyncio/base_events.py:684 run_until_complete
/tmp/shop/tasks.py:10 main
/usr/lib/python3.12/asyncio/taskgroups.py:145 __aexit__
leaf
` + divided + "/tmp/shop/tasks.py:6 work\nend\n", 1,
	},
	{"crash-3.9", Faulthandler, crash, 1},
	{"crash-3.12", Faulthandler, crash, 1},
	{"crash-3.14", Faulthandler, crash, 1},
	{"hang-3.11", Faulthandler, "Timeout: (0:00:00.300000)!\n/tmp/shop/hang.py:12 <module>\n/tmp/shop/hang.py:7 wait\n", 1},
	{"logged-3.12", Python, divided + "/tmp/shop/logged.py:11 handle\n" + shopTotal, 1},
	{"logged_lines-3.12", Python, divided + "/tmp/shop/logged_lines.py:8 <module>\n" + shopTotal + "note next order\n", 1},
	{"loguru_shop-3.11", Python, divided + "/tmp/shop/loguru_shop.py:16 <module>\n/tmp/shop/loguru_shop.py:13 run\n" + shopTotal, 1},
	{"cgi_shop-3.9", Python, cgiShop, 1},
	{"cgi_shop-3.12", Python, cgiShop, 1},
	{"native-3.11", Python, divided + "/tmp/shop/test_shop.py:13 test_total\n" + shopTotal, 1},
	{"unit-3.12", Python, "AssertionError: 20 != 21\n/tmp/shop/test_unit.py:8 test_price\n", 2},
	{"unit-locals-3.12", Python, "AssertionError: 20 != 21\n/tmp/shop/test_unit.py:8 test_price\n  self = <test_unit.Prices testMethod=test_price>\n", 2},
	{
		"doctest-3.9", Python, divided + `/usr/lib/python3.9/doctest.py:1334 __run
<doctest examples[1]>:1 <module>
/tmp/shop/examples.py:14 half
`, 1,
	},
	{
		"doctest-3.13", Python, `ZeroDivisionError: integer modulo by zero
/usr/lib/python3.13/doctest.py:1395 __run
<doctest examples[1]>:1 <module>
/tmp/shop/examples.py:14 half
`, 1,
	},
	{"locals_shown-3.11", Python, shownLocals("3.11"), 1},
	{"locals_shown-3.13", Python, shownLocals("3.13"), 1},

	{"long-3.11", Pytest, divided + testMain + "shop.py:19 main\nshop.py:13 total\n" + withPrice, 3},
	{"long-first-3.11", Pytest, testTotal + withBasket + "shop.py:13 total\n" + withPrice, 1},
	{"long-all-3.11", Pytest, testTotal + withBasket + "shop.py:13 total\n" + withBasket + withPrice, 1},
	{"long-locals-3.11", Pytest, longLocals, 1},
	{"long-colour-3.11", Pytest, longLocals, 1},
	{
		"long-locals-all-3.11", Pytest, divided + `test_shop.py:25 test_main
  self = <test_shop.TestMain object at 0x7f0000000000>
  names = ['pear', 'fig']
shop.py:19 main
  names = ['pear', 'fig']
  basket = [('pear', 0), ('fig', -1)]
shop.py:13 total
  basket = [('pear', 0), ('fig', -1)]
  discount = 0
  item = 'pear'
  result = 0
` + withPrice + allOfPrice, 1,
	},
	{
		"long-locals-cut-3.11", Pytest, "AssertionError: ('" + xs(116) + "..." + xs(92) + `', [0, 1, 2, 3, 4, 5, ...])
test_shop.py:19 test_price
  long = '` + xs(117) + "..." + xs(118) + `' (cut)
  many = [0, 1, 2, 3, 4, 5, ...] (cut)
note assert 20 == 21
note +  where 20 = <function price at 0x7f0000000000>('pear', 2)
note +    where <function price at 0x7f0000000000> = shop.price
`, 1,
	},
	{
		"long-locals-whole-3.11", Pytest, "AssertionError: ('" + xs(116) + "..." + xs(92) + `', [0, 1, 2, 3, 4, 5, ...])
test_shop.py:19 test_price
  long = '` + xs(300) + `'
  many = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
note assert 20 == 21
note +  where 20 = <function price at 0x7f0000000000>('pear', 2)
note +    where <function price at 0x7f0000000000> = shop.price
`, 1,
	},
	{"long-chained-3.11", Pytest, pytestChained, 1},
	{"long-setup-3.11", Pytest, "KeyError: 'pear'\ntest_setup.py:6 price\n", 1},
	{
		"long-syntax-3.11", Pytest, `SyntaxError: invalid syntax
/usr/lib/python3/dist-packages/_pytest/python.py:618 _importtestmodule
/usr/lib/python3/dist-packages/_pytest/pathlib.py:533 import_path
/usr/lib/python3.11/importlib/__init__.py:126 import_module
<frozen importlib._bootstrap>:1206 _gcd_import
<frozen importlib._bootstrap>:1178 _find_and_load
<frozen importlib._bootstrap>:1149 _find_and_load_unlocked
<frozen importlib._bootstrap>:690 _load_unlocked
/usr/lib/python3/dist-packages/_pytest/assertion/rewrite.py:168 exec_module
test_imports_broken.py:1 <module>
/tmp/shop/broken.py:2 (syntax)
`, 1,
	},
	{"long-group-3.11", Python, pytestGroup, 1},
	{
		"long-remote-3.11", Pytest, divided + `test_remote.py:8 test_work
/usr/lib/python3.11/concurrent/futures/_base.py:456 result
/usr/lib/python3.11/concurrent/futures/_base.py:401 __get_result
  self = None
` + remoteCause, 1,
	},
	{
		"short-remote-3.11", Pytest, divided + `test_remote.py:8 test_work
/usr/lib/python3.11/concurrent/futures/_base.py:456 result
/usr/lib/python3.11/concurrent/futures/_base.py:401 __get_result
` + remoteCause, 1,
	},
	{"short-3.11", Pytest, testTotal + relShop, 1},
	{
		"short-locals-3.11", Pytest, testTotal + withBasket + "  expected = 30\nshop.py:13 total\n" + withBasket + allOfTotal +
			"shop.py:7 price\n  base = 40\n  discount = 0\n  item = 'pear'\n  label = 'pear: 40'\n", 1,
	},
	{
		"short-chained-3.11", Pytest, `RuntimeError: no number: x1
test_chained.py:9 test_convert
test_chained.py:5 convert
cause
ValueError: invalid literal for int() with base 10: 'x1'
test_chained.py:3 convert
`, 1,
	},
	{"line-3.11", Pytest, divided + "/tmp/shop/shop.py:7 \n", 1},
	{
		"unit-by-pytest-3.11", Pytest, divided + "test_unit.py:12 test_total\n  self = <test_unit.Prices testMethod=test_total>\nshop.py:13 total\n" +
			withPrice, 2,
	},

	{"rich_shop-3.9", Rich, richShop, 1},
	{"rich_shop-3.11", Rich, richShop, 1},
	{"rich_shop-3.13", Rich, richShop, 1},
	{"rich-ascii-3.11", Rich, richShop, 1},
	{"rich_plain-3.11", Rich, richPlain, 1},
	{"rich_broken-3.11", Rich, "SyntaxError: invalid syntax\n/tmp/shop/rich_broken.py:4 <module>\n/tmp/shop/broken.py:2 (syntax)\n", 1},
	{
		"rich_narrow-3.11", Rich, divided + `/tmp/shop/rich_narrow.py:6 <module>
  rich = <module 'rich' from '/usr/lib/python3/dist-p… (cut)
  shop = <module 'shop' from '/tmp/shop/shop.py'> (cut)
/tmp/shop/shop.py:13 total
  basket = [('a_rather_long_name_… 0)] (cut)
  discount = 0
  item = 'a_rather_long_name_… (cut)
  result = 0
/tmp/shop/shop.py:7 price
  base = 290
  discount = 0
  item = 'a_rather_long_name_… (cut)
  label = 'a_rather_long_name_… 290' (cut)
`, 1,
	},

	{"cells-3.11", IPython, cells, 1},
	{"cells-colour-3.11", IPython, cells, 1},
	{"cells-plain-3.11", IPython, cells, 1},
	{
		"cells-verbose-3.11", IPython, divided + `Cell In [1]:8 <module>
Cell In [1]:7 run
  n = 1
  a = 0
Cell In [1]:3 half
  n = 0
`, 1,
	},
	{"ipython-script-3.11", IPython, divided + shop, 1},
	{"ipython-chained-3.11", IPython, chained, 1},
	{"ipython-syntax-3.11", IPython, broken, 1},

	{"newer-cells-3.11", IPython, newerCells, 1},
	{"newer-cells-colour-3.11", IPython, newerCells, 1},
	{"newer-cells-plain-3.11", IPython, newerCells, 1},
	{"newer-cells-verbose-3.11", IPython, divided + "Cell In[1]:8 <module>\nCell In[1]:7 run\n  n = 1\n  a = 0\nCell In[1]:3 half\n  n = 0\n", 1},
	{"newer-ipython-chained-3.11", IPython, chained, 1},
	{"newer-ipython-syntax-3.11", IPython, broken, 1},
	{"newer-long-3.14", Pytest, divided14 + testMain + "shop.py:19 main\nshop.py:13 total\n" + withPrice, 3},
	{"newer-long-locals-3.14", Pytest, strings.Replace(longLocals, divided, divided14, 1), 1},
	{"newer-short-locals-3.14", Pytest, divided14 + shortMain, 3},
	{"newer-long-chained-3.14", Pytest, pytestChained, 1},
	{"newer-long-group-3.14", Python, pytestGroup, 1},
	{"newer-line-3.14", Pytest, divided14 + "/tmp/shop/shop.py:7 \n", 3},
	{"newer-rich_shop-3.14", Rich, newerRich, 1},
	{"newer-rich_plain-3.14", Rich, richPlain, 1},
	{
		"newer-rich_group-3.11", Rich, `ExceptionGroup: several (2 sub-exceptions)
/tmp/shop/rich_group.py:22 <module>
  rich = <module 'rich' from '/tmp/newer/rich/__init__.py'>
/tmp/shop/rich_group.py:19 collect
` + richErrors + "leaf\nValueError: bad\n" + richFail + "  error = ValueError('bad')\nnote while failing\nend\n" +
			"leaf\nKeyError: 'bad'\n" + richFail + "  error = KeyError('bad')\nnote while failing\nend\n", 1,
	},
}
