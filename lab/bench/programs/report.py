"""Text that is put together: tables, wrapped paragraphs, run-length codes."""

SALES = [
    ("north", "apples", 31, 120), ("north", "pears", 12, 180), ("south", "apples", 54, 110),
    ("south", "plums", 7, 240), ("east", "pears", 23, 175), ("east", "apples", 40, 118),
    ("west", "plums", 19, 230), ("west", "quinces", 3, 400), ("south", "quinces", 5, 390),
]  # fmt: skip

TEXT = (
    "a report is read from the top to the bottom and most of it is not read at all "
    "so what matters stands first and what does not matter is left out if one can "
)


def pad(text, width, right=False):
    missing = width - len(text)
    if missing <= 0:
        return text
    return " " * missing + text if right else text + " " * missing


def table(rows, headings):
    widths = [len(heading) for heading in headings]
    for row in rows:
        for i, cell in enumerate(row):
            widths[i] = max(widths[i], len(str(cell)))
    out = ""
    for i, heading in enumerate(headings):
        out += pad(heading, widths[i]) + " "
    out += "\n" + "-" * len(out) + "\n"
    for row in rows:
        line = ""
        for i, cell in enumerate(row):
            line += pad(str(cell), widths[i], isinstance(cell, int)) + " "  # hot: i < 0
        out += line.rstrip() + "\n"
    return out


def wrap(text, width):
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        elif line:
            line += " " + word
        else:
            line = word
    if line:
        lines.append(line)
    return lines


def squeeze(text):
    out = []
    i = 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out.append(text[i] + (str(j - i) if j - i > 1 else ""))
        i = j
    return "".join(out)


def caesar(text, shift):
    result = ""
    for char in text:
        if char.isalpha():
            base = ord("A") if char.isupper() else ord("a")
            result += chr((ord(char) - base + shift) % 26 + base)
        else:
            result += char
    return result


def month(number):
    rows = []
    for region, fruit, count, price in SALES:
        sold = count + number * len(fruit) % 17
        rows.append((region, fruit, sold, sold * price))
    rows.sort(key=lambda row: (-row[3], row[0]))
    page = f"Month {number}\n" + table(rows, ["region", "fruit", "sold", "cents"])
    page += "\n".join(wrap(TEXT * 2, 40 + number % 20))
    return page


def main():
    checksum = 0
    book = []
    for number in range(1, 81):
        page = month(number)
        book.append(page)
        secret = caesar(page[:420], number)
        short = squeeze(page)
        checksum = (checksum * 31 + len(short) + ord(secret[-1]) + len(page)) % 1000003
    print(book[0])
    print("pages", len(book), "characters", sum(len(page) for page in book))
    print("checksum", checksum)


if __name__ == "__main__":
    main()
