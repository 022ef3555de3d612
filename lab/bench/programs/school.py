"""Records as beginners store them: a dict of lists of dicts."""

import random

FIRST = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo", "Iris", "Jan"]
LAST = ["Adler", "Busch", "Conti", "Dahl", "Ebert", "Falk", "Grau", "Hahn"]
SUBJECTS = ["maths", "history", "music", "biology"]


def new_student(number, source):
    return {
        "number": number,
        "name": f"{source.choice(FIRST)} {source.choice(LAST)}",
        "born": 2008 + source.randrange(4),
        "marks": {subject: [] for subject in SUBJECTS},
        "absent": [],
    }


def fill(classes, source):
    number = 0
    for title in classes:
        for _ in range(24):
            number += 1
            classes[title].append(new_student(number, source))


def write_tests(classes, week, source):
    for title, students in classes.items():
        subject = SUBJECTS[(week + len(title)) % len(SUBJECTS)]
        for student in students:
            if source.random() < 0.06:
                student["absent"].append({"week": week, "excused": source.random() < 0.7})
                continue
            mark = 1 + min(source.randrange(6), source.randrange(6))
            student["marks"][subject].append(mark)  # hot: mark < 0


def average(values):
    if not values:
        return 0
    total = 0
    for value in values:
        total += value
    return total / len(values)


def ranking(students):
    rows = []
    for student in students:
        means = []
        for subject in SUBJECTS:
            marks = student["marks"][subject]
            if marks:
                means.append(average(marks))
        row = {"name": student["name"], "number": student["number"], "mean": round(average(means), 3)}
        rows.append(row)
    rows.sort(key=lambda row: (row["mean"], row["number"]))
    return rows


def move_up(classes, limit):
    kept = []
    for students in classes.values():
        for student in list(students):
            unexcused = [absence for absence in student["absent"] if not absence["excused"]]
            if len(unexcused) >= limit:
                students.remove(student)
                kept.append(student)
    return kept


def by_year(classes):
    years = {}
    for students in classes.values():
        for student in students:
            years.setdefault(student["born"], []).append(student["name"])
    return years


def main():
    source = random.Random(43)
    classes = {f"{grade}{letter}": [] for grade in (7, 8, 9) for letter in "ab"}
    fill(classes, source)
    best = {}
    for week in range(64):
        write_tests(classes, week, source)
        if week % 4 == 3:
            for title, students in classes.items():
                best.setdefault(title, []).append(ranking(students)[0])
    kept = move_up(classes, 2)
    years = by_year(classes)
    for title, rows in best.items():
        print(title, [row["name"] for row in rows])
    print("kept", len(kept), {year: len(names) for year, names in sorted(years.items())})
    checksum = len(kept)
    for title in classes:
        for row in ranking(classes[title]):
            checksum = (checksum * 31 + row["number"] + int(row["mean"] * 1000)) % 1000003
    print("checksum", checksum)


if __name__ == "__main__":
    main()
