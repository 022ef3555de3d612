# A recursive-descent parser with shared tokens and position.
class Parser:
    def __init__(self, text):
        self.tokens = text.replace("(", " ( ").replace(")", " ) ").split()
        self.at = 0
        self.errors = []

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def expression(self):
        left = self.term()
        while self.peek() in ("+", "-"):
            left = [self.take(), left, self.term()]
        return left

    def term(self):
        left = self.factor()
        while self.peek() == "*":
            left = [self.take(), left, self.factor()]
        return left

    def factor(self):
        token = self.take()
        if token == "(":
            inner = self.expression()
            self.take()
            return inner
        if token is None or not token.isdigit():
            self.errors.append(token)
            return None
        return int(token)


def evaluate(tree, env):
    env["steps"] += 1
    if isinstance(tree, list):
        op, left, right = tree
        tree[1], tree[2] = evaluate(left, env), evaluate(right, env)
        return {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[op](tree[1], tree[2])
    return tree


env = {"steps": 0}
parser = Parser("2 * (3 + 4) - 5")
tree = parser.expression()
value = evaluate(tree, env)
broken = Parser("1 + x").expression()
print(value, tree, env, broken)
