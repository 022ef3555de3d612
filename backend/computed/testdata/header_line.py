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
