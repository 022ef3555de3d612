"""Idioms for strings and single characters."""

from .idiom_core import expressions

# Characters: predicates (cp), other characters (cc), numbers (ci).
expressions("cp", r"""
    $v.isalpha()
    $v.isdigit()
    $v.isupper()
    $v.islower()
    $v.isalnum()
    $v.isspace()
    not $v.is«alpha¦digit¦space¦upper¦alnum»()
    $v == $CHAR
    $v != $CHAR
    $v in $CHARS
    $v in $CHARS
    $v not in $CHARS
    $v.lower() in $CHARS
    $v in ($CHAR, $CHAR)
    $v «<¦>¦<=¦>=» $CHAR
    'a' <= $v <= '«f¦m¦z»'
    ord($v) % $MOD == «0¦1»
    ord($v) > $BIG
    $v.isalpha() and $v not in $CHARS
    $v.isupper() or $v == $CHAR
    $v.isdigit() and int($v) % 2 == «0¦1»
    '0' <= $v <= '«4¦9»'
    $v == $v.«lower¦upper»()
    $v in 'aeiou'
    $v.lower() not in 'aeiou'
""")
expressions("cc", r"""
    $v.upper()
    $v.lower()
    $v.swapcase()
    $v * $NUM
    $v + $CHAR
    $CHAR + $v
    chr(ord($v) + $NUM)
    chr(ord($v) ^ 1)
    chr((ord($v) - 97 + $NUM) % 26 + 97)
    str(ord($v))
    f'{$v}«¦-¦,¦{$v}»'
    $v.upper() if $cp{$v} else $v
    $NEW if $cp{$v} else $v
    $v if $cp{$v} else $NEW
    '*'
    $TABLE.get($v, $v)
    $TABLE.get($v, '«?¦¦_»')
    $v.«upper¦lower»() + $v.«lower¦upper¦swapcase»()
    hex(ord($v))[2:]
    $NEW
""")
expressions("ci", r"""
    ord($v)
    ord($v) - ord('«a¦A¦0»')
    ord($v) % $MOD
    ord($v) - 96
    $CHARS.find($v)
    int($v.isupper())
    int($v) if $v.isdigit() else $INT
    (1 if $cp{$v} else «0¦-1¦2»)
    int($v.isalpha()) + int($v.isupper())
    len($v) * $NUM
""")

# From strings to strings.
expressions("ss", r"""
    $v.upper()
    $v.lower()
    $v.swapcase()
    $v.title()
    $v.capitalize()
    $v.casefold()
    $v.strip()
    $v.«strip¦lstrip¦rstrip»($CHARS)
    $v.«strip¦lstrip¦rstrip»($CHAR)
    $v.«lstrip¦rstrip»()
    $v[::-1]
    $v[$IDX:]
    $v[:$IDX]
    $v[$IDX:$IDX]
    $v[::$NUM]
    $v[$IDX::$NUM]
    $v[$IDX:$IDX:-1]
    $v[::-«1¦2»]
    $v[1:] + $v[:1]
    $v[-1:] + $v[:-1]
    $v[$NUM1:] + $v[:$NUM1]
    $v + $v[::-1]
    $v[1:-1]
    $v.replace($STR, $NEW)
    $v.replace($CHAR, $NEW)
    $v.replace($CHAR, $NEW, $NUM)
    $v.replace($CHAR, '').replace($CHAR, $NEW)
    $v.removeprefix($STR)
    $v.removesuffix($STR)
    $v.center($WIDTH, $FILL)
    $v.«ljust¦rjust¦center»($WIDTH, $FILL)
    $v.«ljust¦rjust¦center»($WIDTH)
    $v.zfill($WIDTH)
    $v + $WORD
    $STR + $v
    $STR1 + $v + $STR1
    $v * $NUM
    $JOIN.join($v)
    $JOIN.join(reversed($v))
    $JOIN.join(sorted($v))
    ''.join(sorted($v, reverse=True))
    ''.join(sorted($v, key=str.lower))
    ''.join(sorted(set($v)))
    ''.join(dict.fromkeys($v))
    ''.join(reversed($v.split()))
    ' '.join($v.split()[::-1])
    ' '.join($v.split())
    $JOIN.join($v.split($SEP))
    $JOIN.join($v.rsplit($SEP, 1))
    $JOIN.join($v.partition($SEP))
    $v.partition($SEP)[«0¦2¦-1»]
    $v.rpartition($SEP)[«0¦2¦-1»]
    $v.split($SEP)[«0¦-1»]
    $v.split($SEP, 1)[«0¦-1»]
    ''.join([$c for $c in $v if $cp{$c}])
    ''.join($c for $c in $v if $cp{$c})
    ''.join([$cc{$c} for $c in $v])
    $JOIN.join($cc{$c} for $c in $v)
    ''.join(filter(str.is«alpha¦digit¦alnum¦upper¦lower», $v))
    ''.join(filter(lambda $c: $cp{$c}, $v))
    ''.join(map(lambda $c: $cc{$c}, $v))
    ' '.join($w.«capitalize¦upper¦title¦swapcase»() for $w in $v.split())
    ' '.join([$w[::-1] for $w in $v.split(' ')])
    ''.join($c * $i for $i, $c in enumerate($v«¦, 1»))
    ''.join($c.upper() if $i % 2 «==¦!=» 0 else $c.lower() for $i, $c in enumerate($v))
    $v.expandtabs($NUM)
    $v.translate(str.maketrans($TABLE))
    $v.translate(str.maketrans('', '', $CHARS))
    $v.translate(str.maketrans('«abc¦aei¦xyz»', '«123¦ABC¦zyx¦eia»'))
    f'{$v}«!¦?¦-¦.»'
    f'<{$v}>'
    f'{$v:«>¦<¦^¦*^¦->¦.<»«5¦8¦10¦12»}'
    f'{$v:.«2¦3¦5»}'
    '%s-%s' % ($v, len($v))
    '%«10¦-8¦3¦.3»s|' % $v
    '{}{}'.format($v, $CHAR)
    '{0}«-¦:¦ »{0}'.format($v)
    repr($v)
    $v if $sp{$v} else $v[::-1]
    $v.«upper¦title¦strip»() if $sp{$v} else $v.«lower¦swapcase»()
    $v or $WORD
    $v[:len($v) // 2]
    $v[len($v) // 2:] + $v[:len($v) // 2]
    $v[:$v.find($CHAR)]
    $v[$v.find($CHAR) + 1:]
    $v[$v.rfind($CHAR):]
    $v[:$IDX] + $NEW + $v[$IDX:]
    $v.join([$CHAR, $CHAR, $CHAR])
    $v.join($WORDS)
    max($v.split($SEP), key=len)
    min($v, default='') + max($v, default='')
    ''.join(a + b for a, b in zip($v, $v[1:]))
    ''.join(map(str, map(ord, $v[:$NUM])))
    ''.join([$v[$i] for $i in range(len($v) - 1, -1, -1)])
    ''.join([$v[$i] for $i in range(0, len($v), $NUM)])
    $v.encode().hex()[:«8¦12»]
    $v.encode('utf-8').decode('ascii', 'ignore')
    str(len($v)) + $v
    $v[0] + $v[-1] if $v else $NEW
    $v[:1].«upper¦lower»() + $v[1:]
    ''.join(sorted($v, key=lambda $c: (-$v.count($c), $c)))
    ''.join(sorted($v, key=lambda $c: $ci{$c}))
""")
# Predicates of a string.
expressions("sp", r"""
    $v.isalpha()
    $v.isdigit()
    $v.isalnum()
    $v.isupper()
    $v.islower()
    $v.istitle()
    $v.isspace()
    $v.isidentifier()
    $v.isnumeric()
    $v.isdecimal()
    $v.isascii()
    $v.isprintable()
    $v.startswith($STR)
    $v.endswith($STR)
    $v.startswith(($STR, $CHAR))
    $v.endswith((«'ing'¦'s'¦'e'», $CHAR))
    $v.startswith($CHAR, $IDX)
    $STR in $v
    $CHAR in $v
    $CHAR not in $v
    $v.count($CHAR) > $NUM
    $v.count($CHAR) == «1¦2¦0»
    len($v) > $NUM
    len($v) % 2 == «0¦1»
    len($v) «<¦>=» $WIDTH
    $v == $v[::-1]
    $v.lower() == $v[::-1].lower()
    $v == $v.«lower¦upper¦title¦strip»()
    $v[«:1¦-1:¦:2»] == $STR
    $v[:1] == $v[-1:]
    $v.find($STR) «> -1¦!= -1¦== -1¦> 1»
    any($c.isdigit() for $c in $v)
    all($c in $CHARS for $c in $v)
    any($cp{$c} for $c in $v)
    all($cp{$c} for $c in $v)
    len(set($v)) == len($v)
    not $v
    bool($v.strip())
    $v «<¦>» $WORD
    sorted($v) == list($v)
    set($v) <= set($CHARS)
    set($v).isdisjoint($CHARS)
    $v.isalpha() and len($v) > $NUM
    not $v or $v[0] == $CHAR
    $v.isupper() or $v.endswith($CHAR)
""")
expressions("si", r"""
    len($v)
    $v.count($CHAR)
    $v.count($STR)
    $v.find($STR)
    $v.find($CHAR)
    $v.rfind($CHAR)
    $v.rfind($STR)
    $v.find($CHAR, $NUM)
    $v.count($CHAR, 1)
    $v.index($CHAR1) if $CHAR1 in $v else -1
    $v.find($CHAR) + $v.rfind($CHAR)
    len(set($v))
    len($v.split())
    len($v.split($SEP))
    len($v.strip($CHARS))
    len($v) - len($v.replace($CHAR, ''))
    sum(1 for $c in $v if $cp{$c})
    sum($ci{$c} for $c in $v)
    sum(map(str.is«upper¦digit¦alpha¦space», $v))
    sum([$c.is«upper¦lower¦digit¦alpha»() for $c in $v])
    len([$c for $c in $v if $cp{$c}])
    max((ord($c) for $c in $v), default=0)
    max(map($v.count, $v), default=0)
    int($v) if $v.isdigit() else len($v)
    int(''.join($c for $c in $v if $c.isdigit()) or 0)
    $v.lower().count($CHAR)
    ord($v[«0¦-1»]) if $v else 0
    -1 if not $v else $v.find($v[-1])
    next(($i for $i, $c in enumerate($v) if $cp{$c}), -1)
    sum($i for $i, $c in enumerate($v) if $cp{$c})
    len($v) // $MOD
    len($v) * $NUM - $v.count($CHAR)
    hash($v == $v[::-1])
    len($v.encode())
""")
expressions("sw", r"""
    $v.split()
    $v.split($SEP)
    $v.split($SEP, $NUM)
    $v.rsplit($SEP, 1)
    $v.rsplit(None, 1)
    $v.splitlines()
    list($v)
    list($v.partition($SEP))
    list($v.rpartition($SEP))
    sorted($v)
    sorted($v, reverse=True)
    sorted(set($v))
    sorted($v.split($SEP))
    sorted($v.split(), key=len)
    [$c for $c in $v if $cp{$c}]
    [$cc{$c} for $c in $v]
    [$w for $w in $v.split($SEP) if $w]
    [$w.strip() for $w in $v.split($SEP)]
    [$ss{$w} for $w in $v.split()]
    [$v[$i:$i + $NUM1] for $i in range(0, len($v), $NUM1)]
    [$v[$i:$i + 2] for $i in range(len($v) - 1)]
    [$v[:$i] for $i in range(len($v) + 1)]
    [$v[$i:] for $i in range(«0¦1», len($v), $NUM)]
    list(map(str.«upper¦lower¦swapcase», $v))
    list(dict.fromkeys($v))
    list(reversed($v))
    [a + b for a, b in zip($v, $v[«1:¦::-1¦2:»])]
    [$v, $v.upper(), $v[::-1]]
    [$v] * $NUM
    list(filter(None, $v.split($SEP)))
    list(filter(str.is«alpha¦digit¦upper¦alnum», $v))
    [$w for $w in $v.split() if $sp{$w}]
    re.findall(r'«[a-z]+¦\d+¦[A-Z]¦\w+¦[aeiou]¦\w\w¦[^a-e]+»', $v)
    re.split(r'«[,;]\s*¦\s+¦[-_ ]¦\d»', $v)
""")
expressions("sl", r"""
    [ord($c) for $c in $v]
    [$ci{$c} for $c in $v]
    list(map(ord, $v))
    [int($c) for $c in $v if $c.isdigit()]
    [$i for $i, $c in enumerate($v) if $cp{$c}]
    [$i for $i in range(len($v)) if $v[$i] == $CHAR]
    [$i for $i in range(len($v)) if $v.startswith($STR, $i)]
    [len($w) for $w in $v.split($SEP)]
    [$v.count($c) for $c in $CHARS]
    [$v.find($c) for $c in $CHARS]
    [$v.index($c) for $c in $v]
    [ord(a) - ord(b) for a, b in zip($v, $v[1:])]
    [$v.count($c) for $c in sorted(set($v))]
    list($v.encode())[:«5¦8»]
    list(range(len($v)))
    [$i for $i, (a, b) in enumerate(zip($v, $v[1:])) if a «==¦<¦>» b]
""")
expressions("sd", r"""
    {$c: $v.count($c) for $c in $v}
    {$c: $v.count($c) for $c in sorted(set($v))}
    {$c: $i for $i, $c in enumerate($v)}
    {$c: $ci{$c} for $c in $v if $cp{$c}}
    dict(Counter($v))
    dict(Counter($v).most_common($NUM))
    {$w: len($w) for $w in $v.split($SEP)}
    {$c: $v.«find¦rfind¦index»($c) for $c in $v}
    dict.fromkeys($v, $INT)
    dict(zip($v, range(len($v))))
    {$c: $v.lower().count($c) for $c in $CHARS}
""")
expressions("sm", r"""
    {$c: $cc{$c} for $c in $v}
    dict(zip($v, $v[«::-1¦1:¦2:»]))
    {$w[:1]: $w for $w in $v.split()}
    {$c: $v[$i:$i + $NUM] for $i, $c in enumerate($v)}
    dict(zip($v, $ASTR))
    dict.fromkeys($v.split($SEP), $WORD)
""")
expressions("sg", r"""
    {$c: [$i for $i, $y in enumerate($v) if $y == $c] for $c in $v}
    {$w: list($w) for $w in $v.split()}
    {$c: [$v.find($c), $v.rfind($c)] for $c in sorted(set($v))}
""")
