"""Statement idioms for lists of numbers, and a few idioms for sets and truth values."""

from .idiom_core import blocks, expressions

expressions("bs", r"""
    str($v)
    '«yes¦Yes¦ok¦true»' if $v else '«no¦No¦fail¦false»'
    $WORD if not $v else $WORD
    f'{$v}'
""")
expressions("bi", r"""
    int($v)
    $v + $NUM
    $INT if $v else $INT
    [$INT, $INT][$v]
    int(not $v) * $INT
""")
expressions("ee", r"""
    $v | {$INT}
    $v & set($LIST)
    $v - {$INT}
    $v ^ set($LIST)
""")
expressions("el", "sorted($v)\n sorted($v, reverse=True)\n [$x for $x in sorted($v) if $ip{$x}]")
expressions("ei", "len($v)\n sum($v)\n max($v, default=0)\n")
expressions("eb", "$INT in $v\n $v.issubset($LIST)\n $v <= set(range($BIG))\n $v.isdisjoint($LIST)")
expressions("tw", "sorted($v)\n sorted($v, reverse=True)\n sorted($w for $w in $v if $sp{$w})\n")
expressions("ts", "''.join(sorted($v))\n $JOIN.join(sorted($v))\n min($v, default='')\n")
expressions("ti", "len($v)\n sum($si{$w} for $w in $v)\n")
expressions("tt", "$v | set($CHARS)\n $v & set($CHARS)\n $v - {$CHAR}\n $v ^ set($STR)\n $v.union($WORDS)\n"
                  "$v.difference($CHARS)\n $v.intersection($CHARS)\n $v.symmetric_difference($STR)\n")
expressions("tb", "$CHAR in $v\n $v >= set($STR)\n $v.issuperset($STR)\n $v.isdisjoint($CHARS)\n $v == set($CHARS)\n")
expressions("st", "set($v)\n {$c for $c in $v if $cp{$c}}\n set($v.split($SEP))\n set($v) & set($ASTR)\n set($v) - set($CHARS)\n frozenset($v)\n")
expressions("wt", "set($v)\n {$w[:1] for $w in $v}\n {$w for $w in $v if $sp{$w}}\n set(''.join($v))\n")
expressions("le", "set($v)\n {$ii{$x} for $x in $v}\n {$x for $x in $v if $ip{$x}}\n set($v) & set($AINTS)\n set($v) - set($AINTS)\n frozenset($v)\n")
blocks("tt", r"""
$v.add($CHAR)
«$v.discard($CHAR)
¦$v.update($STR)
¦$v.discard($STR)
¦»$o = «$v - set($CHARS)¦$v | {$CHAR}¦{$w for $w in $v if $sp{$w}}»
""")
blocks("le", r"""
$o = set()
for $x in $v:
    if $ip{$x}:
        $o.add($ii{$x})
«    elif $x in $o:
        $o.remove($x)
¦    else:
        $o.discard($x)
¦»
""")
blocks("ll", r"""
$o = []
for $x in $v:
    if $ip{$x}:
        $o.append($ii{$x})
«    else:
        $o.append($ii{$x})
¦    elif $ip{$x}:
        $o.insert(0, $x)
¦    elif $o:
        $o.pop()
¦    else:
        break
¦»
---
$o, $a = [], 0
for $x in $v:
    $a «+=¦-=¦^=» $x
    $o.append($a)
---
$o = [0] * len($v)
for $i in range(len($v)):
    $o[«$i¦-$i¦len($v) - 1 - $i¦($i + $NUM) % len($v)¦$i // 2»] «=¦+=» $v[$i]
---
for $i in range(len($v)):
    if $ip{$v[$i]}:
        $v[$i] = $ii{$v[$i]}
«    else:
        $v[$i] = $v[$i - 1]
¦»
---
for $x in $v:
    if $ip{$x}:
        $v.remove($x)
---
for $x in «$v[:]¦list($v)¦$v.copy()»:
    if $ip{$x}:
        $v.remove($x)
---
$i = 0
while $i < len($v):
    if $ip{$v[$i]}:
        «$v.pop($i)¦del $v[$i]¦del $v[$i:$i + 2]»
«    else:
        $i += 1
¦    $i += 1
»
---
$lo, $hi = 0, len($v) - 1
while $lo < $hi:
    «$v[$lo], $v[$hi] = $v[$hi], $v[$lo]¦if $v[$lo] > $v[$hi]:
        $v[$lo], $v[$hi] = $v[$hi], $v[$lo]»
    $lo += 1
    $hi -= 1
---
$v.append($INT)
«$v.reverse()
¦$v.sort()
¦$v.sort(reverse=True)
¦$v.sort(key=lambda $x: $ii{$x})
¦$v.insert($IDX, $INT)
¦$v.extend($LIST)
¦$v.remove($v[0])
¦$v.pop($NUM) if len($v) > 5 else $v.pop()
¦$v += [$INT, $INT]
¦$v.insert(0, $v.pop())
¦$v[$IDX:$IDX] = $LIST
¦del $v[::$NUM]
¦del $v[$IDX:]
¦$v[::2] = $v[::2][::-1]
»
---
$o = $v
$o.append($INT)
$o = $o «+ $v¦[:len($v) - 1]¦+ [len($v)]»
---
$a = $v«¦[:]¦.copy()»
«$a.append($INT)¦$a.sort()¦$a.reverse()¦$a.clear()»
$o = $v «+ $a¦+ [len($a)]¦[:len($a)]»
---
$n = len($v)
for $i in range($n):
    for $j in range(«$n - $i - 1¦$n - 1»):
        if $v[$j] > $v[$j + 1]:
            $v[$j], $v[$j + 1] = $v[$j + 1], $v[$j]
«¦    if $i == $NUM:
        break
»
---
for $i in range(1, len($v)):
    $x = $v[$i]
    $j = $i - 1
    while $j >= 0 and $v[$j] «>¦<» $x:
        $v[$j + 1] = $v[$j]
        $j -= 1
    $v[$j + 1] = $x
---
for $i in range(len($v)«¦ - 1»):
    $a = $i
    for $j in range($i + 1, len($v)):
        if $v[$j] < $v[$a]:
            $a = $j
    $v[$i], $v[$a] = $v[$a], $v[$i]
«¦    if $i >= $NUM:
        break
»
---
$o = []
$h = set()
for $x in $v:
    if «$x not in $h¦$x % $MOD not in $h»:
        $h.add($x)
        $o.append($x)
«¦    else:
        $h.discard($x)
»
---
$o = []
for $i in range(0, len($v) - 1, «2¦1»):
    «$o.append($v[$i] + $v[$i + 1])¦$o.extend([$v[$i + 1], $v[$i]])¦$o += [$v[$i] - $v[$i + 1]]¦$o.append(max($v[$i:$i + $NUM]))»
«¦if len($v) % 2:
    $o.append($v[-1])
»
---
$x = $AINTS
$o = []
$i = $j = 0
while $i < len($v) and $j < len($x):
    if $v[$i] <= $x[$j]:
        $o.append($v[$i])
        $i += 1
    else:
        $o.append($x[$j])
        $j += 1
$o «+= $v[$i:] + $x[$j:]¦.extend($v[$i:])¦= $o + $x[$j:]»
---
$o = []
for $x, $y in zip($v, $AINTS):
    $o.append(«$x if $x > $y else -$y¦$x * $y¦$x - $y¦abs($x - $y)¦$x¦max($x, $y)¦$y if $ip{$x} else $x»)
---
$o = []
for $i, $x in enumerate($v):
    if $i % $MOD == 0:
        $o.append($x)
    elif $ip{$x}:
        $o.append(«-$x¦$i¦$ii{$x}¦$o[-1]»)
---
$q = []
for $x in $v:
    while $q and $q[-1] «<¦>¦<=» $x:
        $q.pop()
    $q.append($x)
$o = $q
---
$q = list($v)
$o = []
while «$q¦len($q) > 1»:
    $x = $q.pop(0)
    if $ip{$x} or len($o) > 3:
        $o.append($x)
«    elif len($q) < 8:
        $q.append($x // 2)
¦    if $q and len($q) % 2:
        $q.append($q.pop(0))
»
---
$q = deque($v«¦, maxlen=$NUM»)
$q.«rotate($NUM)¦rotate(-$NUM)¦appendleft($INT)¦append($INT)¦extend($LIST)¦extendleft($LIST)»
«$q.append($q.popleft()) if $q else None
¦if $q:
    $q.pop()
¦»$o = list($q)
---
$o = $v[:$NUM1]
for $x in $v[$NUM1:]:
    «if $x not in $o:
        $o.append($x)¦$o = [$x] + $o[:-1]¦$o[$x % len($o)] = $x¦$o.insert(len($o) // 2, $x)»
---
$o = []
for $x in $v:
    $i = 0
    while $i < len($o) and $o[$i] < $x:
        $i += 1
    $o.insert($i, $x)
---
$o = []
for $x in $v:
    bisect.insort($o, $x)
    if len($o) > $NUM:
        $o.pop(«¦0»)
---
$h = {}
for $x in $v:
    $h[$x] = $h.get($x, 0) + 1
$o = [$x for $x in $v if $h[$x] «== 1¦> 1¦% 2»]
---
$a = «0¦$INT»
for $i, $x in enumerate($v):
    $v[$i] = $x + $a
    $a = «$x¦$v[$i]¦$i¦-$x»
$o = $v
---
$x, *$o = $v or [$INT]
$o = «$o + [$x]¦[$x] + $o[::-1]¦[$x * $y for $y in $o]¦$o or [$x]»
""")
blocks("ll", r"""
def $fn($y):
    if not $y:
        return []
    «return $fn($y[1:]) + [$y[0]]¦if $ip{$y[0]}:
        return [$y[0]] + $fn($y[1:])
    return $fn($y[1:])¦return [$ii{$y[0]}] + $fn($y[2:])»
===
$o = $fn($v)
---
def $fn($y):
    if len($y) <= 1:
        return $y
    $x = $y[0]
    $lo = [$i for $i in $y[1:] if $i < $x]
    $hi = [$i for $i in $y[1:] if $i >= $x]
    return $fn(«$lo¦$hi») + [$x] + $fn(«$hi¦$lo»)
===
$o = $fn($v[:6])
---
def $fn($x«¦, $y=$NUM»):
    return $ii{$x}
===
$o = «[$fn($x) for $x in $v]¦list(map($fn, $v))¦sorted($v, key=$fn)»
---
def $fn($x, $h=[]):
    $h.append($x)
    return «len($h)¦sum($h)¦$h[0] + $x¦list($h)»
===
$o = [$fn($x) for $x in $v[:5]]
---
def $fn($y):
    for $x in $y:
        if $ip{$x}:
            yield $x
«        elif $ip{$x}:
            return
¦        else:
            yield $ii{$x}
»
===
$o = list($fn($v[:7]))
---
$fn = lambda $x, $y=$NUM: $x «*¦+¦-¦%» $y
$o = [$fn($x) for $x in $v]
""")
