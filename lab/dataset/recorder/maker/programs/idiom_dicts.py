"""Expression idioms for dicts and lists of words."""

from .idiom_core import expressions

expressions("wp", r"""
    $v
    len($v) > $NUM
    $WORD in $v
    $WORD not in $v
    all($sp{$w} for $w in $v)
    any($sp{$w} for $w in $v)
    len(set($v)) «==¦<» len($v)
    $v == sorted($v)
    '' in $v
""")
expressions("ww", r"""
    sorted($v)
    sorted($v, key=len)
    sorted($v, key=len, reverse=True)
    sorted($v, key=str.lower)
    sorted($v, key=lambda $w: $w[-1:])
    sorted($v, key=lambda $w: (len($w), $w))
    sorted($v, key=lambda $w: (-$si{$w}, $w))
    sorted($v, key=lambda $w: $w[::-1])
    sorted(set($v))
    $v[::-1]
    $v[$IDX:]
    $v[:$IDX]
    $v[::$NUM]
    $v[-1:] + $v[:-1]
    $v + [$WORD]
    $v + $WORDS
    $v * 2
    $v[$IDX:$IDX]
    [$ss{$w} for $w in $v]
    [$ss{$w} for $w in $v if $sp{$w}]
    [$w for $w in $v if $sp{$w}]
    [$w for $w in $v if not $sp{$w}]
    [$ss{$w} if $sp{$w} else $w for $w in $v]
    [$w for $w in $v if $w not in $WORDS]
    [$w + str($i) for $i, $w in enumerate($v)]
    [$w * $i for $i, $w in enumerate($v)]
    [$w for $i, $w in enumerate($v) if $i % $MOD == 0]
    [$w[$i:] for $i, $w in enumerate($v)]
    list(dict.fromkeys($v))
    list(map(str.«upper¦title¦strip¦swapcase¦capitalize», $v))
    list(filter(lambda $w: $sp{$w}, $v))
    list(filter(None, $v))
    [a + b for a, b in zip($v, $v[1:])]
    [a + b for a, b in zip($v, reversed($v))]
    [$c for $w in $v for $c in $w][:«6¦10»]
    list(''.join($v))[:8]
    [max($w, $y) for $w, $y in zip($v, $AWORDS)]
    sorted(set($v) «&¦|¦-¦^» set($AWORDS))
    [$w.«ljust¦rjust¦center»(max(map(len, $v))) for $w in $v]
    [$w.split($SEP)[0] for $w in $v]
""")
expressions("ws", r"""
    $JOIN.join($v)
    $JOIN.join(reversed($v))
    $JOIN.join($v[::$NUM])
    $JOIN.join($ss{$w} for $w in $v)
    $JOIN.join([$w for $w in $v if $sp{$w}])
    ''.join($w[:1] for $w in $v)
    ''.join($w[«-1:¦::-1¦1:¦:2»] for $w in $v)
    max($v, key=len, default='')
    min($v, key=lambda $w: (len($w), $w), default=$NEW)
    $v[«0¦-1»] if $v else $WORD
    ''.join(sorted(''.join($v)))
    '\n'.join(f'{$i}. {$w}' for $i, $w in enumerate($v, 1))
    ' '.join($w.capitalize() for $w in $v)
    str($v)
    next(($w for $w in $v if $sp{$w}), $NEW)
    ' and '.join($v) if len($v) > 1 else ''.join($v)
    max(set($v), key=lambda $w: ($v.count($w), $w)) if $v else ''
    $v.pop($NUM) if len($v) > 5 else ''.join($v)
""")
expressions("wi", r"""
    len($v)
    sum(len($w) for $w in $v)
    max(map(len, $v), default=0)
    min((len($w) for $w in $v), default=-1)
    sum($si{$w} for $w in $v)
    len([$w for $w in $v if $sp{$w}])
    sum(1 for $w in $v if $sp{$w})
    $v.count($WORD)
    $v.index($WORD1) if $WORD1 in $v else -1
    len(''.join($v))
    len(set($v))
    sum(int($w) for $w in $v if $w.isdigit())
    len(max($v, key=len, default=''))
    next(($i for $i, $w in enumerate($v) if $sp{$w}), -1)
""")
expressions("wl", r"""
    [len($w) for $w in $v]
    list(map(len, $v))
    [$si{$w} for $w in $v]
    [$i for $i, $w in enumerate($v) if $sp{$w}]
    [int($w) for $w in $v if $w.isdigit()]
    [$v.index($w) for $w in $v]
    [ord($w[0]) for $w in $v if $w]
    [int($w) if $w.isdigit() else -1 for $w in $v]
    [$v.count($w) for $w in $v]
""")
expressions("wd", r"""
    {$w: len($w) for $w in $v}
    {$w: $si{$w} for $w in $v}
    {$w: $i for $i, $w in enumerate($v)}
    {$w: $v.count($w) for $w in sorted(set($v))}
    dict(Counter($v))
    dict(zip($v, $AINTS))
    dict.fromkeys($v, $INT)
    {$w[:1]: len($w) for $w in $v}
    dict(Counter(''.join($v)).most_common($NUM))
    {$w: len($w) for $w in $v if $sp{$w}}
""")
expressions("wm", r"""
    {$w: $ss{$w} for $w in $v}
    dict(zip($v, $v[1:]))
    dict(zip($v, reversed($v)))
    {$w[:1]: $w for $w in $v}
    {$w[-1:]: $w[:-1] for $w in $v}
    dict($w.split($SEP1, 1) for $w in $v if $SEP1 in $w)
""")
expressions("wb", r"""
    all($sp{$w} for $w in $v)
    any($sp{$w} for $w in $v)
    bool($wp{$v})
    $WORD in $v
    len(set($v)) == len($v)
    all(len(a) <= len(b) for a, b in zip($v, $v[1:]))
    any(a in b for a, b in zip($v, $v[1:]))
""")
expressions("wg", r"""
    {$w: [len($w), $w.count($CHAR)] for $w in $v}
    {len($w): [$y for $y in $v if len($y) == len($w)] for $w in $v}
    {$w: list($w) for $w in $v}
""")
expressions("dp", r"""
    $v
    len($v) > $NUM
    $KEY in $v
    $KEY not in $v
    sum($v.values()) > $BIG
    all($u > 0 for $u in $v.values())
    any($ip{$u} for $u in $v.values())
    $v.get($KEY, 0) > $INT
    $v.get($KEY) is None
    $INT in $v.values()
""")
expressions("dd", r"""
    {$k: $u for $k, $u in $v.items() if $ip{$u}}
    {$k: $ii{$u} for $k, $u in $v.items()}
    {$ss{$k}: $u for $k, $u in $v.items()}
    {$k: $u for $k, $u in $v.items() if $sp{$k}}
    {$k: $u if $ip{$u} else $ii{$u} for $k, $u in $v.items()}
    dict(sorted($v.items()))
    dict(sorted($v.items(), key=lambda $t: $t[1]))
    dict(sorted($v.items(), key=lambda $t: (-$t[1], $t[0])))
    dict(sorted($v.items(), key=lambda $t: $t[1], reverse=True)[:$NUM])
    dict(reversed($v.items()))
    {**$v, $KEY: $INT}
    {$KEY: $INT, **$v}
    {**$v, **$DICT}
    $v | $DICT
    $DICT | $v
    dict($v)
    $v.copy()
    dict(list($v.items())[$IDX:])
    dict(zip($v, reversed($v.values())))
    dict(zip(sorted($v), $v.values()))
    {$k: $v[$k] for $k in sorted($v)}
    {$k: $v[$k] + $ADICT.get($k, 0) for $k in $v}
    {$k: $i for $i, $k in enumerate($v)}
    dict.fromkeys($v, $INT)
    dict($v, **{$KEY: $INT})
    dict(filter(lambda $t: $t[1] «>¦<¦!=» $INT, $v.items()))
    {$k: $v.get($k, $INT) for $k in $WORDS}
""")
expressions("di", r"""
    len($v)
    sum($v.values())
    max($v.values(), default=0)
    min($v.values(), default=$INT)
    $v.get($KEY, $INT)
    $v.get($KEY, 0) - $v.get($KEY, 0)
    $v.pop($KEY, $INT)
    $v.setdefault($KEY, $INT)
    sum($u for $k, $u in $v.items() if $sp{$k})
    sum(1 for $u in $v.values() if $ip{$u})
    sum(len($k) * $u for $k, $u in $v.items())
    $v[max($v)] if $v else -1
    len([$k for $k in $v if $v[$k] «>¦==» $INT])
    list($v.values()).count($INT)
    len(set($v.values()))
""")
expressions("ds", r"""
    max($v, key=$v.get) if $v else ''
    min($v, key=lambda $k: (-$v[$k], $k), default='')
    max($v.items(), key=lambda $t: $t[1])[0] if $v else $NEW
    $JOIN.join($v)
    $JOIN.join($v.keys())
    $JOIN.join(sorted($v, key=$v.get))
    $JOIN.join(f'{$k}«=¦:¦»{$u}' for $k, $u in $v.items())
    ''.join($k * ($u % 4) for $k, $u in $v.items())
    ', '.join($k for $k, $u in $v.items() if $ip{$u})
    next(($k for $k, $u in $v.items() if $u == $INT), $NEW)
    next(iter($v), $NEW)
    '; '.join('%s=%d' % $t for $t in sorted($v.items()))
    str($v)
    $v.popitem()[0] if $v else 'empty'
""")
expressions("dl", r"""
    list($v.values())
    sorted($v.values())
    sorted($v.values(), reverse=True)
    [$v[$k] for $k in sorted($v)]
    [$u for $k, $u in $v.items() if $sp{$k}]
    [$ii{$u} for $u in $v.values()]
    [$v.get($k, $INT) for $k in $CHARS]
    [len($k) for $k in $v]
    [len($k) * $u for $k, $u in $v.items()]
    list($v.values())[::-1]
    [$u for $u in $v.values() if $ip{$u}]
""")
expressions("dw", r"""
    list($v)
    list($v.keys())
    sorted($v)
    sorted($v, key=$v.get)
    sorted($v, key=lambda $k: (-$v[$k], $k))
    sorted($v, key=len)
    [$k for $k, $u in $v.items() if $ip{$u}]
    [$k for $k in $v if $v[$k] «==¦>¦<» $INT]
    [$ss{$k} for $k in $v]
    [$k * ($u % 3) for $k, $u in $v.items()]
    [f'{$k}{$u}' for $k, $u in $v.items()]
    list(reversed($v))
    [$k for $k in $v if $k not in $ADICT]
    sorted($v.keys() «&¦|¦-¦^» $ADICT.keys())
    [$k for $k, $u in $v.items() if $u == max($v.values())]
""")
expressions("dm", r"""
    {$k: str($u) for $k, $u in $v.items()}
    {$k: $is{$u} for $k, $u in $v.items()}
    {$k: '«high¦big¦a»' if $ip{$u} else '«low¦small¦b»' for $k, $u in $v.items()}
    {str($u): $k for $k, $u in $v.items()}
    dict(zip($v, sorted($v)))
""")
expressions("dg", r"""
    {$k: [$u, $ii{$u}] for $k, $u in $v.items()}
    {$u: [$k for $k in $v if $v[$k] == $u] for $u in $v.values()}
    {$k: list(range($u % 5)) for $k, $u in $v.items()}
    {$k: [$u] * $NUM for $k, $u in $v.items()}
""")
expressions("db", r"""
    bool($dp{$v})
    $KEY in $v
    all($ip{$u} for $u in $v.values())
    any($sp{$k} for $k in $v)
    $v == $DICT
    $v.keys() <= set($WORDS)
    len(set($v.values())) == len($v)
""")
expressions("mm", r"""
    {$u: $k for $k, $u in $v.items()}
    {$k: $ss{$u} for $k, $u in $v.items()}
    {$ss{$k}: $u for $k, $u in $v.items()}
    {$k: $u for $k, $u in $v.items() if $sp{$u}}
    {$k: $u for $k, $u in $v.items() if $k «!=¦<¦in¦not in» $u}
    dict(sorted($v.items(), key=lambda $t: $t[1]))
    dict(sorted($v.items(), reverse=True))
    {**$v, $KEY: $WORD}
    $v | {$KEY: $WORD}
    {$k: $v.get($u, $u) for $k, $u in $v.items()}
    dict(zip($v.values(), $v.keys()))
""")
expressions("ms", r"""
    $JOIN.join($v.values())
    $JOIN.join($k + $u for $k, $u in $v.items())
    '&'.join(f'{$k}={$u}' for $k, $u in sorted($v.items()))
    $v.get($KEY, $WORD)
    $v.get($KEY) or $NEW
    ''.join($v.get($c, $c) for $c in $ASTR)
    $v.pop($KEY, $NEW)
    max($v.values(), key=len, default='')
""")
expressions("mw", r"""
    list($v.values())
    sorted($v)
    sorted($v.values(), key=len)
    [$k for $k, $u in $v.items() if $sp{$u}]
    [$ss{$u} for $u in $v.values()]
    [$k + '«:¦=¦->»' + $u for $k, $u in $v.items()]
    [$v.get($k, '?') for $k in $CHARS]
    sorted(set($v) «&¦|¦-» set($v.values()))
""")
expressions("mi", r"""
    len($v)
    sum(len($u) for $u in $v.values())
    list($v.values()).count($WORD)
    len(set($v.values()))
    sum($k == $u for $k, $u in $v.items())
""")
expressions("md", r"""
    {$k: len($u) for $k, $u in $v.items()}
    {$k: $si{$u} for $k, $u in $v.items()}
    dict(Counter($v.values()))
    {$k: int($u) if $u.isdigit() else 0 for $k, $u in $v.items()}
""")
