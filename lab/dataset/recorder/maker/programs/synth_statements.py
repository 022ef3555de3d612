"""The synthesiser's plain statements, in the templates of synth_grammar.

<v:T> is a variable that the statement may change (and the receiver of later holes).
<new:T> is a name that the statement binds, which may already exist with the type.
"""

PLAIN = """
9 <new:int> = <int>
9 <new:str> = <str>
6 <new:li> = <li>
6 <new:ls> = <ls>
3 <new:bool> = <bool>
2 <new:dsi> = <dsi>
1 <new:dis> = <dis>
1 <new:dss> = <dss>
0.8 <new:dsl> = <dsl>
1 <new:lp> = <lp>
1 <new:ll> = <ll>
1 <new:si> = <si>
1 <new:ti> = <ti>
0.7 <new:ts> = <ts>
1 <new:float> = <float>
0.5 <new:opt> = <opt>
0.4 <new:tsi> = <tsi>
0.4 <new:lb> = <lb>
0.2 <new:by> = <by>
0.2 <new:fs> = <fs>
1.2 <new:int>, <new:int> = divmod(<int>, <nz>)
1.5 <new:str>, <new:str>, <new:str> = <r:str>.partition(<sub>)
0.8 <new:str>, <new:str>, <new:str> = <r:str>.rpartition(<sub>)
1 <new:int>, <new:int> = <int>, <int>
1 <new:str>, <new:str> = <str>, <str>
0.6 <new:int> = <new:int> = <int>
1 <new:int>, *<new:li> = <r:li>
0.6 *<new:li>, <new:int> = <r:li>
0.5 <new:int>, *_, <new:int> = <r:li>
0.6 <new:str>, *<new:ls> = <r:str>.split(<sep>)
0.6 <new:int>, <new:int> = min(<r:li>), max(<b2>)
0.5 <new:str>, <new:int> = <r:lp>[<idx>]
0.6 <new:tsi> = <v:dsi>.popitem()
0.4 <new:str>, <new:int> = <v:dsi>.popitem()
0.15 (<new:int>, <new:str>), <new:int> = (<int>, <str>), <int>
3 <v:int> += <int>
2 <v:int> -= <int>
1.2 <v:int> *= <int>
0.7 <v:int> = <int@6> - <b0>
0.6 <v:int> = max(<b0>, <int>)
0.6 <v:int> = min(<b0>, <int>)
0.5 <v:int> = abs(<b0> - <int@7>)
1.2 <v:int> //= <nz>
1.2 <v:int> %= <nz>
0.5 <v:int> **= 2
0.4 <v:int> ^= <int>
0.4 <v:int> |= <int>
0.4 <v:int> &= <int>
0.3 <v:int> <<= <n:1:3>
0.3 <v:int> >>= <n:1:3>
3 <v:str> += <str>
1 <v:str> *= 2
2.2 <v:str> = <b0>.replace(<sub>, <str2>)
1.2 <v:str> = <b0>.strip(<chars>)
0.7 <v:str> = <b0>.strip()
1.6 <v:str> = <b0>[<slice>]
0.8 <v:str> = <b0>.upper()
0.8 <v:str> = <b0>.lower()
0.6 <v:str> = <b0>.title()
0.6 <v:str> = <b0>.swapcase()
0.5 <v:str> = <b0>.capitalize()
0.5 <v:str> = <b0>.zfill(<w>)
0.5 <v:str> = <b0>.center(<w>, <fill>)
0.4 <v:str> = <b0>.ljust(<w>, <fill>)
0.4 <v:str> = <b0>.rjust(<w>, <fill>)
0.6 <v:str> = <b0>.lstrip(<chars>)
0.6 <v:str> = <b0>.rstrip(<chars>)
0.6 <v:str> = <b0>.removeprefix(<prefix>)
0.5 <v:str> = <b0>.removesuffix(<suffix>)
0.3 <v:str> = <b0>.expandtabs(<n:1:8>)
0.5 <v:str> = ''.join(sorted(<b0>))
0.5 <v:str> = <sep>.join(<b0>.split())
0.5 <v:str> = <b0>[::-1]
0.5 <v:str> = <b0>[<n:1:3>:] + <b0>[:<n:1:3>]
0.5 <v:str> = <b0>.split(<sep>)[0]
0.4 <v:str> = <sep>.join(<b0>)
0.3 <v:str> = <b0>.casefold()
0.3 <v:str> = <b0>.translate(str.maketrans(<lit:abc>, <lit:xyz>))
0.4 <v:str> = <b0>[:<idx>] + <fill> + <b0>[<n:1:4>:]
0.4 <v:str> = <b0>.replace(<sub>, <fill>, <n:1:2>)
0.4 <v:str> = <b0>.rpartition(<sub>)[<n:0:2>]
1.5 <v:str> = <str@6> + <b0>
1 <v:int> = <b0> * <n:2:12> + <int@7>
1.5 <v:li> += <li>
4 <v:li>.append(<int>)
2 <v:li>.insert(<n:-4:9>, <int>)
2 <v:li>.insert(0, <int>)
2 <v:li>.extend(<li>)
2 <v:li>.remove(<elem+>)
2 <v:li>.pop()
2 <v:li>.pop(<idx>)
1.5 <new:int> = <v:li>.pop()
1.5 <new:int> = <v:li>.pop(<idx>)
2 <v:li>.sort()
1 <v:li> = <b0>[<slice>]
0.6 <v:li> = sorted(<b0>, key=<keyfn>)
0.5 <v:li> = <b0> + [<int>]
0.5 <v:li> = <b0>[<n:1:3>:] + <b0>[:<n:1:3>]
1 <v:li>.sort(reverse=True)
1 <v:li>.sort(key=<keyfn>)
2 <v:li>.reverse()
0.4 <v:li>.clear()
3 <v:li>[<idx>] = <int>
2 <v:li>[<idx>] += <int>
0.7 <v:li>[<idx>] *= <n:-1:4>
1 <v:li>[<slice>] = <li>
1.2 del <v:li>[<idx>]
1 del <v:li>[<slice>]
1.5 <v:li>[<idx>], <b0>[<idx>] = <b0>[<b2>], <b0>[<b1>]
4 <v:ls>.append(<str>)
1 <v:ls>.insert(<n:-2:6>, <str>)
1 <v:ls>.extend(<ls>)
0.8 <v:ls>.extend(<str>)
1 <v:ls>.remove(<elem+>)
1.5 <new:str> = <v:ls>.pop()
1 <new:str> = <v:ls>.pop(<idx>)
1 <v:ls>.reverse()
1 <v:ls> = <b0>[<slice>]
0.6 <v:ls> = sorted(<b0>, key=<keyfn>)
1 <v:ls>.sort()
1 <v:ls>.sort(key=len)
0.8 <v:ls>.sort(key=<keyfn>)
2 <v:ls>[<idx>] = <str>
1 <v:ls>[<idx>] += <str>
1 <v:ls>[<idx>] = <b0>[<b1>].upper()
0.7 del <v:ls>[<idx>]
0.3 <v:ls>.clear()
3 <v:dsi>[<key>] = <int>
2 <v:dsi>[<key+>] += <int>
2 <v:dsi>[<key>] = <b0>.get(<b1>, 0) + <int@7>
1.5 <v:dsi>.setdefault(<key>, <int>)
1.5 <new:int> = <v:dsi>.setdefault(<key>, <int>)
1.5 <v:dsi>.update({<key>: <int>})
0.8 <v:dsi>.update(<r:dsi>)
0.7 <v:dsi>.update(<str>=<int>)
0.7 <v:dsi> |= <dsi>
1.5 <new:int> = <v:dsi>.pop(<key>, <n:-1:9>)
1 <v:dsi>.pop(<key+>)
1 del <v:dsi>[<key+>]
0.7 <v:dsi>.popitem()
0.3 <v:dsi>.clear()
2 <v:dis>[<int>] = <str>
1 <v:dis>.pop(<key>, None)
1 <v:dis>.setdefault(<int>, <str>)
2 <v:dss>[<key>] = <str>
1 <v:dss>.setdefault(<key>, <str>)
1 <new:str> = <v:dss>.pop(<key>, <str2>)
2 <v:dsl>.setdefault(<key>, []).append(<int>)
1.5 <v:dsl>[<key+>].append(<int>)
1 <v:dsl>[<key>] = <li>
1 <v:dsl>[<key+>] = <b0>[<b1>][<n:0:1>:]
2 <v:si>.add(<int>)
1.5 <v:si>.discard(<int>)
1 <v:si>.remove(<elem+>)
1 <v:si>.update(<li>)
0.7 <v:si>.intersection_update(<li>)
0.7 <v:si>.difference_update(<li>)
0.7 <v:si>.symmetric_difference_update(<li>)
0.6 <v:si> |= <si>
0.6 <v:si> &= <si>
0.5 <v:si> -= <si>
0.5 <v:si> ^= <si>
0.5 <new:int> = min(<r:si>, default=<n:0:3>)
0.3 <v:si>.clear()
1 <v:ll>.append(<li>)
1 <v:ll>[<idx>].append(<int>)
0.7 <v:ll>[<idx>][0] = <int>
0.7 <v:ll>[<idx>] = <li>
0.6 <v:ll>[<idx>].sort()
1 <v:lp>.append((<str>, <int>))
0.7 <v:lp>.sort(key=lambda t: t[1])
0.6 <v:lp>.sort()
0.6 <new:tsi> = <v:lp>.pop()
1 <v:int>, <w:int> = <b1>, <b0>
1 <v:str>, <w:str> = <b1>, <b0>
0.5 assert <yes>
0.8 print(<any>)
0.5 print(<any>, <any>)
0.2 print(<str>, <int>, sep=<sep>)
0.2 print(<any>, end=<sep>)
0.3 print(*<r:li>)
0.2 print(*<r:ls>, sep=<sep>)
0.3 pass
"""

# How a loop's body updates an accumulator A, by A's type.
FEED = {
    "int": """
6 <A> += <int>
4 <A> += 1
2 <A> -= <int>
2 <A> = max(<A>, <int>)
1 <A> = min(<A>, <int>)
1.5 <A> = <A> * <n:2:10> + <int@7>
1 <A> = (<A> + <int@7>) % <n:5:97>
0.7 <A> ^= <int>
0.5 <A> = <int@6> - <A>
""",
    "str": """
7 <A> += <str>
2 <A> = <str@6> + <A>
2 <A> = <A> + <str@7>
1 <A> += str(<int>)
1 <A> += <str> if <bool@2> else <str2>
0.7 <A> += <ch>
0.7 <A> = <A>.replace(<str>, <str2>)
0.4 <A> = f'{<A>}<sp>{<var>}'
""",
    "li": """
8 <A>.append(<int>)
1.5 <A>.insert(0, <int>)
1 <A> += [<int>]
1 <A>.extend([<int>, <int>])
0.7 <A> = [<int>] + <A>
0.6 <A>.append(<int@2> if <bool@2> else <int>)
""",
    "ls": """
8 <A>.append(<str>)
1.2 <A>.insert(0, <str>)
1 <A> += [<str>]
0.6 <A>.extend(<str>)
0.6 <A>.append(<str@2> if <bool@2> else <str>)
""",
    "dsi": """
4 <A>[<str>] = <A>.get(<bb>, 0) + 1
2 <A>[<str>] = <int>
1.5 <A>[<str>] = <A>.get(<bb>, <n:0:2>) + <int@7>
1 <A>.setdefault(<str>, <int>)
0.7 <A>.update({<str>: <int>})
""",
    "dis": """
3 <A>[<int>] = <str>
1.5 <A>[<int>] = <A>.get(<bb>, '') + <str@7>
1 <A>.setdefault(<int>, <str>)
""",
    "dsl": """
4 <A>.setdefault(<str>, []).append(<int>)
1 <A>[<str>] = <A>.get(<bb>, []) + [<int>]
""",
    "dss": "3 <A>[<str>] = <str>\n1 <A>[<str>] = <A>.get(<bb>, '') + <str@7>",
    "si": "4 <A>.add(<int>)\n1 <A> |= {<int>}\n1 <A>.discard(<int>)",
    "bool": "2 <A> = not <A>\n2 <A> = <bool>\n1 <A> = <A> and <bool@3>\n1 <A> = <A> or <bool@3>",
    "ll": "3 <A>.append([<int>, <int>])\n2 <A>.append(<li>)",
    "lp": "3 <A>.append((<str>, <int>))",
}
START = {
    "int": ("0", "0", "0", "1", "<n:-1:10>", "<int>"), "str": ("''", "''", "''", "<str>"), "li": ("[]", "[]", "[]", "list()", "<li>"),
    "ls": ("[]", "[]", "[]", "<ls>"), "dsi": ("{}", "{}", "dict()", "<dsi>"), "dis": ("{}",), "dsl": ("{}",), "dss": ("{}", "<dss>"),
    "si": ("set()", "set()", "<si>"), "bool": ("False", "True"), "ll": ("[]",), "lp": ("[]",),
}
