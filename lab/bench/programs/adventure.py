"""A text adventure played from a script: rooms, things, a lamp and a troll."""


class Thing:
    def __init__(self, name, weight, worth=0):
        self.name = name
        self.weight = weight
        self.worth = worth

    def __str__(self):
        return f"a {self.name}"


class Room:
    def __init__(self, name, dark=False):
        self.name = name
        self.dark = dark
        self.exits = {}
        self.things = []
        self.visits = 0

    def connect(self, direction, other, back):
        self.exits[direction] = other
        other.exits[back] = self

    def describe(self, lit):
        if self.dark and not lit:
            return "It is dark."
        text = f"You are in the {self.name}."
        for thing in self.things:
            text += f" There is {thing}."
        text += " Ways lead " + ", ".join(sorted(self.exits)) + "."
        return text


class Player:
    LIMIT = 12

    def __init__(self, room):
        self.room = room
        self.carried = []
        self.moves = 0
        self.score = 0
        self.lamp = 60

    def holds(self, name):
        for thing in self.carried:
            if thing.name == name:
                return thing
        return None

    @property
    def lit(self):
        return self.lamp > 0 and self.holds("lamp") is not None


class Game:
    def __init__(self):
        hall, cellar, garden = Room("hall"), Room("cellar", dark=True), Room("garden")
        bridge, cave, tower = Room("bridge"), Room("cave", dark=True), Room("tower")
        hall.connect("down", cellar, "up")
        hall.connect("north", garden, "south")
        garden.connect("east", bridge, "west")
        bridge.connect("east", cave, "west")
        hall.connect("up", tower, "down")
        hall.things += [Thing("lamp", 2), Thing("stone", 9)]
        cellar.things.append(Thing("bottle", 3, 10))
        cave.things += [Thing("crown", 4, 100), Thing("chest", 11, 150)]
        tower.things.append(Thing("bell", 5, 30))
        self.rooms = [hall, cellar, garden, bridge, cave, tower]
        self.player = Player(hall)
        self.said = []
        self.verbs = {"go": self.go, "take": self.take, "drop": self.drop, "look": self.look}

    def say(self, text):
        self.said.append(text)

    def go(self, direction):
        room = self.player.room
        if direction not in room.exits:
            self.say("You cannot go there.")
            return
        if room.name == "bridge" and direction == "east" and self.player.holds("bell"):
            self.say("The troll hates bells and pushes you back.")
            return
        self.player.room = room.exits[direction]
        self.player.room.visits += 1
        self.say(self.player.room.describe(self.player.lit))

    def take(self, name):
        room, player = self.player.room, self.player
        for thing in room.things:
            if thing.name == name:
                if sum(other.weight for other in player.carried) + thing.weight > player.LIMIT:
                    self.say("It is too heavy.")
                    return
                room.things.remove(thing)
                player.carried.append(thing)
                player.score += thing.worth
                self.say(f"You take {thing}.")
                return
        self.say(f"There is no {name}.")

    def drop(self, name):
        thing = self.player.holds(name)
        if thing is None:
            self.say(f"You have no {name}.")
            return
        self.player.carried.remove(thing)
        self.player.room.things.append(thing)
        self.player.score -= thing.worth // 2
        self.say("Dropped.")

    def look(self, _):
        self.say(self.player.room.describe(self.player.lit))

    def play(self, command):
        verb, _, rest = command.partition(" ")
        action = self.verbs.get(verb)
        self.player.moves += 1
        if self.player.lit:
            self.player.lamp -= 1  # hot: self.player.moves < 0
        if action is None:
            self.say(f"I do not know how to {verb}.")
        else:
            action(rest)


SCRIPT = (
    "look,take stone,take lamp,drop stone,take lamp,go down,take bottle,go up,go up,take bell,go down,"
    "go north,go east,go east,drop bell,go east,take crown,take chest,sing,drop bottle,take chest,go west,"
    "take bell,go west,go south,drop crown,look,go sideways,drop lamp,take crown,drop sword,go down,look"
)


def main():
    checksum = 0
    for round_number in range(100):
        game = Game()
        for _ in range(4):
            for command in SCRIPT.split(","):
                game.play(command)
        for line in game.said:
            checksum = (checksum * 31 + len(line)) % 1000003
        if round_number == 0:
            print("\n".join(game.said[:12]))
    print("score", game.player.score, "moves", game.player.moves, "lamp", game.player.lamp)
    print("checksum", checksum)


if __name__ == "__main__":
    main()
