"""Ways to combine two values into one: $v and $b1, by their types."""

from .idiom_core import parse

JOINS = {}


def _joins(signature, text):
    JOINS[signature] = [parse(line.strip()) for line in text.strip().splitlines()]


_joins("ss", r"""
    $v + $b1
    $b1 + $v
    $v in $b1
    $JOIN.join([$v, $b1])
    $v.replace($b1[:1], $b1[-1:])
    $v == $b1
    $v if len($v) «>¦<¦==» len($b1) else $b1
    $v.count($b1)
    $v.strip($b1)
    f'{$v}-{$b1}'
    ''.join(a for a in $v if a «in¦not in» $b1)
    max($v, $b1)
    $b1.join($v)
    [a + b for a, b in zip($v, $b1)]
    dict(zip($v, $b1))
    $v.split($b1[:1] or None)
    $v.find($b1)
    sorted(set($v) «&¦|¦-¦^» set($b1))
    $v.startswith($b1)
    sum(a == b for a, b in zip($v, $b1))
    $v[len($b1):] + $b1
    $v.removeprefix($b1)
""")
_joins("ll", r"""
    $v + $b1
    [a «+¦*¦-» b for a, b in zip($v, $b1)]
    [a for a in $v if a «in¦not in» $b1]
    $v if sum($v) > sum($b1) else $b1
    list(zip($v, $b1))
    dict(zip($v, $b1))
    $v «==¦<¦>» $b1
    sorted($v + $b1)
    sorted(set($v) «&¦|¦-¦^» set($b1))
    [*$b1, *$v]
    [$v, $b1]
    sum($v) - sum($b1)
""")
_joins("si", r"""
    $v * ($b1 % 4)
    $v[:$b1]
    $v[$b1:]
    $v[$b1 % 5::2]
    $v.zfill($b1 % 14)
    f'{$v}{$b1}'
    $v.ljust($b1 % 12, $FILL)
    $v[$b1 % len($v)] if $v else ''
    $v + str($b1)
    len($v) «-¦+¦>¦==» $b1
    $v[$b1:] + $v[:$b1]
    $v.replace($CHAR, str($b1))
    '%s=%d' % ($v, $b1)
    $v.split($CHAR, $b1 % 3)
    $v.find($CHAR, $b1)
""")
_joins("sl", r"""
    ''.join($v[i] for i in $b1 if 0 <= i < len($v))
    dict(zip($v, $b1))
    list(zip($v, $b1))
    [len($v) - i for i in $b1]
    ''.join(c * (i % 3) for c, i in zip($v, $b1))
    [$v[i:i + 1] for i in $b1]
    $v.join(map(str, $b1))
""")
_joins("sw", r"""
    $v.join($b1)
    [w for w in $b1 if «w in $v¦$v in w¦w < $v»]
    $v in $b1
    $b1 + [$v]
    [$v[:1] + w for w in $b1]
    $b1.count($v)
    [w for w in $b1 if set(w) & set($v)]
    [w.strip($v) for w in $b1]
    $b1.index($v) if $v in $b1 else -1
""")
_joins("li", r"""
    $v[$b1:]
    $v[:$b1]
    $v.count($b1)
    $v + [$b1]
    [x * $b1 for x in $v]
    [x for x in $v if x «>¦<=» $b1]
    $b1 in $v
    sum($v) «%¦//» ($b1 or 1)
    [$b1] * len($v)
    $v[$b1 % len($v)] if $v else $b1
""")
_joins("lw", r"""
    dict(zip($b1, $v))
    list(zip($b1, $v))
    [w * (n % 3) for w, n in zip($b1, $v)]
    [w[n:] for w, n in zip($b1, $v)]
    [len(w) + n for w, n in zip($b1, $v)]
    [$b1[n] for n in $v if 0 <= n < len($b1)]
""")
_joins("ww", r"""
    $v + $b1
    [a + b for a, b in zip($v, $b1)]
    dict(zip($v, $b1))
    [w for w in $v if w «in¦not in» $b1]
    sorted(set($v) «|¦&¦-» set($b1))
    $v if len($v) > len($b1) else $b1
    $v == $b1
    [w.count(x) for w, x in zip($v, $b1)]
""")
_joins("dd", r"""
    {**$v, **$b1}
    $b1 | $v
    {k: $v[k] for k in $v if k «in¦not in» $b1}
    {k: $v.get(k, 0) + $b1.get(k, 0) for k in [*$v, *$b1]}
    $v == $b1
    sorted($v.keys() «&¦|¦-» $b1.keys())
""")
_joins("ds", r"""
    $v.get($b1, $INT)
    $b1 in $v
    [$v.get(c, -1) for c in $b1]
    {**$v, $b1: len($v)}
    {k + $b1: u for k, u in $v.items()}
    [k for k in $v if k in $b1]
""")
_joins("di", r"""
    {k: u for k, u in $v.items() if u «>¦<» $b1}
    {k: u * $b1 for k, u in $v.items()}
    [k for k in $v if $v[k] == $b1]
    sum($v.values()) - $b1
    {**$v, $KEY: $b1}
""")
_joins("dw", r"""
    {w: $v.get(w, 0) for w in $b1}
    [w for w in $b1 if w not in $v]
    dict(zip($b1, $v.values()))
    sum($v.get(w, $NUM) for w in $b1)
""")
_joins("ii", r"""
    $v + $b1
    $v - $b1
    $v * $b1
    divmod($v, $b1 or 1)
    max($v, $b1)
    $v if $v > $b1 else $b1
    ($v, $b1)
    $v «<¦==» $b1
    $v % ($b1 or 1)
    $v ^ $b1
    abs($v - $b1)
    str($v) + str($b1)
    list(range($b1 % 5, $v % 12))
""")
OTHERWISE = [parse(line) for line in r"""
($v, $b1)
[$v, $b1]
{'«a¦x¦left»': $v, '«b¦y¦right»': $b1}
str($v) + str($b1)
$v == $b1
$v if $v else $b1
$v and $b1
$v or $b1
len(str($v)) - len(str($b1))
""".strip().splitlines()]
