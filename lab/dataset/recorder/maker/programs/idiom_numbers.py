"""Statement idioms for single numbers."""

from .idiom_core import blocks

blocks("ii", r"""
$o = 0
while $v > 0:
    $o «+= $v % 10¦= $o * 10 + $v % 10¦+= 1¦+= ($v % 10) ** 2¦+= $v % 10 * $NUM»
    $v //= «10¦10¦2¦7»
---
$o = 0
while $v > 1 and $o < «12¦20»:
    «if $v % 2 == 0:
        $v //= 2
    else:
        $v = 3 * $v + 1¦$v = $v // 2 if $v % 2 == 0 else 3 * $v + 1»
    $o += 1
---
$o, $t = «0, 1¦1, 1¦2, 1»
for $i in range($v % «9¦12»):
    $o, $t = $t, $o + $t
---
$o = 1
for $i in range(«1¦2», $v % 8 + 1):
    $o «*¦+»= $i
«¦    if $ip{$o}:
        continue
    $o -= 1
»
---
$o = 0
for $i in range(«1, ¦»abs($v) % 12«¦ + 1»):
    if $ip{$i}:
        $o += $i
«    elif $ip{$i}:
        $o -= 1
¦»
---
$x, $y = $v, $AINT
while $y:
    $x, $y = $y, $x % $y
$o = «abs($x)¦$x»
---
$lo, $hi = 0, abs($v)
while $lo < $hi:
    $t = ($lo + $hi + 1) // 2
    if $t * $t <= abs($v):
        $lo = $t
    else:
        $hi = $t - 1
$o = $lo
---
$o = 0
$i = 2
while $v > 1 and $i < 20:
    if $v % $i == 0:
        $v //= $i
        $o += «$i¦1»
    else:
        $i += 1
---
if $v «<¦>» $INT:
    $o = $ii{$v}
elif $ip{$v}:
    $o = $ii{$v}
else:
    $o = $ii{$v}
---
$o = «$v¦0»
for $c in str(abs($v)):
    $o = «abs($o - int($c))¦$o + int($c) * $NUM¦max($o, int($c))¦int($c) - $o»
---
try:
    $o = $v «//¦%» ($v «-¦+¦%» $INT)
except ZeroDivisionError:
    $o = «-1¦0¦$v»
---
while $v >= 10:
    $v = sum(int($c) for $c in str($v))
$o = $v
---
$h = [$v]
while len($h) < «6¦9» and $h.count($h[-1]) == 1:
    $h.append(($h[-1] * $NUM + $NUM) % «10¦17¦23»)
$o = «len($h)¦$h[-1]¦sum($h) % 10»
""")
blocks("ii", r"""
def $fn($x):
    if $x < «2¦1¦10»:
        return $x
    return «$fn($x // 2) + $x % 2¦$fn($x // 10) + $x % 10¦$fn($x - 7) + 1¦$fn($x // 3) * 2 + 1»
===
$o = $fn($v % «1000¦50¦100»)
---
def $fn($x, $y=0):
    if $x == 0:
        return $y
    return $fn($x // 10, $y «* 10 + $x % 10¦+ $x % 10¦+ 1»)
===
$o = $fn(abs($v))
---
def $fn($x):
    return $x if $x < 2 else $fn($x - 1) + $fn($x - 2)
===
$o = $fn($v % 6)
---
def $fn($x):
    $y = $x + $NUM
    return $ii{$y}
===
$o = $fn($fn($v))
""")
blocks("is", r"""
$o = ''
while $v > 0:
    $o = «str($v % 2) + $o¦str($v % $MOD) + $o¦$o + str($v % 10)¦'0123456789abcdef'[$v % 16] + $o»
    $v //= «2¦$MOD¦10¦16»
$o = $o or '0'
---
$o = ''
for $x, $t in [(50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]:
    while $v >= $x:
        $o += $t
        $v -= $x
        if len($o) > 8:
            break
---
$o = ''
for $i, $c in enumerate(«reversed(str($v))¦str($v)[::-1]»):
    if $i and $i % 3 == 0:
        $o = «','¦'_'¦' '» + $o
    $o = $c + $o
---
$o = ''
while $v > 0:
    $v, $t = divmod($v - 1, 26)
    $o = chr(65 + $t) + $o
---
if $v < $BIG:
    $o = '«low¦small¦F»'
elif $ip{$v}:
    $o = '«mid¦ok¦C»'
else:
    $o = '«high¦large¦A»'
""")
blocks("il", r"""
$o = []
for $i in range(«1¦2», abs($v) % «13¦10» + 1):
    if $ip{$i}:
        $o.append(«$i¦$ii{$i}»)
---
$o, $i = [], 2
while $v > 1 and $i <= 13:
    if $v % $i == 0:
        $o.append($i)
        $v //= $i
    else:
        $i += 1
«¦if $v > 1:
    $o.append($v)
»
---
$o = [$v]
while $o[-1] > 1 and len($o) < «7¦9»:
    $x = $o[-1]
    $o.append($x // 2 if $x % 2 == 0 else $x «* 3 + 1¦- 1¦+ 3»)
---
$o = [«0, 1¦1, 1¦1, 2»]
while len($o) < $v % 9:
    $o.append($o[-1] + $o[-2])
---
$o = [1]
for $i in range($v % 5):
    $o = [1] + [$o[$j] + $o[$j + 1] for $j in range(len($o) - 1)] + [1]
---
$n = $v % «16¦12»
$h = [True] * ($n + 1)
for $i in range(2, $n + 1):
    if $h[$i]:
        for $j in range($i * «2¦$i», $n + 1, $i):
            $h[$j] = False
$o = [$i for $i in range(2, $n + 1) if $h[$i]]
---
$o = []
while $v > 0:
    $o.«append($v % $MOD1)¦insert(0, $v % $MOD1)»
    $v //= $MOD1
---
$o, $x = [], $v % 100
for $y in (50, 20, 10, 5, 2, 1):
    while $x >= $y:
        $o.append($y)
        $x -= $y
""")
blocks("ib", r"""
$o = $v > 1
for $i in range(2, int(abs($v) ** 0.5) + 1):
    if $v % $i == 0:
        $o = False
        break
---
$x, $t = abs($v), 0
while $x:
    $t = $t * 10 + $x % 10
    $x //= 10
$o = $t == $v
""")
blocks("ix", r"""
$o = []
for $i in range($v % 4«¦ + 1»):
    $o.append([«$i * $j¦$i + $j¦int($i == $j)¦$i - $j¦($i + 1) * 10 + $j» for $j in range(«$NUM¦$i + 1¦3»)])
---
$o = [[1]]
for $i in range($v % 4):
    $t = $o[-1]
    $o.append([1] + [$x + $y for $x, $y in zip($t, $t[1:])] + [1])
---
$o = [[0] * «2¦3» for _ in range(«2¦3»)]
for $i in range($v % 7):
    $o[$i // 3 % len($o)][$i % len($o[0])] = «$i¦$v - $i¦1»
""")
