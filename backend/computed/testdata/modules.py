"""Names of standard modules, and what is computed of them."""
import heapq
import math
import random
import string
import sys
from abc import ABC, abstractmethod
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum
from functools import lru_cache, partial, reduce, wraps
from heapq import heapify, heappop, heappush, heappushpop, heapreplace
from itertools import accumulate, chain, permutations, product
from math import comb, cos, exp, hypot, isnan, lcm, log, log2, log10, pi, pow, radians, sin
from random import choice, randint, shuffle
from string import ascii_letters, ascii_lowercase, digits, punctuation
from sys import maxsize
from typing import Annotated, Any, Generic, List, NamedTuple, Optional, Protocol, TypeVar, Union

x = maxsize, sys.maxsize, string.ascii_uppercase, string.hexdigits, string.whitespace


def logs(n):
    out = []
    for i in range(1, n):
        a = log(i)
        b = log2(i)
        c = log2(i * i)
        d = log(i, 3)
        e = exp(i / 7)
        f = math.pow(i, 0.3)
        g = radians(i), math.degrees(i)
    return a, b, c, d, e, f, g


def heaps(seed, n):
    heap = []
    for i in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        heappush(heap, (seed % 7, -i))
    a = heapreplace(heap, (3, 3))
    b = heappushpop(heap, (0, 0))
    out = []
    while heap:
        out.append(heappop(heap))
    rest = [seed // 2 ** i % 10 for i in range(n)]
    heapq.heapify(rest)
    heapify(rest)
    try:
        heappop(heap)
    except IndexError as e:
        out.append(str(e))
    return out, rest, a, b


y = logs(12)
z = heaps(5, 9)
w = lcm(4, 6), comb(5, 2), isnan(1.5), math.isinf(math.inf), math.trunc(-2.5), math.copysign(2, -0.0)
