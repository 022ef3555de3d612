"""Scripts people write and debug: functions that call each other, recursion,
algorithms."""

SCRIPTS = ["""
%let N = rpn¦evaluate¦calc¦run
OPS = {
    '+': lambda a, b: a + b,
    '-': lambda a, b: a - b,
    '*': lambda a, b: a * b,
%opt
    '/': lambda a, b: a // b,
%let DIV = y
%end
}

def «N»(text):
    stack = []
    for token in text.split():
        if token in OPS:
            right = stack.pop()
            left = stack.pop()
            stack.append(OPS[token](left, right))
        else:
            stack.append(int(token))
%opt
    if len(stack) != 1:
        raise ValueError(f'left over: {stack}')
%end
    return stack«.pop()¦[-1]¦[0]»
%use
first = «N»('«#1-20» «#1-9» «+¦-¦*» «#1-9» «+¦-¦*»')
%alt
try:
    second = «N»('«#1-9» «#0-3» «/¦-¦+¦x¦* *»')
except (ValueError, IndexError, ZeroDivisionError) as e:
    second = «str(e)¦type(e).__name__¦None»
%or
%raises
second = «N»('«#1-9» «#0-3» «/¦-¦+ +»')
%end
print(first, second)
""", """
%let N = life¦step¦evolve¦advance
def neighbours(cells, r, c):
    count = 0
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if (dr or dc) and (r + dr, c + dc) in cells:
                count += 1
    return count
%use
cells = {(0, «#0-1»), («#0-1», 1), (1, «#1-2»)}
n = neighbours(cells, «#0-1», «#0-1»)
print(n, n in (2, 3))
""", """
%let N = wrap¦fold¦break_lines¦fill
def «N»(text, width=«#6-14»):
    lines, current = [], ''
    for word in text.split():
        if not current:
            current = word
        elif len(current) + 1 + len(word) <= width:
            current += ' ' + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines

%alt
def show(lines, width):
    return [line.«center¦ljust¦rjust»(width, '«.¦ ¦*»') for line in lines]
%or
def show(lines, width):
    for i, line in enumerate(lines, 1):
        print(f'{i:>2} {line:<{width}}|')
    return len(lines)
%end
%use
lines = «N»(«s», «#5-16»)
shown = show(lines, «#8-16»)
""", """
%let N = is_leap¦leap¦leap_year
%alt
def «N»(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
%or
def «N»(year):
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 == 0
%end

DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

def days_in(month, year):
    if month == 2 and «N»(year):
        return 29
    return DAYS[month - 1]

def day_of_year(day, month, year):
    return day + sum(days_in(m, year) for m in range(1, month))
%use
number = day_of_year(«#1-28», «#1-5», «#1990-2030»)
%opt
years = [y for y in range(«1996¦2000¦1896¦2018», «2001¦2005¦1905», «2¦1¦4») if «N»(y)]
%end
%opt
print(«N»(«1900¦2000¦2024¦2023»), days_in(«#1-12», 2024))
%end
""", """
%let N = grade¦letter_for¦mark¦rate
%alt
def «N»(score):
    if score >= «#85-95»:
        return 'A'
    elif score >= «#70-84»:
        return 'B'
    elif score >= «#50-69»:
        return 'C'
    return 'F'
%or
BOUNDS = [(90, 'A'), («#70-85», 'B'), («#50-65», 'C')]

def «N»(score):
    for bound, letter in BOUNDS:
        if score >= bound:
            return letter
    return 'F'
%or
def «N»(score):
    return 'ABCDF'[min(4, max(0, (99 - score) // 10))]
%end

def summary(scores):
    table = {}
    for name, score in scores.items():
        table.setdefault(«N»(score), []).append(name)
    return table

%opt
def mean(values):
    values = list(values)
    return «sum(values) / len(values) if values else 0¦sum(values) // max(1, len(values))»

%let M = y
%end
%use
scores = {'«ann¦bo¦kim»': «#40-100», «w»: «#30-100», «w»: «#60-95»}
table = summary(scores)
%if M=y
average = mean(scores.values())
%end
for letter in sorted(table):
    print(letter, len(table[letter]))
""", """
%let N = merge_sort¦msort¦sort
def merge(left, right):
    result = []
    while left and right:
        if left[0] «<=¦>=» right[0]:
            result.append(left.pop(0))
        else:
            result.append(right.pop(0))
    return result + left + right

def «N»(entries):
    if len(entries) < 2:
        return entries
    mid = len(entries) // 2
    return merge(«N»(entries[:mid]), «N»(entries[mid:]))
%use
numbers = «N»([«#0-20», «#0-20», «#0-20»«¦, «#0-9»»])
print(numbers)
""", """
%let N = quick¦qsort¦sort_list
def «N»(entries):
    if «not entries¦len(entries) <= 1»:
        return «entries¦[]¦list(entries)»
    pivot, *rest = entries
    small = [v for v in rest if v «<¦<=» pivot]
    big = [v for v in rest if v not in small]
    return «N»(small) + [pivot] + «N»(big)
%use
answer = «N»([«#0-20», «#0-9», «#5-20»«¦, «#0-30»»])
%opt
best = answer[«0¦-1»]
%end
""", """
%let N = bubble¦sort_in_place¦insertion¦arrange
%alt
def «N»(entries):
    n = len(entries)
    swaps = 0
    for i in range(n - 1):
        for j in range(n - 1 - i):
            if entries[j] > entries[j + 1]:
                entries[j], entries[j + 1] = entries[j + 1], entries[j]
                swaps += 1
    return swaps
%or
def «N»(entries):
    moves = 0
    for i in range(1, len(entries)):
        value, j = entries[i], i
        while j > 0 and entries[j - 1] > value:
            entries[j] = entries[j - 1]
            j -= 1
            moves += 1
        entries[j] = value
    return moves
%or
def «N»(entries):
    for i in range(len(entries)):
        smallest = min(range(i, len(entries)), key=entries.__getitem__)
        entries[i], entries[smallest] = entries[smallest], entries[i]
    return entries[0]
%end
%use
data = [«#0-30», «#0-30», «#0-30»«¦, «#0-9»¦, «#0-9», «#0-9»»]
work = «N»(data)
print(data, work)
""", """
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 4, 8), (2, 4, 6)«¦, (0, 3, 6), (1, 4, 7), (2, 5, 8)»]

def winner(board):
    for a, b, c in LINES:
        if board[a] != '.' and board[a] == board[b] == board[c]:
            return board[a]
    return «None¦''»

def state_of(board):
    who = winner(board)
    if who:
        return who + ' wins'
    return «'draw' if '.' not in board else 'open'¦'open' if board.count('.') else 'draw'»
%use
board = list('«XOXOXO.X.¦XXXOO....¦X.OOX.XO.¦..O.O.OXX¦XOXXOOOXX¦OX.XO.X.O»')
%opt
board[«#0-8»] = '«X¦O»'
%end
result = state_of(board)
print(result, board.count('X'))
""", """
%let N = change¦coins¦make_change¦pay
%alt
def «N»(amount, coins=(«25, 10, 5, 1¦20, 5, 2, 1¦10, 4, 1»)):
    result = {}
    for coin in coins:
        n, amount = divmod(amount, coin)
        if n:
            result[coin] = n
    return result
%or
def «N»(amount, coins=(«5, 2, 1¦4, 3, 1»)):
    best = [0] + [None] * amount
    for i in range(1, amount + 1):
        best[i] = 1 + min(best[i - c] for c in coins if c <= i)
    return best[amount]
%or
def «N»(amount, coins=(5, 2, 1)):
    used = []
    for coin in coins:
        while amount >= coin:
            amount -= coin
            used.append(coin)
    return used
%end
%use
result = «N»(«#2-7»)
%opt
other = «N»(«#5-9»«¦, («#2-4», 1)»)
%end
print(result)
"""]
