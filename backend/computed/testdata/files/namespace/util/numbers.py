

# after some lines

def double(n: int) -> int: return 2 * n
