# Statements over several lines: which line each instruction has.


class m:
    def __init__(self, x):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *a):
        pass


def g(*a):
    pass


def t_and3(x):
    y = (
        x
        and x + 1
        and len(
            str(x)
        )
    )
    return y


def t_or(x):
    return (x == 5
        or x == 4
        or x)


def t_orcall(x):
    g(
        x
        or 1,
        x
        and 2
    )


def t_if1(x):
    return (
        x + 1 if
        x else
        0
    )


def t_if2(x):
    x += ('y'
        and 1 if x > 1
        else 5)
    return x


def t_if3(x):
    x = (
        1
        if str(x).startswith('a')
        else 2
        if x
        else 3
    )
    return x


def t_if4(x):
    x = (
        1
        if x and
          x > 1 and
          not x
        else 2
    )
    return x


def t_cmp(x):
    y = (
        0 < x
        < 5 <
        7
    )
    return y


def t_not(x):
    y = (
        not
        x
    )
    return not (
        x
    )


def t_ifcmp(x):
    if (
        0 < x
        < 5 <
        7
    ):
        return 1


def t_wh(x):
    while (
        x and
        x > 1
    ):
        x -= 1
    return x


def t_asrt(x):
    assert (
        x
        and x > 1
    ), (
        "a"
    )


def t_sub(x):
    y = [1, 2, 3]
    z = y[
        x - 2
    ]
    y[
        0
    ] = (
        5
    )
    y[
        1
    ] += (
        5
    )
    return y


def t_call(x):
    y = str(
        x
    ).replace(
        '3',
        '4'
    ).upper()
    return (
        y
        .lower()
        .upper()
    )


def t_tup(x):
    a, b = (
        x,
        x + 1
    )
    (a,
     b) = b, a
    return a, \
        b


def t_fstr(x):
    y = (
        f"{x}"
        f"{x + 1}"
        "z"
    )
    z = "a" \
        "b"
    return y, z


def t_dic(x):
    y = {
        'a': x,
        'b': [
            x
        ],
        **{'c':
            x}
    }
    return y


def t_lam(x):
    y = (
        lambda a:
            a + 1
    )
    return y(
        x
    )


def t_wth(x):
    with m(
        x
    ) as y:
        z = 1
    return z


def t_frr(x):
    for i in [
        x,
        1
    ]:
        z = i
    return z


def t_rse(x):
    raise ValueError(
        x,
        'a'
    )


def t_dele(x):
    a = [1, 2]
    del (
        a[
          0
        ]
    )


def attempt(f):
    try:
        f(3)
        f(0)
    except Exception:
        pass


attempt(t_and3)
attempt(t_or)
attempt(t_orcall)
attempt(t_if1)
attempt(t_if2)
attempt(t_if3)
attempt(t_if4)
attempt(t_cmp)
attempt(t_not)
attempt(t_ifcmp)
attempt(t_wh)
attempt(t_asrt)
attempt(t_sub)
attempt(t_call)
attempt(t_tup)
attempt(t_fstr)
attempt(t_dic)
attempt(t_lam)
attempt(t_wth)
attempt(t_frr)
attempt(t_rse)
attempt(t_dele)


def fails(x):
    try:
        value = {
            "variance": 9,
            "getstate": 2,
        }["foundation"]
    except KeyError:
        value = 0
    try:
        value = (
            x
            // 0
        )
    except ZeroDivisionError:
        pass
    try:
        value = [
            x,
            -"a",
        ]
    except TypeError:
        pass
    try:
        value = (
            x
            .nothing
        )
    except AttributeError:
        pass
    return value


fails(1)
