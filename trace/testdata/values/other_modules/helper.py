setting = 0
items = []
settings = {"depth": 1}
built = [n for n in range(3)]


def put(value):
    global setting
    items.append(value)
    setting = len(items)
    return None


def total():
    return setting, list(items)


def nested(call):
    before = setting
    result = call(before)
    after = setting
    return before, result, after


def reads_new():
    mine = new
    mine.append("new")
    return len(mine)


put("at import")
