"""The basic blocks of a source text, by line, as docs/nd1.md defines them for step_block."""

import ast

LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def straight(slots, before, line):
    """Reports whether a line event continues the block of the previous line event in its activation."""
    if before not in slots or line not in slots:
        return False
    (block, was, _), (same, now, again) = slots[before], slots[line]
    if block != same or now < was:
        return False
    return now > was or again == "any" or again == "forward" and line > before


def slots_of(source):
    """Returns {line: (block, number of the statement in the block, when the statement may continue itself)}."""
    reader = Reader()
    reader.body(ast.parse(source).body)
    return reader.slots


class Reader:
    def __init__(self):
        self.slots = {}
        self.blocks = 0
        self.statements = 0

    def new(self):
        self.blocks += 1
        return self.blocks

    def body(self, statements):
        block = self.new()
        for statement in statements:
            if isinstance(statement, LOOPS):
                block = self.new()
            if isinstance(statement, DEFINITIONS):
                self.head(statement, block)
                self.body(statement.body)
            elif hasattr(statement, "body") or isinstance(statement, ast.Match if hasattr(ast, "Match") else ()):
                self.compound(statement, block)
                block = self.new()
            else:
                self.place(range(statement.lineno, statement.end_lineno + 1), block, [statement])
                if isinstance(statement, LEAVING):
                    block = self.new()

    def compound(self, statement, block):
        self.head(statement, block)
        if hasattr(statement, "cases"):
            for case in statement.cases:
                guard = [case.guard] if case.guard else []
                last = max(node.end_lineno for node in [case.pattern, *guard])
                self.place(self.up_to(case.pattern.lineno, last, case.body), self.new(), guard)
                self.body(case.body)
            return
        before = self.statements
        self.body(statement.body)
        if isinstance(statement, ast.While) and self.statements == before + 1 and constantly_true(statement.test):
            for line, (number, order, again) in self.slots.items():
                if order == self.statements and again == "any":
                    self.slots[line] = number, order, "forward"
        for handler in getattr(statement, "handlers", []):
            last = handler.type.end_lineno if handler.type else handler.lineno
            self.place(self.up_to(handler.lineno, last, handler.body), self.new(), [handler.type])
            self.body(handler.body)
        for name in "orelse", "finalbody":
            if getattr(statement, name, []):
                self.body(getattr(statement, name))

    def head(self, statement, block):
        """Places the header of a compound statement."""
        body = getattr(statement, "body", [])
        inner = {id(node) for part in ("body", "orelse", "finalbody", "handlers", "cases") for node in getattr(statement, part, [])}
        nodes = [node for node in ast.iter_child_nodes(statement) if id(node) not in inner]
        decorators = getattr(statement, "decorator_list", [])
        start = min([statement.lineno, *(node.lineno for node in decorators)])
        ends = [node.end_lineno for part in nodes for node in ast.walk(part) if hasattr(node, "end_lineno")]
        self.place(self.up_to(start, max([statement.lineno, *ends]), body), block, nodes)

    def up_to(self, start, last, body):
        """Returns the lines of a header, which end before its body."""
        if body:
            first = body[0]
            begins = min([first.lineno, *(node.lineno for node in getattr(first, "decorator_list", []))])
            last = min(last, begins - 1)
        return range(start, max(start, last) + 1)

    def place(self, lines, block, nodes):
        """Adds the lines of a statement. If the first line already has a statement, all lines join that one."""
        repeats = any(isinstance(node, COMPREHENSIONS) for root in nodes if root for node in ast.walk(root))
        if lines[0] in self.slots:
            block, order, again = self.slots[lines[0]]
        else:
            self.statements += 1
            order, again = self.statements, "never"
        known = [line for line, slot in self.slots.items() if slot[1] == order] if again == "never" and lines[0] in self.slots else []
        if repeats or len(lines) > 1 or len(known) > 1:
            again = "any"
        for line in [*known, *lines]:
            self.slots[line] = block, order, again


def constantly_true(test):
    return isinstance(test, ast.Constant) and bool(test.value)
