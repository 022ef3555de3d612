# Conditional expressions whose branches end with a jump, and formats that come first.


def pick(ch, t, o):
    half = ''
    half += ch or t if o != 1 else ch
    x = ch and t if o else ch
    y = 3 if o else ch or t
    same(ch or t if o else ch)
    return ch or t if o else ch


def same(a):
    return a


def first(x):
    return "B:%s" % (x,)


def later(x):
    y = 1
    z = "B:%s" % (x,)
    return z


for case in [('a', 'b', 2), ('', 'b', 2), ('a', 'b', 1), ('a', 'b', 0), ('', 'b', 0)]:
    pick(*case)
first(1)
later(2)
