"""Statement idioms that compute something about a string: a number, a truth value,
pairs."""

from .idiom_core import blocks

blocks("si", r"""
$o = 0
for $c in $v:
    if $cp{$c}:
        $o += «1¦$ci{$c}¦$NUM»
«    else:
        $o -= 1
¦    elif $cp{$c}:
        $o *= 2
¦    elif $o:
        $o = $o - 1
¦»
---
$o = «0¦-1¦$NUM»
for $i, $c in enumerate($v):
    if $cp{$c}:
        $o «=¦+=» $i
        «break¦»
---
$o = 0
for $i in range(«0¦1», len($v)«¦ - 1»):
    if $v[$i] «==¦>¦<¦!=» $v[$i - 1]:
        $o += «1¦$i»
«    else:
        $o = 0
¦»
---
$a = $o = 0
for $c in $v:
    if $cp{$c}:
        $a += 1
        $o = max($o, $a)
    else:
        $a = 0
---
$o = «-1¦0¦len($v)»
for $i in range(len($v) - 1, -1, -1):
    if $v[$i] == $CHAR:
        $o = $i
        break
---
$h = «set()¦[]¦''»
$o = 0
for $c in $v:
    $o += 1 if $c in $h else 0
    $h = «$h | {$c} if isinstance($h, set) else $h + type($h)($c)¦$v[:$o + 1]»
---
$o = 0
for $c in $v:
    $o = $o * «10¦2¦31¦26¦16» + ord($c) % «10¦7¦26»
    $o %= «1000¦997¦101¦64»
---
$o = 0
for $c in $v:
    if $c == «'+'¦$CHAR»:
        $o += 1
    elif $c == «'-'¦$CHAR»:
        $o -= 1
    elif $c.isdigit():
        $o += int($c)
---
$lo = $o = 0
$h = {}
for $hi, $c in enumerate($v):
    if $c in $h and $h[$c] >= $lo:
        $lo = $h[$c] + 1
    $h[$c] = $hi
    $o = max($o, $hi - $lo + 1)
---
$lo, $hi = 0, len($v) - 1
$o = 0
while $lo < $hi:
    if $v[$lo] != $v[$hi]:
        $o += 1
    $lo += 1
    $hi -= 1
---
try:
    $o = «$v.index($STR)¦$v.rindex($CHAR)¦int($v)¦int($v, 16)¦ord($v)¦$v.index($CHAR, $NUM)»
except «(ValueError, TypeError)¦Exception»:
    $o = «-1¦len($v)¦$INT»
---
$a = $ASTR
$o = 0
for $c, $y in zip($v, $a):
    if $c «==¦!=¦<¦>» $y:
        $o += 1
«¦    else:
        break
»
""")
blocks("si", r"""
def $fn($y):
    if «not $y¦$y == ''¦len($y) == 0»:
        return 0
    return «(1 if $cp{$y[0]} else 0) + $fn($y[1:])¦$fn($y[1:]) + $ci{$y[0]}¦1 + $fn($y[2:])¦max($ci{$y[0]}, $fn($y[1:]))»
===
$o = $fn($v)
""")
blocks("si", r"""
$q = []
$o = 0
for $c in $v:
    if $c in '([{':
        $q.append($c)
        $o = max($o, len($q))
    elif $c in ')]}'«¦ and $q»:
        if not $q:
            $o = -1
            break
        $q.pop()
---
$n = $o = 0
for $c in $v:
    if $c == '(':
        $n += 1
    elif $c == ')':
        if $n:
            $n -= 1
        else:
            $o += 1
$o += $n
""", hint="brackets")
blocks("si", r"""
$q = []
for $t in $v.split():
    if $t in '+-*':
        if len($q) < 2:
            break
        $y, $x = $q.pop(), $q.pop()
        «if $t == '+':
            $q.append($x + $y)
        elif $t == '-':
            $q.append($x - $y)
        else:
            $q.append($x * $y)¦$q.append($x + $y if $t == '+' else $x - $y if $t == '-' else $x * $y)¦$q.append({'+': $x + $y, '-': $x - $y, '*': $x * $y}[$t])»
    elif $t.isdigit():
        $q.append(int($t))
$o = $q[-1] if $q else 0
""", hint="postfix")
blocks("si", r"""
$o, $n, $t = 0, 0, '+'
for $c in $v + '+':
    if $c.isdigit():
        $n = $n * 10 + int($c)
    else:
        if $t == '+':
            $o += $n
        elif $t == '-':
            $o -= $n
        elif $t == '*':
            $o *= $n
        $t, $n = $c, 0
""", hint="sum")
blocks("si", r"""
$tab = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}
$o = $a = 0
for $c in «reversed($v)¦$v[::-1]¦$v»:
    $n = $tab.get($c, 0)
    if $n < $a:
        $o -= $n
    else:
        $o += $n
    $a = $n
""", hint="roman")
blocks("si", r"""
$o = 0
for $c in $v:
    if $c in '01':
        $o = $o * 2 + int($c)
    else:
        $o = $o «<< 1¦^ 5¦+ 1»
---
$o = sum(int($c) << $i for $i, $c in enumerate(«reversed($v)¦$v») if $c.isdigit())
""", hint="bits")
blocks("si", r"""
$x, $y = 0, 0
for $c in $v:
    if $c == 'U':
        $y += 1
    elif $c == 'D':
        $y -= 1
    elif $c == 'L':
        $x -= 1
    elif $c == 'R':
        $x += «1¦2»
$o = «abs($x) + abs($y)¦$x * 10 + $y¦max($x, $y)¦$x - $y»
---
$i = «0¦$INT»
$tab = {'L': -1, 'R': 1, 'U': $NUM, 'D': -$NUM}
$h = [$i]
for $c in $v:
    $i = ($i + $tab.get($c, 0))«¦ % 10»
    $h.append($i)
$o = «len(set($h))¦$i¦max($h)¦$h.index(min($h))¦$h.count($i)»
""", hint="moves")
blocks("sb", r"""
$o = True
for $c in $v:
    if $cp{$c}:
        $o = «False¦not $o»
        «break¦»
---
$i, $j = 0, len($v) - 1
$o = True
while $i < $j:
    if $v[$i] != $v[$j]:
        $o = False
        break
    $i, $j = $i + 1, $j - 1
---
$i = 0
for $c in $v:
    if $i < len($STR1) and $c == $STR1[$i]:
        $i += 1
$o = $i == len($STR1)
---
for $i in range(len($v)«¦ - 1»):
    if $v[$i] in $v[$i + 1:]:
        $o = True
        break
else:
    $o = False
---
$a = $ASTR
$o = «sorted($v) == sorted($a)¦len($v) == len($a) and $v in $a + $a¦set($v) & set($a) == set()¦$v.lower() == $a.lower()¦$a in $v»
""")
blocks("sb", r"""
$q = []
$tab = {')': '(', ']': '[', '}': '{'}
$o = True
for $c in $v:
    if $c in «'([{'¦$tab.values()»:
        $q.append($c)
    elif $c in $tab:
        if not $q or $q.pop() != $tab[$c]:
            $o = False
            break
«$o = $o and not $q
¦»
---
$n, $o = 0, True
for $c in $v:
    $n += {'(': 1, ')': -1, '[': 2, ']': -2}.get($c, 0)
    if $n < 0:
        $o = False
«$o = $o and $n == 0
¦»
""", hint="brackets")
blocks("sp", r"""
$o = sorted(Counter($v).items(), key=lambda $t: (-$t[1], $t[0]))
---
$o = Counter($v).most_common(«$NUM¦»)
---
$o = []
for $c in $v:
    if $o and $o[-1][0] == $c:
        $o[-1] = ($c, $o[-1][1] + 1)
    else:
        $o.append(($c, 1))
---
$o = [($k, len(list($u))) for $k, $u in itertools.groupby($v)]
---
$o = [($c, $ci{$c}) for $c in $v if $cp{$c}]
---
$o = list(zip($v, range(«$NUM¦len($v), 0, -1¦len($v)»)))
---
$o = []
for $i, $c in enumerate($v):
    if $cp{$c}:
        $o.append(($c, $i))
""")
