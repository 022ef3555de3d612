def f(records, string):
    if string.islower(): records.append(
        (
            string[1],
            sum(
                1
                for p, v in records
                if string not in p
            ),
        ),
    )
    if string == 'e':
        return 1
    return records
f([('q', 9)], 'abc')


def on_the_last_line(values):
    for v in values:
        if min(
            [w for w in range(v)], default=-1,
        ) < 0: return v
        if v == \
            max(v, 2): v += 1
    return values


on_the_last_line([3, 2, 0])
