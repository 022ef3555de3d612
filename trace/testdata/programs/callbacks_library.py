# Library code calls back: sort keys, map, reduce, re.sub, json hooks, defaultdict factories.
import collections
import functools
import json
import re


def key(word):
    return len(word), word


def merge(a, b):
    return a + b


def upper(match):
    return match.group().upper()


def default(obj):
    return sorted(obj)


def hook(d):
    d["seen"] = True
    return d


def make():
    return 7


words = sorted(["bb", "a", "ccc"], key=key)
lengths = list(map(len, filter(lambda w: w != "a", words)))
total = functools.reduce(merge, lengths, 0)
text = re.sub("[a-b]+", upper, "xaby")
dumped = json.dumps({"s": {2, 1}}, default=default)
loaded = json.loads('{"a": {"b": 1}}', object_hook=hook)
dd = collections.defaultdict(make)
seven = dd["x"]
