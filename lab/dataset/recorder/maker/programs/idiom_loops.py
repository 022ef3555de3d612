"""Statement idioms that turn a string into a string."""

from .idiom_core import blocks

blocks("ss", r"""
$o = «''¦str()»
for $c in $v:
    if $cp{$c}:
        $o += $cc{$c}
«¦    else:
        $o += $cc{$c}
¦    else:
        $o += $c
¦    elif $cp{$c}:
        $o = $cc{$c} + $o
¦    elif $cp{$c}:
        continue
    else:
        $o += $c
»
---
$o = ''
for $c in $v:
    $o = $c + $o
---
$o = ''
for $c in $v:
    if $c not in $o:
        $o += $c
«¦    else:
        $o = $o.replace($c, $NEW)
¦    else:
        $o += $NEW
»
---
$o = []
for $c in $v:
    if $cp{$c}:
        «continue¦$o.append($cc{$c})¦break¦$o.insert(0, $c)»
    $o.append($«cc{$c}¦c»)
$o = $JOIN.join($o)
---
$o = []
for $c in $v:
    $o.append($cc{$c})
«¦$o.reverse()
¦$o.pop() if $o else None
¦$o.sort()
¦$o = $o[$IDX:]
»
$o = ''.join($o)
---
$o = ''
for $i in range(len($v)):
    if $i % $MOD == «0¦1»:
        $o += $v[$i].«upper¦lower¦swapcase»()
    else:
        $o += «$v[$i]¦$v[-$i]¦$v[-$i - 1]¦$CHAR»
---
$o = $v
while $o.startswith($STR1):
    $o = $o[«len($STR1)¦1¦2»:]
---
$o = $v
while $o and $o[«-1¦0»] in $CHARS:
    $o = $o[«:-1¦1:¦1:-1»]
---
while $CHAR1 in $v:
    $v = $v.replace($CHAR1, «$NEW¦''», 1)
    if len($v) > 30:
        break
---
while $v.endswith($STR1):
    $v = $v[:-«len($STR1)¦1»]
---
$n = $INT
while len($v) «<¦!=» $WIDTH1 and $n < 20:
    $v = «$v + $FILL¦$FILL + $v¦$v[1:] + $FILL»
    $n += «1¦2¦3»
---
$o = list($v)
for $i in range(len($o)«¦ - 1¦ // 2»):
«    $o[$i], $o[-$i - 1] = $o[-$i - 1], $o[$i]
¦    if $cp{$o[$i]}:
        $o[$i] = $cc{$o[$i]}
¦    if $o[$i] > $o[-1]:
        $o[$i], $o[-1] = $o[-1], $o[$i]
»
$o = ''.join($o)
---
$o = list($v)
$i, $j = 0, len($o) - 1
while $i < $j:
    $o[$i], $o[$j] = $o[$j], $o[$i]
    $i += 1
    $j -= 1
$o = ''.join($o)
---
$o = ''
$n = 0
for $c in $v:
    if $cp{$c}:
        $n += 1
        $o += «str($n)¦$c * $n¦$c + str($n)»
    else:
        «$n = 0
        $o += $c¦$o += $c¦$o = $o[:-1]»
---
$o = ''
$i = 0
while $i < len($v):
    $o += $v[$i]
    $i += «$NUM¦2 if $cp{$v[$i]} else 1¦len($o)»
---
$a, $o = '', ''
for $i, $c in enumerate($v):
    if $i % 2 == 0:
        $a += $c
    else:
        $o += $c
$o = «$a + $o¦$o + $a¦$o[::-1] + $a¦$a + $CHAR + $o»
---
$o = []
for $w in $v.split(«¦$SEP»):
    if $sp{$w}:
        $o.append($ss{$w})
    else:
        $o.append(«$w¦$ss{$w}»)
$o = $JOIN.join($o)
---
$t = $v.split($SEP)
«$t.reverse()¦$t.sort()¦$t.sort(key=len)¦$t.insert($IDX, $WORD)¦$t.append($WORD)¦$t[0], $t[-1] = $t[-1], $t[0]¦$t.extend($WORDS)»
$o = $JOIN.join($t)
---
$tab = $TABLE
$o = ''
for $c in $v:
    $o += «$tab.get($c, $c)¦$tab[$c] if $c in $tab else $NEW¦$tab.get($c.lower(), '')»
---
for $k, $u in $TABLE.items():
    $v = $v.replace($k, $u«¦, 1»)
---
for $c in $CHARS:
    $v = $v.replace($c, $NEW«¦, $NUM»)
---
for $w in $WORDS:
    if «$w in $v¦$v.endswith($w)¦$v.startswith($w)»:
        $v = «$v.replace($w, $NEW)¦$v[len($w):]¦$v[:-len($w)]¦$v.removesuffix($w)»
«¦        break
»
---
$o = ''
for $c in $v:
    if $c.isalpha():
        $a = ord('a') if $c.islower() else ord('A')
        $o += chr((ord($c) - $a «+¦-» $NUM) % 26 + $a)
    else:
        $o += $c
---
$o = ''
for $c in $v:
    $i = ord($c)
    if $i >= 97 and $i <= 122:
        $o += chr(«219 - $i¦$i - 32¦122 if $i == 97 else $i - 1¦97 if $i == 122 else $i + 1»)
    elif $cp{$c}:
        $o += $cc{$c}
---
$o, $i = '', 0
while $i < len($v):
    $j = $i
    while $j < len($v) and $v[$j] == $v[$i]:
        $j += 1
    $o += «$v[$i] + str($j - $i)¦str($j - $i) + $v[$i]¦$v[$i] * ($j - $i - 1)¦$v[$i] if $j - $i == 1 else $v[$i] + str($j - $i)»
    $i = $j
---
$o = ''
$n = 1
for $i in range(1, len($v) + 1):
    if $i < len($v) and $v[$i] == $v[$i - 1]:
        $n += 1
    else:
        $o += $v[$i - 1] + «str($n)¦('' if $n == 1 else str($n))»
        $n = 1
---
$o = ''
for $c in $v:
    if not $o or $o[-1] != $c:
        $o += $c
---
$q = []
for $c in $v:
    if $q and «$q[-1] == $c¦$q[-1].lower() == $c.lower() and $q[-1] != $c¦$cp{$c}»:
        $q.pop()
    else:
        $q.append($c)
$o = ''.join($q)
---
$q = []
for $c in $v:
    if $c == $CHAR1:
        if $q:
            $q.pop()
    else:
        $q.append($c)
$o = ''.join($q)
---
$i = $v.«find¦rfind»($STR)
if $i «== -1¦< 0»:
    $o = «$v¦$v[::-1]¦''»
else:
    $o = «$v[:$i]¦$v[$i:]¦$v[$i + 1:] + $v[:$i]¦$v[:$i] + $NEW + $v[$i + 1:]»
---
$o = ''
$fl = «True¦False»
for $c in $v:
    if $fl:
        $o += $c.«upper¦swapcase»()
    else:
        $o += $c«¦.lower()»
    $fl = «not $fl¦$cp{$c}¦$c == ' '¦$c in $CHARS»
---
$o = ''
$fl = False
for $c in $v:
    if $c == «'('¦$CHAR»:
        $fl = True
    elif $c == «')'¦$CHAR»:
        $fl = False
    elif «$fl¦not $fl»:
        $o += $c
---
$a = $ASTR
$o = ''
for $c, $y in zip($v, $a):
    $o += «$c + $y¦max($c, $y)¦$c if $c == $y else $NEW¦$y if $c > $y else $c»
$o += «$v[len($a):]¦$a[len($v):]¦$v[len($a):] + $a[len($v):]»
---
$o = []
$n = min(len($v), len($ASTR1))
for $i in range($n):
    $o.append($v[$i] + $ASTR1[«$i¦-$i¦-$i - 1»])
$o = ''.join($o)
---
$o = ''
for $i, $c in enumerate($v):
    if $v.«index¦find¦rfind¦rindex»($c) == $i:
        $o += $c
    «¦else:
        $o += $NEW
    »
---
$x = len($v) // 2
$a, $y = $v[:$x], $v[$x:]
$o = «$y + $a¦$a[::-1] + $y¦$y.upper() + $a¦$a if $a > $y else $y¦$y + $JOIN + $a»
---
$o = $v
for $i in range($NUM):
    $o = «$o[1:] + $o[:1]¦$o[-1:] + $o[:-1]¦$ss{$o}¦$o + $o[$i:$i + 1]¦$o[$i:] + $o[:$i]»
---
$n = len($v)
for $i in range($n):
    if $v[$i] == $CHAR:
        $o = $v[:$i] + $NEW + $v[$i + 1:]
        break
else:
    $o = $ss{$v}
---
$a, $t, $o = $v.«partition¦rpartition»($SEP)
if «not $t¦$t¦$sp{$o}»:
    $o = «$a¦$a[::-1]¦$o + $a»
---
if len($v) «<¦<=¦>¦==» $WIDTH:
    $o = $ss{$v}
«elif $sp{$v}:
    $o = $ss{$v}
¦»else:
    $o = $ss{$v}
---
$o = ''
for $i in range(«0¦1», len($v), «2¦$NUM»):
    $o += $v[$i:$i + «2¦$NUM»][::-1]
---
$t = sorted($v)
$o = ''
while $t:
    $o += $t.pop(«¦0¦len($t) // 2»)
    if $t«¦ and len($t) % 2»:
        $o += $t.pop(«0¦-1»)
---
$n = $v.count($CHAR1)
$o = $v.replace($CHAR1, '') + $CHAR1 * $n
---
$o = ''
for $i in range(len($v) - 1, -1, -1):
    if $cp{$v[$i]}:
        $o += $v[$i]
«¦    elif $o:
        $o = $o[:-1]
»
---
$o, $t = '', ''
for $c in $v«¦ + ' '»:
    if $c.isalnum():
        $t = «$t + $c¦$c + $t»
    else:
        $o += $t + $c
        $t = ''
$o += $t
---
$i = len($v) - 1
while $i >= 0 and $v[$i] «==¦!=» $CHAR:
    $i -= 1
$o = «$v[:$i + 1]¦$v[$i:]¦$v[:$i]»
---
$o = $v
$n = 0
while «len($o) > $NUM¦$sp{$o}» and $n < $NUM:
    $o = «$o[1:]¦$o[:-1]¦$o[::2]¦$o[1:-1]»
    $n += 1
---
$i, $o = 0, ''
for $c in $v:
    if $c == $CHAR:
        $i += 1
        if $i % 2 == 0:
            continue
    $o += $c
---
$o = f'{len($v)}«:¦-¦»{$v[«:2¦-2:¦::-1»]}'
---
$t = list($v)
«$t.remove($CHAR1) if $CHAR1 in $t else $t.append($CHAR1)
¦try:
    $t.remove($CHAR)
except ValueError:
    $t.append($CHAR)
¦if $CHAR1 in $t:
    $t.insert($t.index($CHAR1), $NEW)
¦for $c in $t[:]:
    if $cp{$c}:
        $t.remove($c)
¦for $c in $t:
    if $cp{$c}:
        $t.remove($c)
»
$o = ''.join($t)
""")
