"""Idioms for pairs, rows, groups, records and nested dicts."""

from .idiom_core import blocks, expressions

# Pairs (text, number). Some idioms get text keys only by str().
expressions("pp" , r"""
    sorted($v)
    sorted($v, key=lambda $t: $t[1])
    sorted($v, key=lambda $t: (-$t[1], $t[0]))
    sorted($v, key=lambda $t: $t[0], reverse=True)
    sorted($v, key=lambda $t: len(str($t[0])))
    $v[::-1]
    $v[$IDX:]
    $v[:$NUM]
    [$t for $t in $v if $t[1] «>¦<=¦!=» $INT]
    [($k, $u) for $k, $u in $v if $ip{$u}]
    [($k, $ii{$u}) for $k, $u in $v]
    [($k, $u + $i) for $i, ($k, $u) in enumerate($v)]
    $v + [($KEY, $INT)]
    list(dict($v).items())
    [($k, $u) for $k, $u in $v if $k != $KEY]
""")
expressions("pw", r"""
    [$k for $k, $u in $v]
    [$k for $k, $u in $v if $ip{$u}]
    [$k * ($u % 3) for $k, $u in $v]
    [$t[0] for $t in $v]
    [f'{$k}={$u}' for $k, $u in $v]
    [f'{$k:<«4¦6»}{$u:>«3¦4»}' for $k, $u in $v]
    ['%s:%d' % $t for $t in $v]
    sorted({$k for $k, _ in $v})
    [str($k) + str($u) for $k, $u in $v]
""")
expressions("pl", r"""
    [$u for _, $u in $v]
    [$t[1] for $t in $v]
    [$ii{$u} for $k, $u in $v]
    [$u for $k, $u in $v if $k != $KEY]
    [$t[-1] for $t in sorted($v)]
    [len($t[0]) * $t[1] for $t in $v]
""")
expressions("pd", r"""
    dict($v)
    {$k: $u for $k, $u in $v if $ip{$u}}
    {$k: $u for $k, $u in reversed($v)}
    dict(sorted($v, key=lambda $t: $t[1]))
    {$k: len([1 for y, _ in $v if y == $k]) for $k, _ in $v}
""")
expressions("pi", r"""
    sum($u for _, $u in $v)
    max($v, key=lambda $t: $t[1])[1] if $v else 0
    sum($u for $k, $u in $v if $sp{$k})
    len({$k for $k, _ in $v})
    len($v)
""")
expressions("ps", r"""
    ''.join($k + str($u) for $k, $u in $v)
    ''.join($k * $u for $k, $u in $v if $u < 5)
    $JOIN.join($k for $k, $u in $v)
    max($v, key=lambda $t: $t[1])[0] if $v else ''
    ', '.join('%s=%s' % ($k, $u) for $k, $u in $v)
    str(dict($v))
""")
blocks("pd", r"""
$o = {}
for $k, $u in $v:
    «if $k in $o:
        $o[$k] += $u
    else:
        $o[$k] = $u¦$o[$k] = $o.get($k, 0) + $u¦$o[$k] = max($u, $o.get($k, $INT))¦$o.setdefault($k, $u)¦if $ip{$u}:
        $o[$k] = $u
    elif $k in $o:
        del $o[$k]»
""")
blocks("pg", r"""
$o = {}
for $k, $u in $v:
    «$o.setdefault($k, []).append($u)¦if $k not in $o:
        $o[$k] = []
    $o[$k].insert(0, $u)¦$o[$k] = [$u] + $o.get($k, [])»
---
$o = defaultdict(list)
for $k, $u in $v:
    $o[«$k¦str($u % $MOD)¦len($k)»].append(«$u¦$k¦($k, $u)»)
$o = dict($o)
""")
blocks("pi", r"""
$o = $INT
for $t, $u in $v:
    if $t == $KEY1:
        $o -= $u
    elif $ip{$u}:
        $o += $u
«    else:
        $o = -$o
¦»
---
$o = 0
for $i, ($k, $u) in enumerate($v):
    if $u > $INT1:
        $o += $i«¦ + len($k)»
""")
blocks("pp", r"""
$o = []
for $k, $u in $v:
    if $o and $o[-1][0] == $k:
        $o[-1] = ($k, $o[-1][1] + $u)
    else:
        $o.append(($k, «$u¦$ii{$u}»))
---
for $i, ($k, $u) in enumerate($v):
    if $ip{$u}:
        $v[$i] = ($k«¦.upper()¦[::-1]», $ii{$u})
""")
# Rows of numbers.
expressions("xx", r"""
    [list($row) for $row in zip(*$v)]
    [$row[::-1] for $row in $v]
    $v[::-1]
    [list($row) for $row in zip(*$v[::-1])]
    [[$ii{$x} for $x in $row] for $row in $v]
    [[$x for $x in $row if $ip{$x}] for $row in $v]
    [sorted($row) for $row in $v]
    sorted($v)
    sorted($v, key=sum)
    sorted($v, key=len)
    sorted($v, key=lambda $row: $row[-1:])
    [$row for $row in $v if sum($row) > $BIG]
    [$row for $row in $v if $lp{$row}]
    [$ll{$row} for $row in $v]
    [[$x if $i != $j else 0 for $j, $x in enumerate($row)] for $i, $row in enumerate($v)]
    [$row[$i:] + $row[:$i] for $i, $row in enumerate($v)]
    [a + b for a, b in zip($v, reversed($v))]
    [[$row[$i] for $row in $v if $i < len($row)] for $i in range($NUM)]
    $v + [[$INT]]
    [$row[:] for $row in $v]
""")
expressions("xl", r"""
    [$x for $row in $v for $x in $row]
    [$x for $row in $v for $x in $row if $ip{$x}]
    [sum($row) for $row in $v]
    [$li{$row} for $row in $v]
    [max($row, default=0) for $row in $v]
    sum($v, [])
    [sum($row) for $row in zip(*$v)]
    list(map(len, $v))
    list(itertools.chain(*$v))
    list(itertools.chain.from_iterable($v[::-1]))
    [$row[$i] for $i, $row in enumerate($v) if $i < len($row)]
    [$row[-1] for $row in $v if $row]
    max($v, key=sum, default=[])
    [$row[0] if $row else -1 for $row in $v]
""")
expressions("xi", r"""
    sum(map(sum, $v))
    sum(len($row) for $row in $v)
    sum($row[$i] for $i, $row in enumerate($v) if $i < len($row))
    sum($row[-$i - 1] for $i, $row in enumerate($v) if $i < len($row))
    max((max($row) for $row in $v if $row), default=0)
    sum($x for $row in $v for $x in $row if $ip{$x})
    len([$row for $row in $v if $lp{$row}])
    max((sum($row) for $row in $v), default=0)
    sum($row.count($INT) for $row in $v)
""")
expressions("xs", r"""
    '\n'.join(' '.join(map(str, $row)) for $row in $v)
    ';'.join(','.join(str($x) for $x in $row) for $row in $v)
    '|'.join($ls{$row} for $row in $v)
    str(sum($v, []))
""")
expressions("xb", r"""
    all(len($row) == len($v) for $row in $v)
    any($INT in $row for $row in $v)
    $v == [list($row) for $row in zip(*$v)]
    all($lp{$row} for $row in $v)
    $LIST in $v
""")
expressions("xw", "[$ls{$row} for $row in $v]\n ['-'.join(map(str, $row)) for $row in $v]\n")
blocks("xl", r"""
$o = []
for $row in $v:
    for $x in $row:
        if $ip{$x}:
            $o.append($x)
«            break
¦        else:
            $o.insert(0, $x)
¦    else:
        $o.append(-1)
¦»
---
$o = []
for $i in range(len($v)):
    if $i % 2 == 0:
        $o += $v[$i]«¦[::-1]»
    else:
        «$o.extend(reversed($v[$i]))¦$o.append(sum($v[$i]))¦$o = $v[$i] + $o»
---
$o = []
while $v:
    $o += $v.pop(0)
    if $v and $v[0]:
        for $row in $v:
            if $row:
                $o.append($row.pop())
    if $v:
        $o += $v.pop()[::-1]
""")
blocks("xx", r"""
$o = []
for $i in range(len($v[0]) if $v else 0):
    $t = []
    for $row in $v:
        if $i < len($row):
            $t.append($row[$i])
    $o.append($t«¦[::-1]»)
---
for $row in $v:
    «$row.reverse()¦$row.sort()¦$row.append(sum($row))¦$row[:] = $row[1:]¦$row.insert(0, len($row))¦$row.pop() if $row else None»
---
for $i, $row in enumerate($v):
    for $j, $x in enumerate($row):
        if $ip{$x}:
            $v[$i][$j] = «$i + $j¦-$x¦$ii{$x}¦0¦$v[0][0]»
---
$o = «[$row[:] for $row in $v]¦$v[:]¦list($v)»
if $o and $o[0]:
    $o[0][«0¦-1»] = $INT
    «$o.append($v[0])¦$v[-1] = $o[0]¦$o = $o + $v[:1]»
""")
blocks("xi", r"""
$o = 0
for $i, $row in enumerate($v):
    for $j, $x in enumerate($row):
        if «$i == $j¦$i + $j == len($v) - 1¦$i < $j¦$ip{$x}»:
            $o += $x
«        elif $x == $INT:
            $o -= $i
¦»
---
$o = 0
for $i in range(len($v)):
    $a = sum($v[$i])
    if $a «>¦<¦>=» $o:
        $o = «$a¦$i»
""")
# Groups: key -> list.
expressions("gg", r"""
    {$k: $u[::-1] for $k, $u in $v.items()}
    {$k: $u for $k, $u in $v.items() if len($u) > $NUM}
    {$k: sorted(set($u)) for $k, $u in $v.items()}
    dict(sorted($v.items(), key=lambda $t: (-len($t[1]), str($t[0]))))
    {$k: $u[:1] for $k, $u in $v.items()}
    {$k: $u for $k, $u in $v.items() if $u}
    {**$v, $KEY: []}
    {$k: $u + [len($u)] for $k, $u in $v.items()}
""")
expressions("gd", r"""
    {str($k): len($u) for $k, $u in $v.items()}
    {str($k): len(set($u)) for $k, $u in $v.items() if $u}
    {str($k): $i for $i, $k in enumerate($v)}
""")
expressions("gw", r"""
    [str($k) for $k in $v]
    [str($k) for $k, $u in $v.items() if len($u) «>¦==» 1]
    sorted(str($x) for $u in $v.values() for $x in $u)
    [f'{$k}:{len($u)}' for $k, $u in $v.items()]
    sorted((str($k) for $k in $v), reverse=True)
""")
expressions("gi", r"""
    sum(len($u) for $u in $v.values())
    max(map(len, $v.values()), default=0)
    len($v)
    len($v.get($KEY, []))
    sum(1 for $u in $v.values() if not $u)
""")
blocks("gg", r"""
$o = {}
for $k, $u in $v.items():
    for $x in $u:
        $o.setdefault($x, []).append($k)
---
for $k in $v:
    if len($v[$k]) «> 1¦< 2»:
        «$v[$k].pop() if $v[$k] else None¦$v[$k].append(len($v[$k]))¦$v[$k] = $v[$k][::-1]¦$v[$k].reverse()»
""")
blocks("gw", r"""
$q, $o = [«next(iter($v), 'a')¦$KEY»], []
while $q and len($o) < 8:
    $x = $q.pop(«¦0»)
    if $x in $o:
        continue
    $o.append($x)
    for $y in $v.get($x, []):
        if $y not in $o:
            $q.append($y)
$o = [str($x) for $x in $o]
""")
blocks("gd", r"""
$o = {}
for $k, $u in $v.items():
    $o[str($k)] = $o.get(str($k), 0) + len($u)
    for $x in $u:
        $o[str($x)] = $o.get(str($x), 0) + 1
""")
# Dicts in a dict.
expressions("nd", r"""
    {$k: sum($u.values()) for $k, $u in $v.items()}
    {$k: len($u) for $k, $u in $v.items()}
    {$k: $u.get($KEY, $INT) for $k, $u in $v.items()}
    {$k: max($u.values(), default=0) for $k, $u in $v.items()}
""")
expressions("ni", r"""
    sum(sum($u.values()) for $u in $v.values())
    $v.get($KEY, {}).get($KEY, $INT)
    sum($u.get($KEY, 0) for $u in $v.values())
    len($v)
""")
expressions("nw", "[$k for $k in $v if $v[$k]]\n sorted(f'{$k}.{$x}' for $k in $v for $x in $v[$k])\n [$x for $u in $v.values() for $x in $u]\n")
blocks("nn", r"""
$o = {}
for $k, $u in $v.items():
    for $x, $y in $u.items():
        $o.setdefault($x, {})[$k] = $y
---
for $k, $u in $v.items():
    «$u[$KEY1] = $u.get($KEY1, 0) + $NUM¦$u.pop($KEY, None)¦$u.update($DICT)¦if $KEY1 in $u:
        $u[$KEY1] *= 2
    else:
        $u['«none¦missing»'] = len($u)»
""")
blocks("nd", r"""
$o = {}
for $k, $u in $v.items():
    for $x, $y in $u.items():
        $o[«$k + '.' + $x¦$x¦f'{$k}_{$x}'¦$k»] = «$y¦$o.get($x, 0) + $y»
""")
# Records.
expressions("rw", "[$t.get('name', '?') for $t in $v]\n [str(list($t.values())[0]) for $t in $v]\n sorted(k for $t in $v for k in $t)\n [next(iter($t)) for $t in $v]\n")
expressions("rl", "[len($t) for $t in $v]\n [list($t.values())[-1] if len($t) > 1 else 0 for $t in $v]\n [$t.get('«age¦score¦qty¦n¦v»', $INT) for $t in $v]\n")
expressions("rr", r"""
    sorted($v, key=lambda $t: $t.get('«age¦score¦qty¦n¦v»', $INT))
    sorted($v, key=lambda $t: str(list($t.values())))
    [$t for $t in $v if $t.get('«age¦score¦qty¦n¦v»', 0) «>¦<» $BIG]
    [{**$t, 'id': $i} for $i, $t in enumerate($v)]
    [$t for $t in $v if len($t) > 1]
    $v[::-1]
    [{u: k for k, u in $t.items()} for $t in $v]
    [dict(sorted($t.items(), reverse=True)) for $t in $v]
""")
blocks("rd", r"""
$o = {}
for $t in $v:
    $k, *$u = $t.values()
    $o[str($k)] = $o.get(str($k), 0) + «len($t)¦($u[0] if $u else 0)»
---
$o = {}
for $t in $v:
    for $k, $u in $t.items():
        «if isinstance($u, int):
            $o[$k] = $o.get($k, 0) + $u
        elif $k not in $o:
            $o[$k] = len($u)¦$o[$k] = $o.get($k, 0) + 1»
""")
blocks("rg", r"""
$o = {}
for $t in $v:
    for $k, $u in $t.items():
        $o.setdefault($k, []).append($u)
""")
blocks("rr", r"""
for $t in $v:
    «$t['«id¦ok¦n»'] = len($t)¦$t.pop('«age¦score¦qty¦v»', None)¦$t['«age¦score»'] = $t.get('«age¦score¦qty»', 0) + $NUM¦$t.setdefault('«name¦age¦score»', $INT)»
---
$v.sort(key=lambda $t: (len($t), str($t)))
«$v.pop() if $v else None¦$v.append({})¦$v.reverse()»
""")
blocks("ri", r"""
$o = 0
for $t in $v:
    try:
        $o += $t['«age¦score¦qty¦n¦v»']
    except KeyError:
        $o -= «1¦len($t)»
---
$o = 0
for $t in $v:
    if any(isinstance(u, int) and u > $BIG for u in $t.values()):
        $o += 1
""")
