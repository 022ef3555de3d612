"""Idioms for floats (type letter f)."""

from .idiom_core import blocks, expressions

expressions("if", "$v / $MOD\n float($v)\n $v * 0.5\n round($v / $MOD, 2)\n $v ** 0.5 if $v >= 0 else 0.0\n $v / ($INT or 1)\n $v + 0.25\n")
expressions("lf", r"""
    sum($v) / len($v) if $v else 0.0
    round(sum($v) / (len($v) or 1), «1¦2»)
    sum($x / $MOD for $x in $v)
    max($v, default=0) / $MOD
    float(min($v, default=1))
    sum($x * 0.5 for $x in $v if $ip{$x})
""")
expressions("sf", "len($v) / $MOD\n round(sum(map(ord, $v)) / (len($v) or 1), 2)\n float($v) if $v.isdigit() else 0.5\n $v.count($CHAR) / (len($v) or 1)\n")
expressions("df", "sum($v.values()) / (len($v) or 1)\n round(max($v.values(), default=1) * 1.5, 1)\n")
expressions("ff", r"""
    round($v, 1)
    round($v, 2)
    $v * $NUM
    $v / $MOD
    $v + $NUM
    $v - $INT
    abs($v)
    -$v
    $v // 1
    $v % $MOD
    max($v, $INT + 0.5)
    $v * 2 if $v < $INT else $v / 2
    float(int($v))
    round($v * 2) / 2
""")
expressions("fi", "int($v)\n round($v)\n math.floor($v)\n math.ceil($v)\n int($v * 10) % 10\n math.trunc(-$v)\n int($v // $MOD)\n")
expressions("fs", r"""
    str($v)
    f'{$v:«.1f¦.2f¦.0f¦8.2f¦<8.1f¦+.1f¦.1%¦06.1f¦g»}'
    '«%.2f¦%5.1f¦%d¦%g¦~%s»' % $v
    '{:.1f}/{}'.format($v, $NUM)
    str($v).split('.')[«0¦-1»]
    str(round($v, 1)).replace('.', $NEW)
    repr($v).zfill(7)
""")
expressions("fb", "$v.is_integer()\n $v > $INT\n $v == int($v)\n 0 <= $v < $BIG\n")
expressions("fl", "list(divmod(int($v), $MOD))\n [int($v), round($v)]\n [round($v * $i) for $i in range($NUM)]\n list($v.as_integer_ratio())[:1]\n")
blocks("ff", r"""
$o = $v
for $i in range($NUM):
    $o = «round(($o + $v / ($o or 1)) / 2, 3)¦$o / 2¦$o + $i / 2¦round($o * 1.1, 2)»
    if $o «>¦<» $INT:
        break
---
if $v < «0¦$INT»:
    $o = -$v
elif $v.is_integer():
    $o = $v «+ 0.5¦* 1.5»
else:
    $o = round($v)«¦ + 0.0»
""")
blocks("fi", r"""
$o = 0
while $v > 1 and $o < 9:
    $v «/= 2¦-= 1.5¦= $v / $MOD»
    $o += 1
""")
blocks("lf", r"""
$o = «0.0¦1.0¦0»
for $x in $v[:6]:
    «$o += $x / $MOD¦$o = ($o + $x) / 2¦$o = round($o * 0.5 + $x, 2)¦$o = max($o, $x / 4)»
---
$a = sum($v) / len($v) if $v else 0
$o = sum(($x - $a) ** 2 for $x in $v[:5]) / max(len($v), 1)
$o = round($o, 2)
""")
