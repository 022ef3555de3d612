# What CPython says to operations that fail, part 1 of 5. Each is on a line of its own.

try: 1 / 0
except Exception as e: s = str(e)
try: 1 // 0
except Exception as e: s = str(e)
try: 1 % 0
except Exception as e: s = str(e)
try: divmod(1, 0)
except Exception as e: s = str(e)
try: 1.0 / 0
except Exception as e: s = str(e)
try: 1.0 // 0
except Exception as e: s = str(e)
try: 1.0 % 0
except Exception as e: s = str(e)
try: divmod(1.0, 0)
except Exception as e: s = str(e)
try: divmod(1.5, 0.0)
except Exception as e: s = str(e)
try: 0 ** (-1)
except Exception as e: s = str(e)
try: 0.0 ** (-1)
except Exception as e: s = str(e)
try: pow(0, -1)
except Exception as e: s = str(e)
try: 0j / 0
except Exception as e: s = str(e)
try: True / 0
except Exception as e: s = str(e)
try: True // 0
except Exception as e: s = str(e)
try: 1 / 0.0
except Exception as e: s = str(e)
try: 1 // 0.0
except Exception as e: s = str(e)
try: 1 % 0.0
except Exception as e: s = str(e)
try: [][0]
except Exception as e: s = str(e)
try: ()[0]
except Exception as e: s = str(e)
try: ''[0]
except Exception as e: s = str(e)
try: b''[0]
except Exception as e: s = str(e)
try: range(3)[5]
except Exception as e: s = str(e)
try: [].pop()
except Exception as e: s = str(e)
try: [1].pop(5)
except Exception as e: s = str(e)
try: {}['a']
except Exception as e: s = str(e)
try: {}[1, 2]
except Exception as e: s = str(e)
try: set().pop()
except Exception as e: s = str(e)
try: {}.popitem()
except Exception as e: s = str(e)
try: [].remove(1)
except Exception as e: s = str(e)
try: [1].index(2)
except Exception as e: s = str(e)
try: (1,).index(2)
except Exception as e: s = str(e)
try: 'a'.index('b')
except Exception as e: s = str(e)
try: 'a'.rindex('b')
except Exception as e: s = str(e)
try: b'a'.index(b'b')
except Exception as e: s = str(e)
try: range(3).index(7)
except Exception as e: s = str(e)
try: {1}.remove(2)
except Exception as e: s = str(e)
try: int('x')
except Exception as e: s = str(e)
try: int('')
except Exception as e: s = str(e)
try: int('1.5')
except Exception as e: s = str(e)
try: int('z', 36 + 1)
except Exception as e: s = str(e)
try: int('9', 8)
except Exception as e: s = str(e)
try: int([])
except Exception as e: s = str(e)
try: int(None)
except Exception as e: s = str(e)
try: int('1', 2.5)
except Exception as e: s = str(e)
try: int(base=2)
except Exception as e: s = str(e)
try: int(3, 2)
except Exception as e: s = str(e)
try: float('x')
except Exception as e: s = str(e)
try: float('')
except Exception as e: s = str(e)
try: float([])
except Exception as e: s = str(e)
try: float(None)
except Exception as e: s = str(e)
try: complex('x')
except Exception as e: s = str(e)
try: complex([])
except Exception as e: s = str(e)
try: complex(1, '2')
except Exception as e: s = str(e)
try: complex('1', 2)
except Exception as e: s = str(e)
try: chr(-1)
except Exception as e: s = str(e)
try: chr(1114112)
except Exception as e: s = str(e)
try: chr('a')
except Exception as e: s = str(e)
try: ord('')
except Exception as e: s = str(e)
try: ord('ab')
except Exception as e: s = str(e)
try: ord(1)
except Exception as e: s = str(e)
try: ord([])
except Exception as e: s = str(e)
try: len(5)
except Exception as e: s = str(e)
try: len(None)
except Exception as e: s = str(e)
try: abs('a')
except Exception as e: s = str(e)
try: abs(None)
except Exception as e: s = str(e)
try: -'a'
except Exception as e: s = str(e)
try: +'a'
except Exception as e: s = str(e)
try: ~1.5
except Exception as e: s = str(e)
try: -[]
except Exception as e: s = str(e)
try: not_defined
except Exception as e: s = str(e)
try: 1 + 'a'
except Exception as e: s = str(e)
try: 'a' + 1
except Exception as e: s = str(e)
try: [] + 1
except Exception as e: s = str(e)
try: [] + ()
except Exception as e: s = str(e)
try: () + []
except Exception as e: s = str(e)
try: 1 - 'a'
except Exception as e: s = str(e)
try: 'a' * 'b'
except Exception as e: s = str(e)
try: [] * 'a'
except Exception as e: s = str(e)
try: 'a' * 1.5
except Exception as e: s = str(e)
try: [1] * 1.5
except Exception as e: s = str(e)
try: None + 1
except Exception as e: s = str(e)
try: 1 + None
except Exception as e: s = str(e)
try: 1 < 'a'
except Exception as e: s = str(e)
try: 'a' < 1
except Exception as e: s = str(e)
try: [] < ()
except Exception as e: s = str(e)
try: None < None
except Exception as e: s = str(e)
try: {} < {}
except Exception as e: s = str(e)
try: {1: 2} | [1]
except Exception as e: s = str(e)
try: 1 | 'a'
except Exception as e: s = str(e)
try: 1 << -1
except Exception as e: s = str(e)
try: 1 >> -1
except Exception as e: s = str(e)
try: 1.5 << 1
except Exception as e: s = str(e)
try: 1.5 | 1
except Exception as e: s = str(e)
try: 'a' in 5
except Exception as e: s = str(e)
try: 1 in 'abc'
except Exception as e: s = str(e)
try: 1 in 5
except Exception as e: s = str(e)
try: None in 'a'
except Exception as e: s = str(e)
try: 5 in b'abc'
except Exception as e: s = str(e)
try: 'a' in b'abc'
except Exception as e: s = str(e)
try: 300 in b'abc'
except Exception as e: s = str(e)
try: [][1.5]
except Exception as e: s = str(e)
try: []['a']
except Exception as e: s = str(e)
try: ()['a']
except Exception as e: s = str(e)
try: 'abc'['a']
except Exception as e: s = str(e)
try: 'abc'[1.5]
except Exception as e: s = str(e)
try: b'abc'['a']
except Exception as e: s = str(e)
try: range(3)['a']
except Exception as e: s = str(e)
try: range(3)[1.5]
except Exception as e: s = str(e)
try: {}[[]]
except Exception as e: s = str(e)
try: {[]: 1}
except Exception as e: s = str(e)
try: {{}}
except Exception as e: s = str(e)
try: {1: 2}[{}]
except Exception as e: s = str(e)
try: set([[]])
except Exception as e: s = str(e)
try: {[1]}
except Exception as e: s = str(e)
try: 5[0]
except Exception as e: s = str(e)
try: None[0]
except Exception as e: s = str(e)
try: (lambda: 0)[0]
except Exception as e: s = str(e)
try: 5()
except Exception as e: s = str(e)
try: None()
except Exception as e: s = str(e)
try: 'a'()
except Exception as e: s = str(e)
