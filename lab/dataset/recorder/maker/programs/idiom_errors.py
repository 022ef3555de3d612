"""Idioms that raise, catch and clean up, and idioms with rare methods."""

from .idiom_core import blocks, expressions

blocks("ss", r"""
def $fn($x):
    if $sp{$x}:
        raise «ValueError¦KeyError¦TypeError»(«'bad'¦$x¦f'bad: {$x}'¦'no ' + $x»)
    return $ss{$x}
===
try:
    $o = $fn($v)
except «Exception¦Exception¦Exception» as $e:
    $o = «str($e)¦repr($e)¦$v + '?'¦type($e).__name__¦$e.args[0]»
«finally:
    $v = $v + '.'
¦else:
    $o += '!'
¦»
---
def $fn($x):
    assert $sp{$x}, «'no'¦$x»
    return $x«¦[::-1]¦.upper()»
===
try:
    $o = $fn($v)
except AssertionError«¦ as $e»:
    $o = «'failed'¦$v[:2]¦$ss{$v}»
""")
blocks("ss", r"""
try:
    if $sp{$v}:
        raise ValueError($v)
    $o = $ss{$v}
except ValueError as $e:
    $o = «str($e)¦str($e)[::-1]¦'ValueError'¦repr($e)»
---
$o = ''
for $c in $v:
    try:
        $o += str(10 // int($c))
    except ZeroDivisionError:
        $o += «'inf'¦'*'»
    except ValueError:
        $o += «$c¦'?'¦$c.upper()»
---
$o = []
try:
    for $c in $v:
        if $cp{$c}:
            raise «KeyError($c)¦IndexError¦LookupError('x')»
        $o.append($c)
except LookupError:
    $o.append(«'stop'¦'!'»)
finally:
    $o = ''.join($o)
""")
blocks("ll", r"""
$o = []
for $x in $v:
    try:
        «if $ip{$x}:
            raise ValueError($x)
        $o.append($ii{$x})¦$o.append($BIG // $x)¦$o.append($v[$x])¦$o.append($x % ($x - $INT))»
    except (ValueError, ZeroDivisionError, IndexError)«¦ as $e»:
        $o.append(«0¦-1¦len($o)»)
«    finally:
        $o.append($NUM)
¦»
---
try:
    $v.remove($INT)
    $v.append($NUM)
except ValueError:
    $v.insert(0, $INT)
«else:
    $v.reverse()
¦finally:
    $v.append(len($v))
¦»
---
$o = list($v)
try:
    while True:
        $x = $o.pop(«0¦¦2»)
        if $ip{$x}:
            break
except IndexError:
    $o = [$INT]
---
assert len($v) < 20
$o = [$x for $x in $v if ($y := $ii{$x}) «>¦<» $INT or $y == 1]
""")
blocks("li", r"""
def $fn($x):
    if $ip{$x}:
        raise ValueError(f'«bad¦odd¦not» {$x}')
    return $ii{$x}
===
$o = 0
for $x in $v:
    try:
        $o += $fn($x)
    except ValueError«:
        $o -= 1¦ as $e:
        $o += len(str($e))¦:
        break»
---
def $fn($x):
    try:
        return $v[$x]
    except IndexError:
        return $INT
===
$o = $fn($NUM) + $fn($IDX)
---
def $fn($x, $y):
    try:
        return $x // $y
    except ZeroDivisionError:
        return «0¦$x¦-1»
    finally:
        $v.append($x)
===
$o = sum($fn($x, $y) for $x, $y in zip($v[:5], $v[1:]))
""")
blocks("dd", r"""
try:
    $v[$KEY1] = $v[$KEY1] «+¦*¦-» $NUM
except KeyError as $e:
    $v[«str($e)¦$e.args[0]¦'missing'»] = $INT
«finally:
    $v['n'] = len($v)
¦»
---
try:
    del $v[$KEY]
except KeyError:
    $v[$KEY] = $INT
else:
    $v.update(ok=$INT)
---
for $k in $WORDS:
    try:
        $v[$k] //= $v.get($KEY, 0)
    except (KeyError, ZeroDivisionError)«¦ as $e»:
        $v[$k] = «0¦$INT¦len($v)»
""")
expressions("ss", r"""
    $v.casefold()
    $v.casefold().capitalize()
    $v.expandtabs(«4¦2¦8»)
    $v.replace(' ', '\t').expandtabs($NUM)
    $v.splitlines()[0] if $v else $NEW
    '{a}«-¦ ¦:»{n}'.format_map({'a': $v, 'n': len($v)})
    $v[$v.rindex($CHAR1):] if $CHAR1 in $v else $v
    $v[:$v.rindex($CHAR1)] if $CHAR1 in $v else $v.swapcase()
    $v.partition($CHAR)[2] or $v
    $v.title().swapcase()
    str($v.split($SEP, $NUM))
""")
expressions("si", "$v.rindex($CHAR1) if $CHAR1 in $v else -1\n $v.index($STR1) if $STR1 in $v else len($v)\n $v.rindex($STR1, 1) if $STR1 in $v[1:] else 0\n"
                  "sum(map(len, $v.splitlines()))\n ($n := $v.find($CHAR)) * 2 + $v.count($CHAR) if $v else -1\n")
expressions("sl", "sorted(map(ord, set($v)))\n [len(x) for x in $v.splitlines()]\n [b for b in $v.encode() if b % $MOD]\n")
expressions("sw", "$v.replace('a', '\\n').splitlines()\n $v.splitlines(True)\n sorted(set($v).«union¦difference¦intersection¦symmetric_difference»($CHARS))\n sorted(set($v) «-¦&¦^¦|» set($STR))\n")
expressions("ii", "$v.numerator + $v.denominator\n $v.conjugate() - $NUM\n $v.real + $v.imag\n int.from_bytes(bytes([abs($v) % 256, 1]), 'big')\n")
expressions("is", "bytes([$v % 256]).hex()\n bytes.fromhex(f'{$v % 256:02x}').hex().upper()\n")
expressions("lb", "set($v).issuperset($LIST)\n set($v).isdisjoint($LIST)\n {$INT, $INT} <= set($v)\n")
blocks("sw", r"""
$h = set($v)
«$h.add($CHAR)
¦$h.discard($CHAR)
¦$h.update($STR)
¦$h.difference_update($CHARS)
¦$h.intersection_update($CHARS)
¦$h.symmetric_difference_update($STR)
¦$h |= set($STR)
¦$h -= {$CHAR, $CHAR}
¦if $CHAR1 in $h:
    $h.remove($CHAR1)
¦for $c in $CHARS:
    $h.discard($c)
»$o = sorted($h«¦, reverse=True»)
---
$o = []
for $w in $v.splitlines() or [$v]:
    $o.append($ss{$w})
""", times=2)
blocks("ll", r"""
$h = set($v[:$NUM])
$y = set($v[$NUM:])
«$h.difference_update($y)¦$h.intersection_update($y)¦$h.symmetric_difference_update($y)¦$h.update($y)¦$h |= $y¦$h &= $y»
$o = sorted($h)«¦ + [len($y)]»
---
$o = []
while $v and ($x := $v.pop(«¦0»)) «!=¦>¦<» $INT:
    $o.append($x)
---
$o = []
for $x in $v:
    if ($y := $ii{$x}) «> $INT¦< $INT¦not in $o¦% 2»:
        $o.append($y)
""")
