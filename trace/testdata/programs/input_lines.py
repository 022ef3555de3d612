# The program reads its standard input, to the end and beyond it.
# stdin: "3\nann\n"
def ask(prompt):
    return input(prompt)


n = int(ask("n? "))
name = ask("name? ") * n
try:
    ask("more? ")
except EOFError:
    more = None
