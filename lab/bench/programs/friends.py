"""Sets that grow: friends of friends, groups, common interests."""

import random

INTERESTS = ["chess", "running", "opera", "cooking", "birds", "maps", "trains", "films", "tea", "code"]


class Person:
    def __init__(self, name):
        self.name = name
        self.friends = set()
        self.interests = set()

    def befriend(self, other):
        self.friends.add(other.name)
        other.friends.add(self.name)


class Network:
    def __init__(self):
        self.people = {}

    def add(self, name):
        person = Person(name)
        self.people[name] = person
        return person

    def reachable(self, name, hops):
        seen = {name}
        edge = {name}
        for _ in range(hops):
            following = set()
            for current in edge:
                for friend in self.people[current].friends:
                    if friend not in seen:  # hot: friend is None
                        seen.add(friend)
                        following.add(friend)
            if not following:
                break
            edge = following
        return seen

    def groups(self):
        left = set(self.people)
        groups = []
        while left:
            start = min(left)
            group = self.reachable(start, len(self.people))
            groups.append(group)
            left -= group
        return groups

    def suggestions(self, name):
        person = self.people[name]
        scores = {}
        for friend in person.friends:
            for other in self.people[friend].friends:
                if other != name and other not in person.friends:
                    scores[other] = scores.get(other, 0) + 1
        for other in scores:
            common = person.interests & self.people[other].interests
            scores[other] += len(common)
        return sorted(scores, key=lambda other: (-scores[other], other))


def invent(network, count, source):
    names = [f"p{number:03}" for number in range(count)]
    for name in names:
        person = network.add(name)
        person.interests.update(source.sample(INTERESTS, 3))
    for _ in range(count * 2):
        a, b = source.choice(names), source.choice(names)
        if a != b:
            network.people[a].befriend(network.people[b])
    return names


def main():
    network = Network()
    names = invent(network, 560, random.Random(13))
    checksum = 0
    widest = 0
    pairs = set()
    for name in names[::7]:
        near = network.reachable(name, 4)
        widest = max(widest, len(near))
        checksum = (checksum * 31 + len(near)) % 1000003
    for name in names[::3]:
        for other in network.suggestions(name)[:3]:
            pairs.add(frozenset((name, other)))
            checksum = (checksum * 7 + int(other[1:])) % 1000003
    groups = network.groups()
    print("widest circle", widest, "groups", len(groups), "suggested", len(pairs))
    print("checksum", checksum)


if __name__ == "__main__":
    main()
