"""Idioms for lists of numbers."""

from .idiom_core import expressions

expressions("ip", r"""
    $v % $MOD == 0
    $v % 2 == «0¦1»
    $v % $MOD != «0¦1»
    $v «>¦<¦>=¦<=» $INT
    $v «>¦<» 0
    $v == $INT
    $v != $INT
    $v in $LIST
    $v not in $LIST
    $INT <= $v < $BIG
    0 < $v <= $BIG
    $v & 1
    not $v & $NUM
    abs($v) > $NUM
    $v > $INT and $v % $MOD == 0
    $v < 0 or $v > $BIG
    not $v % $MOD
    str($v)[-1] in $CHARS
    len(str($v)) «>¦==» «1¦2»
    $v * $v < $BIG
    $v // $MOD % 2
    str($v) == str($v)[::-1]
    bin($v).count('1') «==¦>» $NUM
""")
expressions("ii", r"""
    $v + $NUM
    $v - $NUM
    $v * $NUM
    $v // $MOD
    $v % $MOD
    $v ** 2
    -$v
    abs($v)
    abs($v - $INT)
    $v * $v - $v
    $v // -2
    -$v % $MOD
    $v ^ $NUM
    $v & $BIG
    $v | 1
    $v << 1
    $v >> 1
    ~$v
    max($v, $INT)
    min($v, $INT)
    $v if $ip{$v} else -$v
    $v * 2 if $ip{$v} else $v // 2
    0 if $ip{$v} else $v
    ($v + $INT) % $BIG
    sum(map(int, str(abs($v))))
    int(str(abs($v))[::-1])
    len(str($v))
    divmod($v, $MOD)[«0¦1»]
    round($v / $MOD)
    int($v / $MOD)
    bin($v).count('1')
    pow($v, 2, $BIG)
    ($v > 0) - ($v < 0)
    $v - $v % $MOD
    $v.bit_length()
""")
expressions("is", r"""
    str($v)
    str($v) * $NUM
    str($v).zfill($WIDTH)
    bin($v)
    bin($v)[2:]
    hex($v)
    oct($v)
    f'{$v:«05d¦x¦b¦>6¦+d¦<5¦^7¦,¦o¦08b¦.2f¦e¦3»}'
    str($v)[::-1]
    '«%d items¦n=%d¦%5d|¦%x¦%03d¦%-4d|»' % $v
    $WORD + str($v)
    $CHAR * ($v % 10)
    chr($v % 26 + «97¦65»)
    'even' if $v % 2 == 0 else 'odd'
    'neg' if $v < 0 else 'zero' if $v == 0 else 'pos'
    repr($v)
    str($v / $MOD)[:6]
    str(float($v))
    '{:>«5¦8»}{}'.format($v, $CHAR)
""")
expressions("il", r"""
    list(range($v % 10))
    list(range($v % 7, $BIG, $MOD))
    [int($c) for $c in str(abs($v))]
    list(map(int, str(abs($v))))
    list(divmod($v, $MOD))
    [$v] * $NUM
    [$v, $v + 1, $v * 2]
    [$x for $x in range(1, $BIG) if $v % $x == 0]
    [$x for $x in range($v % 12) if $ip{$x}]
    [$ii{$x} for $x in range($v % 8)]
    [$v % $x for $x in range(1, $NUM + 4)]
    [$v - $x for $x in $LIST]
    list(range($v % 10, -1, -$NUM))
    [$v >> $i & 1 for $i in range(«4¦6¦3»)]
    [*range($v % 5), $v]
""")
expressions("ib", r"""
    $ip{$v}
    bool($ip{$v})
    $ip{$v} and $ip{$v}
    $v > 1 and all($v % $x for $x in range(2, int(abs($v) ** 0.5) + 1))
    any($v % $x == 0 for $x in $LIST if $x)
    $v == int(str(abs($v))[::-1])
""")
expressions("iw", r"""
    list(str($v))
    str($v).split($CHAR)
    [str($v), bin($v), hex($v)]
    [$is{$v}, $is{$v}]
    [str($x) for $x in range($v % 6)]
    [chr(97 + $i) for $i in range($v % 6)]
""")
expressions("ll", r"""
    sorted($v)
    sorted($v, reverse=True)
    sorted(set($v))
    sorted($v, key=abs)
    sorted($v, key=lambda $x: $ii{$x})
    sorted($v, key=lambda $x: (-$x % $MOD, $x))
    sorted($v, key=lambda $x: str($x))
    sorted($v, key=lambda $x: str($x)[-1])
    $v[::-1]
    list(reversed($v))
    $v[$IDX:]
    $v[:$IDX]
    $v[$IDX:$IDX]
    $v[::$NUM]
    $v[$IDX::$NUM]
    $v[::-2]
    $v[-$NUM:] + $v[:-$NUM]
    $v[$NUM1:] + $v[:$NUM1]
    $v + $v[::-1]
    $v + [$INT]
    [$INT] + $v
    $v * «2¦1¦0»
    $v + $LIST
    $v[:]
    $v.copy()
    list(dict.fromkeys($v))
    [$x for $x in $v if $ip{$x}]
    [$ii{$x} for $x in $v]
    [$ii{$x} for $x in $v if $ip{$x}]
    [$ii{$x} if $ip{$x} else $ii{$x} for $x in $v]
    [$x * $i for $i, $x in enumerate($v«¦, 1¦, start=2»)]
    [$x for $i, $x in enumerate($v) if $i % $MOD == 0]
    list(filter(lambda $x: $ip{$x}, $v))
    list(map(lambda $x: $ii{$x}, $v))
    list(map(«abs¦bool¦float», $v))
    list(filter(None, $v))
    [$x «+¦-¦*» $y for $x, $y in zip($v, $v[1:])]
    [$x «+¦-¦*» $y for $x, $y in zip($v, $AINTS)]
    [max($x, $y) for $x, $y in zip($v, reversed($v))]
    [$v[$i] for $i in range(len($v)) if $i == 0 or $v[$i] != $v[$i - 1]]
    [$v[-$i] for $i in range(len($v))]
    [sum($v[:$i + 1]) for $i in range(len($v))]
    [sum($v[$i:$i + $NUM]) for $i in range(len($v))]
    list(itertools.accumulate($v«¦, max¦, min¦, lambda $x, $y: $x * $y % 100»))
    [$v.index($x) for $x in $v]
    [$v.count($x) for $x in $v]
    [$x for $x in $v if $v.count($x) «== 1¦> 1»]
    [$i for $i, $x in enumerate($v) if $ip{$x}]
    sorted(range(len($v)), key=lambda $i: $v[$i])
    [$x for $x in $v if $x in $AINTS]
    [$x for $x in $v if $x not in $AINTS]
    sorted(set($v) «&¦|¦-¦^» set($AINTS))
    [*$v[1:], *$v[:1]]
    [min($v, default=0), max($v, default=0)]
    [len($v), sum($v)]
    [$x for $x in $v if $x > sum($v) / len($v)]
    $v[len($v) // 2:]
    $v if $lp{$v} else $v[::-1]
    $v or [$INT]
    heapq.«nlargest¦nsmallest»($NUM, $v)
""")
expressions("li", r"""
    sum($v)
    len($v)
    len(set($v))
    max($v, default=$INT)
    min($v, default=$INT)
    max($v, key=lambda $x: $ii{$x}, default=0)
    min($v, key=abs, default=0)
    $v.count($INT)
    $v.index($INT1) if $INT1 in $v else -1
    $v[$IDX] if len($v) > 6 else len($v)
    $v[«0¦-1»] if $v else $INT
    sum($v[::2]) - sum($v[1::2])
    sum($x for $x in $v if $ip{$x})
    sum(1 for $x in $v if $ip{$x})
    sum($ip{$x} != 0 for $x in $v)
    len([$x for $x in $v if $ip{$x}])
    sum([$ii{$x} for $x in $v])
    sum($i * $x for $i, $x in enumerate($v))
    sum($x * $y for $x, $y in zip($v, $AINTS))
    sum(abs($x - $y) for $x, $y in zip($v, $v[1:]))
    next(($x for $x in $v if $ip{$x}), $INT)
    next(($i for $i, $x in enumerate($v) if $ip{$x}), -1)
    max($v, default=0) - min($v, default=0)
    sum($v) // len($v) if $v else 0
    sum($v) % $BIG
    sorted($v)[len($v) // 2] if $v else 0
    max(set($v), key=$v.count) if $v else 0
    functools.reduce(lambda $x, $y: $x «+¦-¦^¦|» $y, $v, «0¦1¦$INT»)
    functools.reduce(lambda $x, $y: $x * $y % 1000, $v, 1)
    math.gcd(*$v)
    bisect.bisect«_left¦_right¦»(sorted($v), $INT)
    any($v) + all($v)
    $v.pop() if $v else $INT
    $v.pop(0) if len($v) > $NUM else -1
    int(''.join(map(str, map(abs, $v[:4]))) or 0)
""")
expressions("lp", r"""
    $v
    len($v) > $NUM
    len($v) % 2 == «0¦1»
    $INT in $v
    $INT not in $v
    sum($v) > $BIG
    sum($v) % $MOD == 0
    $v == sorted($v)
    $v == $v[::-1]
    $v[:1] == $v[-1:]
    all($ip{$x} for $x in $v)
    any($ip{$x} for $x in $v)
    len($v) != len(set($v))
    max($v, default=0) > $INT
    $v and $v[0] «<¦>» $v[-1]
    all($x «<¦<=¦>¦!=» $y for $x, $y in zip($v, $v[1:]))
    $v > $LIST
    set($v) & set($LIST)
""")
expressions("lb", r"""
    bool($lp{$v})
    all($ip{$x} for $x in $v)
    any($ip{$x} for $x in $v)
    all([$x «>¦<» $INT for $x in $v])
    any($v.count($x) > 1 for $x in $v)
    sum($v) «==¦>¦<» $INT
    $INT in $v[«1:¦:-1¦::2»]
    not any($x < 0 for $x in $v)
    sorted($v) == list(range(len($v)))
    isinstance($v, list) and len($v) > $NUM
    set($v).issubset(range($BIG))
""")
expressions("ls", r"""
    $JOIN.join(map(str, $v))
    $JOIN.join(str($x) for $x in $v)
    $JOIN.join([$is{$x} for $x in $v])
    ''.join(chr(97 + $x % 26) for $x in $v)
    ''.join('*' if $ip{$x} else '.' for $x in $v)
    str($v)
    str(sorted($v))
    '%s of %s' % (len($v), sum($v))
    f'{sum($v)}/{len($v)}'
    f'{len($v)}:{max($v, default=None)}'
    ' '.join(f'{$x:«3¦02¦+¦<4»}' for $x in $v)
    ', '.join(str($x) for $x in $v if $ip{$x})
    'asc' if $v == sorted($v) else 'none'
""")
expressions("lw", r"""
    [str($x) for $x in $v]
    list(map(str, $v))
    [$is{$x} for $x in $v]
    [$is{$x} for $x in $v if $ip{$x}]
    ['«odd¦a¦yes»' if $ip{$x} else '«even¦b¦no»' for $x in $v]
    [$CHAR * ($x % 5) for $x in $v]
    [f'{$i}:{$x}' for $i, $x in enumerate($v)]
    [chr($x % 26 + 97) for $x in $v]
    [hex($x) for $x in $v if $x >= 0]
""")
expressions("ld", r"""
    {str($x): $v.count($x) for $x in $v}
    {str($x): $ii{$x} for $x in $v}
    {$is{$x}: $x for $x in $v}
    dict(zip($WORDS, $v))
    dict(zip($CHARS, $v))
    {chr(97 + $i): $x for $i, $x in enumerate($v)}
    {'min': min($v, default=0), 'max': max($v, default=0), 'n': len($v)}
    {str($x): $i for $i, $x in enumerate($v)}
""")
expressions("lx", r"""
    [$v[$i:$i + $NUM1] for $i in range(0, len($v), $NUM1)]
    [$v[$i:$i + 2] for $i in range(len($v) - 1)]
    [list($y) for $y in zip($v, $v[1:])]
    [$v, $v[::-1]]
    [$v[:$i] for $i in range(len($v))]
    [[$x, $ii{$x}] for $x in $v]
    [[$x] * «2¦3» for $x in $v]
    [[$i, $x] for $i, $x in enumerate($v) if $ip{$x}]
    [list(range($x % 5)) for $x in $v]
    [[$x for $x in $v if $ip{$x}], [$x for $x in $v if $ip{$x}]]
    [list($t) for $t in itertools.combinations($v[:4], 2)]
    [[$x * $y for $y in $v[:3]] for $x in $v[:3]]
""")
