"""The synthesiser's expressions: weighted templates by type of result.

A line is `weight level template`. The level is how tightly the expression binds (9 a
call or name, 8 unary and power, 7 product, 6 sum, 5 bits, 4 comparison, 3 not, 2
and/or, 1 conditional), so that parentheses are written where they are necessary. Holes:

    <r:T>        receiver of type T; the later holes depend on its current value
    <T> <T@6>    an expression of type T, binding at least as tightly as the level (default 1)
    <e> <same>   an expression of the receiver's element type, of the receiver's type
    <sub> <sub+> a string that often, or surely, occurs in the receiver; <ch> one character
    <chars>      characters to strip; <idx> <slice> an index, a slice; <w> a width
    <key> <key+> <elem> <elem+>  a key, an element; with + an existing one
    <n:a:b>      a number from a to b; <nz> one that is not zero
    <sep> <fill> a separator, a padding character; <b0> the source of the first hole
"""

INT = """
9 9 len(<r:sized>)
8 9 <r:str>.count(<sub>)
1 9 <r:str>.count(<sub>, <n:0:3>)
0.5 9 <r:str>.count(<sub>, <n:0:3>, <n:3:9>)
8 9 <r:str>.find(<sub>)
4.5 9 <r:str>.rfind(<sub>)
1 9 <r:str>.find(<sub>, <n:0:5>)
0.7 9 <r:str>.rfind(<sub>, <n:0:3>, <n:3:9>)
3 9 <r:str>.index(<sub+>)
2.2 9 <r:str>.rindex(<sub+>)
2 9 ord(<r:ch>)
1 9 ord(<r:str>[<idx>])
1 6 ord(<r:ch>) - ord('a')
9 6 <int@6> + <int@7>
7 6 <int@6> - <int@7>
6 7 <int@7> * <int@8>
5 7 <int@7> // <nz>
6 7 <int@7> % <nz>
1.3 8 <int@9> ** <n:2:3>
1 8 -<int@8>
0.5 8 ~<int@8>
2 9 abs(<int>)
3 9 max(<int>, <int>)
3 9 min(<int>, <int>)
1 9 max(<int>, <int>, <int>)
4 9 sum(<r:li>)
1 9 sum(<r:ti>)
0.7 9 sum(<r:li>, <n:1:10>)
3 9 max(<r:li>)
3 9 min(<r:li>)
1 9 max(<r:li>, default=<n:-1:0>)
1 9 min(<r:li>, default=<n:0:9>)
0.7 9 max(<r:li>, key=<keyfn>)
0.7 9 min(<r:li>, key=<keyfn>)
6 9 <r:li>[<idx>]
2 9 <r:ti>[<idx>]
1.5 9 <r:li>.index(<elem+>)
3 9 <r:li>.count(<elem>)
1 9 <r:ls>.count(<elem>)
1 9 <r:ls>.index(<elem+>)
0.7 9 <r:ti>.count(<elem>)
0.7 9 <r:ti>.index(<elem+>)
3 9 <r:dsi>[<key+>]
6 9 <r:dsi>.get(<key>, <n:-1:5>)
2 9 sum(<r:dsi>.values())
1 9 max(<r:dsi>.values())
1 9 min(<r:dsi>.values())
0.7 9 <r:dsi>.pop(<key>, <n:-1:5>)
0.7 9 max(<r:dis>)
0.7 9 sum(<r:dis>.keys())
1 5 <int@5> & <int@6>
1 5 <int@5> | <int@6>
1 5 <int@5> ^ <int@6>
0.6 5 <int@5> << <n:1:4>
0.8 5 <int@5> >> <n:1:4>
0.6 9 abs(<int>).bit_length()
0.4 9 abs(<int>).bit_count()
0.8 9 int(<float>)
0.8 9 round(<float>)
1 9 int(<bool>)
1 9 int(str(<int>)[::-1].strip('-'))
0.7 9 int('<n:1:99>' + <lit:digits>)
0.4 9 int(<lit:binary>, 2)
0.4 9 int(<lit:hex>, 16)
0.8 9 divmod(<int>, <nz>)[<n:0:1>]
0.5 9 pow(<n:2:9>, <n:0:6>, <n:2:20>)
1.5 9 len(set(<r:str>))
1 9 len(set(<r:li>))
0.5 9 len({*<r:li>})
1.5 9 len(<r:str>.split(<sep>))
0.7 9 len(<r:str>.split())
0.7 9 len(<r:str>.strip())
0.7 9 len(max(<r:ls>, key=len, default=''))
0.5 9 sum(map(len, <r:ls>))
0.5 9 sum(map(sum, <r:ll>))
0.5 6 len(<r:seq>) - <n:1:2>
1 9 <r:ll>[<idx>][<n:0:0>]
0.7 9 len(<r:ll>[<idx>])
0.5 9 <r:lp>[<idx>][1]
0.5 9 sorted(<r:li>)[<idx>]
0.3 9 <r:by>[<idx>]
0.3 9 <r:by>.count(b'a')
0.3 9 <r:by>.find(b'<lit:letter>')
0.4 9 len(<r:str>.encode())
0.2 9 int.from_bytes(<r:by>[:2], 'big')
0.15 9 <r:int>.conjugate()
0.15 9 <r:int>.numerator
0.15 9 <r:int>.denominator
0.15 9 <r:int>.real
0.15 9 <r:int>.imag
0.2 9 <r:int>.as_integer_ratio()[0]
0.3 9 math.gcd(<int>, <int>)
0.2 9 math.prod(<r:li>[:3])
"""

STR = """
2 9 <r:ch>.upper()
1.5 9 <r:ch>.lower()
1 9 <r:ch>.swapcase()
1.5 7 <r:ch> * <n:2:3>
4 9 <r:str>.upper()
4 9 <r:str>.lower()
2.2 9 <r:str>.capitalize()
2.5 9 <r:str>.title()
3 9 <r:str>.swapcase()
0.8 9 <r:str>.casefold()
5 9 <r:str>.strip()
2.5 9 <r:str>.strip(<chars>)
1.5 9 <r:str>.lstrip()
2 9 <r:str>.lstrip(<chars>)
1.5 9 <r:str>.rstrip()
2 9 <r:str>.rstrip(<chars>)
6 9 <r:str>.replace(<sub>, <str2>)
2 9 <r:str>.replace(<sub>, '')
2 9 <r:str>.replace(<sub>, <str2>, <n:1:2>)
1 9 <r:str>.replace(<sub>, <fill>).replace(<ch>, <str2>)
3 9 <r:str>.zfill(<w>)
1.5 9 <r:str>.center(<w>)
1.5 9 <r:str>.center(<w>, <fill>)
1.3 9 <r:str>.ljust(<w>, <fill>)
1.3 9 <r:str>.rjust(<w>, <fill>)
0.6 9 <r:str>.ljust(<w>)
0.6 9 <r:str>.rjust(<w>)
1 9 <r:str>.expandtabs(<n:1:8>)
2 9 <r:str>.removeprefix(<prefix>)
2 9 <r:str>.removesuffix(<suffix>)
7 9 <sep>.join(<r:ls>)
2 9 <sep>.join(<r:str>)
1.5 9 ''.join(sorted(<r:str>))
1 9 ''.join(sorted(<r:str>, reverse=True))
1.3 9 ''.join(reversed(<r:str>))
1 9 <sep>.join(sorted(<r:ls>))
1 9 <sep>.join(reversed(<r:ls>))
1 9 <sep>.join(map(str, <r:li>))
1 9 <sep>.join(<r:str>.split())
1.5 9 <sep>.join(<r:str>.split(<sep>))
1 9 <sep>.join(<r:ts>)
0.8 9 <sep>.join(<r:dsi>)
0.5 9 <sep>.join(<r:dss>.values())
4 6 <str@6> + <str@7>
2 6 <r:str> + <fill>
1.5 6 <fill> + <r:str>
2 7 <r:str> * <n:2:3>
1 7 <fill> * <n:2:5>
8 9 <r:str>[<slice>]
4 9 <r:str>[<idx>]
2 9 <r:ls>[<idx>]
1 9 <r:ts>[<idx>]
4 9 str(<int>)
0.5 9 str(<li>)
0.4 9 str(<bool>)
0.6 9 repr(<r:str>)
2 9 f'<p>{<var>}<sp>{<var>}'
2 9 f'<p>{<var>}'
1.3 9 f'{<var>}<sp>'
0.7 9 f'<p>{<var:int>:<n:2:4>d}'
0.5 9 f'<p>{<var:int>:0<n:3:5>}'
0.5 9 f'<p>{<var:str>:><n:5:9>}'
0.4 9 f'<p>{<var:str>:*^<n:5:9>}'
0.4 9 f'<p>{<var:str>!r}'
0.3 9 f'{<var:int>=}'
0.3 9 f'{<var:int>:<lit:spec2>}'
0.5 9 f'<p>{<var:float>:.<n:1:2>f}'
0.8 9 f'{<var:int> * <n:2:9>}<sp>{<var>}'
0.8 9 f'{len(<var:str>)}<sp>{<var>}'
0.7 9 '%s<sp>%s' % (<any>, <any>)
0.5 9 '%d%%' % (<int>,)
0.4 9 '%0<n:2:5>d' % (<int>,)
0.4 9 '%<n:4:8>s|' % (<str>,)
0.7 9 '{}<sp>{}'.format(<any>, <any>)
0.4 9 '{1}<sp>{0}'.format(<any>, <any>)
0.3 9 '{:>{}}'.format(<str>, <n:4:9>)
0.3 9 '{a}<sp>{b}'.format(a=<any>, b=<any>)
0.3 9 '{k}'.format_map({'k': <any>})
0.7 9 bin(<int>)
0.6 9 hex(<int>)
0.3 9 oct(<int>)
0.6 9 bin(<int>)[2:]
0.7 9 format(<int>, <lit:spec>)
1.2 9 chr(ord(<r:ch>) + <n:1:3>)
0.6 9 chr(<n:97:110> + <n:0:10>)
0.6 9 chr((ord(<r:ch>) - 97 + <n:1:25>) % 26 + 97)
1.5 9 max(<r:str>)
1.5 9 min(<r:str>)
1 9 max(<r:ls>, key=len)
1 9 min(<r:ls>, key=len)
1 9 max(<r:ls>)
0.8 9 max(<r:dsi>, key=<b0>.get)
0.6 9 min(<r:dsi>, key=<b0>.get)
0.6 9 max(<r:str>, key=<b0>.count)
1.5 9 <r:dss>[<key+>]
1.5 9 <r:dss>.get(<key>, <str2>)
1 9 <r:dis>.get(<key>, <str2>)
0.8 9 <r:dis>[<key+>]
1 9 <r:str>.split(<sep>)[<n:-1:0>]
0.7 9 <r:str>.split(<sub>, 1)[0]
0.7 9 <r:str>.rsplit(<sub>, 1)[-1]
1.3 9 <r:str>.partition(<sub>)[<n:0:2>]
1 9 <r:str>.rpartition(<sub>)[<n:0:2>]
0.8 9 <r:str>.translate(str.maketrans(<lit:abc>, <lit:xyz>))
0.6 9 <r:str>.translate(str.maketrans('', '', <chars>))
0.4 9 <r:str>.translate({ord(<ch>): None})
0.4 9 <r:str>.encode().decode()
0.4 9 <r:str>.encode('utf-8').hex()
0.3 9 <r:by>.decode()
0.2 9 <r:str>.encode('ascii', 'ignore').decode('ascii')
0.5 9 list(<r:str>)[<idx>]
0.5 9 <r:lp>[<idx>][0]
0.5 9 next(iter(<r:str>), <fill>)
0.4 9 type(<any>).__name__
0.3 9 re.sub(r'<lit:regex>', <fill>, <r:str>)
"""
