# Reading an attribute makes some values anew, often where a freed one was.
import datetime
import pathlib

rows, table = [1], {}
for change, arg in (
    (rows.__iadd__, [1]),
    (rows.__contains__, 1),
    (rows.__add__, [1]),
):
    change(arg)
a = table.__setitem__
b = table.__contains__
c = table.__getitem__
d = table.__eq__
a = b = c = d = None
a = rows.__len__
b = rows.__iter__
c = rows.__lt__
del a, b, c


def parents(path):
    for _ in range(3):
        path = path.parent
        up = path.parent
        own = path.name
    return up, own


def zones(moment):
    zone = moment.tzinfo
    zone = None
    day = moment.date
    day = moment.time
    low = moment.min
    high = moment.max
    step = moment.resolution
    return zone, day, low, high, step


print(parents(pathlib.PurePosixPath("/a/b/c/d")))
print(zones(datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc))[2:])
