"""Statement idioms for strings with a helper function, and for strings of a given form."""

from .idiom_core import blocks

blocks("ss", r"""
def $fn($y):
    if len($y) <= 1:
        return $y
    return «$fn($y[1:]) + $y[0]¦$y[-1] + $fn($y[:-1])¦$y[0] + $fn($y[2:])¦$y[0] + $CHAR + $fn($y[1:])»
===
$o = $fn($v)
---
def $fn($y):
    if not $y:
        return ''
    if $cp{$y[0]}:
        return «$fn($y[1:])¦$cc{$y[0]} + $fn($y[1:])»
    return «$y[0] + $fn($y[1:])¦$fn($y[1:]) + $y[0]»
===
$o = $fn($v)
---
def $fn($c):
    if $cp{$c}:
        return $cc{$c}
    return «$c¦$cc{$c}»
===
$o = ''.join(«map($fn, $v)¦[$fn($x) for $x in $v]»)
---
def $fn($w):
    return $ss{$w}
===
$o = «$fn($fn($v))¦$fn($v) + $v¦' '.join([$fn($x) for $x in $v.split()])¦$fn($v)»
---
$fn = lambda $w: $ss{$w}
$o = «$fn($fn($v))¦$fn($v)¦$fn($v[1:]) + $fn($v[:1])»
""")

blocks("ss", r"""
$o = ''
for $i, $c in enumerate($v):
    if $c.isupper():
        $o += «'_'¦'-'¦('_' if $i else '')» + $c.lower()
    else:
        $o += $c
---
$o = ''
for $w in «re.findall('[A-Z][a-z]*', $v)¦re.split('(?=[A-Z])', $v)»:
    $o += $w.lower() + '_'
$o = $o.rstrip('_')
""", hint="camel")
blocks("ss", r"""
$t = $v.split('«_¦_¦-»')
$o = $t[0] + ''.join($w.«capitalize¦title¦upper»() for $w in $t[1:])
---
$o = ''
$fl = False
for $c in $v:
    if $c == '_':
        $fl = True
    elif $fl:
        $o += $c.upper()
        $fl = False
    else:
        $o += $c
""", hint="snake")
blocks("ss", r"""
$o, $n = '', 0
for $c in $v:
    if $c.isdigit():
        $n = $n * 10 + int($c)
    else:
        $o += $c * ($n or 1)
        $n = 0
---
$o = ''
for $i in range(0, len($v) - 1, 2):
    if $v[$i + 1].isdigit():
        $o += $v[$i] * int($v[$i + 1])
    else:
        $o += $v[$i:$i + 2]
""", hint="mixed")
blocks("ss", r"""
$n, $o = 0, ''
for $c in $v:
    if $c == '(':
        «if $n > 0:
            $o += $c
        $n += 1¦$n += 1
        $o += str($n)»
    elif $c == ')':
        $n -= 1
        «if $n > 0:
            $o += $c¦$o += str($n)»
    else:
        $o += $c
""", hint="nested")
blocks("ss", r"""
try:
    $n = int($v)
    $o = «str($n + $INT)¦bin($n)¦hex($n)¦str($n)[::-1]¦oct($n)[2:]¦f'{$n:,}'¦f'{$n:05d}'»
except ValueError«¦ as $e»:
    $o = «'invalid'¦$ss{$v}¦''¦'error: ' + $v»
«¦else:
    $o = $o + «'!'¦$JOIN»
¦finally:
    $v = ''
»
---
if $v.isdigit():
    $o = «str(int($v) «+¦-¦*¦//» $MOD)¦$v.zfill($WIDTH)¦$v[::-1]»
elif $v«.isalpha()¦.isupper()¦[:1] == '-'»:
    $o = $ss{$v}
else:
    $o = $ss{$v}
""", hint="number")
