"""Statement idioms for dicts and lists of words."""

from .idiom_core import blocks

blocks("ww", r"""
$o = []
for $w in $v:
    if $sp{$w}:
        $o.append($ss{$w})
«    else:
        $o.insert(0, $w)
¦    elif $o:
        $o[-1] += $w
¦    elif $w not in $o:
        $o.append($w)
¦»
---
for $i in range(len($v)):
    if $sp{$v[$i]}:
        $v[$i] = $ss{$v[$i]}
---
for $w in $v[:]:
    if $sp{$w}:
        $v.remove($w)
---
for $w in $v:
    if $sp{$w}:
        $v.remove($w)
---
$v.append($WORD)
«$v.reverse()¦$v.sort()¦$v.sort(key=len)¦$v.insert(0, $v.pop())¦$v.remove($v[0])¦$v[0] = $v[-1]»
---
$n = 0
while $n < len($v):
    if $sp{$v[$n]}:
        «$v.pop($n)¦del $v[$n]»
    else:
        $n += 1
---
$o = []
for $w in $v:
    for $c in $w:
        if $cp{$c}:
            $o.append($c)
            break
    else:
        $o.append($w)
---
$o = []
while $v:
    $o.append($v.pop(«¦0¦len($v) // 2»))
    if $v:
        «$v.pop(«¦0»)¦$v.reverse()¦$o.append($v[0])»
---
$h = []
$o = []
for $w in $v:
    $t = $w.«lower()¦strip()¦upper()»
    if $t in $h:
        continue
    $h.append($t)
    $o.append($w)
""")
blocks("wg", r"""
$o = {}
for $w in $v:
    $k = «len($w)¦$w[:1]¦$w[-1:]¦$w[:1].lower()¦$si{$w}»
    «if $k not in $o:
        $o[$k] = []
    $o[$k].append($w)¦$o.setdefault($k, []).append($w)¦$o[$k] = $o.get($k, []) + [$w]»
---
$o = defaultdict(list)
for $i, $w in enumerate($v):
    $o[$w].append($i)
$o = dict($o)
---
$o = {}
for $w in $v:
    $k = ''.join(sorted($w))
    $o.setdefault($k, []).append($w)
""")
blocks("wd", r"""
$o = {}
for $w in $v:
    $o[$w] = $o.get($w, 0) + 1
---
$o = {}
for $w in $v:
    for $c in «$w¦sorted(set($w))¦$w[:1]¦$w[-2:]»:
        «$o[$c] = $o.get($c, 0) + 1¦if $c not in $o:
            $o[$c] = 0
        $o[$c] += 1»
---
$o = {}
for $w in $v:
    $k, $t, $u = $w.partition($SEP)
    «$o[$k] = len($u)¦if $t:
        $o[$k] = len($u)
    else:
        $o[$k] = -1»
---
$o = {}
for $i, $w in enumerate($v):
    if $w in $o:
        $o[$w] += $i
    elif $sp{$w}:
        $o[$w] = $i
""")
blocks("ws", r"""
$o = ''
for $w in $v:
    if $sp{$w}:
        $o += «$w¦$ss{$w}»
    else:
        $o «= $w[:1] + $o¦+= $NEW»
---
$o = «''¦$v[0] if $v else ''»
for $w in $v:
    if len($w) «>¦>=» len($o):
        $o = $w
---
if not $v:
    $o = ''
else:
    $o = $v[0]
    for $w in $v[1:]:
        while not $w.startswith($o):
            $o = $o[:-1]
---
$o = ''
for $i in range(max(map(len, $v), default=0)):
    for $w in $v:
        if $i < len($w):
            $o += $w[$i]
---
$o = «'<ul>'¦'['¦''»
for $i, $w in enumerate($v):
    if $i«¦ > 0»:
        $o += «', '¦' | '¦$JOIN»
    $o += $w
$o += «']'¦'</ul>'¦'.'»
""")
blocks("dd", r"""
$o = {}
for $k, $u in $v.items():
    if $ip{$u}:
        $o[$k] = $ii{$u}
«    else:
        $o[$ss{$k}] = $u
¦    elif $sp{$k}:
        $o[$k] = 0
¦»
---
for $k in list($v«.keys()¦»):
    if $sp{$k}:
        «del $v[$k]¦$v.pop($k)¦$v[$k] = 0¦$v[$k] += $INT¦$v[$k.upper()] = $v.pop($k)»
---
for $k, $u in $DICT.items():
    «if $k in $v:
        $v[$k] += $u
    else:
        $v[$k] = $u¦$v[$k] = $v.get($k, 0) + $u¦$v.setdefault($k, $u)»
---
$v.update($DICT)
«$v.pop($KEY, None)
¦if $KEY1 in $v:
    del $v[$KEY1]
¦»
---
$v[$KEY] = $INT
«$v.setdefault($KEY, $INT)¦$v.popitem()¦$v.pop($KEY, 0)¦$v[$KEY] = $v.pop(next(iter($v)))»
---
$o = dict($v)
for $k in $v:
    if $v[$k] «==¦>¦<» $INT:
        «$o.pop($k)¦del $o[$k]¦$o[$k] = -1¦$o[$k + $CHAR] = $o.pop($k)»
---
$o = {}
while $v:
    $k, $u = $v.popitem()
    if $ip{$u}:
        $o[$k] = $u
    else:
        $o[$k[::-1]] = -$u
---
try:
    $v[$KEY] += $NUM
except KeyError«¦ as $e»:
    $v[$KEY] = «0¦$INT¦len($v)»
---
$x = $ADICT
$o = {}
for $k in sorted(set($v) «|¦&¦^» set($x)):
    $o[$k] = $v.get($k, 0) «+¦-» $x.get($k, 0)
---
$o = $v
$o[$KEY] = len($v)
$v = {$k: $u for $k, $u in $v.items() if $u «!=¦>» $INT}
$o = $v«¦.copy()»
""")
blocks("di", r"""
$o = 0
for $k, $u in $v.items():
    if $sp{$k}:
        $o += $u
    else:
        $o -= «$u¦1¦len($k)»
---
$o = 0
for $k in $v:
    if $ip{$v[$k]}:
        $o += «1¦len($k)¦$v[$k]»
---
$o = None
for $u in $v.values():
    if $o is None or $u «>¦<» $o:
        $o = $u
$o = «$o or 0¦0 if $o is None else $o»
---
try:
    $o = $v[$KEY]
except KeyError:
    $o = «-1¦len($v)¦$INT»
---
$o = 0
for $k in $WORDS:
    $o += $v.get($k, $NUM)
""")
blocks("dw", r"""
$o = []
for $k in sorted($v«¦, key=$v.get¦, reverse=True»):
    if $ip{$v[$k]}:
        $o.append($k)
«    else:
        $o.append($ss{$k})
¦»
---
$a = max($v.values(), default=0)
$o = [$k for $k in $v if $v[$k] == $a]
---
$o = []
for $k, $u in $v.items():
    for $i in range($u % 3):
        $o.append($k«¦ + str($i)»)
""")
blocks("dg", r"""
$o = {}
for $k, $u in $v.items():
    $o.setdefault($«ii{$u}¦u», []).append($k)
---
$o = {$TAG1: [], $TAG2: []}
for $k, $u in $v.items():
    if $ip{$u}:
        $o[$TAG1].append(«$k¦$u¦($k, $u)»)
    else:
        $o[$TAG2] «+= [$k]¦= [$u]¦= $o[$TAG2] + $o[$TAG1]»
""")
blocks("dm", r"""
$o = {}
for $k, $u in $v.items():
    if $u «>=¦>» $BIG:
        $o[$k] = '«A¦high¦pass»'
    elif $ip{$u}:
        $o[$k] = '«B¦mid¦ok»'
    else:
        $o[$k] = '«C¦low¦fail»'
""")
blocks("mm", r"""
$o = {}
for $k, $u in $v.items():
    «if $u in $o:
        $o[$u] += $k
    else:
        $o[$u] = $k¦$o[$u] = $k¦$o[$u] = $o.get($u, '') + $k¦if $sp{$u}:
        $o[$u] = $k
    else:
        $o[$k] = $u»
---
for $k in list($v):
    if $sp{$v[$k]}:
        $v[$k] = $ss{$v[$k]}
«    elif $k in $v.values():
        del $v[$k]
¦»
""")
blocks("mw", r"""
$o = []
$k = $KEY
while $k in $v and len($o) < «5¦6¦8»:
    $o.append($k)
    $k = $v[$k]
""")
blocks("mg", r"""
$o = {}
for $k, $u in $v.items():
    $o.setdefault($u, []).append($k)
---
$o = {}
for $k, $u in $v.items():
    $o[$k] = [$u«, len($u)¦¦, $k + $u»]
    if $u in $o:
        $o[$u].append($k)
""")
