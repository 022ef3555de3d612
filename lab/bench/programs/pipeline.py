"""Generators in a chain: a log is read, filtered, grouped and summed."""

import itertools

LEVELS = ["debug", "info", "warning", "error"]
SERVICES = ["web", "mail", "store", "login", "search"]


def numbers(seed):
    state = seed
    while True:
        state = (state * 1103515245 + 12345) % 2147483648
        yield state // 65536


def log_lines(count, source):
    time = 0
    for number in range(count):
        time += next(source) % 20
        level = LEVELS[next(source) % 4]
        service = SERVICES[next(source) % 5]
        yield f"{time} {level} {service} request {number} took {next(source) % 900} ms"


def parsed(lines):
    for line in lines:
        time, level, service, _, number, _, took, _ = line.split()
        yield {
            "time": int(time),
            "level": level,
            "service": service,
            "number": int(number),
            "took": int(took),
        }


def at_least(records, level):
    least = LEVELS.index(level)
    for record in records:
        if LEVELS.index(record["level"]) >= least:  # hot: record is None
            yield record


def with_pause(records):
    last = None
    for record in records:
        record["pause"] = 0 if last is None else record["time"] - last
        last = record["time"]
        yield record


def batches(records, size):
    batch = []
    for record in records:
        batch.append(record)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def averages(values):
    total = count = 0
    average = None
    while True:
        value = yield average
        total += value
        count += 1
        average = total / count


def flatten(tree):
    for part in tree:
        if isinstance(part, list):
            yield from flatten(part)
        else:
            yield part


def main():
    source = numbers(4)
    records = with_pause(at_least(parsed(log_lines(8000, source)), "info"))
    running = averages(None)
    next(running)
    average = 0
    tree = []
    slowest = {}
    for batch in batches(records, 25):
        worst = max(batch, key=lambda record: record["took"])
        slowest[worst["number"]] = worst["took"]
        for record in batch:
            average = running.send(record["took"])
        tree.append([record["pause"] for record in batch])
    checksum = 0
    for value in itertools.chain(flatten([tree, [[1, [2, [3]]]]]), slowest.values()):
        checksum = (checksum * 31 + value) % 1000003
    print(f"{len(tree)} batches, {average:.3f} ms on average")
    print("slowest", sorted(slowest.items(), key=lambda pair: -pair[1])[:3])
    print("checksum", checksum)


if __name__ == "__main__":
    main()
