"""The synthesiser's expressions for conditions, fractions and collections.

The notation is that of synth_grammar.
"""

BOOL = """
6 4 <sub> in <r:str>
3 4 <sub> not in <r:str>
5 4 <elem> in <r:li>
2 4 <elem> not in <r:li>
3 4 <elem> in <r:ls>
1.5 4 <key> in <r:dsi>
1 4 <key> not in <r:dsi>
1 4 <key> in <r:dss>
1 4 <key> in <r:dis>
1 4 <elem> in <r:si>
0.7 4 <elem> in <r:ti>
1 4 <ch> in <lit:vowels>
7 4 <int@5> <cmp> <int@5>
5 4 <int@5> <cmp> <n:0:12>
1 4 <r:str>[<idx>] in <lit:vowels>
2 4 <r:ch> in <lit:vowels>
2.5 4 <r:ch> == <ch>
1.5 4 <r:ch> != <ch>
1 4 <r:ch> <lt> <ch>
2 9 <r:ch>.isalpha()
2 9 <r:ch>.isdigit()
1.5 9 <r:ch>.isupper()
1.5 9 <r:ch>.islower()
1 9 <r:ch>.isalnum()
4 4 <int@7> % <n:2:5> == <n:0:1>
3 4 <int@5> == <int@5>
0.5 4 (<walrus> := <int@2>) <cmp> <n:0:12>
1.3 4 <n:0:5> <le> <int@9> <le> <n:6:60>
3 4 <r:str> == <sub>
2 4 <str@6> != <str@6>
1.5 4 <r:str> <lt> <same@5>
1 4 <r:str>[<idx>] == <r:str>[<idx>]
1 4 <r:str> == <b0>[::-1]
1 4 <r:str> == <b0>.lower()
4 9 <r:str>.startswith(<prefix>)
4 9 <r:str>.endswith(<suffix>)
0.7 9 <r:str>.startswith((<prefix>, <ch>))
0.5 9 <r:str>.startswith(<sub>, <n:0:4>)
0.5 9 <r:str>.endswith((<suffix>, <ch>))
3 9 <r:str>.isdigit()
3 9 <r:str>.isalpha()
2.5 9 <r:str>.isalnum()
2.5 9 <r:str>.isupper()
2.5 9 <r:str>.islower()
1.5 9 <r:str>.isspace()
1.2 9 <r:str>.istitle()
1 9 <r:str>.isnumeric()
0.8 9 <r:str>.isdecimal()
0.8 9 <r:str>.isidentifier()
0.6 9 <r:str>.isascii()
0.5 9 <r:str>.isprintable()
3 3 not <bool@9>
2.5 2 <bool@3> and <bool@3>
2.5 2 <bool@3> or <bool@3>
0.5 5 <bool@9> ^ <bool@9>
1 9 bool(<any>)
0.7 9 all(<r:li>)
0.7 9 any(<r:li>)
0.5 9 any(<r:lb>)
0.5 9 all(<r:lb>)
0.7 4 <r:opt> is None
0.7 4 <r:opt> is not None
0.5 9 isinstance(<any>, <lit:class>)
1 4 <r:li> == <same@6>
0.6 4 <r:li> == sorted(<b0>)
0.6 4 <r:li> <lt> <same@6>
0.6 4 <r:li> == <b0>[::-1]
0.6 4 <r:ls> == <same@6>
0.7 9 <r:si>.issubset(<same>)
0.7 9 <r:si>.issuperset(<li>)
0.7 9 <r:si>.isdisjoint(<same>)
0.4 9 <r:fs>.isdisjoint(<li>)
0.5 4 <r:si> <lt> <same@6>
0.6 4 set(<r:str>) <lt> set(<str>)
0.6 4 len(<r:seq>) <cmp> len(<r:seq>)
1.2 4 len(<r:sized>) <cmp> <n:0:8>
0.4 4 <r:li>[0] <cmp> <b0>[-1]
0.4 4 <r:ti> <lt> <same@6>
0.4 4 <any> is None
0.3 9 (<float>).is_integer()
0.3 4 <float> > <float>
0.3 4 <r:dsi> == <same@6>
0.2 9 <r:by>.startswith(b'a')
0.2 9 callable(<any>)
"""

FLOAT = """
3 7 <int@7> / <nz>
2 9 round(<int@7> / <nz>, <n:1:3>)
2 9 round(<float>, <n:0:2>)
1 9 float(<int>)
1 6 <float@6> + <int@7>
1 7 <float@7> * <n:2:5>
1 6 <float@6> - <float@7>
0.7 9 abs(<float>)
0.7 9 max(<float>, <float>)
0.5 9 float(<lit:decimal>)
1 7 sum(<r:li>) / len(<b0>)
0.5 7 <float@7> // <nz>
0.5 7 <float@7> % <nz>
0.4 9 math.sqrt(<n:1:100>)
0.4 9 <int@7> * <n:1:9> / 10
"""

OTHER = {
    "li": """
8 9 <r:li>[<slice>]
5 9 sorted(<r:li>)
2.5 9 sorted(<r:li>, reverse=True)
2 9 sorted(<r:li>, key=<keyfn>)
2 9 list(reversed(<r:li>))
1.5 9 <r:li>.copy()
2 9 list(<r:li>)
4 6 <li@6> + <li@7>
2 6 <r:li> + [<int>]
2 6 [<int>] + <r:li>
1.5 7 <r:li> * 2
1 7 [<int>] * <n:1:5>
3 9 [<int>, <int>]
2 9 [<int>, <int>, <int>]
1 9 [*<r:li>, <int>]
1 9 [*<r:li>, *<li>]
2 9 list(range(<n:1:7>))
1.2 9 list(range(<n:0:5>, <n:6:14>, <n:2:4>))
0.8 9 list(range(<n:5:12>, <n:-2:4>, -<n:1:3>))
1.5 9 list(<r:dsi>.values())
1 9 sorted(<r:dsi>.values())
1 9 list(<r:dis>)
0.8 9 list(<r:dis>.keys())
0.8 9 sorted(<r:si>)
1 9 sorted(set(<r:li>))
1 9 list(dict.fromkeys(<r:li>))
1.5 9 list(map(len, <r:ls>))
0.8 9 list(map(abs, <r:li>))
0.8 9 list(map(ord, <r:str>[:<n:2:4>]))
0.8 9 list(map(sum, <r:ll>))
1 9 list(<r:ti>)
2 9 <r:ll>[<idx>]
1 9 sum(<r:ll>, [])
2 9 <r:dsl>.get(<key>, [])
1.5 9 <r:dsl>[<key+>]
1 9 list(divmod(<int>, <nz>))
0.5 9 list(filter(None, <r:li>))
0.3 9 list(<r:by>)
0.3 9 list(itertools.accumulate(<r:li>))
0.2 9 list(itertools.chain(<r:li>, <li>))
""",
    "ls": """
9 9 <r:str>.split()
9 9 <r:str>.split(<sep>)
1.5 9 <r:str>.split(<sub+>)
3 9 <r:str>.split(<sep>, <n:1:2>)
0.8 9 <r:str>.split(None, 1)
2.5 9 <r:str>.rsplit(<sep>, <n:1:2>)
0.5 9 <r:str>.rsplit(<sub>)
2.5 9 <r:str>.splitlines()
0.5 9 <r:str>.splitlines(True)
3 9 list(<r:str>)
3 9 sorted(<r:str>)
3 9 sorted(<r:ls>)
1.5 9 sorted(<r:ls>, key=len)
1 9 sorted(<r:ls>, key=str.lower)
1 9 sorted(<r:ls>, key=len, reverse=True)
1 9 sorted(<r:ls>, reverse=True)
0.8 9 sorted(<r:ls>, key=<keyfn>)
0.8 9 sorted(set(<r:str>))
0.7 9 sorted(set(<r:ls>))
0.8 9 sorted(set(<r:ls>) <setop> set(<ls>))
0.8 9 sorted(set(<r:str>) <setop> set(<str>))
6 9 <r:ls>[<slice>]
2 6 <ls@6> + <ls@7>
1.5 6 <r:ls> + [<str>]
2 9 list(reversed(<r:ls>))
1 9 <r:ls>.copy()
1 7 <r:ls> * 2
2 9 [<str>, <str>]
1.5 9 list(<r:dsi>)
1.5 9 list(<r:dsi>.keys())
1.5 9 sorted(<r:dsi>)
1 9 sorted(<r:dsi>, key=<b0>.get)
1 9 list(<r:dss>.values())
1 9 list(<r:dis>.values())
1 9 list(<r:str>.partition(<sub>))
0.8 9 list(<r:str>.rpartition(<sub>))
1.2 9 list(map(str, <r:li>))
1 9 list(map(str.upper, <r:ls>))
0.7 9 list(map(str.strip, <r:str>.split(<sep>)))
0.7 9 list(filter(None, <r:str>.split(<sep>)))
0.7 9 list(filter(str.isalpha, <r:str>))
0.5 9 list(filter(str.isdigit, <r:str>))
1 9 list(dict.fromkeys(<r:str>))
0.5 9 [<r:str>] * <n:1:3>
0.7 9 list(<r:ts>)
0.4 9 [<r:str>[:<n:1:4>], <b0>[<n:1:4>:]]
0.2 9 re.findall(r'<lit:regex>', <r:str>)
0.2 9 re.split(r'<lit:regex>', <r:str>)
""",
    "ll": """
2 9 [<li>, <li>]
2 9 <r:ll>[<slice>]
1 9 <r:ll>[::-1]
1.5 9 sorted(<r:ll>)
1 9 sorted(<r:ll>, key=sum)
1 9 sorted(<r:ll>, key=len)
1 6 <r:ll> + [<li>]
1 9 list(map(list, zip(*<r:ll>)))
1 9 list(<r:dsl>.values())
0.7 9 list(map(sorted, <r:ll>))
""",
    "lp": """
3 9 list(<r:dsi>.items())
2 9 sorted(<r:dsi>.items())
2 9 sorted(<r:dsi>.items(), key=lambda kv: kv[1])
1 9 sorted(<r:dsi>.items(), key=lambda item: (-item[1], item[0]))
2 9 list(zip(<r:ls>, <li>))
1 9 list(zip(<r:str>, range(<n:2:5>)))
1 9 sorted(<r:lp>)
1 9 sorted(<r:lp>, key=lambda x: x[1])
1 9 <r:lp>[<slice>]
0.7 9 [(<str>, <int>)]
""",
    "dsi": """
3 9 {<str>: <int>, <str>: <int>}
2 9 dict(zip(<r:ls>, <li>))
1.5 9 dict(zip(<r:str>, range(<n:2:6>)))
1 9 dict.fromkeys(<r:str>, <n:0:2>)
1 9 dict.fromkeys(<r:ls>, <n:0:2>)
1.5 9 <r:dsi>.copy()
1.5 9 dict(<r:dsi>)
1.5 9 {**<r:dsi>, <str>: <int>}
1 5 <r:dsi> | <same@6>
1.5 9 dict(sorted(<r:dsi>.items()))
1 9 dict(sorted(<r:dsi>.items(), key=lambda x: x[1]))
1 9 dict(<r:lp>)
0.5 9 dict(a=<int>, b=<int>)
0.3 9 dict(reversed(<r:dsi>.items()))
0.4 9 dict(collections.Counter(<r:str>))
""",
    "dis": """
2 9 {<int>: <str>, <int>: <str>}
2 9 dict(zip(<r:li>, <ls>))
2 9 dict(enumerate(<r:ls>))
1 9 dict(enumerate(<r:str>[:5], <n:1:3>))
1 9 <r:dis>.copy()
1 9 {**<r:dis>, <int>: <str>}
""",
    "dss": """
2 9 {<str>: <str>, <str>: <str>}
2 9 dict(zip(<r:ls>, <ls>))
1 9 dict(zip(<r:str>, <str>))
1 9 <r:dss>.copy()
1 9 {**<r:dss>, **<same>}
""",
    "dsl": """
2 9 {<str>: <li>, <str>: <li>}
1 9 {<str>: []}
1 9 <r:dsl>.copy()
1 9 dict(zip(<r:ls>, <ll>))
""",
    "si": """
3 9 set(<r:li>)
2 9 {<int>, <int>}
2 5 <r:si> & <same@6>
2 5 <r:si> | <same@6>
1.5 6 <r:si> - <same@7>
1.5 5 <r:si> ^ <same@6>
2 9 <r:si>.union(<li>)
2 9 <r:si>.intersection(<li>)
2 9 <r:si>.difference(<same>)
2 9 <r:si>.symmetric_difference(<same>)
1 9 <r:si>.copy()
1 9 set(range(<n:1:5>))
0.5 9 set(<r:fs>)
""",
    "ti": """
3 9 tuple(<r:li>)
3 9 (<int>, <int>)
2 9 <r:ti>[<slice>]
1 6 <r:ti> + <same@7>
2 9 divmod(<int>, <nz>)
1 9 tuple(sorted(<r:li>))
1 9 (<int>,)
1 7 <r:ti> * 2
1 9 (min(<r:li>), max(<b0>))
0.5 9 tuple(map(len, <r:ls>))
0.4 9 (<n:2:9> / <n:2:4>).as_integer_ratio()
""",
    "ts": """
3 9 <r:str>.partition(<sub>)
2 9 <r:str>.rpartition(<sub>)
2 9 tuple(<r:ls>)
1 9 tuple(<r:str>)
1 9 (<str>, <str>)
1 9 <r:ts>[<slice>]
1 9 tuple(sorted(<r:ls>))
1 6 <r:ts> + (<str>,)
""",
    "fs": """
3 9 frozenset(<r:li>)
1 5 <r:fs> & <same@6>
1 5 <r:fs> | <same@6>
1 6 <r:fs> - <same@7>
1 9 <r:fs>.union(<li>)
1 9 <r:fs>.intersection(<li>)
0.6 9 <r:fs>.symmetric_difference(<li>)
0.4 9 <r:fs>.copy()
""",
    "by": """
0.4 9 abs(<int>).to_bytes(2, 'big')
2 9 <r:str>.encode()
1 9 bytes(<r:ti>)
1 9 <r:by>[<slice>]
1 9 <r:by>.upper()
1 9 <r:by>.replace(b'a', b'-')
1 6 <r:by> + b'!'
""",
    "opt": """
2 9 <r:dsi>.get(<key>)
1 9 None
1 1 <int@2> if <bool@2> else None
1 9 next(iter(<r:li>), None)
""",
    "tsi": """
2 9 (<str>, <int>)
1 9 <r:lp>[<idx>]
1 9 max(<r:lp>, key=lambda p: p[1])
0.7 9 max(<r:dsi>.items(), key=lambda kv: kv[1])
""",
    "lb": """
2 9 [<bool>, <bool>]
1 9 list(map(bool, <r:li>))
1 9 list(map(str.isalpha, <r:str>[:5]))
1 9 <r:lb>[<slice>]
""",
}
