"""Statement idioms that compute something from a list of numbers: a number, a truth
value, texts, groups."""

from .idiom_core import blocks

blocks("li", r"""
$o = 0
for $x in $v:
    if $ip{$x}:
        $o += «$x¦1¦$ii{$x}»
«    else:
        $o -= «1¦$x»
¦    elif $o > $INT:
        break
¦    elif $ip{$x}:
        $o = 0
¦»
---
$o = «0¦None»
for $x in $v:
    if $o is None or $x «>¦<» $o:
        $o = $x
$o = $o or 0
---
$o = $a = 0
for $x in $v:
    $a = max($x, $a + $x)
    $o = max($o, $a)
---
$a, $o = 0, 0
for $i in range(1, len($v)):
    if $v[$i] «>¦<¦>=» $v[$i - 1]:
        $a += 1
        $o = max($a, $o)
    else:
        $a = 0
---
$lo, $hi, $o = 0, len($v) - 1, -1
«$v.sort()
¦$v = sorted($v)
¦»while $lo <= $hi:
    $i = ($lo + $hi) // 2
    if $v[$i] == $INT1:
        $o = $i
        break
    elif $v[$i] < $INT1:
        $lo = $i + 1
    else:
        $hi = $i - 1
---
$o = 0
for $i in range(len($v)):
    for $j in range($i + 1, len($v)):
        if $v[$i] + $v[$j] «==¦>» $INT1:
            $o += 1
«¦        elif $v[$i] == $v[$j]:
            $o -= 1
»
---
$i, $o = 0, 0
while 0 <= $i < len($v) and $o < «8¦10»:
    $i += $v[$i]«¦ or 1»
    $o += 1
---
$o = «0¦1»
for $x in $v:
    $o = ($o * «2¦3¦10¦-1» + $x) % «97¦1000¦101»
---
$o = $n = 0
for $x in $v:
    if $n == 0:
        $o = $x
    $n += 1 if $x == $o else -1
---
for $x in $v:
    if $ip{$x}:
        $o = $x
        break
else:
    $o = «-1¦$INT»
---
$o = $v[0] if $v else 0
for $i, $x in enumerate($v[1:]«¦, 1»):
    if $i % 2:
        $o -= $x
    else:
        $o += $x
---
try:
    $o = «$v.index($INT)¦$v[$NUM]¦sum($v) // len($v)¦max($v)¦$v.pop($NUM)¦$v[$v[0]]»
except «(ValueError, IndexError, ZeroDivisionError)¦Exception»«¦ as $e»:
    $o = «-1¦0¦len($v)»
---
$o = 0
while $v:
    $x = $v.pop(«¦0»)
    if $ip{$x}:
        $o += $x
«    elif $v:
        $v.pop()
¦    else:
        break
¦»
""")
blocks("li", r"""
def $fn($y):
    if not $y:
        return 0
    return «$y[0] + $fn($y[1:])¦$y[0] - $fn($y[1:])¦max($y[0], $fn($y[1:]))¦$fn($y[1:]) * 2 + $y[0] % 2»
===
$o = $fn($v)
---
def $fn($x, $y):
    if not $y:
        return «$x¦abs($x)»
    return $fn($y, $x % $y)
===
$o = 0
for $x in $v:
    $o = $fn($o, $x)
""")
blocks("lb", r"""
$o = True
for $i in range(«1¦0», len($v)):
    if $v[$i] «<¦<=¦>¦==» $v[$i - 1]:
        $o = False
        «break¦»
---
$h = «[]¦set()»
$o = False
for $x in $v:
    if «$INT1 - $x¦$x¦-$x» in $h:
        $o = True
        break
    $h = {*$h, $x}
---
for $x in $v:
    if $ip{$x}:
        $o = False
        break
else:
    $o = True
""")
blocks("lw", r"""
$o = []
for $x in $v:
    if $x % «15¦6¦10» == 0:
        $o.append('«fizzbuzz¦both¦ab»')
    elif $x % «3¦2» == 0:
        $o.append('«fizz¦a¦x»')
    elif $x % 5 == 0:
        $o.append('«buzz¦b¦y»')
    else:
        $o.append(str($x))
---
$o, $a = [], None
for $x in $v:
    if $a is None or $x == $a + 1:
        $a = $x
        continue
    $o.append(f'{$a}->{$x}')
    $a = $x
---
$o = []
for $i, $x in enumerate($v):
    $o.append($is{$x} if $i % 2 == «0¦1» else $is{$x})
""")
blocks("ls", r"""
$o = ''
for $x in $v:
    $o += «str($x)¦$is{$x}¦chr($x % 26 + 97)»
    if $ip{$x}:
        $o «+= $JOIN¦= $o[::-1]¦= $o[1:]»
---
$o = ''
for $i, $x in enumerate($v):
    $o += «str($x)¦str($i)» if $ip{$x} else $NEW
---
$o = str($v[0]) if $v else ''
for $x in $v[1:]:
    $o += «(' + ' if $x > 0 else ' ')¦', '» + str($x)
""")
blocks("ld", r"""
$o = {}
for $x in $v:
    $k = «str($x)¦'even' if $x % 2 == 0 else 'odd'¦'pos' if $x > 0 else 'neg'¦str($x % $MOD)»
    «$o[$k] = $o.get($k, 0) + 1¦if $k in $o:
        $o[$k] += $x
    else:
        $o[$k] = $x¦$o[$k] = $x»
---
$o = {$TAG1: 0, $TAG2: 0}
for $x in $v:
    if $ip{$x}:
        $o[$TAG1] += «$x¦1¦$ii{$x}»
    else:
        $o[$TAG2] «+= 1¦-= $x¦= $o[$TAG1]¦= max($o[$TAG2], $x)»
""")
blocks("lx", r"""
$o = []
for $x in $v:
    if $o and $o[-1][«-1¦0»] «==¦<¦<=» $x:
        $o[-1].append($x)
    else:
        $o.append([$x])
---
$o = [[]]
for $x in $v:
    if $ip{$x}:
        $o.append([])
    else:
        $o[-1].append($x)
---
$o = [[]«, []¦] * 2 + [[]¦, []»]
for $i, $x in enumerate($v):
    $o[$i % len($o)].append($x)
---
$o = [[]] * «2¦3»
for $i, $x in enumerate($v[:6]):
    «$o[$i % 2].append($x)¦$o[$i % 2] = $o[$i % 2] + [$x]»
---
$o, $t = [], []
for $x in $v:
    $t.append($x)
    if len($t) == $NUM1:
        $o.append($t)
        $t = []
«$o.append($t)¦if $t:
    $o.append($t)»
""")
