package traceback

import "strings"

// The stacks of the programs in testdata/programs, as "FILE:LINE FUNCTION".
const (
	shop      = "/tmp/shop/shop.py:23 <module>\n/tmp/shop/shop.py:19 main\n" + shopTotal
	shopTotal = "/tmp/shop/shop.py:13 total\n/tmp/shop/shop.py:7 price\n"
	relShop   = "shop.py:13 total\nshop.py:7 price\n"
	divided   = "ZeroDivisionError: integer division or modulo by zero\n"
	divided14 = "ZeroDivisionError: division by zero\n"
	cells     = divided + "Cell In [1]:8 <module>\nCell In [1]:7 run\nCell In [1]:3 half\n"

	chained = `TypeError: unsupported operand type(s) for +: 'int' and 'str'
/tmp/shop/chained.py:24 <module>
/tmp/shop/chained.py:20 report
context
ShopError: no pear
/tmp/shop/chained.py:18 report
/tmp/shop/chained.py:13 sell
cause
KeyError: 'pear'
/tmp/shop/chained.py:11 sell
/tmp/shop/chained.py:6 look_up
`
	group = `ExceptionGroup: outer (2 sub-exceptions)
/tmp/shop/group.py:16 <module>
/tmp/shop/group.py:13 collect
leaf
TypeError: three
end
leaf
ExceptionGroup: inner (2 sub-exceptions)
leaf
ValueError: one
/tmp/shop/group.py:9 collect
/tmp/shop/group.py:2 fail
end
leaf
KeyError: 'two'
/tmp/shop/group.py:9 collect
/tmp/shop/group.py:2 fail
end
end
`
	deep = `RecursionError: maximum recursion depth exceeded
/tmp/shop/deep.py:9 <module>
/tmp/shop/deep.py:6 start
/tmp/shop/deep.py:2 down
/tmp/shop/deep.py:2 down
/tmp/shop/deep.py:2 down (995 more)
`
	broken        = "SyntaxError: invalid syntax\n/tmp/shop/broken.py:2 (syntax)\n"
	importsBroken = `SyntaxError: invalid syntax
/tmp/shop/imports_broken.py:7 <module>
/tmp/shop/imports_broken.py:2 load
/tmp/shop/broken.py:2 (syntax)
`
	noted = `FileNotFoundError: [Errno 2] No such file or directory: 'prices.txt'
/tmp/shop/noted.py:8 <module>
/tmp/shop/noted.py:5 read
note while reading the prices
note of the shop
`
	crash = `Fatal Python error: Segmentation fault
/tmp/shop/crash.py:12 <module>
/tmp/shop/crash.py:9 start
/tmp/shop/crash.py:5 poke
`
	linesLong = `TypeError: unsupported operand type(s) for +: 'int' and 'str'
/tmp/shop/lines_long.py:14 <module>
/tmp/shop/lines_long.py:7 run
/tmp/shop/lines_long.py:2 add
`
	cgiShop = divided + `/tmp/shop/cgi_shop.py:12 <module>
  run = <function run>
/tmp/shop/cgi_shop.py:9 run
  basket = [('pear', 0)]
/tmp/shop/shop.py:13 total
  basket = [('pear', 0)]
  result = 0
  item = 'pear'
  discount = 0
/tmp/shop/shop.py:7 price
  item = 'pear'
  discount = 0
  base = 40
`
	evaluated = divided + `/tmp/shop/evaluated.py:5 <module>
<generated>:1 <module>
/tmp/shop/evaluated.py:2 run
<string>:1 <module>
`
	richShop = divided + `/tmp/shop/rich_shop.py:15 <module>
  rich = <module 'rich' from '/usr/lib/python3/dist-packages/rich/__init__.py'> (cut)
  run = <function run at 0x7f0000000000>
  shop = <module 'shop' from '/tmp/shop/shop.py'>
/tmp/shop/rich_shop.py:12 run
  basket = [('apples', 2), ('pear', 0)]
  notes = {'a long key number one': 'a value that takes some room', 'a long key number two': [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... +20]} (cut)
  text = 'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz… (cut)
/tmp/shop/shop.py:13 total
  basket = [('apples', 2), ('pear', 0)]
  discount = 0
  item = 'pear'
  result = 30
/tmp/shop/shop.py:7 price
  base = 40
  discount = 0
  item = 'pear'
  label = 'pear: 40'
`
	richErrors = "  errors = [ValueError('bad'), KeyError('bad')]\n"
	richFail   = "/tmp/shop/rich_group.py:16 collect\n" + richErrors + "/tmp/shop/rich_group.py:9 fail\n"
	newerCells = divided + "Cell In[1]:8 <module>\nCell In[1]:7 run\nCell In[1]:3 half\n"

	pytestChained = `RuntimeError: no number: x1
test_chained.py:9 test_convert
test_chained.py:5 convert
  text = 'x1'
cause
ValueError: invalid literal for int() with base 10: 'x1'
test_chained.py:3 convert
  text = 'x1'
`
	remoteCause = "cause\nremote\n" + divided + `/usr/lib/python3.11/concurrent/futures/process.py:256 _process_worker
/tmp/shop/futures.py:5 work
`
	pytestGroup = `ExceptionGroup: many (2 sub-exceptions)
/tmp/shop/test_group.py:2 test_many
leaf
ValueError: one
end
leaf
KeyError: 'two'
end
`
	testMain = `test_shop.py:25 test_main
  self = <test_shop.TestMain object at 0x7f0000000000>
  names = ['pear', 'fig']
`
	shortMain = `test_shop.py:25 test_main
  names = ['pear', 'fig']
  self = <test_shop.TestMain object at 0x7f0000000000>
shop.py:19 main
  basket = [('pear', 0), ('fig', -1)]
  names = ['pear', 'fig']
shop.py:13 total
  basket = [('pear', 0), ('fig', -1)]
  discount = 0
  item = 'pear'
  result = 0
shop.py:7 price
  base = 40
  discount = 0
  item = 'pear'
  label = 'pear: 40'
`
	testTotal  = divided + "test_shop.py:13 test_total\n"
	withBasket = "  basket = [('apples', 2), ('pear', 0)]\n"
	withPrice  = "shop.py:7 price\n  item = 'pear'\n  discount = 0\n"
	allOfTotal = "  discount = 0\n  item = 'pear'\n  result = 30\n"
	allOfPrice = "  base = 40\n  label = 'pear: 40'\n"
	longLocals = testTotal + withBasket + "  expected = 30\nshop.py:13 total\n" + withBasket + allOfTotal + withPrice + allOfPrice
	inTotal    = "/tmp/shop/shop.py:13 total\n  basket = [('pear', 0)]\n  discount = 0\n  item = 'pear'\n  result = 0\n"
	inPrice    = "/tmp/shop/shop.py:7 price\n  base = 40\n  discount = 0\n  item = 'pear'\n  label = 'pear: 40'\n"
)

var (
	// rich_plain.py imports chained.py.
	richPlain = strings.Replace(chained, "/tmp/shop/chained.py:24", "/tmp/shop/rich_plain.py:4 <module>\n/tmp/shop/chained.py:24", 1)
	// Newer versions of rich list no functions among the values. This one was imported from
	// elsewhere.
	newerRich = strings.NewReplacer("integer division or modulo by zero", "division by zero", "  run = <function run at 0x7f0000000000>\n", "",
		"'/usr/lib/python3/dist-packages/rich/__init__.py'> (cut)", "'/tmp/newer/rich/__init__.py'>").Replace(richShop)
)

// shownLocals returns the expected description of locals_shown.py, which prints the values of all
// frames.
func shownLocals(version string) string {
	return divided + `/tmp/shop/locals_shown.py:18 <module>
  __annotations__ = {}
  __builtins__ = <module 'builtins' (built-in)>
  __cached__ = None
  __doc__ = None
  __file__ = '/tmp/shop/locals_shown.py'
  __loader__ = <_frozen_importlib_external.SourceFileLoader object at 0x7f0000000000>
  __name__ = '__main__'
  __package__ = None
  __spec__ = None
  run = <function run at 0x7f0000000000>
  shop = <module 'shop' from '/tmp/shop/shop.py'>
  show = <function show at 0x7f0000000000>
  sys = <module 'sys' (built-in)>
  traceback = <module 'traceback' from '/usr/lib/python` + version + `/traceback.py'>
/tmp/shop/locals_shown.py:14 run
  basket = [('pear', 0)]
` + inTotal + inPrice
}

func xs(n int) string { return strings.Repeat("x", n) }
