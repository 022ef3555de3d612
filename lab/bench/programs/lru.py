"""A cache of dataclasses that drops what was used least recently."""

import random
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Dict, List, Optional


@dataclass
class Page:
    url: str
    size: int
    hits: int = 0
    tags: List[str] = field(default_factory=list)


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evicted: int = 0
    by_tag: Dict[str, int] = field(default_factory=dict)

    @property
    def rate(self):
        return self.hits / (self.hits + self.misses)


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.used = 0
        self.pages = OrderedDict()
        self.stats = Stats()

    def get(self, url) -> Optional[Page]:
        page = self.pages.get(url)
        if page is None:
            self.stats.misses += 1
            return None
        self.pages.move_to_end(url)
        page.hits += 1
        self.stats.hits += 1
        for tag in page.tags:
            self.stats.by_tag[tag] = self.stats.by_tag.get(tag, 0) + 1
        return page

    def put(self, page):
        while self.used + page.size > self.capacity and self.pages:
            _, oldest = self.pages.popitem(last=False)
            self.used -= oldest.size
            self.stats.evicted += 1
        self.pages[page.url] = page
        self.used += page.size


class Site:
    TAGS = ["news", "sport", "art", "science"]

    def __init__(self, source):
        self.source = source
        self.loaded = 0

    def load(self, url):
        self.loaded += 1
        number = int(url.rsplit("/", 1)[1])
        tags = [self.TAGS[number % 4]]
        if number % 3 == 0:
            tags.append(self.TAGS[number // 3 % 4])
        return Page(url, 10 + number * 37 % 90, tags=tags)


def visit(cache, site, url):
    page = cache.get(url)
    if page is None:
        page = site.load(url)  # hot: page is not None
        cache.put(page)
    return page


def main():
    source = random.Random(21)
    cache = Cache(5000)
    site = Site(source)
    checksum = 0
    for _ in range(14000):
        number = min(source.randrange(400), source.randrange(400))
        page = visit(cache, site, f"https://example.org/page/{number}")
        checksum = (checksum * 3 + page.hits + page.size) % 1000003
    print(f"rate {cache.stats.rate:.3f}, loaded {site.loaded}, evicted {cache.stats.evicted}")
    print(dict(sorted(cache.stats.by_tag.items())))
    most = max(cache.pages.values(), key=lambda page: (page.hits, page.url))
    print(most)
    print("checksum", checksum)


if __name__ == "__main__":
    main()
