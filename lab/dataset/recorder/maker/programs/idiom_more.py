"""Idioms for rare features: tuples, methods of sets, closures, star arguments, rare
methods."""

from .idiom_core import blocks, expressions

# Tuples as intermediate values.
blocks("ll", r"""
$t = tuple($v)
«$t += ($INT,)
¦$t = $t[$IDX:]
¦$t = $t * 2
¦$t = ($t[-1:] + $t)[:«3¦4»]
»
$o = «sorted($t)¦[$t.count($x) for $x in $t]¦list($t)¦[$t.index($x) for $x in $t]»
---
$x, *$y = $v if $v else [$INT]
*$t, $o = $y or [$x]
$o = «[$o, *$t, $x]¦$t + [$o - $x]¦[$x] * len($t) + [$o]»
---
$h = set($v)
«$h.add($INT)
¦$h.discard($INT)
¦$h.update($LIST)
¦$h.difference_update($LIST)
¦$h.intersection_update(range($BIG))
¦$h.symmetric_difference_update($LIST)
¦$h |= {$INT, $INT}
¦$h -= {$INT}
¦$h ^= {0, $INT}
¦if $h:
    $h.remove(max($h))
»
$o = sorted($h«¦, reverse=True¦, key=lambda $x: $ii{$x}»)
---
$h = frozenset($v)
$o = sorted($h.«union¦difference¦intersection¦symmetric_difference»($LIST))«¦ + [len($h)]¦ + [int($h.issuperset($LIST))]»
---
$o = []
for $i, ($x, $y) in enumerate(zip($v, $v[1:])):
    if $x «<¦>¦==» $y:
        $o.append(($x, $y)[$i % 2])
    else:
        $o += [$x, $y][::-1]
---
$a = $v
$v = $v + [$INT]
$a += [$INT]
$o = [len($a), len($v)] + $«a¦v»[-2:]
---
$t = [$v[:2], $v[:2]]
$x = $t[:]
$x[0].append($INT)
$x.append([$NUM])
$o = $t[0] + $t[«1¦-1»] + [len($t)]
---
$t = copy.deepcopy([$v[:3], $v[3:6]])
$t[0].append($INT)
$o = $v[:2] + $t[«0¦1»]
---
$h = list($v)
$h.clear()
$h.append(len($v))
$o = $h + $v[:$NUM]
---
$o = list($v)
heapq.heapify($o)
«heapq.heappush($o, $INT)
¦if $o:
    heapq.heappop($o)
¦heapq.heappushpop($o, $INT)
»
---
$o = []
for $k, $u in itertools.groupby($v, key=lambda $x: $ip{$x}):
    $o.append(«len(list($u))¦sum($u)¦max($u)»)
---
$o = [*itertools.«islice($v, $NUM)¦takewhile(lambda $x: $ip{$x}, $v)¦dropwhile(lambda $x: $ip{$x}, $v)¦chain($v, $LIST)¦filterfalse(lambda $x: $ip{$x}, $v)»]
""")
blocks("ll", r"""
def $fn(*$x):
    «return $x¦return $x[::-1]¦return [len($x), *$x[1:]]¦return sorted($x, key=lambda $i: -$i)¦return $x[:2] + $x[3:]»
===
$o = list($fn(«*$v¦*$v, $INT¦$INT, *$v[:3]»))
---
def $fn($x, *$y, $a=$NUM):
    return [$x * $a] + [$i + $a for $i in $y]
===
$o = $fn(«$INT, *$v¦*$v[:3] or (0,)¦$INT, *$v[:4], $a=$INT¦len($v), *$v[::2]»)
---
def $fn($x, $y=[]):
    $y += [$x]
    return $y
===
for $x in $v[:4]:
    $o = $fn($x)
else:
    $o = $fn(0)
---
def $fn($n):
    def $a($x):
        «nonlocal $n
        $n += $x
        return $n¦return $x * $n¦nonlocal $n
        $n -= 1
        return $x if $n > 0 else -$x»
    return $a
===
$t = $fn($NUM)
$o = [$t($x) for $x in $v[:5]]
---
def $fn($x):
    for $i in $x:
        «yield $i
        if $i > $INT:
            return¦if $ip{$i}:
            continue
        yield $ii{$i}¦yield from (($i, -$i) if $ip{$i} else ())»
===
$o = «list($fn($v[:6]))¦[*$fn($v[:5])][::-1]¦sorted($fn($v[:6]))»
---
def $fn($x, $y):
    if not $x or not $y:
        return $x or $y
    if $x[0] «<=¦>=¦<» $y[0]:
        return [$x[0]] + $fn($x[1:], $y)
    return [$y[0]] + $fn($x, $y[1:])
===
$o = $fn($v[::2], $v[1::2])
""")
blocks("ss", r"""
def $fn($x, **$k):
    for $y, $u in $k.items():
        $x = $x.replace($y, $u)
    return $x«¦ + str(len($k))»
===
$o = $fn($v, «a='b', b=$NEW¦e='', i='!'¦o=$CHAR¦**$TABLE»)
---
def $fn($x, $y=$NEW, *, $a=$NUM):
    return «$x[:$a] + $y + $x[$a:]¦($y + $x) * min($a, 2)¦$x.rjust(len($x) + $a, $y or '.') if len($y) < 2 else $x + $y»
===
$o = «$fn($v)¦$fn($v, $CHAR)¦$fn($v, $a=$NUM)¦$fn($fn($v), $a=0)»
---
def $fn($x):
    return lambda $y: «$x + $y¦$y + $x¦$y.replace($x, '')¦$y.split($x)[-1] if $x else $y¦$y.strip($x)»
===
$t = $fn($CHAR)
$o = «$t($v)¦$t($t($v))¦$t($v)[::-1]»
---
def $fn($x, $n):
    if $n «<= 0¦== 0» or not $x:
        return $x
    return $fn(«$x[1:] + $x[0]¦$x[1:]¦$x[-1] + $x[:-1]¦$x[:-1]», $n - 1)«¦ + $CHAR»
===
$o = $fn($v, $NUM)
---
def $fn($x, $y):
    if len($x) == 0 or len($y) == 0:
        return «$x + $y¦''¦$y»
    if $x[0] == $y[0]:
        return $x[0] + $fn($x[1:], $y[1:])
    return «$fn($x[1:], $y)¦$fn($x, $y[1:])¦'-' + $fn($x[1:], $y[1:])»
===
$o = $fn($v, $ASTR)
""")
blocks("ss", r"""
$o = '«{a}-{b}¦{b}{a}{b}¦<{a}>»'.format_map({'a': $v, 'b': $STR})
---
$o = '{x}:{y:>«3¦4»}'.format(x=$v, y=«len($v)¦$CHAR»)
---
try:
    $i = $v.rindex($STR)
    $o = $v[:$i]
except ValueError:
    $o = $v«¦.upper() + '?'¦[1:]»
---
$t = bytearray(b'ab')
$t.append(len($v) % 26 + 97)
$t.extend($v[:2].encode())
$o = $t.decode('latin-1')
---
$a, *$t = $v.split($SEP) or ['']
$o = $a + «'/'¦''» + ($t[-1] if $t else $NEW)
---
$a, $y = $v[«:1¦:2¦::2»], $v[«1:¦2:¦1::2»]
if $a «>¦<» $y:
    $a, $y = $y, $a
$o = $a + $y
---
$tab = str.maketrans(«'aeiou', '12345'¦'abc', 'bca'¦{'a': None, 'e': '3'}¦$TABLE¦'lo', '10', 'xyz'»)
$o = $v.translate($tab)«¦.upper()¦[::-1]»
---
$o = ''
for $i in range(len($v) «// 2¦// 2 + 1»):
    $o += $v[$i] + «$v[-$i - 1]¦$v[len($v) - $i - 1]¦$v[len($v) // 2 + $i - 1]»
---
$o = '\n'.join([$v, $v[::-1]]).splitlines()[«0¦1¦-1»]
---
$o = $v
if $v and $v[0] «==¦!=¦<» $v[-1]:
    $o = «$v[1:-1]¦$v[-1] + $v[1:-1] + $v[0]¦$v[:-1]»
elif len($v) «>¦<» $NUM:
    $o = $v[$NUM:]
---
$n = {'(': 1, ')': -1}
$a = 0
$o = ''
for $c in $v:
    $a += $n.get($c, 0)
    $o += str($a) if $c in $n else $c
---
$t = $v.split()
for $i, $w in enumerate($t):
    if $w«.isdigit()¦[0].isupper()¦[-1] in '.,!?'¦ in $t[:$i]»:
        $t[$i] = «$w * 2¦$w[::-1]¦$w[1:]¦''¦'<' + $w + '>'»
$o = ' '.join($t)
---
$o, $t = [], []
for $w in $v.split(«' '¦$SEP»):
    «if len($t) + len($w) > $WIDTH1:
        $o.append(' '.join($t))
        $t = []
    $t.append($w)¦$t.append($w)
    if sum(map(len, $t)) > $WIDTH1:
        $o.append('-'.join($t))
        $t = []»
$o.append(' '.join($t))
$o = '\n'.join($o)
---
$o = ''
for $i in range(0, len($v), 2):
    $t = $v[$i:$i + 2]
    $o += $t«[::-1]¦.upper()» if «$t[0] < $t[-1]¦len($t) == 2¦$t[-1] in $CHARS» else $t
---
$n = 0
$o = $v
while $CHAR1 in $o and $n < 5:
    $i = $o.index($CHAR1)
    $o = «$o[:$i] + $o[$i + 1:]¦$o[$i + 1:] + $o[:$i]¦$o[:$i] + $NEW + $o[$i + 1:]»
    $n += 1
""")
blocks("sw", r"""
$o = $v.split($SEP)
while '' in $o:
    $o.remove('')
---
$o = []
for $i, $c in enumerate($v):
    if $i and $v[$i - 1]«.islower() and $c.isupper()¦ == $c¦ > $c¦.isdigit() != $c.isdigit()»:
        $o.append($c)
    elif $o:
        $o[-1] += $c
    else:
        $o = [$c]
---
$o = list($v)
$i = 0
while $i < len($o) - 1:
    if $o[$i] «==¦>¦<» $o[$i + 1]:
        $o[$i] += $o.pop($i + 1)
    $i += 1
---
$o = sorted(set($v), key=$v.«index¦count¦rfind»)
$o.«reverse()¦sort(key=$v.count)¦sort(reverse=True)¦pop() if $o else None»
---
$o = [$v[$i:] + $v[:$i] for $i in range(min(len($v), «4¦5»))]
«$o.sort()¦$o = $o[::-1]¦$o = [$w for $w in $o if $w[0] != $CHAR]»
---
$o = []
for $i in range(1, len($v) «+ 1¦// 2 + 1»):
    if $v[:$i] * (len($v) // $i) == $v or $v.startswith($v[-$i:]):
        $o.append($v[:$i])
""")
blocks("wl", r"""
$o = []
for $w in $v:
    if $w.isdigit():
        $o.append(int($w))
    elif $w[:1] == '-' and $w[1:].isdigit():
        $o.append(-int($w[1:]))
    else:
        $o.append($si{$w})
---
$o = [0] * «4¦5»
for $w in $v:
    $o[len($w) % len($o)] += «1¦len($w)»
---
$o = []
for $i in range(len($v) - 1):
    $n = 0
    for $x, $y in zip($v[$i], $v[$i + 1]):
        if $x «!=¦==» $y:
            $n += 1
    $o.append($n)
""")
blocks("wm", r"""
$o = {}
for $w in $v:
    if not $w:
        continue
    $k = $w[«0¦-1»]
    «if $k in $o and len($o[$k]) >= len($w):
        continue
    $o[$k] = $w¦$o[$k] = $o.get($k, '') + $w¦$o.setdefault($k, $w[1:])»
""")
blocks("ww", r"""
$o = [[$w, $si{$w}] for $w in $v]
$o.sort(key=lambda $t: «-$t[1]¦$t[1]¦($t[1], $t[0])¦$t[::-1]»)
$o = [$w for $w, _ in $o«¦ if _»]
---
$n = len($v)
for $i in range($n // 2):
    $v[$i], $v[$n - 1 - $i] = $v[$n - 1 - $i]«.upper()¦», $v[$i]«[::-1]¦»
---
$q = []
for $w in $v:
    if $w in ('', '-', 'a'«¦, $WORD»):
        if $q:
            $q.pop()
    else:
        $q.append($w)
$o = $q
---
$o = []
$n = max(map(len, $v), default=0)
for $w in $v:
    $o.append($w.«ljust¦rjust¦center»($n, $FILL)«¦[:6]»)
""")
blocks("dd", r"""
$o = {}
for $i, ($k, $u) in enumerate(sorted($v.items(), key=lambda $t: «$t[1]¦-$t[1]¦$t[0][-1:]¦(len($t[0]), $t[1])»)):
    $o[$k] = $i «+ 1¦* $u¦»
---
$a = $v
$a[$KEY] = $INT
$o = {$k: $v[$k] + 1 for $k in $v«¦ if $k in $a»}
---
$t = $v.copy()
$v.clear()
for $k in sorted($t, reverse=True):
    if $t[$k] «>¦<¦!=» $INT:
        $v[$k] = $t[$k]
    elif $v:
        $v.popitem()
---
$o = dict($v)
for $k in sorted($o):
    if len($o) > $NUM and $o[$k] == min($o.values()):
        del $o[$k]
""")
blocks("is", r"""
$o = []
for $n, $t in ((3600, 'h'), (60, 'm'), (1, 's')):
    if $v >= $n:
        $o.append(str($v // $n) + $t)
        $v %= $n
$o = ' '.join($o)
---
$o = $v.to_bytes(4, 'big').hex() if 0 <= $v < 2 ** 31 else '«neg¦-»'
---
$o = format($v, '«b¦x¦o¦,¦08b¦>7»')
""")
expressions("ii", "$v.bit_count()\n math.gcd($v, $INT)\n math.isqrt(abs($v))\n math.comb(abs($v) % 9, 2)\n math.factorial(abs($v) % 8)\n int(str($v), 36) % 1000\n int(hex(abs($v))[-1], 16)\n")
expressions("lw", "[format($x, '«03d¦b¦x¦>4»') for $x in $v]\n [str($t) for $t in enumerate($v)]\n [bin($x)[«2:¦-3:»] for $x in $v]\n")
expressions("li", "math.prod($v[:3])\n tuple($v).count($INT)\n $v[::-1].index($INT1) if $INT1 in $v else len($v)\n operator.sub(sum($v), len($v))\n")
