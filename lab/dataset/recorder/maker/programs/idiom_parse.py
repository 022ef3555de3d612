"""Statement idioms that split a string into lists and dicts."""

from .idiom_core import blocks

blocks("sw", r"""
$o = []
for $c in $v:
    if $cp{$c}:
        $o.append($«c¦cc{$c}»)
«¦    elif $o:
        $o[-1] += $c
¦    else:
        $o.insert(«0¦1», $c)
»
---
$o, $t = [], ''
for $c in $v:
    if $c in $CHARS:
        «if $t:
            $o.append($t)¦$o.append($t)»
        $t = ''
    else:
        $t += $c
«$o.append($t)¦if $t:
    $o.append($t)»
---
$o = []
for $i in range(0, len($v), $NUM1):
    $t = $v[$i:$i + $NUM1]
    «if len($t) == $NUM1:
        ¦if $sp{$t}:
        ¦»$o.append($t«¦[::-1]¦.upper()»)
---
$o = []
for $w in $v.split(«¦$SEP»):
    if $sp{$w}:
        $o.append($ss{$w})
«    else:
        $o.insert(0, $w)
¦    elif $w not in $o:
        $o.append($w)
¦»
---
$o = []
for $c in $v:
    if $c in $o:
        $o.remove($c)
    else:
        $o.append($c)
---
$o = []
for $i in range(len($v)):
    for $j in range($i + «1¦2», len($v) + 1):
        if $v[$i:$j] == $v[$i:$j][::-1]«¦ and $j - $i > 1»:
            $o.append($v[$i:$j])
            «break¦»
---
$o = «[]¦['']»
for $c in $v:
    if «$o and ¦not $o or »$cp{$c}:
        $o.append($c)
    elif $o:
        $o[-1] «+= $c¦= $c + $o[-1]»
---
$o = $v.split($SEP)
«$o.sort(key=len)
¦$o.sort(reverse=True)
¦$o.reverse()
¦$o.append($WORD)
¦$o.insert($IDX, $WORD)
¦$o.extend($WORDS)
¦$o += [$WORD] * $NUM
¦$o[0] = $o[0].upper()
¦del $o[«0¦-1¦1:¦::2»]
¦$o.pop(«¦0»)
¦if $WORD1 in $o:
    $o.remove($WORD1)
¦$o[1:1] = [$WORD]
¦$o[:1] = $WORDS
»
---
$o = []
while $v:
    $o.append($v[«0¦-1¦:2¦:3¦-2:»])
    $v = $v[«2:¦3:¦2:-1»]
---
$o, $a = [], 0
for $i, $c in enumerate($v):
    if $i > 0 and $c < $v[$i - 1]:
        $o.append($v[$a:$i])
        $a = $i
$o.append($v[$a:])
---
$lo, $o = 0, []
while True:
    $hi = $v.find($STR1, $lo)
    if $hi == -1:
        $o.append($v[$lo:])
        break
    $o.append($v[$lo:$hi])
    $lo = $hi + «len($STR1)¦1¦max(1, len($STR1))»
    if not $STR1:
        break
""")
blocks("sl", r"""
$o = []
for $i, $c in enumerate($v):
    if $cp{$c}:
        $o.append($i)
---
$o = []
$i = $v.find($STR1)
while $i != -1:
    $o.append($i)
    $i = $v.find($STR1, $i + «1¦2¦len($STR1) or 1»)
---
$o = []
for $w in $v.«split($SEP)¦replace($SEP, ' ').split()»:
    try:
        $o.append(int($w))
    except ValueError:
        «continue¦$o.append($INT)¦pass¦break¦$o.append(len($w))»
---
$o = [0] * «26¦5¦10¦4»
for $c in $v.lower():
    if $c.isalpha():
        $o[(ord($c) - 97) % len($o)] += 1
$o = «$o[:8]¦[$x for $x in $o if $x]¦[$i for $i, $x in enumerate($o) if $x > 0]»
---
$o = []
for $c in $v:
    $o.append($ci{$c})
«¦$o.sort()
¦$o.reverse()
¦$o = $o[::-1]
»
---
$o, $n = [], 0
for $c in $v:
    $n = $n + 1 if $cp{$c} else 0
    $o.append($n)
---
$o = []
for $w in re.findall(r'-?\d+', $v):
    $o.append(int($w))
---
$o, $t = [], ''
for $c in $v + ' ':
    if $c.isdigit():
        $t += $c
    elif $t:
        $o.append(int($t))
        $t = ''
""", hint="numbers")
blocks("sd", r"""
$o = {}
for $c in $v:
    if $c in $o:
        $o[$c] += 1
    else:
        $o[$c] = «1¦0¦$NUM»
---
$o = {}
for $c in $v«¦.lower()¦.split()¦[::-1]¦.split($SEP)»:
    $o[$c] = $o.get($c, 0) + «1¦$NUM¦len($o)»
---
$o = «{}¦dict()»
for $c in $v:
    $o.setdefault($c, 0)
    $o[$c] += 1
---
$o = defaultdict(int)
for $c in $v:
    «if $cp{$c}:
        $o[$c] += 1¦$o[$c] += 1¦$o[$c«.lower()¦.upper()»] += 1»
$o = dict($o)
---
$o = {}
for $i, $c in enumerate($v«¦, 1»):
    «if $c not in $o:
        $o[$c] = $i¦$o[$c] = $i¦$o[$c] = $o.get($c, 0) + $i»
---
$o = Counter($v)
«del $o[$CHAR]
¦$o.subtract($STR)
¦$o.update($STR)
¦$o -= Counter($STR)
¦$o += Counter($STR)
¦»$o = dict($o)
---
$o = {$TAG1: 0, $TAG2: 0, $TAG3: «0¦1¦-1»}
for $c in $v:
    if $cp{$c}:
        $o[$TAG1] += 1
    elif $cp{$c}:
        $o[$TAG2] «+= 1¦= $o[$TAG1]¦+= $ci{$c}»
    else:
        $o[$TAG3] «+= 1¦-= 1¦= len($o)¦+= $o[$TAG2]»
---
$o = {}
for $w in $v.split(«¦$SEP»):
    $o[$w«¦[:1]¦.lower()¦[::-1]»] = «len($w)¦$si{$w}¦$o.get($w, 0) + 1»
---
$o = dict.fromkeys($CHARS1, 0)
for $c in $v:
    if $c in $o:
        $o[$c] += 1
«¦$o = {$k: $u for $k, $u in $o.items() if $u}
»
""")
blocks("sd", r"""
$o = {}
for $t in $v.split('«;¦,¦&¦ »'):
    if '«=¦:»' in $t:
        $k, $u = $t.split('«=¦:»', 1)
        $o[$k«.strip()¦»] = int($u) if $u.isdigit() else «0¦-1¦len($u)»
""", hint="pairs")
blocks("sm", r"""
$o = {}
for $t in $v.split(«';'¦','¦'&'¦$SEP»):
    $k, «_¦$x», $u = $t.partition(«'='¦':'¦$SEP»)
    «if $k:
        ¦if $u:
        ¦»$o[$k] = $u«¦.strip()¦ or $WORD»
---
«$o = dict($t.split('=', 1) for $t in $v.split(«';'¦','¦'&'») if '=' in $t)¦$o = dict($t.split(':') for $t in $v.split(',') if $t.count(':') == 1)»
---
$o = {}
for $t in $v.split(';'):
    try:
        $k, $u = $t.split('«=¦:»')
    except ValueError:
        «continue¦$k, $u = $t, ''¦break»
    $o[$k] = $u
""", hint="pairs")
blocks("sm", r"""
$o = {}
for $i in range(len($v) - 1):
    $o[$v[$i]] = $v[$i + 1]
---
$o = {}
for $c in $v:
    $o[$c] = $cc{$c}
---
$o, $n = {}, 0
for $c in $v:
    if $c not in $o:
        $o[$c] = chr(97 + $n)
        $n += 1
""")
blocks("sg", r"""
$o = {}
for $i, $c in enumerate($v):
    «if $c not in $o:
        $o[$c] = []
    $o[$c].append($i)¦$o.setdefault($c, []).append($i)¦$o[$c] = $o.get($c, []) + [$i]¦$o.setdefault($c, [$i])»
---
$o = defaultdict(list)
for $w in $v.split(«¦$SEP»):
    $o[«len($w)¦$w[:1]¦$w[-1:]¦$si{$w}»].append($w)
$o = dict($o)
---
$o = {$TAG1: [], $TAG2: []}
for $c in $v:
    $o[$TAG1 if $cp{$c} else $TAG2]«.append($c)¦.append($c)¦ = [$c]¦.insert(0, $c)»
---
$o = {True: [], False: []}
for $c in $v:
    $o[$cp{$c}].append($c)
$o = {str($k): $u for $k, $u in $o.items()}
""")
