"""Idioms for lists of mixed elements, and rare conversions between types."""

from .idiom_core import blocks, expressions

expressions("aa", r"""
    [$x for $x in $v if isinstance($x, «int¦str¦(int, float)¦(str, list)¦bool¦list»)]
    [$x for $x in $v if $x]
    [$x for $x in $v if not $x]
    [$x for $x in $v if $x is not None]
    $v[::-1]
    $v[$IDX:]
    $v[:$IDX]
    $v + [$WORD]
    [$x or $INT for $x in $v]
    [$x if $x is not None else $WORD for $x in $v]
    [$x * 2 if isinstance($x, (int, str)) else $x for $x in $v]
    sorted($v, key=str)
    sorted($v, key=lambda $x: (type($x).__name__, str($x)))
    sorted($v, key=bool)
    [$x for $i, $x in enumerate($v) if $x not in $v[:$i]]
    list(filter(None, $v))
    [[$x] for $x in $v][:5]
    [$x[::-1] if isinstance($x, str) else $x for $x in $v]
    [-$x if type($x) is int else $x for $x in $v]
""")
expressions("aw", r"""
    [str($x) for $x in $v]
    [type($x).__name__ for $x in $v]
    [$x for $x in $v if isinstance($x, str)]
    list(map(repr, $v))
    [str($x)[:2] for $x in $v if $x]
    ['%s' % ($x,) for $x in $v]
""")
expressions("al", r"""
    [int(bool($x)) for $x in $v]
    [$x for $x in $v if isinstance($x, int) and not isinstance($x, bool)]
    [len(str($x)) for $x in $v]
    [$x if type($x) is int else 0 for $x in $v]
    [$i for $i, $x in enumerate($v) if $x in (None, '', 0)]
    [int($x) for $x in $v if isinstance($x, (int, float))]
    [len($x) if hasattr($x, '__len__') else -1 for $x in $v]
""")
expressions("ai", r"""
    len($v)
    sum(1 for $x in $v if $x)
    $v.count(«None¦''¦0¦1¦True»)
    sum(isinstance($x, «str¦int¦list») for $x in $v)
    sum($x for $x in $v if type($x) is int)
    $v.index(«None¦True¦0¦1») if «None¦True¦0¦1» in $v and len($v) > 20 else len($v)
""")
expressions("as", r"""
    ''.join(str($x) for $x in $v)
    $JOIN.join($x for $x in $v if isinstance($x, str))
    $JOIN.join(map(str, $v[:$NUM]))
    str($v)
    ''.join(type($x).__name__[0] for $x in $v)
    repr($v[-1:])
""")
expressions("ab", r"""
    any($v)
    all($v)
    None in $v
    all(isinstance($x, «int¦str») for $x in $v)
    any(isinstance($x, «list¦float¦str¦bool») for $x in $v)
    bool($v) and $v[0] is None
""")
blocks("al", r"""
$o = []
for $x in $v:
    if isinstance($x, bool):
        $o.append(«int($x)¦-1»)
    elif isinstance($x, «int¦(int, float)»):
        $o.append(«int($x)¦int($x) + $NUM»)
    elif isinstance($x, str):
        $o.append($si{$x})
    else:
        «continue¦$o.append(0)¦break»
---
$o = []
for $x in $v:
    try:
        $o.append(int($x))
    except «(TypeError, ValueError)¦Exception»:
        «$o.append(0)¦continue¦$o.insert(0, -1)»
---
$o = []
for $x in $v:
    try:
        $o.append(len($x))
    except TypeError:
        $o.append(«-1¦0 if $x is None else 1»)
---
$o = []
for $x in $v:
    if $x is None:
        continue
    elif type($x) in (list, tuple):
        $o += [$y for $y in $x if type($y) is int]
    elif $x == True:
        $o.append(«1¦$INT»)
""")
blocks("ad", r"""
$o = {}
for $x in $v:
    $k = type($x).__name__
    $o[$k] = $o.get($k, 0) + «1¦len(str($x))»
---
$o = {}
for $i, $x in enumerate($v):
    «$o[str($x)] = $i¦if isinstance($x, str):
        $o[$x] = $i¦if $x:
        $o.setdefault(str($x), len($o))»
""")
blocks("aw", r"""
$o = []
for $x in $v:
    if not $x:
        $o.append('«empty¦falsy¦-»')
    elif isinstance($x, str):
        $o.append($ss{$x})
    else:
        $o.append(«str($x)¦type($x).__name__»)
---
def $fn($x):
    match $x:
        case None:
            return '«none¦null»'
        case bool():
            return '«bool¦flag»'
        case int() if $x «>¦<» $INT:
            return '«big¦int»'
        case str():
            return $x«[:2]¦.upper()¦»
        case [«$y, *_¦*_, $y»]:
            return '«list¦seq»' + str($y)
        case _:
            return '«other¦?»'
===
$o = «[$fn($x) for $x in $v]¦list(map($fn, $v))»
---
def $fn($x):
    if isinstance($x, str):
        return $x
    if isinstance($x, (list, tuple)):
        return '[' + ','.join([$fn($y) for $y in $x]) + ']'
    return «str($x)¦repr($x).lower()¦'#'»
===
$o = [$fn($x) for $x in $v]
""")
blocks("aa", r"""
$o = []
for $x in $v:
    if isinstance($x, «list¦(list, tuple)»):
        «$o.extend($x)¦for $y in $x:
            $o.append($y)¦$o += $x[::-1] if isinstance($x, list) else list($x)»
    else:
        $o.append($x)
---
def $fn($x):
    $y = []
    for $t in $x:
        if isinstance($t, list):
            $y «+= $fn($t)¦= $fn($t) + $y»
        else:
            $y.append($t)
    return $y
===
$o = $fn($v)
---
$o = $v
for $i, $x in enumerate($v):
    if $x «is None¦== 0¦== ''»:
        $o[$i] = «$WORD¦$i¦$v[$i - 1]»
---
$o = []
for $x in $v:
    match $x:
        case None«¦ | ''»:
            continue
        case int() | float():
            $o.append($x + $NUM)
        case str():
            $o.append($x * 2)
        case _:
            $o.append($x)
---
$v.append(«None¦$INT¦[]¦$WORD»)
«$v.insert($IDX, $v[-1])
¦$v.remove($v[0])
¦$v.reverse()
¦$v.extend(['', 0])
»
$o = [$x for $x in $v if $x«¦ is not None¦ != 0¦ not in (None, '')»]
""")
blocks("ss", r"""
$o = $v.encode(«¦'utf-8'»)
$o = «$o[::-1].decode('ascii', 'replace')¦$o.hex()[:10]¦str($o)[:12]¦bytes(b for b in $o if b % 2).decode('ascii', 'ignore')¦str(list($o[:4]))¦$o.upper().decode('utf-8', 'ignore')»
---
$a, $t = $v[:$NUM1], $v[$NUM1:]
$a, $t = $t, $a
$o = «$a + $t¦f'{$a}|{$t}'¦$t.join([$a, $a])¦$a.join($t)»
---
$o = «'abc'¦$WORD»
$o = $o«.replace($v[:1], $NEW) if $v else $o¦ + $v¦.join($v)¦.strip($v)¦.lstrip($v)¦.rstrip($v or None)»
---
$fl = '«start¦a¦out»'
$o = ''
for $c in $v:
    if $fl == '«start¦a¦out»':
        if $cp{$c}:
            $fl = '«in¦b¦word»'
            $o += $cc{$c}
    elif $cp{$c}:
        $fl = '«start¦a¦out»'
    else:
        $o += $c
---
$t = [$c for $c in $v]
$t.«sort()¦reverse()¦append($CHAR)¦insert(1, $CHAR)¦sort(key=str.lower)¦sort(key=lambda $x: (-ord($x), $x))¦extend($STR)»
$a = $t[«::2¦1:¦:-1¦::-1»]
$o = ''.join(«$a¦$t + $a¦$a + $t[:1]»)
---
$n = len($v) «%¦//» $MOD
$o = «$v[$n:] + $v[:$n]¦$v[:$n] * 2¦$v[$n % len($v)] if $v else ''¦$v[-$n:]¦$v[$n::-1]¦$v[:-$n]»
---
assert isinstance($v, str)«, 'no text'¦»
$o = $ss{$v}
---
$o = $v
if ($i := $v.find($CHAR)) «>= 0¦> 0¦== -1»:
    $o = «$v[$i:]¦$v[$i + 1:]¦$v[$i::-1]¦$v[:$i] + $v[$i + 1:]¦$v[$i:$i + 2]»
---
$tab = {'upper': str.upper, 'lower': str.lower, 'rev': lambda $x: $x[::-1]}
$o = $v
for $k in («'rev', 'upper'¦'upper', 'none'¦'lower', 'rev', 'rev'»):
    if $k in $tab:
        $o = $tab[$k]($o)
    else:
        $o += $k
---
$fn = str.«upper¦lower¦swapcase¦title» if $sp{$v} else str.«strip¦lower¦capitalize¦swapcase»
$o = $fn($v)
""")
